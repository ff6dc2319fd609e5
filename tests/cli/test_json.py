"""The bytes of `--json` are a contract: these files change only on purpose."""

import json
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "data/golden"


@pytest.fixture
def stored(mh, clock):
    key = mh("add", "-q", "The ferry to Naxos leaves at 7:30", "--title", "船票", "-l", "travel").out.strip()
    clock.advance(60)
    mh("add", "-q", "seen in spring", "--date", "2026-02", "--kind", "event", "--importance", "0.5")
    clock.advance(60)
    mh("edit", key, "--content", "The ferry to Naxos leaves at 7:45")
    return key


COMMANDS = {
    "list.json": ["list", "--json"],
    "list.ndjson": ["list", "--ndjson"],
    "show.json": ["show", "{key}", "--json"],
    "search.json": ["search", "ferry", "--mode", "words", "--json"],
    "history.json": ["history", "{key}", "--json"],
    "log.json": ["log", "--json"],
    "label-list.json": ["label", "list", "--json"],
    "space-list.json": ["space", "list", "--json"],
    "brief.json": ["brief", "--json"],
    "graph.json": ["graph", "{key}", "--depth", "1", "--json"],
    "undo.json": ["undo", "--json"],
    "error.json": ["show", "zzzzzz", "--json"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_json_is_what_programs_rely_on(mh, stored, name):
    out = mh(*(word.format(key=stored) for word in COMMANDS[name])).out
    file = GOLDEN / name
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_text(out, "utf-8")
        pytest.fail(f"{file.name} was missing and is written now; look at it and commit it")
    assert out == file.read_text("utf-8")
    for line in out.splitlines() if name.endswith("ndjson") else [out]:
        json.loads(line)


def test_the_keys_of_an_item_stand_in_their_order(mh, stored):
    item = json.loads(mh("show", stored, "--json").out)
    assert " ".join(item) == (
        "id layer kind title content attrs labels importance confidence pinned space project created_at updated_at "
        "valid_from valid_to version state flags source decay"
    )
    dated = json.loads(mh("list", "--kind", "event", "--json").out)[0]
    assert list(dated).index("created") == list(dated).index("created_at") + 1
    assert dated["created"] == {"value": "2026-02", "precision": "month", "tz_known": False}
