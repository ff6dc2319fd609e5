"""What each ruling writes, and that nothing it writes takes a text away."""

from collections.abc import Iterator

import pytest
from scripted import Scripted, quote, run, whole

from memhub import Memory
from memhub.errors import ConflictError
from memhub.model.judging import Ruling, Slot, Source
from memhub.model.query import Filters
from memhub.model.thread import Message, Speaker, ThreadInfo

ALL = Filters(states=("all",))


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory() as opened:
        yield opened


def ruled(memory: Memory, action: str, old: str, new: str) -> tuple[str, str]:
    """Add two notes and rule the second against the first; returns their ids."""
    first = memory.add(old).item.id
    run(memory, Scripted(whole, lambda c, s: None))
    second = memory.add(new).item.id
    run(memory, Scripted(whole, lambda c, s: Ruling(action, (first,), "because", "a → b")))
    return first, second


def test_append_keeps_both_and_links_what_is_related(memory: Memory) -> None:
    old, new = ruled(memory, "append", "the boat is blue", "the boat is long")
    assert {item.id for item in memory.list()} == {old, new}
    assert [(e.relation, e.dst) for e in memory.links(new)] == [("related", old)]


def test_replaces_takes_the_old_one_out_of_reads_and_keeps_it(memory: Memory) -> None:
    old, new = ruled(memory, "replaces", "I live in Paris", "I moved to Berlin")
    assert [item.content for item in memory.list()] == ["I moved to Berlin"]
    assert memory.get(old).state == "replaced"
    assert memory.history(old)[0].content == "I live in Paris"
    assert [(step.text, step.relation, step.state) for step in memory.evolves(old)] == [
        ("I live in Paris", None, "replaced"),
        ("I moved to Berlin", "replaces", "live"),
    ]
    (ruling,) = memory.rulings(new)
    assert (ruling.action, ruling.reason, ruling.difference, ruling.judge) == ("replaces", "because", "a → b", "rules")
    assert ruling.targets == ((old, "I live in Paris"),)


def test_a_typed_duplicate_stays_out_of_reads_and_supports(memory: Memory, clock: object) -> None:
    first = memory.add("call sign is OZ-1147", created_at="2026-02-01").item.id
    run(memory, Scripted(whole, lambda c, s: None))
    assert memory.get(first).confidence == 0.8
    second = memory.add("the call sign is OZ-1147").item.id
    run(memory, Scripted(whole, lambda c, s: Ruling("duplicate", (first,))))
    assert memory.get(second).state == "duplicate"
    assert [item.id for item in memory.list()] == [first]
    assert memory.get(first).confidence == 0.9
    memory.drop(second)
    assert memory.get(first).confidence == 0.8


def test_enriches_keeps_both_live(memory: Memory) -> None:
    old, new = ruled(memory, "enriches", "the winch needs oil", "the winch needs oil every month")
    assert {item.id for item in memory.list()} == {old, new}
    assert [(e.relation, e.dst) for e in memory.links(new)] == [("enriches", old)]


def test_challenges_flags_both_until_resolved(memory: Memory) -> None:
    old, new = ruled(memory, "challenges", "the bridge opens at 8", "the bridge opens at 9")
    assert memory.get(old).flags == memory.get(new).flags == ("contested",)
    (entry,) = memory.review()
    assert (entry.kind, entry.item.id, entry.other and entry.other.id) == ("contested", new, old)
    memory.resolve(new, "new")
    assert (memory.get(old).state, memory.get(old).flags, memory.get(new).flags) == ("replaced", (), ())
    assert memory.review() == []
    memory.undo()
    assert (memory.get(old).state, memory.get(old).flags) == ("live", ("contested",))


@pytest.mark.parametrize(
    ("how", "text", "shown"),
    [
        ("old", None, ["opens at 8"]),
        ("both", None, ["opens at 8", "opens at 9"]),
        ("merge", "opens at 8, on Sundays at 9", ["opens at 8, on Sundays at 9"]),
        ("note", "ask the warden", ["opens at 8", "opens at 9"]),
    ],
)
def test_a_contradiction_is_settled_as_the_person_says(
    memory: Memory, how: str, text: str | None, shown: list[str]
) -> None:
    _, new = ruled(memory, "challenges", "opens at 8", "opens at 9")
    memory.resolve(new, how, text=text)
    assert sorted(item.content for item in memory.list()) == shown
    assert bool(memory.review()) == (how == "note")


def test_ignore_writes_only_the_ruling(memory: Memory) -> None:
    new = memory.add("hm").item.id
    run(memory, Scripted(whole, lambda c, s: Ruling("ignore", reason="says nothing")))
    assert [(r.action, r.reason) for r in memory.rulings(new)] == [("ignore", "says nothing")]
    assert [item.id for item in memory.list()] == [new]


