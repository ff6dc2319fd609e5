"""A model on loopback names what texts speak of: through the command line, with what it took written down."""

import json
from collections.abc import Callable
from typing import Any

from server import ModelServer, Request

NOTE = "Tjorven, the skipper, sails the Nordlicht out of Kappeln"


def names(request: Request) -> dict[str, Any]:
    """What a good model answers, and something that it made up."""
    (text,) = (text for text in request.data["texts"] if text["text"] == NOTE)
    here = text["id"]
    return {
        "entities": [
            {"text": here, "name": "Tjorven", "type": "person", "aliases": ["the skipper"]},
            {"text": here, "name": "Nordlicht", "type": "tool", "aliases": []},
            {"text": here, "name": "Flying Dutchman", "type": "tool", "aliases": []},
        ],
        "relations": [{"text": here, "from": "Tjorven", "relation": "uses", "to": "Nordlicht"}],
    }


def configure(mh: Callable[..., Any], url: str) -> None:
    for name, value in {
        "llm.model": "openai/small", "llm.base_url": url, "llm.retries": "0", "llm.timeout": "60",
    }.items():  # fmt: skip
        assert mh("config", "set", name, value).code == 0


def test_a_model_is_asked_by_all_once_and_believed_where_the_text_has_it(mh: Callable[..., Any]) -> None:
    mh("add", NOTE)
    mh("add", "the skipper was late; api_key = sk-proj-abcdefghijklmnopqrstuvwx1234567890")
    with ModelServer(names) as server:
        configure(mh, server.url)
        assert mh("entity", "list", "tjorven").err == "mh: no such entity\n"
        assert server.requests == []  # a plain listing waits for no model
        shown = mh("entity", "list", "--all")
        assert (shown.code, "Flying" in shown.out) == (0, False)
        assert [request.prompt for request in server.requests] == ["entities"]
        assert "sk-proj-abc" not in server.requests[0].text
        tjorven = json.loads(mh("entity", "show", "the skipper", "--json").out)
        assert (tjorven["name"], tjorven["type"], tjorven["count"]) == ("Tjorven", "person", 2)
        assert [(one["relation"], one["name"]) for one in tjorven["relations"]] == [("uses", "Nordlicht")]
        mh("entity", "list", "--all")
        assert len(server.requests) == 1
        assert "openai/small" in mh("stats", "--llm").out


def test_without_an_answer_the_rules_have_done_their_part(mh: Callable[..., Any]) -> None:
    mh("add", "Anna Schmidt and Tjorven met")
    configure(mh, "http://127.0.0.1:9/v1")
    failed = mh("entity", "list", "--all")
    assert (failed.code, failed.out) == (5, "")
    assert "Anna Schmidt" in mh("entity", "list").out
