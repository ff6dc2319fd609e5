"""Writes a file that somebody asked for: beside the target first, so that a failure never harms a good one."""

from collections.abc import Iterable

from memhub.errors import MhError, UsageError


def save(file: str, pieces: Iterable[str], *, force: bool) -> int:
    """Write the pieces into `file`, readable by the user alone, packed when its name ends in `.gz`; returns how many.

    An existing file is kept unless `force`. A link stays one; a pipe or a device is written to, never replaced.
    """
    from memhub.export.jsonl import open_writing
    from memhub.paths import without_tilde

    target = without_tilde(file)
    if target.is_dir():
        raise UsageError(f"`{file}` is a folder", f"name a file in it: `{target / 'mh.jsonl'}`")
    if target.is_file() and not force:
        raise UsageError(f"`{file}` exists already", "`--force` overwrites it")
    is_device = target.exists() and not target.is_file()
    target = target.resolve()
    draft = target if is_device else target.with_name(f"{target.name}.part")
    count = 0
    try:
        with open(draft, "wb", buffering=0) if is_device else open_writing(draft) as out:
            for piece in pieces:
                out.write(piece.encode("utf-8"))
                count += 1
        if not is_device:
            draft.replace(target)
    except OSError as error:
        raise MhError(f"cannot write `{file}`: {error.strerror}") from error
    finally:
        if not is_device:
            draft.unlink(missing_ok=True)
    return count
