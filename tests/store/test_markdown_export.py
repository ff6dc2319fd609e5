"""A folder of Markdown: what is written, under which names, and how an import takes it back."""

import unicodedata

import pytest
import yaml

from memhub.errors import ConflictError, UsageError
from memhub.export.front_matter import block
from memhub.export.note_links import relinked
from memhub.export.note_names import Names, slug
from memhub.model.query import Filters
from memhub.model.thread import Message, ThreadInfo
from memhub.workspace.memory import Memory


@pytest.fixture
def memory(tmp_path):
    with Memory(tmp_path / "kb.db") as opened:
        yield opened


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "out"


def files(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))


def file_of(folder, item):
    (path,) = folder.rglob(f"*-{item.id[-6:]}.md")
    return path


class TestWriting:
    def test_a_note_with_all_that_is_known_of_it(self, memory, folder, clock):
        depot = memory.add("The depot opens at 9.", title="Depot").item
        ferry = memory.add(
            'The "ferry" leaves at 7:30.', title="Ferry: to Naxos", labels=["travel", "旅行"], importance=0.7,
            created_at="2026-02-01", kind="fact",
        ).item  # fmt: skip
        memory.link(ferry.id, "starts_from", depot.id)
        done = memory.export_folder(folder)
        assert (done.written, done.unchanged, done.removed, done.turns) == (2, 0, 0, 0)
        assert files(folder) == [f"default/depot-{depot.id[-6:]}.md", f"default/ferry-to-naxos-{ferry.id[-6:]}.md"]
        text = file_of(folder, ferry).read_text()
        head, body = text.split("\n---\n")
        assert body == '\nThe "ferry" leaves at 7:30.\n'
        values = yaml.safe_load(head.removeprefix("---\n"))
        assert values.pop("mh_rev").isdigit()
        assert len(values.pop("mh_text")) == 16
        assert values == {
            "mh_id": ferry.id, "title": "Ferry: to Naxos", "created": "2026-02-01", "updated": "2026-02-10T12:00:00Z",
            "tags": ["travel", "旅行"], "aliases": ["Ferry: to Naxos"], "layer": "L1", "kind": "fact",
            "importance": 0.7,
            "relations": [{"type": "starts_from", "to": f"[[depot-{depot.id[-6:]}]]"}],
        }  # fmt: skip
        assert '\ntitle: "Ferry: to Naxos"\n' in text
        assert file_of(folder, ferry).stat().st_mode & 0o777 == 0o600

    def test_plain_is_the_text_with_its_title(self, memory, folder):
        titled = memory.add("It opens at 9.", title="Depot").item
        headed = memory.add("# Ferry\n\nIt leaves at 7:30.", title="Ferry").item
        bare = memory.add("just a line").item
        memory.export_folder(folder, plain=True)
        assert file_of(folder, titled).read_text() == "# Depot\n\nIt opens at 9.\n"
        assert file_of(folder, headed).read_text() == "# Ferry\n\nIt leaves at 7:30.\n"
        assert file_of(folder, bare).read_text() == "just a line\n"

    def test_links_lead_to_the_files(self, memory, folder, tmp_path):
        vault = tmp_path / "vault"
        vault.mkdir()
        (vault / "Depot.md").write_text("It opens at 9.")
        (vault / "Bus.md").write_text("From [[Depot#Hours|the depot]], [[depot]] or [here](Depot.md); `[[Depot]]` not.")
        memory.import_(vault)
        memory.export_folder(folder)
        stems = {path.stem.rsplit("-", 1)[0]: path.stem for path in folder.rglob("*.md")}
        depot = stems["depot"]
        text = (folder / "default" / f"{stems['bus']}.md").read_text()
        assert f"From [[{depot}#Hours|the depot]], [[{depot}|depot]] or [[{depot}|here]]; `[[Depot]]` not.\n" in text

    def test_filters_spaces_and_states(self, memory, folder):
        memory.space_new("work")
        memory.add("at work", space="work")
        kept = memory.add("kept", labels=["x"]).item
        memory.drop(memory.add("dropped").item.id)
        memory.export_folder(folder)
        assert [name.split("/")[0] for name in files(folder)] == ["default", "work"]
        memory.export_folder(folder.with_name("some"), Filters(labels=("x",)))
        assert files(folder.with_name("some")) == [f"default/kept-{kept.id[-6:]}.md"]

    def test_turns_are_left_out_and_counted(self, memory, folder):
        memory.add_messages([Message("hello"), Message("hi", role="assistant")], thread=ThreadInfo())
        assert memory.export_folder(folder).turns == 2
        assert files(folder) == []
        assert memory.export_folder(folder, Filters(layers=("L0",))).written == 2


