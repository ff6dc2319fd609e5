"""Pages of a long listing: from either end, on from any row, and the same order as `list`."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from memhub import Memory
from memhub.model.query import Filters
from memhub.model.result import NewNote
from memhub.model.row import Place, Row

SORTS = ("created", "updated", "added", "importance", "title")


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory(tmp_path_factory.mktemp("rows") / "mh.db") as opened:
        notes = (
            NewNote(
                f"note {n} " + "word " * n,
                title=f"Title {n % 7}" if n % 3 else None,
                labels=("odd", "运维") if n % 2 else (),
                importance=n % 4 / 4 if n % 5 else None,
                created_at=f"2026-01-{1 + n % 28:02d}" if n % 6 else None,
            )
            for n in range(90)
        )
        assert len(list(opened.add_many(notes))) == 90
        yield opened


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("reverse", [False, True])
def test_pages_from_either_side_make_up_the_list(memory: Memory, sort: str, reverse: bool) -> None:
    wanted = [item.id for item in memory.list(sort=sort, reverse=reverse, limit=0)]
    down: list[Row] = []
    while page := memory.rows(sort=sort, reverse=reverse, limit=7, after=down[-1].place if down else None):
        down += page
    assert [row.id for row in down] == wanted
    up = memory.rows(sort=sort, reverse=not reverse, limit=1)
    while page := memory.rows(sort=sort, reverse=reverse, limit=7, before=up[0].place):
        up = page + up
    assert [row.id for row in up] == wanted
    assert [row.id for row in memory.rows(sort=sort, reverse=reverse, limit=10, offset=50)] == wanted[50:60]


def test_a_row_says_what_its_item_says(memory: Memory) -> None:
    items = {item.id: item for item in memory.list(Filters(labels=("odd",)), limit=0)}
    rows = memory.rows(Filters(labels=("odd",)))
    assert len(rows) == len(items) == 45
    for row in rows:
        item = items[row.id]
        assert row[:6] == (item.id, item.layer, item.kind, item.title, item.content[:300], item.labels)
        assert row[6:12] == (
            item.importance, item.pinned, item.state, item.flags, item.created_at, item.updated_at,
        )  # fmt: skip
    assert all(one.place.number != two.place.number for one, two in pairwise(rows))


def test_the_data_version_moves_with_the_changes_of_others(memory: Memory) -> None:
    with Memory(memory.path) as other:
        before = memory.data_version()
        assert memory.data_version() == before
        other.drop(other.add("gone again").item.id)
        assert memory.data_version() != before


@pytest.mark.parametrize(
    ("typed", "found"),
    [("ferr", 1), ("ferry", 1), ("ferry ", 1), ("the fer", 1), ("running", 1), ("备", 1), ("ferr ", 0)],
)
def test_a_word_is_found_while_it_is_typed(memory: Memory, typed: str, found: int) -> None:
    with Memory(memory.path, space="typing") as typing:
        if not any(space.name == "typing" for space in typing.spaces()):
            typing.space_new("typing")
            typing.add("the ferries leave at seven")
            typing.add("he runs every day 备份")
        hits = typing.search(typed, mode="fast", prefix=True).hits
        assert len([hit for hit in hits if any(why.way == "words" for why in hit.why)]) == found


@pytest.mark.parametrize("sort", ["created", "updated", "added"])
def test_a_page_deep_in_the_list_costs_what_the_first_one_costs(tmp_path: Path, clock: Any, sort: str) -> None:
    """Counted in steps of SQLite's machine, which no other process changes."""
    with Memory(tmp_path / "mh.db") as memory:
        for hour in range(23):
            notes = (NewNote(f"note {hour}:{n}", created_at=f"2026-01-01T{hour:02d}:{n:02d}:00Z") for n in range(60))
            assert len(list(memory.add_many(notes))) == 60
            clock.advance(60)
        near, deep = (memory.rows(sort=sort, limit=1, offset=offset)[0].place for offset in (20, 1300))

        def steps(**beside: Place) -> int:
            count = 0

            def step() -> bool:
                nonlocal count
                count += 1
                return False

            memory.store.connection.set_progress_handler(step, 10)
            assert len(memory.rows(sort=sort, limit=20, **beside)) == 20
            memory.store.connection.set_progress_handler(None)
            return count

        for beside in ("after", "before"):
            assert steps(**{beside: deep}) < 2 * steps(**{beside: near})
