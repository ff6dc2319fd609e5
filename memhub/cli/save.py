"""Writes a file that a command was asked for: beside the target first, so that a failure never harms a good one."""

from pathlib import Path

from memhub.errors import MhError, UsageError


def save(file: str, text: str, *, force: bool) -> None:
    """Write `text` into `file`, readable by the user alone. An existing file is kept unless `force`."""
    import os

    from memhub.paths import without_tilde

    target = without_tilde(file)
    if target.is_dir():
        raise UsageError(f"`{file}` is a folder", "name a file in it")
    if target.exists() and not force:
        raise UsageError(f"`{file}` exists already", "`--force` overwrites it")
    draft = Path(f"{target}.part")
    try:
        with open(
            draft, "w", encoding="utf-8", newline="\n", opener=lambda path, flags: os.open(path, flags, 0o600)
        ) as out:
            out.write(text)
        draft.replace(target)
    except OSError as error:
        raise MhError(f"cannot write `{file}`: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
