"""The language of the search box."""

import pytest

from memhub.errors import UsageError
from memhub.model.query import Filters
from memhub.text.dates import Zone
from memhub_tui.query_line import Asked, completed, parse

ZONE = Zone("UTC", 1_770_724_800_000)


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("", Asked("", Filters())),
        ("ferry gate", Asked("ferry gate", Filters())),
        ("ferry ", Asked("ferry ", Filters())),
        ("#travel ferry", Asked("ferry", Filters(labels=("travel",)))),
        ('label:"two words" #运维', Asked("", Filters(labels=("two words", "运维")))),
        ("kind:note kind:fact x", Asked("x", Filters(kinds=("note", "fact")))),
        ("layer:l1 state:archived", Asked("", Filters(layers=("L1",), states=("archived",)))),
        ("state:all", Asked("", Filters(states=("live", "replaced", "duplicate", "archived", "dropped")))),
        ("is:pinned is:exact 7:30", Asked("7:30", Filters(pinned=True), exact=True)),
        ("sort:-title importance:0.5", Asked("", Filters(importance=0.5), "title", True)),
        ("in:work project:mh", Asked("", Filters(space="work", project="mh"))),
        ("https://example.org 12:30 c++ # ##", Asked("https://example.org 12:30 c++ # ##", Filters())),
        ("kind: ferry", Asked("ferry", Filters())),
    ],
)
def test_what_a_line_asks_for(line: str, asked: Asked) -> None:
    assert parse(line, ZONE) == asked


def test_days() -> None:
    created = parse("since:2026-02-01 until:2026-02-03", ZONE).filters.created
    assert created is not None
    assert created.days == ("2026-02-01", "2026-02-03")


@pytest.mark.parametrize("line", ["state:gone", "layer:L9", "sort:size", "importance:2", "is:odd", "since:never"])
def test_a_value_that_cannot_be_is_told(line: str) -> None:
    with pytest.raises(UsageError):
        parse(line, ZONE)


def test_a_label_that_is_being_typed_asks_for_nothing_yet() -> None:
    known = ("travel", "运维")
    assert parse("ferry #tra", ZONE, known).filters.labels == ()
    assert parse("ferry #tra ", ZONE, known).filters.labels == ("tra",)
    assert parse("#travel", ZONE, known).filters.labels == ("travel",)
    assert parse("#xy", ZONE, known).filters.labels == ("xy",)


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("ki", "kind:"), ("kind:no", "kind:note"), ("ferry #tr", "ferry #travel"), ("#运", "#运维"),
        ("in:w", "in:work"), ("state:arch", "state:archived"),
        ("#travel", None), ("", None), ("ferry ", None), ("http://a", None), ("zz", None),
    ],
)  # fmt: skip
def test_completion(line: str, whole: str | None) -> None:
    names = {"label": ["travel", "运维"], "in": ["work"]}
    assert completed(line, lambda name: names.get(name, ())) == whole
