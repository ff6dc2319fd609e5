"""Three-way merge of text by line, for versions that two devices wrote apart."""

from difflib import SequenceMatcher


def merge3(base: str, ours: str, theirs: str) -> tuple[str, bool]:
    """The text with both changes, and whether they did not touch the same lines.

    When unclean the text is `ours`.
    """
    if ours == theirs or theirs == base:
        return ours, True
    if ours == base:
        return theirs, True
    lines = base.split("\n")
    changes = sorted(_changes(lines, ours.split("\n")) + _changes(lines, theirs.split("\n")))
    merged: list[str] = []
    at = 0
    previous: tuple[int, int, list[str]] | None = None
    for start, stop, new in changes:
        if previous is not None and (start, stop, new) == previous:
            continue  # both made the same change
        if previous is not None and (start < previous[1] or start == previous[0]):
            return ours, False
        merged += lines[at:start] + new
        at = stop
        previous = (start, stop, new)
    return "\n".join(merged + lines[at:]), True


def _changes(base: list[str], new: list[str]) -> list[tuple[int, int, list[str]]]:
    """(start, stop, replacement) in lines of `base`."""
    matcher = SequenceMatcher(None, base, new, autojunk=False)
    return [(i1, i2, new[j1:j2]) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal"]
