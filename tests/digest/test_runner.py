"""The runner: steps that fail stay pending, two digests never run at once, a kill loses and repeats nothing."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memhub.digest.step import Done
from memhub.errors import UnavailableError
from memhub.tasks import digesting

Mh = Callable[..., Any]
Listed = Callable[..., list[dict[str, Any]]]


def test_a_failing_step_stays_pending_and_the_rest_lands(
    year: Mh, listed: Listed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(work: Any) -> Any:
        raise ZeroDivisionError("a fault")

    with monkeypatch.context() as patch:
        rows = tuple(row._replace(step=broken) if row.name == "core" else row for row in digesting.STEPS)
        patch.setattr(digesting, "STEPS", rows)
        done = year("digest")
        assert done.code == 6
        assert "skipped core: mh failed on it: ZeroDivisionError: a fault; it stays pending" in done.err
        assert listed("schema")
        assert listed("crystal")
        assert listed("persona_catalog")
        assert not listed("core_schema")
        again = json.loads(year("digest", "--json").out)
        assert again["pending"] == 1
        assert {step["space"] for step in again["steps"]} == {"default"}
    done = year("digest")
    assert done.code == 0
    assert done.out.split() == ["core", "1", "new"]


def test_quietly_it_prints_items_alone_and_by_schedule_nothing(year: Mh) -> None:
    ids = year("digest", "-q").out
    assert len(ids.split()) > 20
    assert year("show", "-", "--json", stdin=ids).code == 0
    year("add", "I live in Porto now.")
    done = year("digest", "-q", "--scheduled")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert "I live in Porto now" in year("profile", "--json").out


def test_what_a_digest_wrote_itself_is_not_new_to_the_next(mh: Mh, clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for note in ("I live in Lisbon.", "I work at Siemens.", "I am allergic to peanuts.", "My wife is called Ana.",
                 "Bake the bread in the oven", "Knead the bread dough", "The bread oven is too hot"):  # fmt: skip
        mh("add", note)

    def ticking() -> int:
        clock.ms += 1
        return int(clock.ms)

    monkeypatch.setattr("memhub.stamp.now_ms", ticking)
    assert "communities" in mh("digest").out
    assert mh("digest").out == ""


def test_a_step_without_time_goes_on_next_time(year: Mh, listed: Listed, monkeypatch: pytest.MonkeyPatch) -> None:
    year("judge")
    with monkeypatch.context() as patch:
        patch.setattr(digesting, "STEP_MS", 0)
        done = year("digest")
        assert done.code == 6
        assert "there was no time for all of it" in done.err
        assert listed("schema") == []
    assert year("digest").code == 0
    assert listed("schema")


def test_steps_by_name(year: Mh, listed: Listed) -> None:
    assert year("digest", "--steps", "judge,schemas").code == 0
    assert listed("schema")
    assert not listed("crystal")
    wrong = year("digest", "--steps", "themes")
    assert wrong.code == 2
    assert "steps are judge, entities, communities, schemas, core, crystals, persona, brief" in wrong.err


def test_system1_judges_only(year: Mh, listed: Listed) -> None:
    year("config", "set", "mode", "system1")
    done = year("digest")
    assert done.code == 0
    assert done.out.startswith("judge")
    assert "system1" in done.err
    assert listed("schema") == []


def test_a_second_digest_is_refused_while_one_runs(year: Mh, monkeypatch: pytest.MonkeyPatch) -> None:
    inner: list[Any] = []

    def nested(work: Any) -> Any:
        inner.append(year("digest"))
        return Done(work.mark)

    rows = tuple(row._replace(step=nested) if row.name == "core" else row for row in digesting.STEPS)
    monkeypatch.setattr(digesting, "STEPS", rows)
    assert year("digest").code == 0
    assert inner[0].code == 4
    assert "another digest is running" in inner[0].err


def test_what_comes_during_a_digest_is_seen_by_the_next(
    year: Mh, listed: Listed, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = ("Saw the rings of Saturn in the telescope", "The telescope shows the moons of Jupiter at 80x",
            "Collimated the telescope, Saturn is sharp now", "Took the telescope to the hill for the moon")  # fmt: skip

    def meanwhile(step: Any) -> Any:
        def run(work: Any) -> Any:
            for text in seen:
                assert year("add", text).code == 0
            return step(work)

        return run

    with monkeypatch.context() as patch:
        rows = tuple(
            row._replace(step=meanwhile(row.step)) if row.name == "communities" else row for row in digesting.STEPS
        )
        patch.setattr(digesting, "STEPS", rows)
        assert year("digest").code == 0
    assert not any("telescope" in schema["content"] for schema in listed("schema"))
    assert year("digest").code == 0
    assert any("telescope" in schema["content"] for schema in listed("schema"))


def test_spaces_are_kept_apart(year: Mh, listed: Listed) -> None:
    from history import as_lines

    year("space", "new", "work")
    year("add", "--split", "jsonl", "-q", "-", "--space", "work", stdin=as_lines())
    done = year("digest")
    assert done.code == 0
    assert "work: schemas" in done.out
    assert "default: schemas" in done.out
    here, there = listed("schema"), listed("schema", "--space", "work")
    assert len(here) == len(there)
    assert not {i["id"] for i in here} & {i["id"] for i in there}
    assert year("digest").out == ""


def test_one_space_alone(year: Mh, listed: Listed) -> None:
    year("space", "new", "work")
    year("add", "A note at work", "--space", "work")
    assert year("digest", "--space", "work", "--steps", "schemas").code == 0
    assert listed("schema") == []


def test_without_the_embedding_model_it_waits(year: Mh, monkeypatch: pytest.MonkeyPatch) -> None:
    from memhub.workspace.reading import Reading

    def none(self: Any) -> Any:
        raise UnavailableError("search by meaning is off", None)

    with monkeypatch.context() as patch:
        patch.setattr(Reading, "engine", none)
        done = year("digest")
        assert done.code == 6
        assert "judge" in done.out
        assert "schemas: search by meaning is off" in done.err
    assert year("digest").code == 0


@pytest.mark.slow
def test_killed_at_any_moment_it_repeats_nothing(year: Mh, run: Callable[..., Any], tmp_path: Path) -> None:
    home = os.environ["MH_HOME"]
    calm = _made(run, tmp_path, home)
    for delay in (0.3, 0.5, 0.7, 0.9, 1.1, 1.4):
        copy = tmp_path / f"kill{delay}.db"
        _copy(home, copy)
        child = subprocess.Popen(
            [sys.executable, "-m", "memhub", "digest", "--db", str(copy)], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(delay)
        child.send_signal(signal.SIGKILL)
        child.wait()
        done = run("digest", "--db", str(copy))
        assert done.code == 0, done.err
        assert _state(run, copy) == calm
        assert run("digest", "--db", str(copy)).out == ""
        assert run("doctor", "--db", str(copy)).code == 0


def _made(run: Callable[..., Any], tmp_path: Path, home: str) -> Any:
    copy = tmp_path / "calm.db"
    _copy(home, copy)
    assert run("digest", "--db", str(copy)).code == 0
    return _state(run, copy)


def _copy(home: str, target: Path) -> None:
    (source,) = Path(home).rglob("mh.db")
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


def _state(run: Callable[..., Any], path: Path) -> Any:
    items = json.loads(run("list", "--layer", "L3", "-n", "0", "--json", "--db", str(path)).out)
    return sorted((item["kind"], item["id"], item["content"], item["confidence"]) for item in items)


def test_a_plain_undo_passes_over_a_scheduled_digest(year: Mh, listed: Listed) -> None:
    year("add", "The last thing typed")
    assert year("digest", "-q", "--scheduled").code == 0
    assert listed("schema")
    assert "by cron" in year("log", "--limit", "1").out
    assert "undone: add" in year("undo").out
    assert listed("schema")
