"""Relations between entities that a sentence states outright, in English and Chinese."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from memhub.store.entities import Known
from memhub.text.naming import Said

_PERSON = frozenset({"person"})
_ACTOR = frozenset({"person", "organisation", "project"})
_EMPLOYER = frozenset({"organisation", "site", "project"})
_PLACE = frozenset({"place"})
_THING = frozenset({"tool", "code", "site"})
_WHOLE = frozenset({"organisation", "place", "project", "tool"})
_SINCE = "(?:now |currently |still |just |recently |mostly )?"
_NOW = "(?:现在|目前|一直|已经|刚|刚刚)?"


class _Rule(NamedTuple):
    """`between` must fill the text from one name to the next, `after` follow the second."""

    relation: str
    first: frozenset[str]
    second: frozenset[str]
    between: str
    after: str = ""


_RULES = (
    _Rule("works_at", _PERSON, _EMPLOYER, f"(?:,? who)? {_SINCE}(?:works|is working|teaches) (?:at|for) (?:the )?"),
    _Rule("works_at", _PERSON, _EMPLOYER, f" (?:has )?{_SINCE}joined (?:the )?"),
    _Rule("works_at", _PERSON, _EMPLOYER, f"{_NOW}在", "工作|上班|任职|就职|实习|教书|做|当"),
    _Rule("works_at", _PERSON, _EMPLOYER, f"{_NOW}(?:就职于|任职于|供职于|加入了?|入职了?)"),
    _Rule("lives_in", _PERSON, _PLACE, f"(?:,? who)? {_SINCE}(?:lives|is living|is based) in (?:the )?"),
    _Rule("lives_in", _PERSON, _PLACE, f" (?:has )?{_SINCE}moved to (?:the )?"),
    _Rule("lives_in", _PERSON, _PLACE, f"{_NOW}(?:住在|定居在?|搬到了?)"),
    _Rule("uses", _ACTOR, _THING, f" {_SINCE}(?:uses|is using|runs on|is written in|is built (?:with|on)) "),
    _Rule("uses", _ACTOR, _THING, f"{_NOW}(?:在用|使用|改用|用的是)"),
    _Rule("part_of", _WHOLE, _WHOLE, " (?:is|are) (?:a )?(?:part|subsidiary|division) of (?:the )?"),
    _Rule("part_of", _WHOLE, _WHOLE, "(?:属于|隶属于)"),
    _Rule("part_of", _WHOLE, _WHOLE, "是", "的(?:一部分|子公司|分公司|一个部门)"),
)
_FAR = 60


def relations_in(text: str, said: Sequence[Said], known: Mapping[int, Known]) -> Iterator[tuple[str, str, str]]:
    """(id, relation, id) for each pair of names that stand side by side in a text with the right words between them."""
    for one, two in pairwise(said):
        if not 0 < two.start - one.stop <= _FAR:
            continue
        between, after = text[one.stop : two.start], text[two.stop : two.stop + 12]
        for rule in _RULES:
            if not re.fullmatch(rule.between, between) or not re.match(rule.after, after):
                continue
            source = next((known[n].id for n in one.owners if known[n].type in rule.first), None)
            target = next((known[n].id for n in two.owners if known[n].type in rule.second), None)
            if source and target:
                yield source, rule.relation, target
                break