class TestAgain:
    def test_an_export_into_an_earlier_one_touches_what_changed(self, memory, folder):
        one = memory.add("one", title="One").item
        two = memory.add("two", title="Two").item
        memory.add("three", title="Three")
        memory.export_folder(folder)
        memory.update(one.id, title="Uno")
        memory.drop(two.id)
        done = memory.export_folder(folder)
        assert (done.written, done.unchanged, done.removed) == (1, 1, 2)
        assert [name.rsplit("-", 1)[0] for name in files(folder)] == ["default/three", "default/uno"]

    def test_what_somebody_wrote_there_is_not_lost(self, memory, folder):
        one = memory.add("one", title="One").item
        memory.export_folder(folder)
        path = file_of(folder, one)
        path.write_text(path.read_text() + "more\n")
        memory.update(one.id, content="one, here")
        with pytest.raises(ConflictError, match="changed since the last export"):
            memory.export_folder(folder)
        assert path.read_text().endswith("more\n")
        memory.export_folder(folder, force=True)
        assert path.read_text().endswith("\none, here\n")

    def test_a_changed_file_of_an_item_that_is_gone_stays(self, memory, folder):
        one = memory.add("one", title="One").item
        memory.export_folder(folder)
        path = file_of(folder, one)
        path.write_text("mine")
        memory.drop(one.id)
        assert memory.export_folder(folder, force=True).removed == 0
        assert path.read_text() == "mine"

    def test_a_folder_with_other_things_is_left_alone(self, memory, tmp_path):
        (tmp_path / "own").mkdir()
        (tmp_path / "own" / "diary.md").write_text("mine")
        for target in (tmp_path / "own", tmp_path / "own" / "diary.md"):
            with pytest.raises(UsageError):
                memory.export_folder(target, force=True)
        assert (tmp_path / "own" / "diary.md").read_text() == "mine"

    def test_a_list_that_names_files_outside_removes_none(self, memory, folder, tmp_path):
        memory.add("one")
        memory.export_folder(folder)
        (tmp_path / "victim.md").write_text("x")
        digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
        (folder / ".mh-export.json").write_text(
            f'{{"format": "mh-markdown", "files": {{"../victim.md": "{digest}", "/etc/x.md": "{digest}"}}}}'
        )
        memory.export_folder(folder, force=True)
        assert (tmp_path / "victim.md").exists()


