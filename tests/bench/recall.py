"""Measure search on two public tasks, through the same API as everything else.

    python tests/bench/recall.py --data FOLDER [--json] [--every N]

LoCoMo (`locomo10.json`): questions about ten long conversations; found must be the turns that answer them. Every
session is a thread, every conversation a space, and one more space reads all ten. XQuAD (`xquad.en.json`,
`xquad.zh.json`): questions about paragraphs, in the same language and across, and a store of half Chinese, half English
paragraphs. The data is not part of this project (LoCoMo is CC BY-NC, XQuAD CC BY-SA): it is read from `--data` or
`MH_BENCH_DATA`.

`deep` is asked after the rules have looked through everything for names.

recall@k is the share of a question's evidence among the first k hits, averaged over questions; hit@k whether any of it
is there; MRR one by the rank of the first, 0 beyond 20. The headline counts categories 1 to 4; 5 is apart.
Fusion weights were chosen on conversations 1–5, so 6–10 are the honest half.

Turns have the time of their session, and a question is asked on the day of the last one: that is when `last year`
counts from. Below the figures stands deep − fast for recall@10, with the 95 % interval of a paired bootstrap over
questions (10,000 resamples, always the same).
"""

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

KS = (5, 10, 20)
MODES = ("fast", "words", "meaning", "deep")
RESAMPLES, SEED = 10_000, 6
CATEGORIES = {"1": "multi-hop", "2": "temporal", "3": "open", "4": "single-hop", "5": "adversarial"}


class Question(NamedTuple):
    """A question, the space it is asked in, the keys of what answers it, and when it is asked. `half` is 1 or 2."""

    text: str
    space: str
    category: str
    half: int
    evidence: tuple[str, ...]
    at_ms: int | None = None


class Row(NamedTuple):
    """One line of the table."""

    name: str
    questions: int
    metrics: dict[str, float]


def metrics(ranks: list[list[int]]) -> dict[str, float]:
    """The figures of questions given as the ranks of their evidence (a large number: not found)."""
    count = max(1, len(ranks))
    found = {f"recall@{k}": sum(sum(r <= k for r in some) / len(some) for some in ranks) / count for k in KS}
    found |= {f"hit@{k}": sum(min(some) <= k for some in ranks) / count for k in (1, *KS)}
    found["mrr"] = sum(1 / min(some) for some in ranks if min(some) <= KS[-1]) / count
    return {name: round(value, 4) for name, value in found.items()}


# -- LoCoMo


def load_locomo(memory: Any, path: Path) -> tuple[dict[str, str], list[Question]]:
    """Fill the store; returns item id → evidence key, and the questions that have evidence."""
    from memhub.model.thread import Message, Speaker, ThreadInfo

    keys: dict[str, str] = {}
    questions: list[Question] = []
    samples = json.loads(path.read_text(encoding="utf-8"))
    for number, sample in enumerate(samples):
        space, conversation = sample["sample_id"], sample["conversation"]
        memory.space_new(space)
        known: set[str] = set()
        last = 0
        for session in sessions(conversation):
            turns = conversation[f"session_{session}"]
            at = datetime.strptime(conversation[f"session_{session}_date_time"], "%I:%M %p on %d %B, %Y")
            last = max(last, int(at.replace(tzinfo=UTC).timestamp()) * 1000)
            messages = [
                Message(said(turn), speaker=Speaker(turn["speaker"]), at=f"{at.isoformat()}Z") for turn in turns
            ]
            added = memory.add_messages(messages, thread=ThreadInfo(title=f"session {session}", space=space))
            for turn, item in zip(turns, memory.thread(added.thread.id).turns, strict=True):
                keys[item.id] = f"{space}/{turn['dia_id']}"
                known.add(turn["dia_id"])
        half = 1 if number < len(samples) // 2 else 2
        for asked in sample["qa"]:
            evidence = evidence_of(asked, known)
            if evidence:
                where = tuple(f"{space}/{turn}" for turn in evidence)
                questions.append(Question(asked["question"], space, str(asked["category"]), half, where, last))
    memory.space_new("all", reads=[sample["sample_id"] for sample in samples])
    return keys, questions


def sessions(conversation: dict[str, Any]) -> list[int]:
    """Numbers of the sessions of a conversation, in order."""
    found = (re.fullmatch(r"session_(\d+)", name) for name in conversation)
    return sorted(int(match[1]) for match in found if match and isinstance(conversation[match[0]], list))


