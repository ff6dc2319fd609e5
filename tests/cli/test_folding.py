"""A text gives up its line to the statement that was drawn from it, and only then."""

import json

_CHAT = json.dumps([{"role": "user", "content": "Thanks. Remember: my boat is called Heron."}])


def test_a_source_folds_into_what_was_drawn_from_it(mh):
    mh("capture", stdin=_CHAT)
    (turn,) = json.loads(mh("search", "boat Heron", "--mode", "words", "--json").out)
    assert (turn["layer"], turn["folded"]) == ("L0", [])
    mh("judge")
    hits = json.loads(mh("search", "boat Heron", "--mode", "words", "--json").out)
    assert [hit["layer"] for hit in hits if hit["id"] == turn["id"]] == []
    assert turn["id"] in hits[0]["folded"]
    assert hits[0]["content"] == "my boat is called Heron"


def test_a_source_that_ranks_higher_keeps_its_line(mh):
    mh("capture", stdin=_CHAT)
    mh("judge")
    hits = json.loads(mh("search", "Thanks remember boat Heron", "--mode", "words", "--json").out)
    assert hits[0]["layer"] == "L0"


def test_an_exact_search_finds_the_source_too(mh):
    mh("capture", stdin=_CHAT)
    mh("judge")
    layers = [hit["layer"] for hit in json.loads(mh("search", "Heron", "--exact", "--json").out)]
    assert "L0" in layers
    assert len(layers) > 1
