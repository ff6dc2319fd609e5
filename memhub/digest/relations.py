"""Relations between entities that a sentence states outright, in English and Chinese."""

import re
from collections.abc import Iterator, Mapping, Sequence

from memhub.store.entities import Known
from memhub.text.naming import Said

_SOMEWHERE = frozenset({"organisation", "site", "project"})
_THINGS = frozenset({"tool", "code", "site"})

_RULES: tuple[tuple[str, frozenset[str], frozenset[str], str, str], ...] = (
    # relation, types of the first, types of the second, what stands between them, what follows
    ("works_at", frozenset({"person"}), _SOMEWHERE,
     r"(?:,? who)? (?:now |currently |still )?(?:works|is working|interns|teaches) (?:at|for) (?:the )?", ""),
    ("works_at", frozenset({"person"}), _SOMEWHERE, r" (?:has )?(?:just |recently )?joined (?:the )?", ""),
    ("works_at", frozenset({"person"}), _SOMEWHERE, r"(?:现在|目前|一直)?(?:在|就职于|任职于|供职于)", r"工作|上班|任职|就职|实习|教书|做|当|$|[，。,.]"),
    ("works_at", frozenset({"person"}), _SOMEWHERE, r"(?:刚|刚刚|已经)?(?:加入了?|入职了?)", ""),
    ("lives_in", frozenset({"person"}), frozenset({"place"}),
     r"(?:,? who)? (?:now |currently |still )?(?:lives|is living|is based) in (?:the )?", ""),
    ("lives_in", frozenset({"person"}), frozenset({"place"}), r" (?:has )?(?:just |recently )?moved to (?:the )?", ""),
    ("lives_in", frozenset({"person"}), frozenset({"place"}), r"(?:现在|目前|一直)?(?:住在|定居在?|搬到了?)", ""),
    ("uses", frozenset({"person", "organisation", "project"}), _THINGS,
     r" (?:now |still |already |mostly )?(?:uses|is using|runs on|is written in|is built (?:with|on)) ", ""),
    ("uses", frozenset({"person", "organisation", "project"}), _THINGS, r"(?:现在|目前|一直|已经)?(?:在用|使用|改用|用的是)", ""),
    ("part_of", frozenset({"organisation", "place", "project", "tool"}), frozenset({"organisation", "place", "project", "tool"}),
     r" (?:is|are) (?:a )?(?:part|subsidiary|division) of (?:the )?", ""),
    ("part_of", frozenset({"organisation", "place", "project", "tool"}), frozenset({"organisation", "place", "project", "tool"}),
     r"(?:属于|隶属于)", ""),
    ("part_of", frozenset({"organisation", "place", "project", "tool"}), frozenset({"organisation", "place", "project", "tool"}),
     r"是", r"的(?:一部分|子公司|分公司|一个部门)"),
)  # fmt: skip
_COMPILED = [
    (relation, first, second, re.compile(between), re.compile(after))
    for relation, first, second, between, after in _RULES
]
_FAR = 60


def relations_in(text: str, said: Sequence[Said], known: Mapping[int, Known]) -> Iterator[tuple[str, str, str]]:
    """(id, relation, id) for each pair of names that stand side by side in a text with the right words between them."""
    for one, two in zip(said, said[1:], strict=False):
        if not 0 < two.start - one.stop <= _FAR:
            continue
        between, after = text[one.stop : two.start], text[two.stop : two.stop + 12]
        for relation, first, second, words, follow in _COMPILED:
            if not words.fullmatch(between) or not follow.match(after):
                continue
            source = next((known[n].id for n in one.owners if known[n].type in first), None)
            target = next((known[n].id for n in two.owners if known[n].type in second), None)
            if source and target:
                yield source, relation, target
                break
