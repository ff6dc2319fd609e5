"""One line of a listing at every width: no label twice, none lost without a sign, nothing wider than the window."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from memhub import Memory
from memhub.cli.render import Lines
from memhub.model.item import Item
from memhub.text.clean import display_width
from memhub.text.dates import Zone


def line(item: Item, columns: int | None) -> str:
    """The line of an item in a window of so many columns."""
    session = SimpleNamespace(
        output=SimpleNamespace(colour=False, columns=columns),
        zone=Zone("UTC"),
        memory=SimpleNamespace(suffix=lambda ids: {one: one[-6:] for one in ids}),
    )
    return Lines(cast(Any, session), [item]).item(item)[20:]


@pytest.mark.parametrize(
    ("text", "labels", "shown"),
    [
        ("Feed the starter #home", ["kitchen"], "Feed the starter #home #kitchen"),
        ("Call Anna (#people), then Ben", [], "Call Anna (#people), then Ben"),
        ("备份到 NAS，见 #运维。", [], "备份到 NAS，见 #运维。"),
        ("看「#运维」的笔记", [], "看「#运维」的笔记 #运维"),
    ],
)
def test_what_the_text_shows_is_not_said_again(text: str, labels: list[str], shown: str) -> None:
    with Memory() as memory:
        assert line(memory.add(text, labels=labels).item, None) == shown


@pytest.mark.parametrize("columns", range(40, 131))
def test_a_cut_line_shows_each_label_once(columns: int) -> None:
    text = "#travel The ferry to Naxos leaves at 7:30 from gate E2, bring the tickets #greece #summer"
    with Memory() as memory:
        shown = line(memory.add(text, labels=["boat"]).item, columns)
    assert display_width(shown) <= columns - 20
    for label in ("#travel", "#greece", "#summer", "#boat"):
        assert shown.count(label) <= 1
    if "…" not in shown:
        assert all(label in shown for label in ("#travel", "#greece", "#summer", "#boat"))
