"""Which items are meant: ids, their last letters, `@1` for a line of the last listing, `-` for ids on stdin.

The last listing is kept in the state folder under the name of the terminal and its session, so that `@1` never means
what another window listed.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memhub.errors import NotFoundError, UsageError
from memhub.paths import make_folder, state_folder

if TYPE_CHECKING:
    from memhub.cli.session import Session


def resolve(session: "Session", given: Sequence[str]) -> list[str]:
    """The references in `given` with `-` and `@N` replaced by ids; the memory takes the rest as it is."""
    refs: list[str] = []
    for ref in given:
        if ref == "-":
            refs += _from_stdin()
        elif ref.startswith("@"):
            refs.append(_from_listing(session, ref))
        else:
            refs.append(ref)
    if not refs and "-" not in given:
        raise UsageError("no item named")
    return list(dict.fromkeys(refs))


def resolve_one(session: "Session", ref: str) -> str:
    """One reference; `-` may bring exactly one id."""
    refs = resolve(session, [ref])
    if len(refs) != 1:
        raise UsageError(f"one item is needed, standard input named {len(refs)}")
    return refs[0]


def remember(session: "Session", ids: Sequence[str]) -> None:
    """Keep `ids` as what `@1`, `@2` … mean in this terminal.

    Without a terminal nothing is kept; a listing that showed nothing leaves the one that is still on the screen.
    """
    file = _listing_file(session) if ids else None
    if file is None:
        return
    try:
        make_folder(file.parent)
        file.write_text("\n".join(ids), "ascii")
    except OSError:
        return  # a listing that cannot be kept is no reason to fail the listing


def _from_stdin() -> list[str]:
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(
            "`-` reads ids from standard input, which is a terminal", "pipe them in, as in `mh list -q | …`"
        )
    from memhub.cli.read_input import stdin_bytes

    text = stdin_bytes().decode("utf-8-sig", "replace")
    return [line.split()[0] for line in text.splitlines() if line.strip()]


def _from_listing(session: "Session", ref: str) -> str:
    if not ref[1:].isascii() or not ref[1:].isdigit() or int(ref[1:]) < 1:
        raise UsageError(f"`{ref}` is no line of a listing", "`@1` is the first line")
    file = _listing_file(session)
    if file is None:
        raise UsageError(f"`{ref}` means a line of the last listing in this terminal, and this is no terminal")
    try:
        ids = file.read_text("ascii").split()
    except (OSError, UnicodeDecodeError):
        ids = []
    if not ids:
        raise NotFoundError(f"nothing was listed in this terminal yet, so `{ref}` means nothing", "run `mh list` first")
    if int(ref[1:]) > len(ids):
        raise NotFoundError(f"the last listing in this terminal had {len(ids)} lines, no `{ref}`")
    return ids[int(ref[1:]) - 1]


def _listing_file(session: "Session") -> Path | None:
    """The file of this terminal and this database; None when no standard stream is a terminal."""
    for stream in (0, 1, 2):
        try:
            name = os.ttyname(stream)
        except (OSError, AttributeError):
            continue
        break
    else:
        return None
    import hashlib

    from memhub.paths import database_file

    database = database_file(session.config.text("db")).absolute()
    key = hashlib.sha256(f"{name}\n{os.getsid(0)}\n{database}".encode(errors="surrogateescape")).hexdigest()[:16]
    return state_folder() / "listings" / key
