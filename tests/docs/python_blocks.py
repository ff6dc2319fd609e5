"""Runs the ```python blocks of a page and compares what they print with the lines `# → …` in them."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def blocks_of(page: str) -> list[tuple[int, str]]:
    """The line on which each block begins, and its text."""
    return [(page.count("\n", 0, found.start(1)) + 1, found.group(1)) for found in _BLOCK.finditer(page)]


def expected(block: str) -> str:
    """What a block says it prints."""
    shown = [line.strip().removeprefix("# → ") for line in block.splitlines() if line.strip().startswith("# → ")]
    return "".join(f"{line}\n" for line in shown)


def printed(block: str, page: Path, line: int, names: dict[str, Any]) -> str:
    """What it does print; `names` go from block to block."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile("\n" * (line - 1) + block, str(page), "exec"), names)
    return out.getvalue()
