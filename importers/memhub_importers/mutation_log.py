"""Replays the log of changes in which VS Code keeps a chat session since 1.109.

Each line is one change: kind 0 gives the whole session, 1 sets a value, 2 cuts a list to a length (`i`) and appends
(`v`), 3 deletes. `k` is the path, keys and list positions. A change that does not fit what is there is left out.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from memhub.model.record import Skipped

_WHOLE, _SET, _PUSH, _DELETE = range(4)
NO_FIT = "a change that does not fit the session"


class Log:
    """The session so far: `state` is None until a line gave the whole of it."""

    def __init__(self) -> None:
        self.state: dict[str, Any] | None = None

    def replay(self, name: str, lines: Iterable[tuple[int, dict[str, Any]] | Skipped]) -> Iterator[Skipped]:
        """Applies all lines in order; yields those that could not be."""
        for line in lines:
            if isinstance(line, Skipped):
                yield line
            elif not self._apply(line[1]):
                yield Skipped(f"{name}:{line[0]}", NO_FIT, failed=True)

    def _apply(self, change: dict[str, Any]) -> bool:
        kind, path, value = change.get("kind"), change.get("k"), change.get("v")
        if kind == _WHOLE:
            if isinstance(value, dict):
                self.state = value
            return isinstance(value, dict)
        if isinstance(kind, bool) or kind not in (_SET, _PUSH, _DELETE):
            return isinstance(kind, int)  # a kind to come is nothing to fail for
        if self.state is None or not isinstance(path, list) or not path:
            return False
        holder: Any = self.state
        for step in path[:-1]:
            if not _has(holder, step):
                return False
            holder = holder[step]
        if kind == _PUSH:
            return _push(holder, path[-1], value, change.get("i"))
        if kind == _DELETE:
            return _delete(holder, path[-1])
        return _set(holder, path[-1], value)


def _has(holder: Any, step: Any) -> bool:
    if isinstance(holder, dict):
        return isinstance(step, str) and step in holder
    return isinstance(holder, list) and type(step) is int and 0 <= step < len(holder)


def _set(holder: Any, step: Any, value: Any) -> bool:
    if isinstance(holder, list) and type(step) is int and step == len(holder):
        holder.append(value)
    elif _has(holder, step) or (isinstance(holder, dict) and isinstance(step, str)):
        holder[step] = value
    else:
        return False
    return True


def _push(holder: Any, step: Any, value: Any, length: Any) -> bool:
    """`length` None: only append. A length beyond the end would make holes, and changes nothing."""
    if not _has(holder, step) and not _set(holder, step, []):
        return False
    items = holder[step]
    if items is None:
        items = holder[step] = []
    if not isinstance(items, list):
        return False
    if type(length) is int and length >= 0:
        del items[length:]
    if isinstance(value, list):
        items.extend(value)
    return value is None or isinstance(value, list)


def _delete(holder: Any, step: Any) -> bool:
    if not _has(holder, step):
        return isinstance(holder, dict) and isinstance(step, str)  # gone already
    if isinstance(holder, list):
        holder[step] = None  # as `delete list[i]` leaves it
    else:
        del holder[step]
    return True
