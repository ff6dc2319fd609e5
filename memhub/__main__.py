"""`python -m memhub` is `mh`."""

import sys

from memhub.cli import main

sys.exit(main())
