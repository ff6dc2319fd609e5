"""The step `persona`: what the owner of the notes keeps doing, as lines of a catalogue by parts of life."""

import re
from collections.abc import Sequence

import apsw

from memhub.digest import derive, marks, material, wording
from memhub.digest.catalogue import banned_evidence
from memhub.digest.derive import Cited, Derived
from memhub.digest.domains import Domains
from memhub.digest.forming import Forming, Grounds, by_model, grounds, with_rest
from memhub.digest.material import Material, Member
from memhub.digest.step import Done, Work
from memhub.pipeline import extract_en, extract_zh
from memhub.pipeline.sources import is_group
from memhub.store.connection import query
from memhub.store.filters import readable_spaces

KIND = "persona_catalog"
MOST = 12
"""Lines that one part of life may have; pinned and corrected ones are not counted and always stay."""
OWN = 0.5
"""Share of the statements of a theme in which the owner speaks of himself, for it to say something about him."""
_I = re.compile(r"\b(?:I|I'm|I've|I’m|I’ve|my|me|mine|myself|we|our|us)\b|我|咱|俺|自己")

_SAYS_I = re.compile(r"\b(?:I|I'm|I've|I’m|I’ve)\b|我")
_TO_DO = re.compile(f"(?:{extract_en.COMMITMENT})|(?:{extract_zh.COMMITMENT})", re.IGNORECASE)
_AS_A_RULE = re.compile(
    r"\b(?:always|never|usually|often|every|each|again|still|now|prefer|like|love|hate|times a (?:day|week|month))\b|"
    r"每[天周月年次]|总是|从不|经常|一直|喜欢|习惯|又|都",
    re.IGNORECASE,
)
"""Words of what somebody does as a rule."""


def persona(work: Work) -> Done:
    """Renew lines that are stale, and write one for each new theme that is about the owner."""
    connection = work.store.connection
    clock = marks.clock(connection)
    forming = Forming(work, KIND)
    themes = _new_themes(work)
    if not themes and not material.to_renew(connection, work.space, KIND):
        return forming.done(clock)
    loaded = work.statements()
    if loaded is None:
        forming.renew(None, 2)
        return forming.done(clock)
    assert work.engine is not None
    domains = Domains(work.engine())
    forming.make = lambda loaded, rows, item: _line(work, loaded, domains, rows, item)
    forming.renew(loaded, 2)
    room, banned = _room(work), banned_evidence(connection)
    for number, (theme, numbers) in enumerate(themes.items(), 1):
        forming.tell(number, len(themes))
        identifier = derive.identity(KIND, work.space, [theme])
        numbers = [n for n in numbers if n in loaded.place]
        is_there = connection.execute("SELECT is_present FROM item WHERE id = ?", (identifier,)).get
        if not numbers or is_there or not forming.may_go_on():
            continue  # a line that is there is renewed when it is stale, and not otherwise
        line = _line(work, loaded, domains, numbers, identifier)
        if line is None or _is_banned(line, banned) or room.get(line.attrs["domain"], 0) >= MOST:
            continue
        room[line.attrs["domain"]] = room.get(line.attrs["domain"], 0) + 1
        forming.write([line])
    return forming.done(clock)


def _new_themes(work: Work) -> dict[str, list[int]]:
    """The themes that came or were renewed since the mark, with their evidence."""
    connection = work.store.connection
    new = marks.changed(connection, work.space, work.mark, ("L3",))
    themes = [item for item, n in query(connection, "SELECT id, n FROM item WHERE kind = 'schema'") if n in new]
    if not themes:
        return {}
    every = material.derived(connection, work.space, "schema")
    return {identifier: every[identifier] for identifier in themes if identifier in every}


def _room(work: Work) -> dict[str, int]:
    """How many lines each part of life has that are neither pinned nor corrected."""
    connection = work.store.connection
    spaces = readable_spaces(connection, work.space, alone=True)
    return dict(
        query(
            connection,
            f"""SELECT version.meta -> 'attrs' ->> 'domain', count(*) FROM item JOIN version ON version.n = item.shown
                WHERE item.kind = ? AND item.state = 'live' AND NOT item.pinned AND version.meta ->> 'by' = 'digest'
                AND item.space IN ({",".join("?" * len(spaces))}) GROUP BY 1""",
            (KIND, *spaces),
        )
    )


def _is_banned(line: Derived, banned: Sequence[set[str]]) -> bool:
    """Whether mostly the same speaks for a line as for one that was banned."""
    own = {one.member.id for one in line.cited}
    return any(len(own & evidence) * 2 >= len(own) for evidence in banned)


def _line(work: Work, loaded: Material, domains: Domains, numbers: Sequence[int], identifier: str) -> Derived | None:
    """One line about the owner; None when the statements are not about him."""
    on = grounds(work.store.connection, loaded, numbers)
    aside = _aside(work.store.connection, on.telling)
    own = [member for member in on.telling if member.n not in aside and any(map(_is_own, wording.passages(member)))]
    if len(own) < 2 or len(own) < OWN * len(on.telling):
        return None
    domain = domains.of(loaded.vectors, [loaded.place[n] for n in numbers])
    attrs = {"domain": domain}
    words = by_model(work, KIND, identifier, Grounds(on.found, own), attrs)
    if words is not None:
        return words._replace(title=None)
    chosen = _said(own, wording.shared(work.store.connection, on.found))
    cited = with_rest([Cited(chosen.member, chosen.start, chosen.stop)], on.found)
    return Derived(KIND, identifier, None, chosen.text, cited, attrs)


def _aside(connection: apsw.Connection, found: Sequence[Member]) -> set[int]:
    """Statements from which nothing about the owner follows: what is meant to happen once, what was said in a group,
    where `I` may be anybody, and what the profile says already."""
    planned = {member.n for member in found if member.kind in ("intent", "event") or member.layer == "L2"}
    rows = query(
        connection,
        f"""SELECT item.n, thread.fields ->> 'chat_type' FROM item
            JOIN edge AS drawn ON drawn.dst = item.id AND drawn.relation = 'evidence_of'
            JOIN edge AS place ON place.src = drawn.src AND place.relation = 'part_of'
            JOIN thread ON thread.id = place.dst WHERE item.n IN ({",".join("?" * len(found))})
            UNION ALL SELECT item.n, 'profile' FROM item
            JOIN edge ON edge.src = item.id AND edge.relation = 'evidence_of'
            JOIN item AS line ON line.id = edge.dst AND line.layer = 'L2' AND line.state = 'live'
            WHERE item.n IN ({",".join("?" * len(found))})""",
        [member.n for member in found] * 2,
    )
    return planned | {n for n, said_in in rows if said_in == "profile" or is_group(said_in)}


def _is_own(one: wording.Passage) -> bool:
    """Whether the owner speaks of himself, and not of something that he is still to do."""
    return bool(_I.search(one.text)) and not _TO_DO.match(one.text)


def _said(own: Sequence[Member], about: Sequence[str]) -> wording.Passage:
    """The sentence in which the owner says most about the theme in the fewest words."""
    wanted = {term for word in about for term in wording.terms_of(word)}
    passages = [one for member in own for one in wording.passages(member) if _is_own(one)]

    def weight(one: wording.Passage) -> tuple[float, int]:
        about = len(wanted & wording.terms_of(one.text).keys())
        return about + len(_AS_A_RULE.findall(one.text)) + 0.5 * bool(_SAYS_I.search(one.text)), -len(one.text)

    return max(passages, key=weight)
