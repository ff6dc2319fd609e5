"""Each derived kind from a year of notes: it appears, cites evidence, goes stale with it, and comes back renewed."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from memhub.tasks.digesting import STEPS

KINDS = ("schema", "core_schema", "crystal", "persona_catalog")
Mh = Callable[..., Any]
Listed = Callable[..., list[dict[str, Any]]]
Found = Callable[[str], dict[str, Any]]


def evidence(mh: Mh, item: str) -> dict[str, str]:
    """Ids and words of what speaks for an item."""
    edges = json.loads(mh("why", item, "--json").out)["edges"]
    return {e["src"]: e["src_title"] for e in edges if e["relation"] == "evidence_of" and e["dst"] == item}


def test_every_kind_appears_with_evidence_that_says_it(year: Mh, listed: Listed) -> None:
    done = year("digest")
    assert done.code == 0, done.err
    assert done.err == ""
    assert [line.split()[0] for line in done.out.splitlines()] == [row.name for row in STEPS]
    for kind in KINDS:
        items = listed(kind)
        assert items, kind
        for item in items:
            why = json.loads(year("why", item["id"], "--json").out)
            assert len(evidence(year, item["id"])) >= 2, item
            assert item["layer"] == "L3"
            assert item["flags"] == []
            assert item["confidence"] > 0.6
            for quote in why["spans"]:
                said = json.loads(year("show", quote["item"], "--json").out)
                assert quote["text"] in said["content"]
                assert said["state"] == "live"
                assert quote["text"].rstrip("….") in item["content"].replace("\n", " ")


def test_themes_are_those_of_the_year_and_keep_what_stands_alone_out(digested: Mh, listed: Listed) -> None:
    from history import ALONE, THEMES

    alone = {text for _, text in ALONE}
    theme_of = {text: theme for theme, notes in THEMES.items() for _, text in notes}
    for item in listed("schema"):
        words = set(evidence(digested, item["id"]).values())
        assert not words & alone
        themes = {theme_of[word] for word in words if word in theme_of}
        assert len(themes) == 1, words
    assert {item["title"] for item in listed("schema")} >= {"sourdough, bread, flour", "房租、合同、房东"}


def test_one_way_of_acting_is_seen_in_taxes_and_on_holiday(digested: Mh, listed: Listed) -> None:
    (item,) = listed("core_schema")
    assert item["title"] == "Leaves things until the last minute"
    assert "tax return" in item["content"]
    assert "Greek island" in item["content"]
    assert len(evidence(digested, item["id"])) == 6


def test_a_second_run_does_nothing_and_says_nothing(digested: Mh) -> None:
    before = digested("log", "--json").out
    again = digested("digest")
    assert (again.code, again.out, again.err) == (0, "", "")
    assert digested("log", "--json").out == before
    report = json.loads(digested("digest", "--json").out)
    assert report["operation"] is None
    assert report["pending"] == 0


def test_a_dry_run_tells_and_writes_nothing(year: Mh, listed: Listed) -> None:
    year("judge")
    year("index")
    before = year("log", "--json").out
    dry = year("digest", "--dry-run")
    assert "would give" in dry.out
    assert year("log", "--json").out == before
    assert listed("schema") == []


def test_new_evidence_adds_an_edge_and_rewrites_nothing(digested: Mh, listed: Listed) -> None:
    (bread,) = [item for item in listed("schema") if item["title"] == "sourdough, bread, flour"]
    before = evidence(digested, bread["id"])
    digested("add", "Fed the sourdough starter and baked a loaf of sourdough bread with spelt flour.")
    digested("digest")
    (after,) = [item for item in listed("schema") if item["id"] == bread["id"]]
    assert after == {**bread, "confidence": after["confidence"]}
    assert set(evidence(digested, bread["id"])) > set(before)


@pytest.mark.parametrize("how", ["edit", "rm", "replace"])
def test_stale_when_a_source_changes_and_renewed_by_the_next(
    digested: Mh, listed: Listed, found: Found, how: str
) -> None:
    source = found("房租涨到六千块")["id"]
    touched = {kind: [i["id"] for i in listed(kind) if source in evidence(digested, i["id"])] for kind in KINDS}
    assert touched["schema"]
    assert touched["crystal"]
    if how == "edit":
        digested("edit", source, "--content", "房东说下个月房租涨到七千块，合同要重新签。")
    elif how == "rm":
        digested("rm", source)
    else:
        new = json.loads(digested("add", "房东说房租改成涨到七千块，合同重新签。", "--json").out)["id"]
        assert digested("link", new, source, "--type", "replaces").code == 0
    stale = {item["id"] for kind in KINDS for item in listed(kind) if item["flags"] == ["stale"]}
    assert stale == {item for items in touched.values() for item in items}
    done = digested("digest")
    assert done.code == 0
    assert "renewed" in done.out
    for kind in KINDS:
        for item in listed(kind):
            assert item["flags"] == [], item
            if item["id"] in touched[kind]:
                assert "六千" not in item["content"]
                assert len(json.loads(digested("history", item["id"], "--json").out)) == 2
                assert how == "rm" or "七千" in item["content"]
    assert digested("digest").out == ""
    assert digested("doctor").code == 0


def test_what_loses_its_evidence_goes(digested: Mh, listed: Listed) -> None:
    (rent,) = [item for item in listed("schema") if "房租" in item["title"]]
    sources = list(evidence(digested, rent["id"]))[:3]
    digested("rm", *sources)
    digested("digest")
    assert rent["id"] not in {item["id"] for item in listed("schema")}
    assert digested("digest").out == ""
    digested("restore", *sources)
    digested("digest")
    assert rent["id"] in {item["id"] for item in listed("schema")}


def test_what_moves_into_another_space_takes_its_words_along(digested: Mh, listed: Listed, found: Found) -> None:
    (rent,) = [item for item in listed("schema") if "房租" in item["title"]]
    digested("space", "new", "work")
    digested("mv", found("房租涨到六千块")["id"], "work")
    digested("digest")
    (after,) = [item for item in listed("schema") if item["id"] == rent["id"]]
    assert "六千" not in after["content"]
    assert len(evidence(digested, rent["id"])) == 3


def test_an_erase_reaches_what_was_derived(digested: Mh, listed: Listed, found: Found) -> None:
    import os
    from pathlib import Path

    (rent,) = [item for item in listed("schema") if "房租" in item["title"]]
    source = found("房租涨到六千块")["id"]
    assert digested("erase", source, "--yes").code == 0
    raw = Path(os.environ["MH_HOME"], "data", "mh.db")
    files = [raw] if raw.exists() else list(Path(os.environ["MH_HOME"]).rglob("mh.db"))
    assert "六千块".encode() not in files[0].read_bytes()
    done = digested("digest")
    assert done.code == 0, done.err
    (again,) = [item for item in listed("schema") if item["id"] == rent["id"]]
    assert "六千" not in again["content"]
    assert "只涨三百" in again["content"]
    assert again["flags"] == []
    assert digested("doctor").code == 0


def test_undo_takes_all_of_a_digest_back_and_the_next_makes_it_again(year: Mh, listed: Listed) -> None:
    year("judge")
    year("digest")
    made = {kind: sorted(item["id"] for item in listed(kind)) for kind in KINDS}
    assert year("undo").code == 0
    assert all(listed(kind) == [] for kind in KINDS)
    year("digest")
    assert {kind: sorted(item["id"] for item in listed(kind)) for kind in KINDS} == made


def test_what_a_person_dropped_does_not_come_back(digested: Mh, listed: Listed) -> None:
    (rent,) = [item for item in listed("schema") if "房租" in item["title"]]
    digested("rm", rent["id"])
    digested("add", "房东又发消息说合同和房租都按原来的来。")
    digested("digest", "--since", "2020-01-01")
    assert rent["id"] not in {item["id"] for item in listed("schema")}


def test_ids_come_from_the_evidence(digested: Mh, listed: Listed, tmp_path: Any) -> None:
    made = {kind: sorted(item["id"] for item in listed(kind)) for kind in KINDS}
    digested("export", str(tmp_path / "all.jsonl"))
    copy = ("--db", str(tmp_path / "copy.db"))
    digested("import", str(tmp_path / "all.jsonl"), *copy)
    assert {kind: sorted(item["id"] for item in listed(kind, *copy)) for kind in KINDS} == made
    digested("digest", *copy)
    assert {kind: sorted(item["id"] for item in listed(kind, *copy)) for kind in KINDS} == made


def test_derived_items_feed_neither_judge_nor_themes(digested: Mh, listed: Listed) -> None:
    every = {item["id"] for kind in KINDS for item in listed(kind)}
    for kind in KINDS:
        for item in listed(kind):
            assert not set(evidence(digested, item["id"])) & every
    before = len(listed("schema"))
    title = listed("schema")[0]["title"]
    digested("add", f"{title} — thinking about it.")
    digested("digest")
    assert len(listed("schema")) == before


def test_search_finds_the_notes_beside_what_was_derived_from_them(digested: Mh) -> None:
    hits = json.loads(digested("search", "sourdough", "--json", "-n", "20").out)
    kinds = [hit["kind"] for hit in hits]
    assert "schema" in kinds
    assert kinds.count("note") >= 5
