"""Writes what is generated from the code: docs/cli.md, the table in docs/config.md and completions/*.

python docs/generate.py            # write
python docs/generate.py --check    # say what is out of date, exit 1
"""

import io
import sys
from pathlib import Path

from cogapp import Cog

from memhub.cli import key_bindings
from memhub.cli.completion import script

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("docs/cli.md", "docs/config.md")
SHELLS = ("bash", "zsh", "fish")


def generated() -> dict[Path, str]:
    """The wanted content of every generated file."""
    files = {ROOT / page: _cogged(ROOT / page) for page in PAGES}
    files |= {ROOT / f"completions/mh.{shell}": script(shell) for shell in SHELLS}
    return files | {ROOT / f"completions/keys.{shell}": key_bindings.script(shell) for shell in SHELLS}


def main() -> int:
    """Write or check, as the command line says."""
    stale = [path for path, text in generated().items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if "--check" in sys.argv[1:]:
            sys.stderr.write(f"{path.relative_to(ROOT)} is out of date; run `python docs/generate.py`\n")
        else:
            path.write_text(generated()[path], "utf-8")
    return 1 if stale and "--check" in sys.argv[1:] else 0


def _cogged(page: Path) -> str:
    out = io.StringIO()
    Cog().process_file(io.StringIO(page.read_text("utf-8")), out, str(page))
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