def said(turn: dict[str, Any]) -> str:
    """The text of a turn, with what its picture shows."""
    caption = turn.get("blip_caption")
    return f"{turn.get('text', '')} [image: {caption}]" if caption else turn.get("text", "")


def evidence_of(asked: dict[str, Any], known: set[str]) -> list[str]:
    """The turns that answer a question; some of the data writes several into one string."""
    pairs = [pair for raw in asked.get("evidence") or () for pair in re.findall(r"D:?(\d+):(\d+)", str(raw))]
    return [turn for turn in dict.fromkeys(f"D{int(a)}:{int(b)}" for a, b in pairs) if turn in known]


# -- XQuAD


def paragraphs(path: Path) -> list[dict[str, Any]]:
    """The paragraphs of a file, each with its questions."""
    return [one for article in json.loads(path.read_text(encoding="utf-8"))["data"] for one in article["paragraphs"]]


def load_xquad(memory: Any, data: Path) -> tuple[dict[str, str], dict[str, list[Question]]]:
    """Fill three spaces (en, zh, half and half); returns item id → key, and the questions by task."""
    from memhub.model.result import NewNote

    texts = {language: paragraphs(data / f"xquad.{language}.json") for language in ("en", "zh")}
    count = len(texts["en"])
    language_of = ["zh" if i % 2 else "en" for i in range(count)]
    contents = {space: [one["context"] for one in some] for space, some in texts.items()}
    contents["half"] = [texts[language_of[i]][i]["context"] for i in range(count)]
    keys: dict[str, str] = {}
    for space, some in contents.items():
        memory.space_new(space)
        added = memory.add_many((NewNote(text) for text in some), space=space, again=True)
        for i, one in enumerate(added):
            keys[one.item.id] = f"{space}/{i}"

    def asked(space: str, language: Callable[[int], str]) -> list[Question]:
        return [
            Question(question["question"], space, "1", 1, (f"{space}/{i}",))
            for i in range(count)
            for question in texts[language(i)][i]["qas"]
        ]

    other = {"en": "zh", "zh": "en"}
    return keys, {
        "xquad zh-zh": asked("zh", lambda i: "zh"),
        "xquad en-en": asked("en", lambda i: "en"),
        "xquad zh asks en": asked("en", lambda i: "zh"),
        "xquad en asks zh": asked("zh", lambda i: "en"),
        "half-and-half, own language": asked("half", lambda i: language_of[i]),
        "half-and-half, across": asked("half", lambda i: other[language_of[i]]),
    }


# -- measuring


def digest(memory: Any) -> None:
    """What deep mode looks in besides: names, and groups of what belongs together."""
    from memhub.digest.communities import communities
    from memhub.digest.step import Work
    from memhub.store.store import new_operation

    memory.look_through(with_model=False)
    for (space,) in memory.store.connection.execute("SELECT id FROM space").fetchall():
        communities(Work(memory.store, space, new_operation("digest"), 0))


def ask(
    memory: Any, keys: dict[str, str], questions: Iterable[Question], mode: str, space: str | None = None
) -> Iterator[tuple[Question, list[int]]]:
    """Each question with the ranks of its evidence."""
    from memhub import stamp
    from memhub.model.query import Filters

    clock = stamp.now_ms

    for question in questions:
        filters = Filters(space=space or question.space)
        if question.at_ms is not None:
            stamp.now_ms = lambda now=question.at_ms: now  # type: ignore[misc]
        found = memory.search(question.text, filters, mode=mode, limit=KS[-1])
        stamp.now_ms = clock
        rank = {keys[hit.item.id]: place for place, hit in enumerate(found.hits, 1)}
        yield question, [rank.get(key, 10**9) for key in question.evidence]


def locomo_rows(answers: list[tuple[Question, list[int]]], name: str, parts: bool) -> Iterator[Row]:
    """The headline, and its halves and categories."""

    def row(label: str, keep: Callable[[Question], bool]) -> Row:
        ranks = [some for question, some in answers if keep(question)]
        return Row(label, len(ranks), metrics(ranks))

    yield row(name, lambda question: question.category != "5")
    if parts:
        yield row(f"{name}, conversations 1-5", lambda q: q.category != "5" and q.half == 1)
        yield row(f"{name}, conversations 6-10", lambda q: q.category != "5" and q.half == 2)
        for category, words in CATEGORIES.items():
            yield row(f"{name}, {words}", lambda q, category=category: q.category == category)  # type: ignore[misc]


