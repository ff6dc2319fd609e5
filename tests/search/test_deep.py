"""Deep search through a real file: who said it, when, what hangs on it, and what belongs with it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memhub.embed.engine import Engine
from memhub.embed.opening import open_engine
from memhub.model.found import Found
from memhub.model.query import Filters, Range
from memhub.model.thread import Message, Speaker, ThreadInfo
from memhub.workspace.memory import Memory


@pytest.fixture(scope="module")
def engine(model_folder: Path) -> Engine:
    return open_engine(model_folder)


@pytest.fixture
def memory(tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    with Memory(tmp_path / "mh.db") as opened:
        monkeypatch.setattr(opened, "engine", lambda: engine)
        yield opened


def ways(found: Found) -> dict[str, set[str]]:
    return {hit.item.content: {why.way for why in hit.why} for hit in found.hits}


def first(found: Found) -> str:
    return found.hits[0].item.content


@pytest.mark.parametrize(
    ("query", "turns"),
    [
        ("which instrument did Marta buy", ("I bought a cello last autumn", "I bought a violin last autumn")),
        ("小李买了什么乐器", ("我去年秋天买了一把大提琴", "我去年秋天买了一把小提琴")),
    ],
)
def test_what_the_named_speaker_said_comes_first(memory: Memory, query: str, turns: tuple[str, str]) -> None:
    names = ("Jonas", "Marta") if query.isascii() else ("小王", "小李")
    for name, turn in zip(names, turns, strict=True):
        memory.add_messages([Message(turn, speaker=Speaker(name))], thread=ThreadInfo(title=f"chat with {name}"))
    found = memory.search(query, mode="deep")
    assert first(found) == turns[1]
    assert "speaker" in ways(found)[turns[1]]
    assert "speaker" not in ways(found)[turns[0]]


def test_a_role_and_a_common_word_are_no_names(memory: Memory) -> None:
    turns = [Message("the user table has two keys", speaker=Speaker(name)) for name in ("user", "Will")]
    memory.add_messages(turns, thread=ThreadInfo(title="schema"))
    found = memory.search("will the user table have keys", mode="deep")
    assert len(found.hits) == 2
    assert not any(why.way == "speaker" for hit in found.hits for why in hit.why)


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        ("budget meeting in March 2023", "Budget meeting: {} was cut"),
        ("2023年3月的预算会议", "预算会议：削减了{}"),
    ],
)
def test_the_time_that_is_named_comes_first_and_nothing_is_left_out(memory: Memory, query: str, texts: str) -> None:
    for thing, day in (("travel", "2022-03-10"), ("training", "2023-03-21"), ("hardware", "2024-07-01")):
        memory.add(texts.format(thing), created_at=day)
    found = memory.search(query, mode="deep", explain=True)
    assert first(found) == texts.format("training")
    assert len(found.hits) == 3
    assert "the time from 2023-03-01 to 2023-03-31 comes first" in found.notices
    assert found.explain is not None
    assert found.explain["time"] == ["2023-03-01", "2023-03-31"]
    assert memory.search(query).notices == ()


def test_relative_times_count_from_now(memory: Memory) -> None:
    memory.add("dentist: the crown is loose", created_at="2025-12-20")
    memory.add("dentist: the crown is fixed", created_at="2026-02-04")
    assert first(memory.search("dentist crown last week", mode="deep")) == "dentist: the crown is fixed"
    assert first(memory.search("dentist crown two months ago", mode="deep")) == "dentist: the crown is loose"


def test_a_time_with_nothing_in_it_is_said_and_changes_nothing(memory: Memory) -> None:
    memory.add("the boiler was serviced", created_at="2025-06-01")
    found = memory.search("boiler in March 2023", mode="deep")
    assert first(found) == "the boiler was serviced"
    told = "the time from 2023-03-01 to 2023-03-31 has nothing for this; searched without a time"
    assert told in found.notices


def test_filters_that_name_a_time_go_before_the_query(memory: Memory) -> None:
    memory.add("boiler serviced", created_at="2025-06-01")
    asked = Filters(created=Range(days=("2025-01-01", "2025-12-31")))
    found = memory.search("boiler in March 2023", asked, mode="deep")
    assert len(found.hits) == 1
    assert not any("the time" in notice for notice in found.notices)


def test_links_lead_one_and_two_steps_on_to_what_is_live(memory: Memory) -> None:
    ids = [memory.add(text).item.id for text in ("the harbour crane is broken", "Sandvik quoted 4,100", "call Ines")]
    memory.link(ids[0], "related", ids[1])
    memory.link(ids[1], "concerns", ids[2])
    found = memory.search("harbour crane", mode="deep")
    assert [hit.item.id for hit in found.hits] == ids
    assert ways(found)["Sandvik quoted 4,100"] == {"graph"}
    memory.drop([ids[2]])
    assert [hit.item.id for hit in memory.search("harbour crane", mode="deep").hits] == ids[:2]


def test_links_do_not_lead_into_spaces_that_may_not_be_read(memory: Memory) -> None:
    memory.space_new("client")
    own = memory.add("the harbour crane is broken").item.id
    other = memory.add("their offer was 4,100", space="client").item.id
    memory.link(own, "related", other)
    assert [hit.item.id for hit in memory.search("harbour crane", mode="deep").hits] == [own]


def test_notes_that_are_all_linked_with_one_another_stay_behind_those_that_say_it(memory: Memory) -> None:
    said = [memory.add(f"call with Bob about the weather, day {day}").item.id for day in range(6)]
    others = [memory.add(f"call with {name} about the weather").item.id for name in ("Ana", "Iris", "Tom", "Zoe")]
    every = [*said, *others]
    for place, one in enumerate(every):
        for other in every[place + 1 :]:
            memory.link(one, "related", other)
    found = [hit.item.id for hit in memory.search("Bob", mode="deep").hits]
    assert set(found[:6]) == set(said)
    assert set(others) <= set(found)


def test_a_rare_entity_joins_what_no_word_does(memory: Memory) -> None:
    memory.add("Robert Klein will look at the harbour crane", labels=["harbour"])
    memory.add("Robert Klein is away until Thursday")
    for count in range(6):
        memory.add(f"receipt number {count}: screws")
    memory.look_through(with_model=False)
    found = memory.search("harbour crane", mode="deep")
    assert "graph" in ways(found).get("Robert Klein is away until Thursday", set())


def test_turns_near_the_first_hits_rise(memory: Memory) -> None:
    talk = ["the ferry to Naxos was cancelled", "the ferry office was closed", "so we slept at the office"]
    memory.add_messages([Message(text, speaker=Speaker("Ana")) for text in talk], thread=ThreadInfo(title="trip"))
    memory.add("the post office was closed")
    found = memory.search("ferry to Naxos cancelled office", mode="deep")
    assert "graph" in ways(found)["so we slept at the office"]
    assert "graph" not in ways(found)["the post office was closed"]


def test_on_the_command_line(mh: Callable[..., Any]) -> None:
    mh("add", "we chose Postgres for the archive", "--date", "2026-01-15")
    mh("add", "we chose SQLite for the archive", "--date", "2025-03-02")
    answer = mh("search", "--mode", "deep", "--explain", "what did we choose for the archive last month")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert "Postgres" in lines[0]
    assert "time #1 1.000" in lines[1]
    assert "the time from 2026-01-01 to 2026-01-31 comes first" in answer.err
    told = json.loads(mh("search", "--mode", "deep", "--json", "archive").out)
    assert len(told) == 2
