"""Each merge rule by itself: what a set of entries means, whatever order they come in."""

from itertools import permutations
from typing import Any

import pytest

from memhub.model.entry import Entry, Version
from memhub.store.canonical import hash_of
from memhub.store.evaluate import ItemState, edge_state, item_state
from memhub.store.view import view_of


def entry(hlc: int, kind: str, payload: dict[str, Any], device: str = "a", seq: int | None = None) -> Entry:
    return Entry(device, hlc if seq is None else seq, hlc, hlc, kind, "item", payload, "op")


def put(hlc: int, name: str, *parents: str, device: str = "a") -> Entry:
    return entry(hlc, "version.put", {"hash": name, "parents": list(parents)}, device)


def state(*entries: Entry) -> ItemState:
    """The state, the same for every order and with repetition."""
    found = {repr(item_state([*order, order[0]])) for order in permutations(entries)}
    assert len(found) == 1
    return item_state(entries)


def test_heads_are_versions_without_children() -> None:
    assert state(put(1, "v1"), put(2, "v2", "v1"), put(3, "v3", "v1", device="b")).heads == ("v3", "v2")
    assert state(put(1, "v1"), put(2, "v2", "v1"), put(3, "v3", "v1"), put(4, "v4", "v2", "v3")).heads == ("v4",)


def test_a_drop_loses_to_an_edit_it_had_not_seen() -> None:
    drop = entry(5, "item.drop", {"heads": ["v1"]})
    assert state(put(1, "v1"), drop).drops == ("a/5",)
    assert state(put(1, "v1"), drop, put(2, "v2", "v1", device="b")).drops == ()
    seen = entry(6, "item.drop", {"heads": ["v2"]})
    assert state(put(1, "v1"), put(2, "v2", "v1"), seen).drops == ("a/6",)


def test_a_restore_cancels_the_drops_it_names_and_no_other() -> None:
    drops = [entry(2, "item.drop", {"heads": ["v1"]}), entry(3, "item.drop", {"heads": ["v1"]}, "b")]
    restore = entry(4, "item.restore", {"drops": ["a/2"]})
    assert state(put(1, "v1"), drops[0], restore).drops == ()
    assert state(put(1, "v1"), *drops, restore).drops == ("b/3",)


def test_labels_removed_are_those_seen() -> None:
    first = entry(1, "item.set", {"add": {"labels": ["Rope"]}})
    gone = entry(2, "item.set", {"remove": {"labels": {"Rope": ["a/1"]}}})
    apart = entry(3, "item.set", {"add": {"labels": ["rope"]}}, "b")
    assert state(first, gone).labels == {}
    assert state(first, gone, apart).labels == {"rope": ("rope", ("b/3",))}
    assert state(first, apart).labels == {"rope": ("Rope", ("a/1", "b/3"))}


def test_of_two_values_the_newest_clock_wins_and_the_device_breaks_ties() -> None:
    one = entry(1, "item.set", {"set": {"importance": 0.1, "pinned": True}})
    two = entry(2, "item.set", {"set": {"importance": 0.9}})
    tie = entry(2, "item.set", {"set": {"importance": 0.5}}, "b")
    assert state(one, two).registers.fields == {"importance": 0.9, "pinned": True}
    assert state(one, two, tie).registers.fields["importance"] == 0.5


def test_an_erase_holds_for_ever() -> None:
    assert state(put(1, "v1"), entry(2, "item.erase", {}), put(3, "v2", "v1")).is_erased


def test_the_newest_word_on_an_edge_holds() -> None:
    ends = {"src": "x", "relation": "r", "dst": "y"}
    on = entry(1, "edge.put", {**ends, "attrs": {"n": 1}})
    off = entry(2, "edge.drop", ends)
    again = entry(3, "edge.put", {**ends, "attrs": {"n": 2}}, "b")
    for order in permutations([on, off]):
        assert edge_state(order) is None
    for order in permutations([on, off, again]):
        found = edge_state(order)
        assert found is not None
        assert found[1] == {"n": 2}


def version(content: str, *parents: str, by: str = "hand", **fields: Any) -> Version:
    base = Version("item", parents, "L1", "note", None, content, {}, None, None, None, None, None, (), by, content)
    return base._replace(**fields)


def view(*versions: Version) -> Any:
    texts = {hash_of(v): v for v in versions}
    found = item_state([put(n, h, *v.parents) for n, (h, v) in enumerate(texts.items(), 1)])
    return view_of(found, texts.get)


BASE = version("one\ntwo\nthree\nfour\nfive\n")
ROOT = hash_of(BASE)


def test_two_heads_that_changed_different_lines_are_shown_merged() -> None:
    ours, theirs = (
        version("ONE\ntwo\nthree\nfour\nfive\n", ROOT),
        version("one\ntwo\nthree\nfour\nFIVE\n", ROOT, title="T"),
    )
    found = view(BASE, ours, theirs)
    assert (found.version.content, found.version.title) == ("ONE\ntwo\nthree\nfour\nFIVE\n", "T")
    assert (found.is_merged, found.is_forked) == (True, False)


def test_attributes_merge_field_by_field() -> None:
    base = BASE._replace(attrs={"due": "2026-01-01", "slot": "x"})
    root = hash_of(base)
    ours = base._replace(parents=(root,), attrs={"due": "2026-02-02", "slot": "x"}, nonce="o")
    theirs = base._replace(parents=(root,), attrs={"due": "2026-01-01"}, nonce="t")
    assert view(base, ours, theirs).version.attrs == {"due": "2026-02-02"}
    other = base._replace(parents=(root,), attrs={"due": "2026-03-03", "slot": "x"}, nonce="u")
    assert view(base, ours, other).is_forked


def test_an_unclean_merge_shows_the_newest_written_by_hand_and_says_forked() -> None:
    mine = version("mine\ntwo\nthree\nfour\nfive\n", ROOT)
    imported = version("theirs\ntwo\nthree\nfour\nfive\n", ROOT, by="import")
    found = view(BASE, mine, imported)
    assert (found.version.content, found.is_forked, found.is_merged) == (mine.content, True, False)
    both = view(BASE, mine, mine._replace(content="later\n", nonce="l"), imported)
    assert (both.version.content, both.is_forked) == ("later\n", True)


def test_without_a_single_base_the_item_is_forked() -> None:
    assert view(version("a"), version("b")).is_forked
    one, two = version("ours\n", ROOT), version("theirs\n", ROOT)
    heads = [version(text, hash_of(one), hash_of(two)) for text in ("first\n", "second\n")]
    assert view(BASE, one, two, *heads).is_forked  # two nearest common ancestors


@pytest.mark.parametrize("count", [2, 3])
def test_the_next_edit_takes_all_heads_as_parents(count: int, tmp_path: Any) -> None:
    from memhub.workspace import Memory

    with Memory(tmp_path / "kb.db") as memory:
        item = memory.add("one\ntwo\nthree").item
        root = item.version
        from memhub.model.entry import Draft
        from memhub.store.log import load_version
        from memhub.store.store import new_operation

        base = load_version(memory.store.connection, root)
        assert base is not None
        heads = [base._replace(parents=(root,), content=f"head {n}\n", nonce=f"{n}") for n in range(count)]
        memory.store.commit(new_operation("sync", "sync"), [Draft("version.put", item.id, {}, head) for head in heads])
        assert memory.get(item.id).flags == ("forked",)
        edited = memory.update(item.id, content="settled")
        assert (edited.content, edited.flags) == ("settled", ())
        assert sorted(memory.history(item.id)[0].parents) == sorted(hash_of(head) for head in heads)
