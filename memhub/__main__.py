"""`python -m memhub` is `mh`."""

from memhub.cli import main

if __name__ == "__main__":
    main()
