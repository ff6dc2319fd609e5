"""The step `persona`: what the owner of the notes keeps doing, as lines of a catalogue by parts of life."""

import re
from collections.abc import Sequence

from memhub.digest import derive, marks, material, wording
from memhub.digest.derive import Cited, Derived
from memhub.digest.domains import Domains
from memhub.digest.forming import Forming, Grounds, by_model, engine_of, grounds, with_rest
from memhub.digest.material import Material, Member
from memhub.digest.step import Done, Work
from memhub.store.connection import query
from memhub.store.filters import readable_spaces
from memhub.store.items import numbers_of

KIND = "persona_catalog"
MOST = 12
"""Lines that one part of life may have; pinned and corrected ones are not counted and always stay."""
OWN = 0.5
"""Share of the statements of a theme in which the owner speaks of himself, for it to say something about him."""
_I = re.compile(r"\b(?:I|I'm|I've|I’m|I’ve|my|me|mine|myself|we|our|us)\b|我|咱|俺|自己")


def persona(work: Work) -> Done:
    """Renew lines that are stale, and write one for each new theme that is about the owner."""
    connection = work.store.connection
    clock = marks.clock(connection)
    forming = Forming(work, KIND)
    themes = _new_themes(work)
    if not themes and not material.to_renew(connection, work.space, KIND):
        return forming.done(clock)
    engine = engine_of(work)
    loaded = material.load(connection, work.space, engine)
    if loaded is None:
        forming.renew(None, 2)
        return forming.done(clock)
    domains = Domains(engine())
    forming.make = lambda loaded, rows, item: _line(work, loaded, domains, rows, item)
    forming.renew(loaded, 2)
    room = _room(work)
    for theme, numbers in themes.items():
        identifier = derive.identity(KIND, work.space, [theme])
        numbers = [n for n in numbers if n in loaded.place]
        if not numbers or not forming.may_go_on() or numbers_of(connection, [identifier]):
            continue  # a line that is there is renewed when it is stale, and not otherwise
        line = _line(work, loaded, domains, numbers, identifier)
        if line is not None and room.get(line.title, 0) < MOST:
            room[line.title] = room.get(line.title, 0) + 1
            forming.write([line])
    return forming.done(clock)


def _new_themes(work: Work) -> dict[str, list[int]]:
    """The themes that came or were renewed since the mark, with their evidence."""
    connection = work.store.connection
    new = marks.changed(connection, work.space, work.mark)
    if not new:
        return {}
    every = material.derived(connection, work.space, "schema")
    numbers = dict(query(connection, "SELECT id, n FROM item WHERE kind = 'schema' AND layer = 'L3'"))
    return {identifier: rows for identifier, rows in every.items() if numbers.get(identifier) in new}


def _room(work: Work) -> dict[str, int]:
    """How many lines each part of life has that are neither pinned nor corrected."""
    connection = work.store.connection
    spaces = readable_spaces(connection, work.space, alone=True)
    return dict(
        query(
            connection,
            f"""SELECT item.title, count(*) FROM item JOIN version ON version.n = item.shown
                WHERE item.kind = ? AND item.state = 'live' AND NOT item.pinned AND version.meta ->> 'by' = 'digest'
                AND item.space IN ({",".join("?" * len(spaces))}) GROUP BY item.title""",
            (KIND, *spaces),
        )
    )


def _line(work: Work, loaded: Material, domains: Domains, numbers: Sequence[int], identifier: str) -> Derived | None:
    """One line about the owner; None when the statements are not about him."""
    on = grounds(work.store.connection, loaded, numbers)
    own = [member for member in on.telling if _I.search(member.content)]
    if len(own) < 2 or len(own) < OWN * len(on.telling):
        return None
    domain = domains.of(loaded.vectors, [loaded.place[n] for n in numbers])
    attrs = {"domain": domain}
    words = by_model(work, KIND, identifier, Grounds(on.found, own), attrs)
    if words is not None:
        return words._replace(title=domain)
    chosen = _said(own, wording.shared(work.store.connection, on.found))
    cited = with_rest([Cited(chosen.member, chosen.start, chosen.stop)], on.found)
    return Derived(KIND, identifier, domain, chosen.text, cited, attrs)


def _said(own: Sequence[Member], about: Sequence[str]) -> wording.Passage:
    """The sentence in which the owner says most about the theme in the fewest words."""
    wanted = {term for word in about for term in wording.terms_of(word)}
    passages = [one for member in own for one in wording.passages(member) if _I.search(one.text)]
    return max(passages, key=lambda one: (len(wanted & wording.terms_of(one.text).keys()), -len(one.text)))
