"""`mh persona`: lines to pin, correct and ban; and `useful`, `useless`, and how present an item still is."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from memhub.digest.decay import of
from memhub.store import use
from memhub.store.connection import BUSY_MS

Mh = Callable[..., Any]


def lines(mh: Mh, *more: str) -> list[dict[str, Any]]:
    return list(json.loads(mh("persona", "--json", *more).out))


def test_lines_with_what_they_come_from(digested: Mh) -> None:
    found = {line["text"]: line for line in lines(digested)}
    assert found["I live in Lisbon"]["domain"] == "life"
    assert found["我对花生过敏"]["domain"] == "health"
    run = found["I signed up for the spring half marathon and run three times a week now"]
    assert run["domain"] == "sport"
    assert len(run["evidence"]) == 5
    shown = digested("persona").out
    assert "sport        I signed up for the spring half marathon" in shown
    assert "from 5 items" in shown


def test_a_banned_line_stays_away_until_it_is_allowed(digested: Mh) -> None:
    (line,) = [one for one in lines(digested) if one["domain"] == "sport"]
    assert digested("persona", "ban", line["item"]).code == 0
    digested("add", "I run every morning now, training for the next half marathon.")
    digested("digest", "--since", "2020-01-01")
    assert not [one for one in lines(digested) if one["domain"] == "sport"]
    assert [one["item"] for one in lines(digested, "--banned")] == [line["item"]]
    digested("persona", "allow", line["item"])
    assert [one["item"] for one in lines(digested) if one["domain"] == "sport"] == [line["item"]]
    digested("undo")
    assert not [one for one in lines(digested) if one["domain"] == "sport"]


def test_a_banned_profile_line_does_not_return_with_another_value(digested: Mh) -> None:
    (line,) = [one for one in lines(digested) if one["text"] == "I live in Lisbon"]
    digested("persona", "ban", line["item"])
    digested("add", "I live in Porto now.")
    digested("digest")
    assert not [one for one in lines(digested) if one["domain"] == "life"]


def test_a_corrected_line_is_never_written_over(digested: Mh, found: Callable[[str], dict[str, Any]]) -> None:
    (line,) = [one for one in lines(digested) if one["domain"] == "sport"]
    digested("persona", "correct", line["item"], "--text", "I run for fun.")
    digested(
        "edit", found("half marathon and run three")["id"], "--content", "I signed up for the marathon, running daily."
    )
    digested("digest")
    (after,) = [one for one in lines(digested) if one["item"] == line["item"]]
    assert after["text"] == "I run for fun."
    assert after["corrected"]
    assert after["flags"] == []
    (home,) = [one for one in lines(digested) if one["text"] == "I live in Lisbon"]
    digested("persona", "correct", home["item"], "--text", "I live in Porto.")
    values = {row["dimension"]: row["value"] for row in json.loads(digested("profile", "--json").out)}
    assert values["state.location"] == "Porto"


@pytest.mark.parametrize("how", ["pin", "correct"])
def test_what_says_otherwise_than_a_line_of_mine_waits_for_me(mh: Mh, how: str) -> None:
    mh("add", "I live in Lisbon")
    mh("judge")
    (line,) = lines(mh)
    mh("persona", how, line["item"], *(("--text", "I live in Sintra") if how == "correct" else ()))
    kept = lines(mh)[0]["text"]
    note = mh("add", "-q", "I moved to Porto").out.strip()
    assert mh("digest", "--steps", "judge").code == 0
    (line,) = lines(mh)
    assert (line["text"], line["flags"]) == (kept, ["contested"])
    assert f"**contested**: I moved to Porto `{note[-6:]}` against {kept}" in mh("brief").out
    assert mh("review", note, "--keep", "new").code == 0
    (line,) = lines(mh)
    assert (line["text"], line["flags"]) == ("I moved to Porto", [])
    assert note in line["evidence"]
    assert [row["value"] for row in json.loads(mh("profile", "--json").out)] == ["Porto"]
    assert json.loads(mh("show", note, "--json").out)["state"] == "live"
    mh("undo")
    mh("review", note, "--keep", "old")
    assert [line["text"] for line in lines(mh)] == [kept]


def test_a_pinned_line_stays_when_its_evidence_goes(digested: Mh) -> None:
    (line,) = [one for one in lines(digested) if one["domain"] == "money"]
    digested("persona", "pin", line["item"])
    digested("rm", *line["evidence"][:2])
    digested("digest")
    (after,) = [one for one in lines(digested) if one["item"] == line["item"]]
    assert after["pinned"]
    assert after["flags"] == ["stale"]  # kept as the person wants it, and said to rest on less
    assert digested("digest").out == ""
    assert after["text"] == line["text"]


def test_only_lines_are_pinned_here(year: Mh, found: Callable[[str], dict[str, Any]]) -> None:
    wrong = year("persona", "pin", found("Mochi")["id"])
    assert wrong.code == 3
    assert "is no line of the persona" in wrong.err
    assert year("persona", "correct", "abc").code == 2


@pytest.mark.parametrize(
    ("kind", "given", "value"),
    [
        ("note", {"days": 0}, 1.0),
        ("note", {"days": 30}, 0.5),
        ("note", {"days": 90}, 0.125),
        ("event", {"days": 28}, 0.25),
        ("note", {"days": 60, "times": 1}, 0.4410),
        ("note", {"days": 3000, "importance": 1.0}, 0.8),
        ("note", {"days": 3000, "verdict": 1}, 0.24),
        ("note", {"days": 3000, "importance": 0.5, "verdict": -1}, 0.16),
        ("note", {"days": 3000, "pinned": True}, 1.0),
    ],
)
def test_the_formula(kind: str, given: dict[str, Any], value: float) -> None:
    assert of(kind, **given).value == pytest.approx(value, abs=1e-4)


def test_looking_keeps_an_item_present(mh: Mh, clock: Any) -> None:
    item = json.loads(mh("add", "The key is under the mat", "--json").out)["id"]
    clock.advance(60 * 86_400)
    first = json.loads(mh("show", item, "--json").out)["decay"]
    assert (first["value"], first["times"]) == (0.25, 0)
    second = json.loads(mh("show", item, "--json").out)["decay"]
    assert (second["value"], second["times"]) == (1.0, 1)
    clock.advance(30 * 86_400)
    assert json.loads(mh("why", item, "--json").out)["decay"]["half_life"] == pytest.approx(62.96, abs=0.1)
    assert "half-life 63, looked at 2 times" in mh("why", item).out


def test_useful_counts_and_can_be_undone(mh: Mh, clock: Any) -> None:
    item = json.loads(mh("add", "The key is under the mat", "--json").out)["id"]
    clock.advance(3650 * 86_400)
    assert mh("useful", item).out.startswith("useful ")
    assert json.loads(mh("why", item, "--json").out)["decay"]["floor"] == 0.24
    mh("undo")
    assert json.loads(mh("why", item, "--json").out)["decay"]["floor"] == 0.0
    mh("useless", item)
    mh("set", item, "--importance", "0.5")
    assert json.loads(mh("why", item, "--json").out)["decay"]["floor"] == 0.16
    mh("useless", item, "--clear")
    assert json.loads(mh("why", item, "--json").out)["decay"]["floor"] == 0.4


def test_a_look_waits_for_nobody(mh: Mh) -> None:
    import os
    from pathlib import Path

    import apsw

    from memhub import Memory

    item = json.loads(mh("add", "The key is under the mat", "--json").out)["id"]
    (path,) = Path(os.environ["MH_HOME"]).rglob("mh.db")
    writer = apsw.Connection(str(path))
    writer.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    try:
        with Memory(path) as memory:
            assert memory.get(item).content
            assert memory.seen([item]) is False
        assert time.monotonic() - began < BUSY_MS / 1000 / 2, "closing waits for nobody either"
    finally:
        writer.execute("ROLLBACK")
        writer.close()
    with Memory(path) as memory:
        assert memory.seen([item]) is True
        assert use.of(memory.store.connection, item).times == 1