def gain(fast: list[list[int]], deep: list[list[int]], k: int = 10) -> tuple[float, float, float]:
    """Mean of deep − fast in recall@k over the same questions, and its 95 % interval."""
    pairs = [
        sum((b <= k) - (a <= k) for a, b in zip(old, new, strict=True)) / len(old)
        for old, new in zip(fast, deep, strict=True)
    ]
    draw = random.Random(SEED)
    means = sorted(sum(draw.choices(pairs, k=len(pairs))) / len(pairs) for _ in range(RESAMPLES))
    return sum(pairs) / len(pairs), means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]


def gains(fast: list[tuple[Question, list[int]]], deep: list[tuple[Question, list[int]]]) -> Iterator[Row]:
    """What deep gains over fast: overall and in each category, of all conversations and of 6-10."""
    pairs = list(zip(fast, deep, strict=True))
    for name, categories in {"all": "1234", **{words: number for number, words in CATEGORIES.items()}}.items():
        for part, halves in (("", (1, 2)), (", conversations 6-10", (2,))):
            kept = [(a, b) for (q, a), (_, b) in pairs if q.category in categories and q.half in halves]
            if kept:
                mean, low, high = gain([a for a, _ in kept], [b for _, b in kept])
                figures = {"gain": round(mean, 4), "low": round(low, 4), "high": round(high, 4)}
                yield Row(f"deep - fast, {name}{part}", len(kept), figures)


def measure(data: Path, every: int, talk: Callable[[str], None]) -> Iterator[Row]:
    """Every line of the table, as it is ready."""
    from memhub.workspace.memory import Memory

    with tempfile.TemporaryDirectory() as folder:
        if (data / "locomo10.json").is_file():
            with Memory(Path(folder) / "locomo.db", talk=talk) as memory:
                keys, questions = load_locomo(memory, data / "locomo10.json")
                talk(f"{len(keys)} turns, {len(questions)} questions; indexing")
                memory.index()
                digest(memory)
                answers = {mode: list(ask(memory, keys, questions[::every], mode)) for mode in MODES}
                for mode in MODES:
                    yield from locomo_rows(answers[mode], f"locomo {mode}", mode != "meaning")
                yield from gains(answers["fast"], answers["deep"])
                for mode in MODES:
                    counted = [question for question in questions if question.category != "5"][::every]
                    yield from locomo_rows(
                        list(ask(memory, keys, counted, mode, "all")), f"locomo one space {mode}", False
                    )
        if (data / "xquad.en.json").is_file() and (data / "xquad.zh.json").is_file():
            with Memory(Path(folder) / "xquad.db", talk=talk) as memory:
                keys, tasks = load_xquad(memory, data)
                memory.index()
                digest(memory)
                for name, questions in tasks.items():
                    for mode in MODES:
                        ranks = [some for _, some in ask(memory, keys, questions[::every], mode)]
                        yield Row(f"{name} {mode}", len(ranks), metrics(ranks))


def main() -> int:
    """Print the table; 2 when there is no data."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("MH_BENCH_DATA"), help="folder with the data files")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask only every N-th question")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    given = parser.parse_args()
    if given.data is None or not any(Path(given.data).glob("*.json")):
        print(
            "no data: give --data FOLDER (or MH_BENCH_DATA) with locomo10.json, xquad.en.json, xquad.zh.json",
            file=sys.stderr,
        )
        return 2
    names = [*(f"recall@{k}" for k in KS), *(f"hit@{k}" for k in (1, *KS)), "mrr"]
    rows = []
    started = time.process_time()
    if not given.json:
        print(f"{'':44}{'n':>6} " + " ".join(f"{name:>9}" for name in names))
    for row in measure(Path(given.data), given.every, lambda text: print(text, file=sys.stderr)):
        rows.append({"name": row.name, "questions": row.questions, **row.metrics})
        if not given.json:
            figures = [f"{value:9.3f}" for value in row.metrics.values()]
            print(f"{row.name:44}{row.questions:6} " + " ".join(figures), flush=True)
    if given.json:
        print(json.dumps(rows, indent=1))
    print(f"{time.process_time() - started:.0f} s CPU in this process", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
