"""What reads show of an item: one head, or the computed merge of several. Never written as a version."""

from collections.abc import Callable
from typing import Any, NamedTuple

from memhub.model.entry import Version
from memhub.store.evaluate import ItemState, ancestors

Load = Callable[[str], Version | None]
_PLAIN = ("kind", "layer", "created_at", "valid_from", "valid_to")


class View(NamedTuple):
    """`shown` is the head on display; `merged` replaces its fields when several heads were merged cleanly."""

    shown: str
    version: Version
    is_merged: bool
    is_forked: bool


def view_of(state: ItemState, load: Load) -> View | None:
    """The view of an item, or None when no text of it is left (or none has arrived)."""
    texts = {head: version for head in state.heads if (version := load(head)) is not None}
    if not texts:
        return _newest_left(state, load)
    if len(texts) == 1:
        (head, version), *_ = texts.items()
        return View(head, version, False, False)
    base_hash = _single_base(state, list(texts))
    base = load(base_hash) if base_hash else None
    merged = _fold(base, list(texts.values())) if base else None
    if merged is not None:
        return View(next(iter(texts)), merged, True, False)
    by_hand = [head for head, version in texts.items() if version.by == "hand"]
    shown = (by_hand or list(texts))[0]
    return View(shown, texts[shown], False, True)


def _newest_left(state: ItemState, load: Load) -> View | None:
    """When the head itself was erased with what it was drawn from: the newest version that still has its text."""
    for version_hash in sorted(state.put, key=lambda h: state.put[h].clock, reverse=True):
        version = load(version_hash)
        if version is not None:
            return View(version_hash, version, False, False)
    return None


def _single_base(state: ItemState, heads: list[str]) -> str | None:
    """The one nearest common ancestor of all heads, or None when there is none or more than one."""
    common = set.intersection(*(ancestors([head], state.parents) for head in heads))
    older = {parent for version in common for parent in state.parents[version]}
    nearest = common - older
    return nearest.pop() if len(nearest) == 1 else None


def _fold(base: Version, heads: list[Version]) -> Version | None:
    """All heads merged onto the newest, or None when two changed the same thing."""
    merged = heads[0]
    for other in heads[1:]:
        step = merge_versions(base, merged, other)
        if step is None:
            return None
        merged = step
    return merged


def merge_versions(base: Version, ours: Version, theirs: Version) -> Version | None:
    """Three-way per field, the text by line; None when both changed the same thing."""
    from memhub.text.merge import merge3  # few items have two heads

    content, clean = merge3(base.content, ours.content, theirs.content)
    if not clean:
        return None
    changed: dict[str, Any] = {"content": content}
    for name in (*_PLAIN, "title"):
        choice = _choose(getattr(base, name), getattr(ours, name), getattr(theirs, name))
        if choice is _UNCLEAN:
            return None
        changed[name] = choice
    attrs: dict[str, Any] = {}
    for name in sorted({*base.attrs, *ours.attrs, *theirs.attrs}):
        choice = _choose(base.attrs.get(name), ours.attrs.get(name), theirs.attrs.get(name))
        if choice is _UNCLEAN:
            return None
        if choice is not None:
            attrs[name] = choice
    return ours._replace(attrs=attrs, **changed)


_UNCLEAN = object()


def _choose(base: Any, ours: Any, theirs: Any) -> Any:
    if ours == theirs or theirs == base:
        return ours
    return theirs if ours == base else _UNCLEAN