class TestTakenBack:
    def test_nothing_changed_is_nothing_new(self, memory, folder, tmp_path):
        vault = tmp_path / "vault"
        vault.mkdir()
        (vault / "Depot.md").write_text("---\nstatus: open\n---\n# Depot\n\nIt opens at 9. #hours")
        (vault / "Bus.md").write_text("From [[Depot]].")
        memory.import_(vault)
        memory.add("a note\n\n    with code", labels=["own"])
        before = memory.list(limit=0)
        edges = [memory.links(item.id) for item in before]
        memory.export_folder(folder)
        report = memory.import_(folder)
        assert (report.unchanged, report.created, report.updated, report.conflicts) == (3, 0, 0, ())
        assert memory.list(limit=0) == before
        assert [memory.links(item.id) for item in before] == edges
        assert report.operation is None

    def test_an_edit_in_the_file_is_a_new_version_of_the_same_item(self, memory, folder):
        note = memory.add("The ferry leaves at 7:30.", title="Ferry", labels=["travel", "old"], importance=0.3).item
        memory.export_folder(folder)
        path = file_of(folder, note)
        text = path.read_text().replace("7:30", "7:45").replace('title: "Ferry"', "title: Naxos ferry")
        path.write_text(text.replace('  - "old"', '  - "sea"').replace("importance: 0.3", "importance: 0.9"))
        report = memory.import_(folder)
        assert (report.updated, report.created) == (1, 0)
        now = memory.get(note.id)
        assert (now.title, now.content, now.labels, now.importance) == (
            "Naxos ferry", "The ferry leaves at 7:45.", ("sea", "travel"), 0.9,
        )  # fmt: skip
        assert len(memory.history(note.id)) == 2
        assert memory.count() == 1
        again = memory.import_(folder)
        assert (again.unchanged, again.updated) == (1, 0)
        memory.undo(report.operation)
        assert memory.get(note.id).content == "The ferry leaves at 7:30."

    def test_what_changed_here_meanwhile_stays(self, memory, folder):
        note = memory.add("The ferry leaves at 7:30.", title="Ferry").item
        memory.export_folder(folder)
        memory.update(note.id, content="The ferry leaves at 8:00.")
        memory.label(note.id, add=["sea"])
        assert memory.import_(folder).unchanged == 1
        now = memory.get(note.id)
        assert (now.content, now.labels) == ("The ferry leaves at 8:00.", ("sea",))

    def test_changes_on_both_sides_are_merged(self, memory, folder):
        note = memory.add("one\ntwo\nthree\nfour\nfive").item
        memory.export_folder(folder)
        memory.update(note.id, content="ONE\ntwo\nthree\nfour\nfive")
        path = file_of(folder, note)
        path.write_text(path.read_text().replace("five", "FIVE"))
        assert memory.import_(folder).updated == 1
        assert memory.get(note.id).content == "ONE\ntwo\nthree\nfour\nFIVE"
        assert memory.import_(folder).unchanged == 1

    def test_changes_that_do_not_fit_are_both_kept(self, memory, folder):
        note = memory.add("The ferry leaves at 7:30.").item
        memory.export_folder(folder)
        memory.update(note.id, content="The ferry leaves at 8:00.")
        path = file_of(folder, note)
        path.write_text(path.read_text().replace("7:30", "9:15"))
        (conflict,) = memory.import_(folder).conflicts
        assert conflict == path.relative_to(folder).as_posix()
        assert "forked" in memory.get(note.id).flags
        assert memory.import_(folder, theirs=True).conflicts == ()

    def test_theirs_and_ours_decide(self, memory, folder):
        for how, content in (("theirs", "at 9:15."), ("ours", "at 8:00.")):
            note = memory.add(f"at 7:30. {how}").item
            memory.export_folder(folder, force=True)
            memory.update(note.id, content=f"at 8:00. {how}")
            path = file_of(folder, note)
            path.write_text(path.read_text().replace("7:30", "9:15"))
            assert memory.import_(folder, **{how: True}).conflicts == ()
            assert memory.get(note.id).content == f"{content} {how}"
            assert memory.import_(folder, **{how: True}).updated == 0

    def test_a_new_link_is_known_and_none_is_lost(self, memory, folder, tmp_path):
        vault = tmp_path / "vault"
        vault.mkdir()
        for name, text in {"Depot": "It opens.", "Pier": "It is long.", "Bus": "From [[Depot]]."}.items():
            (vault / f"{name}.md").write_text(text)
        memory.import_(vault)
        items = {item.title: item for item in memory.list(limit=0)}
        memory.export_folder(folder)
        path = file_of(folder, items["Bus"])
        path.write_text(path.read_text() + f"To [[{file_of(folder, items['Pier']).stem}]].\n")
        file_of(folder, items["Depot"]).unlink()
        memory.import_(folder)
        assert {edge.dst for edge in memory.links(items["Bus"].id)} == {items["Depot"].id, items["Pier"].id}

    def test_dropped_here_stays_dropped(self, memory, folder):
        note = memory.add("gone").item
        memory.export_folder(folder)
        memory.drop(note.id)
        (skipped,) = memory.import_(folder).skipped
        assert skipped.why == "dropped here; it stays so"

    def test_into_another_file_it_makes_notes_once(self, memory, folder, tmp_path):
        memory.add("no title here")
        memory.add("It opens at 9.", title="Depot", kind="fact", labels=["hours"])
        memory.export_folder(folder)
        with Memory(tmp_path / "other.db") as other:
            assert other.import_(folder).created == 2
            assert other.import_(folder).unchanged == 2
            said = {(item.title, item.content, item.kind, item.labels) for item in other.list()}
        assert said == {(None, "no title here", "note", ()), ("Depot", "It opens at 9.", "fact", ("hours",))}