def chat(memory: Memory, *words: str, **thread: str) -> None:
    memory.add_messages(
        [
            Message(text, "user", Speaker("张三", "u1") if thread else Speaker(), at="2026-02-09T10:00:00Z")
            for text in words
        ],
        thread=ThreadInfo(title="talk", **thread),
    )


def test_a_fact_from_a_turn_points_at_its_words(memory: Memory) -> None:
    chat(memory, "Well: the key is under the mat. Bye")
    run(memory, Scripted(lambda s: [quote(s, "the key is under the mat")], lambda c, s: None))
    (fact,) = memory.list(Filters(layers=("L1",)))
    assert (fact.kind, fact.content, fact.confidence) == ("fact", "the key is under the mat", 0.6)
    why = memory.why(fact.id)
    assert [(q.text, q.at) for q in why.spans] == [("the key is under the mat", "2026-02-09T10:00:00Z")]
    turn = memory.thread(memory.threads()[0].id).turns[0]
    assert why.spans[0].item == turn.id
    memory.erase(turn.id)
    assert memory.get(fact.id).state == "erased"


def test_a_duplicate_from_a_turn_makes_no_item(memory: Memory) -> None:
    note = memory.add("the key is under the mat").item.id
    run(memory, Scripted(whole, lambda c, s: None))
    chat(memory, "the key is under the mat")
    run(
        memory,
        Scripted(lambda s: [quote(s, "the key is under the mat")], lambda c, s: Ruling("duplicate", (note,))),
    )
    assert len(memory.list(Filters(layers=("L1",)))) == 1
    assert memory.get(note).confidence == 0.9


def place(words: str, value: str) -> object:
    return lambda s: [*whole(s), quote(s, words, "profile", Slot("user", "state.location", "", value))]


def test_a_profile_line_gets_a_new_version(memory: Memory) -> None:
    memory.add("I live in Paris")
    run(memory, Scripted(place("I live in Paris", "Paris"), lambda c, s: None))
    (line,) = memory.profile()
    assert (line.dimension, line.value, line.text, line.versions) == ("state.location", "Paris", "I live in Paris", 1)
    memory.add("I moved to Berlin")
    run(memory, Scripted(place("I moved to Berlin", "Berlin"), lambda c, s: None))
    (line,) = memory.profile()
    assert (line.value, line.versions) == ("Berlin", 2)
    assert [step.text for step in memory.evolves(line.item)] == ["I live in Paris", "I moved to Berlin"]
    memory.add("I live in Berlin now")
    run(memory, Scripted(place("I live in Berlin", "berlin"), lambda c, s: None))
    (line,) = memory.profile()
    assert (line.value, line.versions, len(line.evidence)) == ("Berlin", 2, 2)


def test_in_a_group_a_line_belongs_to_whoever_speaks(memory: Memory) -> None:
    chat(memory, "I live in Paris", chat_type="group", platform="telegram")
    slot = Slot("user", "state.location", "", "Paris")
    run(memory, Scripted(lambda s: [quote(s, "I live in Paris", "profile", slot)], lambda c, s: None))
    assert [line.subject for line in memory.profile()] == ["张三"]


def test_a_ruling_can_be_overturned_and_that_undone(memory: Memory) -> None:
    old, new = ruled(memory, "replaces", "I live in Paris", "I moved to Berlin")
    (ruling,) = memory.rulings(new)
    memory.overturn(ruling.id[-8:])
    assert {item.id for item in memory.list()} == {old, new}
    assert memory.rulings(new)[0].overturned
    with pytest.raises(ConflictError):
        memory.overturn(ruling.id)
    memory.undo()
    assert [item.id for item in memory.list()] == [new]


def test_undo_takes_a_whole_run_back(memory: Memory) -> None:
    old, new = ruled(memory, "replaces", "a b c", "a b d")
    memory.undo()
    assert {item.id for item in memory.list()} == {old, new}
    assert memory.rulings(new) == []


def test_the_same_source_judged_twice_changes_nothing(memory: Memory) -> None:
    old, new = ruled(memory, "replaces", "a b c", "a b d")
    before = memory.stats()["entries"]
    with memory.store.writing():
        from memhub.pipeline import queue

        queue.enqueue(memory.store.connection, [new], memory.store.connection.execute("SELECT id FROM space").get)
    run(memory, Scripted(whole, lambda c, s: Ruling("replaces", (old,), "because")))
    assert memory.stats()["entries"] == before
    assert memory.queue() == []


