"""Entities: made from texts, kept in the log, shown through readable spaces, changed by hand and taken back."""

from pathlib import Path
from typing import Any

import pytest
from fake import FakeLlm
from store_state import assert_rebuild_is_equal, bytes_of, write_export

from memhub.digest.entities import entities
from memhub.digest.step import Work
from memhub.errors import AmbiguousError, ConflictError, NotFoundError
from memhub.llm.call import ModelError
from memhub.model.thread import Message, Speaker, ThreadInfo
from memhub.store.names import DEFAULT_SPACE
from memhub.store.projection import rebuild
from memhub.store.store import new_operation
from memhub.workspace import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Any:
    with Memory(tmp_path / "kb.db") as opened:
        yield opened


def looked(memory: Memory, *texts: str) -> list[str]:
    """Adds notes and looks through them; returns their ids."""
    ids = [memory.add(text).item.id for text in texts]
    memory.look_through()
    return ids


def listed(memory: Memory, **more: Any) -> dict[str, tuple[str, int]]:
    return {one.name: (one.type, one.items) for one in memory.entities(limit=0, **more)}


def ids_of(memory: Memory, name: str) -> set[str]:
    return {item.id for item in memory.entity(name, limit=0).items}


def entries(memory: Memory) -> int:
    return int(memory.store.connection.execute("SELECT count(*) FROM entry").get)


def step(memory: Memory, llm: Any = None, **more: Any) -> Any:
    return entities(Work(memory.store, DEFAULT_SPACE, new_operation("digest", "cron"), 0, llm=llm, **more))


# -- the step


def test_what_notes_speak_of_is_counted_in_both_languages(memory: Memory) -> None:
    looked(
        memory,
        "Met Robert Klein from Siemens in Berlin",
        "Robert Klein moved to Berlin, docker still hates him",
        "我和王芳在柏林用 Docker",
        "Nothing new today.",
    )
    assert listed(memory) == {
        "Berlin": ("place", 2),
        "Docker": ("tool", 2),
        "Robert Klein": ("person", 2),
        "Siemens": ("organisation", 1),
        "柏林": ("place", 1),
        "王芳": ("person", 1),
    }
    assert listed(memory, type="person", query="klein") == {"Robert Klein": ("person", 2)}


def test_a_second_run_with_nothing_new_writes_nothing(memory: Memory) -> None:
    looked(memory, "Anna Schmidt works at Siemens", "王芳住在杭州")
    before = entries(memory), memory.operation_count()
    assert memory.look_through() == (0, 0, 0)
    assert step(memory).new == ()
    assert (entries(memory), memory.operation_count()) == before


def test_a_name_that_no_rule_is_sure_of_counts_once_two_items_have_it(memory: Memory) -> None:
    looked(memory, "The Blue Lagoon was closed again")
    assert "Blue Lagoon" not in listed(memory)
    looked(memory, "Tickets for the Blue Lagoon, twelve each")
    assert listed(memory)["Blue Lagoon"] == ("concept", 2)


def test_an_edit_is_looked_through_again(memory: Memory) -> None:
    (note,) = looked(memory, "Lunch with Priya")
    memory.update(note, content="Lunch with Elena")
    memory.look_through()
    assert listed(memory) == {"Elena": ("person", 1)}


