"""Groups of items: what comes together, what keeps its number, and what an erase takes from it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memhub.digest.clusters import links
from memhub.digest.communities import communities
from memhub.digest.step import Done, Work
from memhub.embed.engine import Engine
from memhub.embed.opening import open_engine
from memhub.store.names import DEFAULT_SPACE
from memhub.store.store import new_operation
from memhub.workspace.memory import Memory

BOAT = ["the boat needs new varnish", "sand the hull of the boat", "the mast of the boat is cracked",
        "the boat lies in the harbour", "a new sail for the boat"]  # fmt: skip
BREAD = ["bake the rye bread for an hour", "the bread dough rises overnight", "sourdough bread needs rye flour",
         "the crust of the bread was too dark", "salt the bread dough late"]  # fmt: skip


@pytest.fixture(scope="module")
def engine(model_folder: Path) -> Engine:
    return open_engine(model_folder)


@pytest.fixture
def memory(tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    with Memory(tmp_path / "mh.db") as opened:
        monkeypatch.setattr(opened, "engine", lambda: engine)
        yield opened


def grouped(memory: Memory, mark: int = 0) -> Done:
    memory.index()
    return communities(Work(memory.store, DEFAULT_SPACE, new_operation("digest"), mark))


def groups(memory: Memory) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    rows = memory.store.connection.execute(
        """SELECT community, version.content FROM community_item JOIN item ON item.n = community_item.item
           JOIN version ON version.n = item.shown"""
    )
    for number, text in rows:
        found.setdefault(number, set()).add(text)
    return found


def names(memory: Memory) -> dict[int, str]:
    return dict(memory.store.connection.execute("SELECT n, name FROM community"))


def test_what_is_alike_comes_together_under_its_commonest_words(memory: Memory) -> None:
    for text in [*BOAT, *BREAD]:
        memory.add(text)
    done = grouped(memory)
    assert done.new == ("1", "2")
    assert sorted(map(sorted, groups(memory).values())) == sorted(map(sorted, (BOAT, BREAD)))
    assert {name.split(", ")[0] for name in names(memory).values()} == {"boat", "bread"}


def test_links_join_what_is_not_alike(memory: Memory) -> None:
    ids = [memory.add(text).item.id for text in ("qx-17 valve", "Tuesday 9:00", "call Ines")]
    memory.link(ids[0], "related", ids[1])
    memory.link(ids[1], "related", ids[2])
    grouped(memory)
    assert groups(memory) == {1: {"qx-17 valve", "Tuesday 9:00", "call Ines"}}


def test_nothing_is_done_again_until_a_twentieth_has_changed(memory: Memory) -> None:
    for text in [*BOAT, *BREAD, *(f"{text} again" for text in [*BOAT, *BREAD])]:
        memory.add(text)
    first = grouped(memory)
    again = grouped(memory, first.mark)
    assert (again.mark, again.new, again.renewed) == (first.mark, (), ())
    memory.add("the rudder of the boat")
    assert grouped(memory, first.mark).renewed == ()
    memory.add("oil the rudder of the boat")
    later = grouped(memory, first.mark)
    assert (later.new, later.renewed) == ((), ("1", "2"))


def test_a_group_keeps_its_number_when_others_go(memory: Memory) -> None:
    ids = {text: memory.add(text).item.id for text in [*BOAT, *BREAD]}
    grouped(memory)
    bread = next(number for number, some in groups(memory).items() if BREAD[0] in some)
    memory.drop([ids[text] for text in BOAT])
    grouped(memory)
    assert set(groups(memory)) == {bread}


def test_search_counts_who_belongs_together(memory: Memory) -> None:
    for text in [*BOAT, *BREAD]:
        memory.add(text)
    before = memory.search("new varnish for the hull of the boat", mode="deep")
    assert not any(why.way == "community" for hit in before.hits for why in hit.why)
    grouped(memory)
    found = memory.search("new varnish for the hull of the boat", mode="deep")
    assert {hit.item.content for hit in found.hits if any(w.way == "community" for w in hit.why)} <= set(BOAT)
    assert any(why.way == "community" for hit in found.hits for why in hit.why)


def test_an_erase_takes_the_name_and_the_place(memory: Memory) -> None:
    ids = [memory.add(text).item.id for text in BOAT]
    grouped(memory)
    memory.erase([ids[0]])
    assert set(names(memory).values()) == {""}
    assert groups(memory) == {1: set(BOAT[1:])}


def test_many_are_compared_by_cells() -> None:
    """Above some thousands a row is held against those in its cells alone, and still finds its company."""
    import numpy as np

    chance = np.random.default_rng(3)
    themes = chance.normal(size=(1_300, 64))
    rows = (themes[:, None, :] + 0.4 * chance.normal(size=(1_300, 10, 64))).reshape(-1, 64)
    vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    found = links(vectors, range(len(vectors)), 0.6, 8)
    same = found.one // 10 == found.two // 10
    assert same.mean() > 0.99
    assert same.sum() > 0.9 * 1_300 * (10 * 9 / 2)
