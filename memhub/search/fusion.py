"""One ranking out of words and meaning.

    score(d) = 0.6 · lex(d) + 0.4 · c(d)
    c(d)     = max(0, (cos(d) − floor) / (1 − floor))
    lex(d)   = cov · bm25(d) / bm25_best
    cov      = min(1, bm25_best / (Σ idf(terms) + min(Σ idf(what only asks), Σ idf(terms))))
    lex(d)   = max(lex(d), 5/6 · cov · c(d) / c_best)      for d in another script than the query

`cov` is how much of the question the best lexical hit really covers: without it one shared number counts as perfect.
Words cannot match across scripts, hence the last line. Weighted scores, not reciprocal ranks: with those hybrid is
worse than words alone (LoCoMo recall@10 .525 against .607). Weights were chosen on LoCoMo conversations 1–5 (recall@10
for a share of meaning of .3/.35/.4/.45/.5: .739/.738/.739/.733/.727), checked on 6–10 (.702/.710/.707/.708/.701).

A lift moves a score part of the way to 1: `score + lift · (1 − score)`. Those for phrase, title, label and entity are
judgement: the public tasks ask nothing of the kind. Those of deep mode were chosen on conversations 1–5, recall@10:

    speaker    .6 / .8 / 1 / 1.2 of the score     .759 / .762 / .768 / .766    without .730
    time       .15 / .2 / .25 / .3                .872 / .872 / .861 / .839    without .729 (91 questions that name one)
    graph      .02 / .03 / .04 of a hit's score   .774 / .772 / .772           without .763 (a turn nearby; speaker .6)
    community  .04 / .08                          .7915 / .7925                without .7898 (all others on)

The lift for the speaker has a price: where a question names the wrong one (LoCoMo's category 5), recall@10 falls from
.890 to .756.

A time as a filter gives .766 on these 91 (with 7, 14 or 30 days after it .769 / .758 / .722): people speak of a time
later, and the words that name it find what says it, so that these stay in the query (.862, without them .808, in 100
questions with category 5 left out). What did not help: scores of the turns just before and after a hit (.1 to .3 of
them), whole sessions (multi-hop falls), the first hits' centroid as a second query (.728 to .731 against .730).
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

WORDS_SHARE = 0.6
FOREIGN_SHARE = 5 / 6
PHRASE_LIFT = 0.4
TITLE_LIFT = 0.99
ENTITY_LIFT = 0.3
SPEAKER_LIFT = 1.0
TIME_LIFT = 0.2
GRAPH_LIFT = 0.1
COMMUNITY_LIFT = 0.04

FAINT, FAINT_FOREIGN = 0.2, 0.1
"""`c` under which a likeness alone is no hit. Up to .25 costs nothing within a language (LoCoMo), above .1 costs hits
across languages (XQuAD Chinese on English hit@10: .957 at .1, .939 at .15, .882 at .2)."""


class Evidence(NamedTuple):
    """What the ways found, by item row. `bm25` best first and `idf` of the terms that were asked for.

    `cosines` holds every candidate that has a vector; `foreign` those in another script than the query; `labelled` the
    share (0 to 1) of the query that a label of the item covers, `spoken_of` how much (0 to 1) of what the query names
    it speaks of; `all_near` lets faint likeness count as a hit.
    """

    bm25: Mapping[int, float]
    idf: Sequence[float] = ()
    cosines: Mapping[int, float] = {}
    floor: float = 0.0
    foreign: Collection[int] = ()
    phrase: Collection[int] = ()
    titled: Collection[int] = ()
    labelled: Mapping[int, float] = {}
    spoken_of: Mapping[int, float] = {}
    all_near: bool = False


class Scored(NamedTuple):
    """One item's score and the parts it was made of, each 0 to 1."""

    n: int
    score: float
    lexical: float
    meaning: float
    label: float
    entity: float


def coverage(best: float, idf: Sequence[float]) -> float:
    """The share of the question's weight that the best lexical hit reaches."""
    total = sum(idf)
    return min(1.0, best / total) if total > 0 else 0.0


def fuse(evidence: Evidence) -> list[Scored]:
    """Every candidate with its score, best first; equal scores by row, so that the order is always the same."""
    best = max(evidence.bm25.values(), default=0.0)
    covered = coverage(best, evidence.idf)
    reach = 1.0 - evidence.floor
    close = {n: max(0.0, (cosine - evidence.floor) / reach) for n, cosine in evidence.cosines.items()}
    closest = max(close.values(), default=0.0)
    words_share = WORDS_SHARE if evidence.cosines else 1.0
    known = {*evidence.bm25, *evidence.phrase, *evidence.titled, *evidence.labelled, *evidence.spoken_of}
    scored = []
    near = {n for n, c in close.items() if evidence.all_near or c >= _least(n, evidence)}
    for n in known | near:
        meaning = close.get(n, 0.0)
        lexical = covered * evidence.bm25[n] / best if n in evidence.bm25 and best > 0 else 0.0
        if n in evidence.foreign and closest > 0:
            lexical = max(lexical, FOREIGN_SHARE * covered * meaning / closest)
        label = evidence.labelled.get(n, 0.0)
        entity = evidence.spoken_of.get(n, 0.0)
        score = words_share * lexical + (1.0 - words_share) * meaning
        for lift in (
            PHRASE_LIFT if n in evidence.phrase else 0.0,
            TITLE_LIFT if n in evidence.titled else 0.0,
            label / 2,
            ENTITY_LIFT * entity,
        ):
            score += lift * (1.0 - score)
        scored.append(Scored(n, min(1.0, score), min(1.0, lexical), min(1.0, meaning), label, entity))
    return sorted(scored, key=lambda one: (-one.score, one.n))


def _least(n: int, evidence: Evidence) -> float:
    return FAINT_FOREIGN if n in evidence.foreign else FAINT
