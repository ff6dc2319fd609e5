"""With a model on loopback: its words where its citations stand, the notes' own words where they do not."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from told_words import Told

Mh = Callable[..., Any]
Listed = Callable[..., list[dict[str, Any]]]


def test_every_kind_in_the_words_of_the_model(year: Mh, told: Told, listed: Listed) -> None:
    done = year("digest")
    assert done.code == 0, done.err
    for kind in ("schema", "core_schema", "crystal", "persona_catalog"):
        items = listed(kind)
        assert items, kind
        for item in items:
            assert item["content"].startswith("The model sums up: ")
            assert item["attrs"]["drawn_by"] == "openai/small"
            quotes = json.loads(year("why", item["id"], "--json").out)["spans"]
            assert len(quotes) >= 2
    assert "calls" in done.err
    asked = len(told.server.requests)
    assert year("digest").out == ""
    assert len(told.server.requests) == asked


@pytest.mark.parametrize(
    "wrong",
    [
        {"citations": [{"id": "s1", "quote": "words that stand nowhere"}, {"id": "s2", "quote": "nor these"}]},
        {"citations": [{"id": "s99", "quote": "the"}]},
        {"citations": []},
        {"statement": "It happened 4711 times."},
        {"statement": "", "title": ""},
    ],
)
def test_an_answer_that_does_not_stand_is_not_believed(year: Mh, told: Told, listed: Listed, wrong: Any) -> None:
    told.say = lambda data: {**Told.word(data), **wrong}
    assert year("digest", "--steps", "judge,schemas").code == 0
    items = listed("schema")
    assert items
    assert all("drawn_by" not in item["attrs"] for item in items)
    assert not any("sums up" in item["content"] for item in items)


def test_a_model_that_is_down_leaves_its_steps_pending(year: Mh, told: Told, listed: Listed) -> None:
    from server import Reply

    def down(data: Any) -> Any:
        return Reply(status=503)

    told.say = down
    done = year("digest")
    assert done.code == 6
    assert "schemas" in done.err
    told.say = Told.word
    assert year("digest").code == 0
    assert listed("schema")


def test_a_spent_budget_leaves_the_rest_pending(year: Mh, told: Told, listed: Listed) -> None:
    year("digest", "--steps", "judge")
    done = year("digest", "--budget", "1200")
    assert done.code == 6
    assert "the budget of 1200 tokens" in done.err
    assert year("digest").code == 0
    assert listed("schema")
    assert listed("persona_catalog")