class TestNames:
    @pytest.mark.parametrize(
        ("title", "wanted"),
        [
            ("Ferry: to Naxos?", "ferry-to-naxos"),
            ('a\\b/c:d*e"f<g>h|i#j^k[l]', "a-b-c-d-e-f-g-h-i-j-k-l"),
            ("  ..hidden.. ", "hidden"),
            ("渡轮 7:30", "渡轮-7-30"),
            ("Cafe\u0301", "café"),
            ("🚢🚢", ""),
        ],
    )
    def test_a_slug_holds_letters_and_digits(self, title, wanted):
        assert slug(title) == wanted

    def test_names_are_safe_short_and_unique(self, memory):
        names = Names()
        items = [
            memory.add(f"{n}", title=title, again=True).item
            for n, title in enumerate(["渡" * 200, "CON", "a" * 500, "Same", "same", "e\u0301" * 300, "🚢"])
        ]
        for item in items:
            names.add(item)
        ends = [path.rpartition("/")[2] for path in names.paths.values()]
        assert len({end.casefold() for end in ends}) == len(items)
        for end in ends:
            assert len(end.encode()) <= 120
            assert unicodedata.is_normalized("NFC", end)
        assert ends[-1].startswith("note-")

    def test_two_items_with_one_ending_get_two_names(self, memory):
        item = memory.add("x", title="Same").item
        twin = type(item)(**{**{f: getattr(item, f) for f in item.__dataclass_fields__}, "id": "0" * 20 + item.id[-6:]})
        names = Names()
        names.add(item)
        names.add(twin)
        assert len(set(names.paths.values())) == 2

    def test_spaces_get_folders_that_every_system_takes(self, memory):
        for name in ("CON", "con?", "a/b"):
            memory.space_new(name)
        names = Names()
        for name in ("CON", "con?", "a/b"):
            names.add(memory.add("x", space=name).item)
        folders = [path.partition("/")[0] for path in names.paths.values()]
        assert folders == ["CON_", "con__", "a-b"] or folders == ["CON_", "con_-2", "a-b"]


class TestFrontMatter:
    @pytest.mark.parametrize(
        "text",
        ["no", "12:30", "a: b", '"q" \\ \'', "- x", "# y", "{z}", "多\tw", "\x7f\u2028\ufeff", "🚢", "null", "1e3"],
    )
    def test_a_text_is_the_same_text_to_yaml(self, text):
        values = {"title": text, "tags": [text], "relations": [{"type": text, "to": text}]}
        written = block(values)
        assert yaml.safe_load(written.removeprefix("---\n").removesuffix("---\n")) == values

    def test_empty_values_are_left_out(self):
        assert block({"title": None, "tags": [], "source": "", "importance": 0.0}) == "---\nimportance: 0.0\n---\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("no link", "no link"),
        ("[[Depot]] [[Other]]", "[[d-1|Depot]] [[Other]]"),
        ("![[Depot]]", "![[d-1|Depot]]"),
        ("```\n[[Depot]]\n```\n[[Depot]]", "```\n[[Depot]]\n```\n[[d-1|Depot]]"),
        ("[x](https://a.org/Depot.md) [y](Depot.txt)", "[x](https://a.org/Depot.md) [y](Depot.txt)"),
    ],
)
def test_links_outside_code_are_changed(text, wanted):
    assert relinked(text, {"Depot": "d-1"}.get) == wanted
