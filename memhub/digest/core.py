"""The step `core`: one way of acting that shows in unlike parts of life, each with evidence of its own."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memhub.digest import derive, marks, material, wording
from memhub.digest.derive import Cited, Derived
from memhub.digest.forming import QUOTED, Forming, by_model, grounds, with_rest
from memhub.digest.joining import Themes, themes
from memhub.digest.material import Material
from memhub.digest.schemas import CUT
from memhub.digest.step import Done, Work
from memhub.digest.traits import TRAITS, Trait, shown
from memhub.text.script import script

if TYPE_CHECKING:
    from memhub.digest.material import Member

KIND = "core_schema"
DOMAINS = 2
LEAST = 3
"""Statements that must show a way of acting, over all themes together."""


class Showing(NamedTuple):
    """The statements of one theme that show a way of acting; `places` are those of the whole theme."""

    schema: str
    places: list[int]
    numbers: list[int]


def core(work: Work) -> Done:
    """Renew what is stale; look for the ways of acting that something new shows."""
    connection = work.store.connection
    forming = Forming(work, KIND, lambda loaded, rows, item: _renewed(work, loaded, list(rows), item))
    new = marks.changed(connection, work.space, work.mark)
    stale = material.to_renew(connection, work.space, KIND)
    if not new and not stale:
        return forming.done(work.clock)
    found = {trait.name for one in material.members(connection, new).values() for trait in shown(one.content)}
    fresh = [trait for trait in TRAITS if trait.name in found]
    if not fresh and not stale:
        return forming.done(work.clock)
    loaded = work.statements()
    forming.renew(loaded, LEAST)
    if loaded is None or not fresh or not forming.may_go_on():
        return forming.done(work.clock)
    by_trait = _showing(work, loaded, themes(connection, work.space, "schema", loaded), fresh)
    known = {_trait_of(work, item): item for item in material.derived(connection, work.space, KIND)}
    for trait in fresh:
        _form(forming, loaded, trait, by_trait.get(trait.name, []), known.get(trait.name))
    return forming.done(work.clock)


def _form(forming: Forming, loaded: Material, trait: Trait, showing: list[Showing], known: str | None) -> None:
    """Write a way of acting that shows in unlike themes; one that is known already only gets more evidence."""
    apart = _unlike(loaded, showing)
    numbers = list(dict.fromkeys(n for one in apart for n in one.numbers))
    if len(apart) < DOMAINS or len(numbers) < LEAST:
        return
    work = forming.work
    if known is not None:
        members = material.members(work.store.connection, numbers)
        forming.commit(lambda connection: derive.link(connection, KIND, known, (m.id for m in members.values())))
        return
    made = _made(work, loaded, trait, numbers, None)
    if made is not None:
        forming.write([made])


def _showing(work: Work, loaded: Material, known: Themes, traits: Sequence[Trait]) -> dict[str, list[Showing]]:
    """For each of these ways of acting the themes in which it shows; a statement counts in one theme alone."""
    members = material.members(work.store.connection, (loaded.numbers[place] for place in known.rows))
    whole: dict[int, list[int]] = {}
    found: dict[str, dict[int, list[int]]] = {}
    for place, owner in zip(known.rows, known.owner, strict=True):
        whole.setdefault(owner, []).append(place)
        member = members.get(loaded.numbers[place])
        for trait in shown(member.content, traits) if member else ():
            found.setdefault(trait.name, {}).setdefault(owner, []).append(member.n)  # type: ignore[union-attr]
    return {
        name: [Showing(known.ids[owner], whole[owner], numbers) for owner, numbers in by_theme.items()]
        for name, by_theme in found.items()
    }


def _unlike(loaded: Material, showing: Sequence[Showing]) -> list[Showing]:
    """Themes no two of which are about the same, those with most evidence first."""
    chosen: list[Showing] = []
    for one in sorted(showing, key=lambda one: (-len(one.numbers), one.schema)):
        middle = loaded.vectors[one.places].mean(axis=0)
        if all(float(loaded.vectors[other.places].mean(axis=0) @ middle) < CUT for other in chosen):
            chosen.append(one)
    return chosen


def _made(work: Work, loaded: Material, trait: Trait, numbers: list[int], item: str | None) -> Derived | None:
    on = grounds(work.store.connection, loaded, numbers)
    if not on.found:
        return None
    identifier = item or derive.identity(KIND, work.space, (member.id for member in on.found))
    attrs = {"trait": trait.name}
    worded = by_model(work, KIND, identifier, on, attrs)
    if worded is not None:
        return worded
    chosen = [_passage(member, trait) for member in on.telling[:QUOTED]]
    is_chinese = sum(script(member.content) == "han" for member in on.found) * 2 > len(on.found)
    title = trait.chinese if is_chinese else trait.english
    lines = [wording.quoted(one) for one in sorted(chosen, key=lambda one: one.member.at or "")]
    cited = with_rest([Cited(one.member, one.start, one.stop) for one in chosen], on.found)
    return Derived(KIND, identifier, title, "\n".join([title, "", *lines]), cited, attrs)


def _passage(member: "Member", trait: Trait) -> wording.Passage:
    """The sentence that shows a way of acting."""
    found = wording.passages(member)
    return next((one for one in found if trait.words.search(one.text)), found[0])


def _trait_of(work: Work, item: str) -> str | None:
    version = derive.shown_version(work.store.connection, item)
    return version.attrs.get("trait") if version else None


def _renewed(work: Work, loaded: Material, numbers: list[int], item: str) -> Derived | None:
    """The same way of acting over what still shows it; where its own text is gone, that which shows most."""
    showing: dict[str, list[int]] = {}
    for n, member in material.members(work.store.connection, numbers).items():
        for trait in shown(member.content):
            showing.setdefault(trait.name, []).append(n)
    name = _trait_of(work, item)
    if name not in showing:
        name = max(showing, key=lambda one: len(showing[one]), default=None)
    found = next((one for one in TRAITS if one.name == name), None)
    return _made(work, loaded, found, showing[found.name], item) if found else None
