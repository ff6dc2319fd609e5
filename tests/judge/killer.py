"""Judges a file in child processes that are killed at their n-th step, for every n. Run by `test_kill.py`.

python killer.py FOLDER      # environment: STRIDE, kill at every STRIDE-th step

FOLDER/start.db holds what is to be judged. The steps are every call of the functions that read, ask, or write, and the
moment after each. One line of JSON for each kill: the step, and what was found in the file after the next run.
"""

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

from memhub import Memory
from memhub.llm.call import Answer, Budget, Use
from memhub.pipeline import decide_model, queue
from memhub.store.store import Store
from memhub.tasks import judging

PLACES: list[tuple[Any, str]] = [
    (judging, "sources_of"), (judging, "_take_lease"), (judging, "_judge_source"), (judging, "_carry_out"),
    (judging, "outcome_of"), (decide_model, "relatives_of"), (decide_model, "keep_cached"),
    (decide_model.extract_rules, "extract"), (Store, "_stamped"), (Store, "_project"), (Store, "commit"),
    (queue, "done"), (queue, "take_lease"), (queue, "end_lease"),
]  # fmt: skip


class Model:
    """Counts what it is asked in a file, which outlives the process; replaces 8:00 by 9:30."""

    model = "counted"

    def __init__(self, tally: Path, count: Any) -> None:
        self.tally, self.count = tally, count

    def complete(self, prompt: Any, values: Any, schema: Any) -> Answer:
        self.count()
        with self.tally.open("a") as file:
            file.write(json.dumps([prompt.name, values], sort_keys=True) + "\n")
        self.count()
        return Answer(getattr(self, "_" + prompt.name)(values), Use(self.model, prompt.hash, 1, 1, 0.0, 0.0))

    def _extract(self, values: Any) -> Any:
        wanted = "the anchor rusts away"
        none = dict.fromkeys(("importance", "due", "subject", "dimension", "qualifier", "value", "corrects"))
        return {"candidates": [
            {**none, "kind": "fact", "turn": turn["id"], "quote": wanted, "text": wanted}
            for turn in values["turns"] if wanted in turn["text"]
        ]}  # fmt: skip

    def _judge(self, values: Any) -> Any:
        return {"rulings": [
            {"id": one["id"], "action": "replaces" if one["relatives"] and "9:30" in one["text"] else "append",
             "targets": [one["relatives"][0]["id"]] if one["relatives"] else [], "difference": None, "reason": "told",
             "confidence": None}
            for one in values["candidates"]
        ]}  # fmt: skip


def judge(path: Path, tally: Path, count: Any) -> None:
    """One run as `Memory.judge` does it, with a counted model."""
    memory = Memory(path)
    budget = Budget()
    decider = decide_model.WithModel(lambda note: Model(tally, count), budget, batch=2, window=8000, path=path)
    memory._decider = lambda with_model, limit: decider  # type: ignore[method-assign]
    memory.judge()
    memory.close()


def killed_at(number: int, path: Path, tally: Path) -> bool:
    """Judge in a child that dies at its step `number`; False when it had fewer."""
    child = os.fork()
    if child == 0:
        seen = 0

        def count() -> None:
            nonlocal seen
            seen += 1
            if seen == number:
                os.kill(os.getpid(), signal.SIGKILL)

        for owner, name in PLACES:
            setattr(owner, name, _watched(getattr(owner, name), count))
        try:
            judge(path, tally, count)
        except BaseException as error:
            sys.stderr.write(f"the child failed: {error!r}\n")
            sys.stderr.flush()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.waitstatus_to_exitcode(status) == 0
    return False


def _watched(function: Any, count: Any) -> Any:
    def call(*args: Any, **options: Any) -> Any:
        count()
        result = function(*args, **options)
        count()
        return result

    return call


def found(path: Path) -> dict[str, Any]:
    """What a user would see."""
    with Memory(path) as memory:
        items = memory.list(_all(), limit=0)
        return {
            "items": sorted([item.layer, item.kind, item.content, item.state] for item in items),
            "edges": sorted({(e.relation, _words(memory, e.src), _words(memory, e.dst))
                             for item in items for e in memory.links(item.id) if e.relation != "part_of"}),
            "rulings": sorted([one.action, one.kind, one.text or ""] for one in memory.rulings(limit=0)),
            "queue": [row.title for row in memory.queue()],
            "history": sorted([v.content for v in memory.history(item.id)] for item in items),
            "ok": memory.doctor().ok,
        }  # fmt: skip


def _words(memory: Memory, item: str) -> str:
    return memory.get(item).content


def _all() -> Any:
    from memhub.model.query import Filters

    return Filters(states=("all",), layers=("L0", "L1", "L2", "L3"))


def main(folder: Path) -> None:
    whole = folder / "whole.db"
    shutil.copy(folder / "start.db", whole)
    assert not killed_at(0, whole, folder / "whole.asked")
    _tell(0, whole, folder / "whole.asked")
    number = 1
    while True:
        path, tally = folder / f"{number}.db", folder / f"{number}.asked"
        shutil.copy(folder / "start.db", path)
        if not killed_at(number, path, tally):
            break
        assert not killed_at(0, path, tally)
        _tell(number, path, tally)
        for left in folder.glob(f"{number}.*"):
            left.unlink()
        number += int(os.environ.get("STRIDE", "1"))


def _tell(step: int, path: Path, tally: Path) -> None:
    sys.stdout.write(json.dumps({"step": step, "asked": _asked(tally), **found(path)}) + "\n")
    sys.stdout.flush()


def _asked(tally: Path) -> list[str]:
    return tally.read_text().splitlines() if tally.exists() else []


if __name__ == "__main__":
    main(Path(sys.argv[1]))