def test_typing_meanwhile_does_not_stale_a_plan_but_a_changed_target_does(memory: Memory) -> None:
    first = memory.add("the old way").item.id
    run(memory, Scripted(whole, lambda c, s: None))
    memory.add("the new way")
    with Memory() as other:
        calm = Scripted(
            whole, lambda c, s: Ruling("replaces", (first,)), hook=lambda: other.add("something else") and None
        )
        report = run(memory, calm, only=None)
        assert all(one.error is None for one in report.judged)
        assert calm.asked == 1
    third = memory.add("the newest way").item.id
    with Memory() as other:
        edits = iter(range(100))
        busy = Scripted(
            whole,
            lambda c, s: Ruling("replaces", (first,)),
            hook=lambda: other.update(first, content=f"edited {next(edits)}") and None,
        )
        report = run(memory, busy)
    late = next(one for one in report.judged if one.source == third)
    assert late.error is not None
    assert busy.asked >= 3
    row = next(row for row in memory.queue() if row.source == third)
    assert (row.state, row.attempts) == ("failed", 1)
    assert memory.get(third).state == "live"


def test_what_was_removed_meanwhile_leaves_the_queue(memory: Memory) -> None:
    item = memory.add("never mind").item.id
    memory.drop(item)
    report = run(memory, Scripted(whole, lambda c, s: None))
    assert report.judged == ()
    assert memory.queue() == []


def source_texts(source: Source) -> list[str]:
    return [text.content for text in source.texts]


def test_turns_of_a_thread_are_one_source_in_order(memory: Memory) -> None:
    chat(memory, "one", "two", "three")
    seen: list[list[str]] = []
    run(memory, Scripted(lambda s: seen.append(source_texts(s)) or [], lambda c, s: None))
    assert seen == [["one", "two", "three"]]
    assert memory.queue() == []


def test_what_has_no_live_evidence_is_not_shown(memory: Memory) -> None:
    memory.add("I live in Paris")
    run(memory, Scripted(place("I live in Paris", "Paris"), lambda c, s: None))
    later = memory.add("I moved to Berlin").item.id
    run(memory, Scripted(place("I moved to Berlin", "Berlin"), lambda c, s: None))
    memory.drop(later)
    assert [line.value for line in memory.profile()] == ["Paris"]
    memory.restore(later)
    assert [line.value for line in memory.profile()] == ["Berlin"]
    memory.drop([item.id for item in memory.list()])
    assert memory.profile() == []
    assert memory.doctor().ok


def test_a_fact_stays_while_somebody_else_says_it_too(memory: Memory) -> None:
    words = "the key is under the mat"
    chat(memory, f"Well: {words}. Bye")
    run(memory, Scripted(lambda s: [quote(s, words)], lambda c, s: None))
    (fact,) = memory.list(Filters(layers=("L1",)))
    chat(memory, words)
    run(memory, Scripted(lambda s: [quote(s, words)], lambda c, s: Ruling("duplicate", (fact.id,))))
    first, second = (span for span in sorted(memory.links(fact.id), key=lambda edge: edge.src))
    memory.drop(first.src)
    assert memory.get(fact.id).state == "live"
    memory.drop(second.src)
    assert memory.get(fact.id).state == "dropped"
    memory.restore(second.src)
    assert memory.get(fact.id).state == "live"
    memory.unlink(second.src, "evidence_of", fact.id)
    memory.restore(first.src)
    assert memory.get(fact.id).state == "live"
    memory.drop(first.src)
    assert memory.get(fact.id).state == "dropped"
    assert memory.doctor().ok


def test_a_value_said_again_after_its_words_were_taken_out(memory: Memory) -> None:
    """Paris, Berlin, the words about Berlin dropped: Paris; Berlin said again: Berlin."""
    memory.add("I live in Paris")
    run(memory, Scripted(place("I live in Paris", "Paris"), lambda c, s: None))
    later = memory.add("I moved to Berlin").item.id
    run(memory, Scripted(place("I moved to Berlin", "Berlin"), lambda c, s: None))
    memory.drop(later)
    memory.add("I live in Berlin")
    run(memory, Scripted(place("I live in Berlin", "Berlin"), lambda c, s: None))
    (line,) = memory.profile()
    assert (line.value, line.text, line.versions) == ("Berlin", "I live in Berlin", 3)
    assert [step.state for step in memory.evolves(line.item)] == ["replaced", "replaced", "live"]


def test_a_space_that_an_undo_took_away_stops_no_judging(memory: Memory) -> None:
    memory.space_new("away")
    note = memory.add("the key is under the mat", space="away").item.id
    made = next(op for op in memory.operations() if op.command == "space new")
    memory.undo(made.id, force=True)
    report = memory.judge(with_model=False)
    assert [one.error for one in report.judged] == [None]
    assert memory.queue() == []
    assert memory.get(note).content == "the key is under the mat"
