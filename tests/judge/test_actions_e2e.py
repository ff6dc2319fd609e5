"""Each action from the command line through LiteLLM to a model on loopback, and what reads answer afterwards."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from told import Told

from memhub.llm import prompts

Answer = Any


class Shell:
    """Commands whose answers are read as JSON."""

    def __init__(self, mh: Callable[..., Any], clock: Any) -> None:
        self.mh, self.clock = mh, clock

    def add(self, text: str, *options: str) -> str:
        self.clock.advance(60)
        done = self.mh("add", "-q", text, *options)
        assert done.code == 0, done.err
        return str(done.out.strip())

    def say(self, *messages: Any, **fields: Any) -> str:
        """Capture turns: texts of the user, or whole messages. Returns the thread."""
        self.clock.advance(60)
        turns = [{"role": "user", "content": one} if isinstance(one, str) else one for one in messages]
        done = self.mh("capture", "-q", stdin=json.dumps({"messages": turns, **fields}))
        assert done.code == 0, done.err
        return str(done.out.strip())

    def judge(self, *options: str) -> Answer:
        done = self.mh("judge", "--json", *options)
        assert done.code == 0, done.err
        return json.loads(done.out)

    def ask(self, *argv: str) -> Answer:
        done = self.mh(*argv, "--json")
        assert done.code == 0, done.err
        return json.loads(done.out)

    def latest(self, layer: str = "L1") -> set[str]:
        return {item["content"] for item in self.ask("list", "--layer", layer)}

    def links(self, item: str) -> set[tuple[str, str, str]]:
        return {(edge["src"], edge["relation"], edge["dst"]) for edge in self.ask("links", item)}

    def history(self, item: str) -> list[str]:
        return [version["content"] for version in self.ask("history", item)]


@pytest.fixture
def shell(mh: Callable[..., Any], clock: Any) -> Shell:
    return Shell(mh, clock)


def two(shell: Shell, told: Told, action: str, old: str, new: str) -> tuple[str, str]:
    """Type two notes and let the model rule on the second."""
    first = shell.add(old)
    shell.judge()
    told.rule(new, action, None if action in ("append", "ignore") else old)
    second = shell.add(new)
    asked = len(told.asked)
    report = shell.judge()
    assert told.asked[asked:] == ["judge"], "one call for one source"
    assert (report["calls"], report["tokens_in"], report["tokens_out"], report["cost"]) == (1, 100, 20, 0.0)
    assert shell.ask("queue") == []
    return first, second


def ruling_on(shell: Shell, item: str, action: str, target: str | None) -> Answer:
    """The one ruling about a note, checked for what every ruling says."""
    (ruling,) = shell.ask("rulings", item)
    assert (ruling["action"], ruling["source"], ruling["judge"]) == (action, item, "openai/small")
    assert ruling["prompt"] == prompts.load("judge").hash
    assert [one["id"] for one in ruling["targets"]] == ([target] if target else [])
    assert ruling in shell.ask("why", item)["rulings"]
    return ruling


def unchanged(shell: Shell, item: str, text: str) -> None:
    assert shell.history(item) == [text]
    assert shell.ask("show", item)["content"] == text


def test_append(shell: Shell, told: Told) -> None:
    old, new = two(shell, told, "append", "The winch needs oil", "The winch needs paint")
    assert shell.latest() == {"The winch needs oil", "The winch needs paint"}
    assert shell.links(new) == set()
    assert shell.ask("evolves", new)[0]["item"] == new
    assert [len(shell.ask("history", item)) for item in (old, new)] == [1, 1]
    assert shell.ask("show", old)["flags"] == []
    assert "append" in shell.mh("why", new).out or shell.ask("rulings", new) == []


def test_a_typed_duplicate(shell: Shell, told: Told) -> None:
    old, new = two(shell, told, "duplicate", "The call sign is OZ-1147", "OZ-1147 is the call sign")
    ruling_on(shell, new, "duplicate", old)
    assert shell.latest() == {"The call sign is OZ-1147"}
    assert shell.ask("show", new)["state"] == "duplicate"
    assert (new, "confirms", old) in shell.links(old)
    unchanged(shell, old, "The call sign is OZ-1147")
    unchanged(shell, new, "OZ-1147 is the call sign")
    steps = shell.ask("evolves", old)
    assert [(step["item"], step["relation"], step["state"]) for step in steps] == [
        (old, None, "live"), (new, "confirms", "duplicate"),
    ]  # fmt: skip


def test_a_typed_duplicate_of_another_day_supports(shell: Shell, told: Told, clock: Any) -> None:
    old = shell.add("The call sign is OZ-1147")
    shell.judge()
    assert shell.ask("why", old)["support"] == 1
    clock.advance(86_400)
    told.rule("OZ-1147 is the call sign", "duplicate", "The call sign is OZ-1147")
    new = shell.add("OZ-1147 is the call sign")
    shell.judge()
    why = shell.ask("why", old)
    assert (why["support"], why["confidence"]) == (2, 0.9)
    shell.mh("rm", new)
    assert shell.ask("why", old)["support"] == 1


def test_a_duplicate_from_a_turn(shell: Shell, told: Told) -> None:
    old = shell.add("The key hangs behind the door", "--date", "2026-02-01")
    shell.judge()
    told.state("behind the door hangs the key")
    told.rule("behind the door hangs the key", "duplicate", "The key hangs behind the door")
    thread = shell.say("Well, behind the door hangs the key, you know.")
    shell.judge()
    assert told.asked == ["extract", "judge"]
    (turn,) = [item for item in shell.ask("thread", "show", thread)["turns"]]
    assert shell.latest() == {"The key hangs behind the door"}
    assert shell.links(turn["id"]) >= {(turn["id"], "evidence_of", old)}
    (ruling,) = shell.ask("rulings", turn["id"])
    assert (ruling["action"], ruling["kind"], ruling["text"]) == (
        "duplicate", "fact", "behind the door hangs the key",
    )  # fmt: skip
    assert shell.ask("why", old)["support"] == 2
    assert shell.ask("show", turn["id"])["content"].startswith("Well")
    unchanged(shell, old, "The key hangs behind the door")


def test_enriches(shell: Shell, told: Told) -> None:
    old, new = two(shell, told, "enriches", "The winch needs oil", "The winch needs oil every month")
    ruling_on(shell, new, "enriches", old)
    assert shell.latest() == {"The winch needs oil", "The winch needs oil every month"}
    assert shell.links(new) == {(new, "enriches", old)}
    unchanged(shell, old, "The winch needs oil")
    unchanged(shell, new, "The winch needs oil every month")
    for item in (old, new):
        assert [step["item"] for step in shell.ask("evolves", item)] == [old, new]


def test_replaces_a_note(shell: Shell, told: Told) -> None:
    old, new = two(shell, told, "replaces", "Boat inspection is on 14 October", "Boat inspection is on 15 October")
    ruling = ruling_on(shell, new, "replaces", old)
    assert ruling["difference"] == "old → new"
    assert shell.latest() == {"Boat inspection is on 15 October"}
    assert shell.ask("show", old)["state"] == "replaced"
    assert shell.links(new) == {(new, "replaces", old)}
    unchanged(shell, old, "Boat inspection is on 14 October")
    found = {item["id"] for item in shell.ask("list", "--state", "replaced")}
    assert found == {old}
    steps = shell.ask("evolves", new)
    assert [(step["item"], step["relation"], step["state"]) for step in steps] == [
        (old, None, "replaced"), (new, "replaces", "live"),
    ]  # fmt: skip
    assert shell.mh("undo").code == 0
    assert shell.latest() == {"Boat inspection is on 14 October", "Boat inspection is on 15 October"}
    assert shell.ask("rulings", new) == []


def test_challenges(shell: Shell, told: Told) -> None:
    old, new = two(shell, told, "challenges", "The bridge opens at 8", "The bridge never opens at 8")
    ruling_on(shell, new, "challenges", old)
    assert shell.latest() == {"The bridge opens at 8", "The bridge never opens at 8"}
    assert [shell.ask("show", item)["flags"] for item in (old, new)] == [["contested"], ["contested"]]
    assert shell.links(new) == {(new, "challenges", old)}
    assert shell.ask("why", old)["confidence"] == 0.8, "a challenge lowers nothing"
    unchanged(shell, old, "The bridge opens at 8")
    assert [entry["item"]["id"] for entry in shell.ask("review") if entry["kind"] == "contested"] == [new]
    assert shell.mh("review", new, "--keep", "new").code == 0
    assert shell.latest() == {"The bridge never opens at 8"}
    assert shell.history(old) == ["The bridge opens at 8"]


def test_ignore(shell: Shell, told: Told) -> None:
    old, new = two(shell, told, "ignore", "The winch needs oil", "The winch, hm, needs oil")
    ruling_on(shell, new, "ignore", None)
    assert shell.latest() == {"The winch needs oil", "The winch, hm, needs oil"}, "what was typed stays"
    assert shell.links(new) == shell.links(old) == set()


def test_ignore_from_a_turn_makes_no_item(shell: Shell, told: Told) -> None:
    shell.add("The winch needs oil")
    shell.judge()
    told.state("the winch needs oil or so")
    told.rule("the winch needs oil or so", "ignore")
    thread = shell.say("Hm, the winch needs oil or so, I guess?")
    shell.judge()
    (turn,) = shell.ask("thread", "show", thread)["turns"]
    assert shell.latest() == {"The winch needs oil"}
    assert [(one["action"], one["reason"]) for one in shell.ask("rulings", turn["id"])] == [
        ("ignore", "told to say ignore")
    ]


def test_a_slot_of_the_profile_gets_a_new_version_and_no_edge(shell: Shell, told: Told, clock: Any) -> None:
    """The user story: Paris, then Berlin."""
    paris = shell.add("I live in Paris")
    shell.judge()
    clock.advance(86_400)
    told.rule("I moved to Berlin", "replaces", "I live in Paris")
    berlin = shell.add("I moved to Berlin")
    shell.judge()
    assert shell.latest() == {"I moved to Berlin"}
    assert shell.latest("L2") == {"I moved to Berlin"}
    (line,) = shell.ask("profile", "--history")
    assert (line["dimension"], line["value"], line["versions"]) == ("state.location", "Berlin", 2)
    assert [step["text"] for step in line["history"]] == ["I live in Paris", "I moved to Berlin"]
    assert shell.history(line["item"]) == ["I moved to Berlin", "I live in Paris"]
    assert (berlin, "replaces", paris) in shell.links(berlin)
    assert {relation for _, relation, _ in shell.links(line["item"])} == {"evidence_of"}
    by_kind = {one["kind"]: one for one in shell.ask("rulings", berlin)}
    assert {kind: one["action"] for kind, one in by_kind.items()} == {"note": "replaces", "profile": "replaces"}
    assert line["evidence"] == [berlin], "what said Paris does not speak for Berlin"
    assert (line["confidence"], shell.ask("why", line["item"])["support"]) == (0.6, 1)
    shell.mh("rm", berlin)
    (line,) = shell.ask("profile")
    assert (line["value"], line["evidence"]) == ("Paris", [paris])
    assert "I live in Paris" in shell.latest()
    assert shell.ask("doctor")["ok"]


def test_a_challenge_to_a_slot_is_a_fact_of_its_own(shell: Shell, told: Told) -> None:
    shell.add("I live in Paris")
    shell.judge()
    told.state("I live in Rome", "profile", dimension="state.location", value="Rome", subject="user")
    told.rule("I live in Rome", "challenges", "I live in Paris")
    shell.say("I live in Rome")
    shell.judge()
    (line,) = shell.ask("profile")
    assert line["value"] == "Paris"
    (fact,) = shell.ask("list", "--kind", "fact")
    assert (fact["content"], fact["flags"]) == ("I live in Rome", ["contested"])
    assert shell.ask("show", line["item"])["flags"] == ["contested"]
    targets = {dst for _, relation, dst in shell.links(fact["id"]) if relation == "challenges"}
    assert line["item"] in targets


@pytest.mark.parametrize("with_model", [False, True])
def test_paris_and_berlin_by_rules_and_by_model(shell: Shell, told: Told, with_model: bool) -> None:
    if not with_model:
        shell.mh("config", "unset", "llm.model")
    told.rule("I moved to Berlin", "replaces", "I live in Paris")
    paris = shell.add("I live in Paris")
    berlin = shell.add("I moved to Berlin")
    report = shell.judge()
    assert shell.latest() == {"I moved to Berlin"}
    assert shell.ask("show", paris)["state"] == "replaced"
    assert shell.history(paris) == ["I live in Paris"]
    judges = {one["judge"] for one in shell.ask("rulings", berlin)}
    assert judges == ({"openai/small"} if with_model else {"rules"})
    assert report["calls"] == (1 if with_model else 0)
    code, out, _ = shell.mh("why", berlin)
    assert code == 0
    assert "replaces" in out
    assert "I live in Paris" in out