def test_a_file_of_notes_may_stop_at_any_chunk_and_goes_on(memory: Memory, clock: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("memhub.digest.entities._CHUNK", 2)
    for number in range(5):
        memory.add(f"note {number} about Anna Schmidt")
    stops = clock.ms
    assert step(memory, until=stops).is_complete is False
    assert listed(memory) == {}
    done = step(memory, dry_run=True)
    assert (len(done.new), listed(memory)) == (1, {})
    seen: list[tuple[int, int]] = []
    assert step(memory, progress=lambda a, b: seen.append((a, b))).is_complete
    assert seen[-1] == (5, 5)
    assert listed(memory) == {"Anna Schmidt": ("person", 5)}


def test_relations_that_a_sentence_states_come_with_it_as_evidence(memory: Memory) -> None:
    one, two, _, _ = looked(
        memory,
        "Laura works at Spotify.",
        "陈静住在成都。",
        "Felix does not work at Siemens.",
        "Grafana is part of the plan for Berlin",
    )
    shown = memory.entity("Laura").relations
    assert [(r.relation, r.name, r.is_outgoing, r.evidence) for r in shown] == [("works_at", "Spotify", True, one)]
    back = memory.entity("成都").relations
    assert [(r.relation, r.name, r.is_outgoing, r.evidence) for r in back] == [("lives_in", "陈静", False, two)]
    assert memory.entity("Felix").relations == ()
    memory.drop(one)
    with pytest.raises(NotFoundError):
        memory.entity("Spotify")


def test_a_speaker_who_takes_another_name_stays_one_person(memory: Memory) -> None:
    thread = ThreadInfo(title="boat", platform="telegram")
    said = [
        Message("the winch is stuck", speaker=Speaker("Robbie", "u1")),
        Message("again?", speaker=Speaker("Kim B", "u2")),
        Message("yes", speaker=Speaker("Captain Rob", "u1")),
        Message("ok", speaker=Speaker("Robbie", "u9")),
    ]
    memory.add_messages(said, thread=thread)
    memory.add("Captain Rob owes me a rope")
    memory.look_through()
    shown = memory.entity("Captain Rob", limit=0)
    assert (shown.name, shown.aliases, shown.count) == ("Robbie", ("Captain Rob",), 3)
    with pytest.raises(AmbiguousError):  # another identity that is called alike
        memory.entity("Robbie")


def test_what_programs_and_models_say_brings_no_names(memory: Memory) -> None:
    said = [Message("ask Anna Schmidt"), Message("Try Terraform or Pulumi", role="assistant")]
    memory.add_messages(said, thread=ThreadInfo(title="s"))
    memory.look_through()
    assert listed(memory) == {"Anna Schmidt": ("person", 1)}


def test_a_relation_that_a_text_no_longer_states_ends(memory: Memory) -> None:
    (note,) = looked(memory, "Laura works at Spotify. 王芳在腾讯工作。")
    assert [one.name for one in memory.entity("腾讯").relations] == ["王芳"]
    memory.update(note, content="Laura left Spotify. 王芳在腾讯工作。")
    memory.look_through()
    assert memory.entity("Laura").relations == ()
    assert [one.name for one in memory.entity("腾讯").relations] == ["王芳"]


def test_a_run_that_was_cut_off_goes_on_and_repeats_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    from memhub.digest import mentions

    for number in range(4):
        memory.add(f"note {number}: lunch with Priya and Elena in Berlin")
    write = mentions.write

    def cut_off(*given: Any, **named: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(mentions, "write", cut_off)
    with pytest.raises(KeyboardInterrupt):
        memory.look_through()
    before = entries(memory)
    monkeypatch.setattr(mentions, "write", write)
    memory.look_through()
    assert entries(memory) == before
    assert listed(memory) == {"Berlin": ("place", 4), "Elena": ("person", 4), "Priya": ("person", 4)}


# -- changes by hand


def test_an_alias_finds_texts_that_only_have_the_other_name_and_undo_takes_it_back(memory: Memory) -> None:
    full, short, _ = looked(memory, "Robert Klein sent the contract", "bob called about the boat", "a note on bobsleds")
    assert ids_of(memory, "Robert Klein") == {full}
    shown = memory.entity_alias("Robert Klein", add=["Bob"])
    assert (shown.aliases, shown.count) == (("Bob",), 2)
    assert ids_of(memory, "bob") == {full, short}
    found = memory.search("Bob", mode="deep", explain=True)
    assert {hit.item.id for hit in found.hits} >= {full, short}
    why = {hit.item.id: [one.way for one in hit.why] for hit in found.hits}
    assert "entity" in why[full]
    assert found.explain is not None
    assert found.explain["entities"] == ["Bob"]
    memory.undo()
    assert ids_of(memory, "Robert Klein") == {full}
    memory.redo()
    assert ids_of(memory, "Robert Klein") == {full, short}
    memory.entity_alias("Robert Klein", remove=["bob"])
    assert ids_of(memory, "Robert Klein") == {full}
    assert_rebuild_is_equal(memory)


def test_merge_makes_one_of_two_and_split_takes_it_apart(memory: Memory) -> None:
    looked(memory, "Robert Klein sent the contract", "Ask @bob about the boat", "Robert Klein and @bob")
    merged = memory.entity_merge("@bob", "robert klein")
    assert (merged.name, merged.aliases, merged.count) == ("Robert Klein", ("@bob",), 3)
    assert listed(memory) == {"Robert Klein": ("person", 3)}
    with pytest.raises(ConflictError):
        memory.entity_merge("@bob", "Robert Klein")
    memory.entity_split("Robert Klein", "@bob")
    assert listed(memory) == {"Robert Klein": ("person", 2), "@bob": ("person", 2)}
    memory.undo()
    memory.undo()
    assert listed(memory) == {"Robert Klein": ("person", 2), "@bob": ("person", 2)}
    assert_rebuild_is_equal(memory)


def test_an_alias_that_was_wrong_becomes_an_entity_of_its_own(memory: Memory) -> None:
    looked(memory, "Robert Klein sent the contract", "rk3 called")
    memory.entity_alias("Robert Klein", add=["RK3"])
    memory.entity_split("Robert Klein", "RK3")
    assert listed(memory) == {"Robert Klein": ("person", 1), "RK3": ("person", 1)}


def test_a_name_that_is_taken_is_refused_with_the_way_to_merge(memory: Memory) -> None:
    looked(memory, "Robert Klein sent the contract", "Bobby called")
    for change in (
        lambda: memory.entity_alias("Robert Klein", add=["bobby"]),
        lambda: memory.entity_rename("Robert Klein", "Bobby"),
    ):
        with pytest.raises(ConflictError) as refused:
            change()
        assert "mh entity merge" in str(refused.value.hint)


def test_rename_keeps_the_old_name_and_type_is_changed(memory: Memory) -> None:
    looked(memory, "Lunch with Priya", "Priya Raman signed")
    before = memory.entity("Priya").id
    shown = memory.entity_rename("Priya", "Priya R.")
    assert (shown.id, shown.name, shown.aliases) == (before, "Priya R.", ("Priya",))
    assert memory.entity_type("Priya", "Client").type == "client"
    memory.undo()
    memory.undo()
    shown = memory.entity("Priya")
    assert (shown.name, shown.aliases, shown.type) == ("Priya", (), "person")


def test_what_was_dropped_is_not_made_again_until_undo(memory: Memory) -> None:
    looked(memory, "Will Docker run? Docker again")
    memory.entity_drop("docker")
    looked(memory, "More Docker")
    assert listed(memory) == {}
    with pytest.raises(NotFoundError):
        memory.entity("Docker")
    memory.undo(next(one.id for one in memory.operations() if one.command == "entity rm"))
    assert listed(memory) == {"Docker": ("tool", 2)}


def test_a_plain_undo_passes_over_looking_through(memory: Memory) -> None:
    (note,) = looked(memory, "Lunch with Priya")
    assert memory.undo().summary == "add"
    assert memory.get(note).state == "dropped"


# -- spaces, devices, erase


def test_names_of_unreadable_spaces_are_not_shown(tmp_path: Path) -> None:
    with Memory(tmp_path / "kb.db") as own:
        own.space_new("client")
        own.add("Robert Klein called")
        own.add("Robert Klein is really called Zacharias Quill, and works at Umbrella Corporation", space="client")
        own.look_through()
    with Memory(tmp_path / "kb.db", space="client") as client:
        client.entity_alias("Robert Klein", add=["Secret Bob"])
        assert set(listed(client)) >= {"Robert Klein", "Umbrella Corporation"}
    with Memory(tmp_path / "kb.db") as own:
        assert listed(own) == {"Robert Klein": ("person", 1)}
        shown = own.entity("Robert Klein")
        assert (shown.aliases, shown.count, shown.relations) == ((), 1, ())
        for hidden in ("Secret Bob", "Umbrella Corporation"):
            with pytest.raises(NotFoundError):
                own.entity(hidden)
            assert own.entities(hidden) == []
        found = own.search("Umbrella Corporation", mode="deep", explain=True)
        assert found.explain is not None
        assert found.explain["entities"] == []


def test_two_devices_make_the_same_entities(tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db") as one, Memory(tmp_path / "b.db") as other:
        looked(one, "Robert Klein sent the contract")
        one.entity_alias("Robert Klein", add=["Bob"])
        looked(other, "Robert Klein and bob")
        export = write_export(one, tmp_path / "a.jsonl")
        other.import_export(export)
        other.look_through()
        shown = other.entity("Bob")
        assert (shown.name, shown.aliases, shown.count) == ("Robert Klein", ("Bob",), 2)
        assert shown.id == one.entity("Bob").id
        assert_rebuild_is_equal(other)


def test_erasing_the_only_item_that_names_somebody_takes_the_name(memory: Memory) -> None:
    secret, kept = looked(memory, "Met Quentin Zephyrine in Berlin", "Berlin is cold")
    memory.entity_alias("Quentin Zephyrine", add=["Xylo"])
    memory.entity_rename("Quentin Zephyrine", "Quentin Zz")
    assert b"Zephyrine" in bytes_of(memory.path)
    memory.erase(secret)
    raw = bytes_of(memory.path).lower()
    exported = "".join(memory.export_lines()).lower()
    for word in ("zephyrine", "xylo", "quentin"):
        assert word.encode() not in raw, word
        assert word not in exported, word
    assert listed(memory) == {"Berlin": ("place", 1)}
    assert ids_of(memory, "Berlin") == {kept}
    assert_rebuild_is_equal(memory)


def test_an_erase_leaves_names_that_other_items_say(memory: Memory) -> None:
    first, second, third = looked(memory, "Met Quentin Zephyrine", "Quentin Zephyrine again", "Xylo came by")
    memory.entity_alias("Quentin Zephyrine", add=["Xylo"])
    memory.erase(first)
    shown = memory.entity("Xylo")
    assert (shown.name, shown.aliases, shown.count) == ("Quentin Zephyrine", ("Xylo",), 2)
    memory.erase([second, third])
    assert listed(memory) == {}
    assert b"Zephyrine" not in bytes_of(memory.path)
    looked(memory, "Met Quentin Zephyrine once more")
    assert listed(memory) == {"Quentin Zephyrine": ("person", 1)}


def test_an_erase_known_here_takes_names_that_arrive_later(tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db") as one, Memory(tmp_path / "b.db") as other:
        (note,) = looked(one, "Met Quentin Zephyrine")
        full = write_export(one, tmp_path / "full.jsonl")
        one.erase(note)
        other.import_export(write_export(one, tmp_path / "erased.jsonl"))
        other.import_export(full)
        other.store.purge()
        assert b"Zephyrine" not in bytes_of(other.path)
        assert listed(other) == {}


# -- a model


def told(name: str, data: Any) -> Any:
    assert name == "entities"
    ids = {text["text"]: text["id"] for text in data["texts"]}
    found: dict[str, list[dict[str, Any]]] = {"entities": [], "relations": []}
    for text, here in ids.items():
        if "Nordlicht" in text:
            found["entities"] += [
                {"text": here, "name": "Tjorven", "type": "person", "aliases": ["the skipper", "nobody"]},
                {"text": here, "name": "Nordlicht", "type": "tool", "aliases": []},
                {"text": here, "name": "Atlantis", "type": "place", "aliases": []},
            ]
            found["relations"] += [
                {"text": here, "from": "Tjorven", "relation": "uses", "to": "Nordlicht"},
                {"text": here, "from": "Tjorven", "relation": "lives_in", "to": "Atlantis"},
            ]
    return found


def test_a_model_adds_names_that_stand_in_the_text_and_relations_between_them(memory: Memory) -> None:
    sail = memory.add("tomorrow Tjorven, the skipper, sails the Nordlicht").item.id
    other = memory.add("the skipper was late").item.id
    llm = FakeLlm(told)
    step(memory, llm)
    shown = memory.entity("Tjorven")
    assert (shown.type, shown.aliases) == ("person", ("the skipper",))
    assert {item.id for item in shown.items} == {sail, other}
    assert [(one.relation, one.name, one.evidence) for one in shown.relations] == [("uses", "Nordlicht", sail)]
    assert listed(memory) == {"Tjorven": ("person", 2), "Nordlicht": ("tool", 1)}
    asked = len(llm.asked)
    assert step(memory, llm).new == ()
    assert len(llm.asked) == asked


def test_a_model_that_fails_leaves_what_the_rules_found_and_is_asked_again(memory: Memory) -> None:
    memory.add("Anna Schmidt and Tjorven on the Nordlicht, the skipper")

    def down(name: str, data: Any) -> Any:
        raise ModelError("nobody there", kind="unreachable")

    with pytest.raises(ModelError):
        step(memory, FakeLlm(down))
    assert "Anna Schmidt" in listed(memory)
    step(memory, FakeLlm(told))
    assert set(listed(memory)) == {"Anna Schmidt", "Tjorven", "Nordlicht"}


def test_the_index_is_made_again_after_a_rebuild(memory: Memory) -> None:
    looked(memory, "Robert Klein sent the contract")
    with memory.store.writing():
        rebuild(memory.store.connection)
    assert listed(memory) == {}
    assert memory.look_through().items == 1
    assert listed(memory) == {"Robert Klein": ("person", 1)}


def test_a_deep_search_says_what_it_could_not_look_at(memory: Memory) -> None:
    looked(memory, "Met Robert Klein")
    memory.add("Robert Klein again")
    found = memory.search("Robert Klein", mode="deep")
    assert [note for note in found.notices if "looked through" in note] == [
        "not looked through for names yet: 1; `mh entity list --all` does that"
    ]
    assert not [note for note in memory.search("rope", mode="deep").notices if "looked through" in note]
