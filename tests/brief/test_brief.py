"""`mh brief`: the page of a made year, kept as an item, written again around edits, from what was there then."""

import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import made_year
import pytest
from loopback import Script

from memhub import Memory
from memhub.cli.markdown import laid_out
from memhub.digest.brief import brief
from memhub.digest.step import Work
from memhub.errors import ConflictError
from memhub.model.query import Filters
from memhub.store.names import DEFAULT_SPACE
from memhub.store.store import new_operation

Mh = Callable[..., Any]
DATA = Path(__file__).parent / "data"


@pytest.fixture
def memory(tmp_path: Path) -> Any:
    with Memory(tmp_path / "year.db") as opened:
        made_year.fill(opened)
        yield opened


def without_ids(text: str) -> str:
    """Short ids hang on how many random bytes were drawn before; what they name does not."""
    return re.sub(r"`[0-9a-z]{6,9}`", "`......`", text)


def golden(name: str, text: str) -> None:
    """Compare with a file; a missing one is written, and fails, so that somebody looks at it."""
    path = DATA / name
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        pytest.fail(f"{path} was written: look at it")
    assert text == path.read_text("utf-8")


def section(page: str, title: str) -> list[str]:
    body = page.split(f"## {title}\n\n", 1)[1] if f"## {title}\n\n" in page else ""
    return body.split("\n\n", 1)[0].splitlines()


def test_the_page_of_a_made_year(memory: Memory) -> None:
    golden("year.md", without_ids(memory.brief().content) + "\n")


@pytest.mark.parametrize("columns", [80, 100])
def test_the_page_on_a_terminal(memory: Memory, columns: int) -> None:
    from memhub.text.clean import display_width

    shown = laid_out(without_ids(memory.brief().content), columns, colour=False)
    assert max(map(display_width, shown.splitlines())) <= columns
    golden(f"year_{columns}.txt", shown + "\n")


def test_every_line_names_its_evidence(memory: Memory) -> None:
    found = memory.brief()
    for line in found.content.splitlines():
        if line.startswith("- ") and "… " not in line:
            ids = re.findall(r"`([0-9a-z]{6,9})`", line)
            assert ids, line
            for one in ids:
                assert [full for full in found.evidence if full.endswith(one)], line
    by_title = {one.title: one for one in found.sections}
    assert set(by_title["Needs a decision"].ids) <= set(found.evidence)
    assert len(by_title["Needs a decision"].ids) == 2


def test_it_is_kept_as_an_item_that_searches_and_lists_leave_out(memory: Memory) -> None:
    found = memory.brief()
    item = memory.get(found.id)
    assert (item.layer, item.kind, item.created_at) == ("L3", "briefing", "2026-02-10")
    assert memory.brief().version == found.version
    assert not memory.brief(again=True).is_new
    assert not [one for one in memory.list(limit=0) if one.kind == "briefing"]
    assert not [hit for hit in memory.search("mooring permit", mode="words", limit=0).hits if hit.item.id == found.id]
    assert [one.id for one in memory.list(Filters(kinds=("briefing",)))] == [found.id]
    assert memory.search("mooring permit", Filters(layers=("L3",)), mode="words").hits[0].item.id == found.id
    assert len(memory.history(found.id)) == 1


def test_what_is_new_makes_a_new_version_only_when_asked(memory: Memory) -> None:
    first = memory.brief()
    memory.add("Call the sailmaker by Thursday")
    assert memory.brief().version == first.version
    assert memory.brief().changes == 1
    second = memory.brief(again=True)
    assert second.is_new
    assert "Thu 12 Feb, in 2 days: Call the sailmaker by Thursday" in second.content
    assert [one.title for one in memory.history(first.id)] == ["Briefing of 10 February 2026"] * 2
    assert section(first.content, "Worth another look") == section(second.content, "Worth another look")


def test_what_was_edited_stays_however_often_it_is_written_again(memory: Memory) -> None:
    found = memory.brief()
    mine = found.content.replace("## Needs a decision", "## My plan\n\n1. sails\n\n## Needs a decision")
    mine = re.sub(r"## Recent activity\n\n.*?\n\n(?=## )", "", mine, flags=re.S)
    mine = mine.replace("- **tomorrow 09:00**: Dentist", "- **tomorrow 09:00**: (moved!) Dentist")
    memory.update(found.id, content=mine)
    for number in range(2):
        memory.add(f"The mast of the boat needs a new light {number} #boat")
        again = memory.brief(again=True)
        assert again.is_new
        titles = [one.title for one in again.sections]
        assert titles == ["What you were on", "Due and upcoming", "My plan", "Needs a decision", "Worth another look"]
        assert "(moved!) Dentist" in again.content
        assert "## My plan\n\n1. sails\n" in again.content
        assert f"needs a new light {number}" in again.content
        assert {one.title for one in again.sections if one.is_yours} == {"Due and upcoming", "My plan"}


def test_a_past_day_says_what_was_there_then(memory: Memory) -> None:
    then = memory.brief("2025-09-02")
    assert "Needs a decision" not in then.content
    assert "Helvetia" in then.content
    assert "Allianz" not in then.content
    assert "2026" not in then.content.replace("20 February 2026", "")
    assert memory.brief("2025-09-02").version == then.version
    old = memory.brief("2024-01-01")
    assert "Nothing was written down yet." in old.content


def test_a_text_edited_later_stands_as_it_was(memory: Memory, clock: Any) -> None:
    note = memory.add("The mast is 11 m high").item
    clock.advance(3 * 86_400)
    memory.update(note.id, content="The mast is 12 m high")
    assert "The mast is 11 m high" in memory.brief("2026-02-10").content
    assert "The mast is 12 m high" in memory.brief().content


def test_older_things_are_found_by_meaning_across_languages(tmp_path: Path) -> None:
    with Memory(tmp_path / "engine.db") as memory:
        for number, text in enumerate(
            ("孩子的校服尺码是 140", "Compost is brown and green", "读完《夜航西飞》", "Tomatoes")
        ):
            memory.add(text, created_at=f"2025-06-0{number + 1}T08:00:00Z")
        old = memory.add("发动机的机油每年换一次", created_at="2025-06-05T08:00:00Z").item
        for text in ("The engine oil has to be changed before the season", "Ordered an oil filter for the engine"):
            memory.add(text, created_at="2026-02-10T11:00:00Z", labels=["engine"])
        memory.index()
        lines = section(memory.brief().content, "Worth another look")
        assert lines[0] == f"- 5 June 2025: 发动机的机油每年换一次 `{old.id[-6:]}` (like **#engine**)"


def test_what_is_important_comes_up_again(memory: Memory) -> None:
    pages = "\n".join(memory.brief(f"2026-02-0{day}").content for day in range(1, 8))
    assert "(pinned)" in pages
    assert "ago today)" in pages


def test_older_things_do_not_come_two_days_in_a_row(memory: Memory, clock: Any) -> None:
    seen: list[list[str]] = []
    for _ in range(4):
        lines = section(memory.brief().content, "Worth another look")
        assert len(lines) == 3
        seen.append(re.findall(r"`([0-9a-z]{6,9})`(?= \(|$)", "\n".join(lines)))
        clock.advance(86_400)
    assert all(not set(one) & set(other) for one, other in pairwise(seen))


def test_no_day_to_come(mh: Mh) -> None:
    refused = mh("brief", "--date", "2026-02-11")
    assert (refused.code, "2026-02-11 is still to come" in refused.err) == (2, True)
    assert mh("brief", "--date", "2026-02").code == 2
    assert mh("brief", "--date", "soon").code == 2


def test_an_erased_text_leaves_the_pages_too(memory: Memory) -> None:
    found = memory.brief()
    assert "Kostas" in found.content
    memory.erase(memory.search("Kostas", mode="words").hits[0].item.id)
    assert b"Kostas" not in memory.path.read_bytes()
    again = memory.brief()
    assert again.is_new
    assert "Kostas" not in again.content
    assert "Allianz" in again.content


def test_undo_passes_the_page_over(memory: Memory) -> None:
    memory.add("The last thing typed by hand")
    memory.brief()
    assert memory.undo().summary.startswith("add")


def test_a_page_with_nothing_on_it_is_not_kept(mh: Mh) -> None:
    assert mh("brief").out == "# Tuesday, 10 February 2026\n\nNothing was written down yet.\n"
    assert mh("list", "--kind", "briefing").out == ""
    mh("add", "The first note")
    assert "The first note" in mh("brief").out


def test_an_import_is_named_with_its_last_item(mh: Mh, tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "bread.md").write_text("# Bread\n\nFeed the starter.\n", "utf-8")
    mh("import", str(tmp_path / "vault"))
    item = json.loads(mh("list", "--json").out)[0]["id"]
    assert f"- imported vault: 1 item, the last `{item[-6:]}`" in mh("brief").out


def test_of_two_at_once_the_first_counts(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    from memhub.digest import brief as module

    compose = module.compose
    firsts: list[str] = []

    def slow(*given: Any) -> Any:
        monkeypatch.setattr(module, "compose", compose)
        with Memory(memory.path) as other:
            firsts.append(other.brief().version)
        return compose(*given)

    monkeypatch.setattr(module, "compose", slow)
    found = memory.brief()
    assert (found.version, found.is_new) == (firsts[0], False)
    assert len(memory.history(found.id)) == 1


def test_each_space_has_its_own(memory: Memory) -> None:
    memory.space_new("work")
    with Memory(memory.path, space="work") as other:
        other.add("Quarterly figures are with Li")
        found = other.brief()
        assert found.space == "work"
        assert "Quarterly" in found.content
        assert "boat" not in found.content
    assert "Quarterly" not in memory.brief().content


def test_the_step_of_the_digest(memory: Memory) -> None:
    work = Work(memory.store, DEFAULT_SPACE, new_operation("digest", "cron"), 0)
    assert brief(work._replace(dry_run=True)).new
    assert not memory.list(Filters(kinds=("briefing",)))
    done = brief(work)
    assert (done.new, done.renewed) == ((memory.brief().id,), ())
    assert done.mark > 0
    assert brief(work)[1:3] == ((), ())
    memory.add("Pay the berth by Friday")
    assert brief(work).renewed == done.new


def test_the_step_goes_by_the_zone_of_the_settings(memory: Memory, mh: Mh, clock: Any) -> None:
    clock.advance(6 * 3600)  # six in the evening in London, two in the morning of the next day in Shanghai
    mh("config", "set", "timezone", "Asia/Shanghai")
    assert mh("digest", "--steps", "brief", "--db", str(memory.path)).code == 0
    assert [page.created_at for page in memory.list(Filters(kinds=("briefing",)))] == ["2026-02-11"]
    with Memory(memory.path) as other:
        assert not other.brief().is_new


def test_from_the_command_line(mh: Mh, tmp_path: Path) -> None:
    mh("add", "Send the report by Friday")
    shown = mh("brief")
    assert shown.out.startswith("# Tuesday, 10 February 2026\n\n## ")
    assert mh("brief").out == shown.out
    record = json.loads(mh("brief", "--json").out)
    assert record["day"] == "2026-02-10"
    assert record["content"] + "\n" == shown.out
    assert record["sections"][0]["ids"]
    assert mh("brief", "-q").out.strip() == record["id"]
    path = tmp_path / "page.md"
    assert mh("brief", "--output", str(path)).out == ""
    assert path.read_text("utf-8") == shown.out
    assert mh("brief", "--output", str(tmp_path / "no" / "page.md")).code == 1
    mh("add", "Another thing")
    assert "1 change since it was written; `mh brief --again`" in mh("brief").err


def test_a_model_opens_the_page_with_what_holds(mh: Mh, script: Script) -> None:
    mh("add", "Send the survey report to the insurer by Friday")

    def say(data: Any) -> Any:
        number = next(one["n"] for one in data["passages"] if "survey report" in one["text"])
        return {
            "found": True,
            "sentences": [
                {"text": "The survey report is due on Friday.", "cites": [{"n": number, "quote": "survey report"}]},
                {"text": "You owe 500 EUR.", "cites": [{"n": number, "quote": "survey report"}]},
            ],
        }

    script.say["opening"] = say
    page = mh("brief").out
    assert re.search(r"^The survey report is due on Friday\. `[0-9a-z]{6}`$", page, re.M)
    assert "500" not in page
    assert script.server.asked == ["opening", "opening"]
    mh("brief", "--again")
    assert len(script.server.asked) == 2  # nothing is new, so nothing is asked


def test_without_an_answer_the_page_is_there_all_the_same(mh: Mh, script: Script) -> None:
    mh("add", "Send the survey report to the insurer by Friday")
    mh("config", "set", "llm.base_url", "http://127.0.0.1:9/v1")
    done = mh("brief")
    assert done.code == 0
    assert "survey report" in done.out
    assert "the page was made without a model" in done.err


DUE = [
    ("Send the report to Anna by Friday", "2026-02-13"),
    ("Dentist tomorrow 9am", "2026-02-11"),
    ("下周三之前交季度报告", "2026-02-18"),
    ("明天下午三点和王伟开会", "2026-02-11"),
    ("2月15日前提交报税材料", "2026-02-15"),
    ("别忘了周五交房租", "2026-02-13"),
    ("The ferry leaves on 2026-02-20 at 7:30", "2026-02-20"),
    ("Remind me to water the plants in 3 days", "2026-02-13"),
    ("三天后还书", "2026-02-13"),
    ("Send the form by next Friday", "2026-02-20"),
    ("下周五之前寄表格", "2026-02-20"),
    ("Pay the yard within two weeks", "2026-02-24"),
    ("两周之内把检验报告寄给保险公司", "2026-02-24"),
    ("十天以内答复房东", "2026-02-20"),
    ("周五之前把检验报告发出去，上次等了三个星期才办好", "2026-02-13"),
    ("Rent on the 15th", "2026-02-15"),
    ("12号之前回复李雷", "2026-02-12"),
    ("下下周二考试", "2026-02-24"),
    ("月底前提交报告", "2026-02-28"),
    ("2月底续签合同", "2026-02-28"),
    ("Climbing this weekend", "2026-02-14"),
    ("周末去看爸妈", "2026-02-14"),
    ("I promised Anna the slides by Monday", "2026-02-16"),
    ("Get this done by Friday, we waited long enough", "2026-02-13"),
    ("The meeting moved to Friday at 3 pm", "2026-02-13"),
    ("Pay the berth before March 3, 2026", "2026-03-03"),
]


@pytest.mark.parametrize(("said", "day"), DUE)
def test_what_is_due_is_counted_from_when_it_was_said(memory: Memory, said: str, day: str) -> None:
    note = memory.add(said).item
    lines = section(memory.brief().content, "Due and upcoming")
    line = next(one for one in lines if one.endswith(f"`{note.id[-6:]}`"))
    days = (date.fromisoformat(day) - date(2026, 2, 10)).days
    assert ("**tomorrow" if days == 1 else f"in {days} days:") in line


@pytest.mark.parametrize(
    "said",
    ["Met Anna on Friday", "Every Monday we have standup", "每周五打扫", "Is the office open on Friday?",
     "The dinner on Friday is cancelled", "- [x] call the bank by Friday", "Shipped it in March", "周五的会取消了"],
)  # fmt: skip
def test_what_is_not_due(memory: Memory, said: str) -> None:
    note = memory.add(said).item
    assert note.id[-6:] not in "\n".join(section(memory.brief().content, "Due and upcoming"))


def test_the_time_of_day_is_said_too(memory: Memory) -> None:
    for said, time in (
        ("明晚七点和老李吃饭", "19:00"),
        ("Dinner tomorrow 7 pm at Li's", "19:00"),
        ("明早八点赶火车", "08:00"),
    ):
        memory.add(said)
        assert f"- **tomorrow {time}**: {said} `" in memory.brief(again=True).content


def test_what_was_promised_stays_due_until_it_is_put_away(memory: Memory) -> None:
    page = memory.brief().content
    line = next(one for one in section(page, "Due and upcoming") if "overdue" in one)
    assert line.startswith("- **overdue** since Thu 5 Feb: I must call the bank")
    memory.set(re.findall(r"`([0-9a-z]+)`", line)[0], archived=True)
    assert "call the bank" not in memory.brief(again=True).content


def test_a_day_is_the_day_of_the_user(memory: Memory, zone: Callable[[str], None]) -> None:
    note = memory.add("明天交房租", created_at="2026-02-09T17:30:00Z").item  # half past one on the 10th in Shanghai
    zone("Asia/Shanghai")
    lines = section(memory.brief().content, "Due and upcoming")
    assert any(line.startswith("- **tomorrow**: 明天交房租") and note.id[-6:] in line for line in lines)
    zone("America/Los_Angeles")  # there it was the 9th, and it is the 10th now
    assert any(
        line.startswith("- **today**: 明天交房租")
        for line in section(memory.brief(again=True).content, "Due and upcoming")
    )


def test_what_belongs_together_is_called_by_the_words_that_all_of_it_shares(mh: Mh) -> None:
    for note in (
        "Jonas and I pair on the Austrian tax rates, wine is the odd one",
        "Austrian tax rates: the rounding follows the invoice",
        "Call the bank about the mortgage",
        "Call with Anke about the garden",
        "小宝的家长会是十二月三号",
        "签证材料二月三号之前准备好",
        "the roof is leaking",
    ):
        mh("add", note)
    names = [re.sub(r"\*\*.*", "", line.removeprefix("- **")) for line in section(mh("brief").out, "What you were on")
             if line.startswith("- **")]  # fmt: skip
    assert names == ["Austrian tax rates"]


def test_a_project_in_which_everything_was_written_hides_no_topics(mh: Mh) -> None:
    for text in (
        "The importer drops the last line of a file", "The importer is slow on Windows", "The importer needs a bar",
        "Invoices round to a cent", "Invoices are sent twice", "Mira reviews the schema",
    ):  # fmt: skip
        mh("add", text, "--project", "mh")
    names = "\n".join(section(mh("brief").out, "What you were on"))
    assert "**importer**" in names
    assert "**Invoices**" in names


def test_in_a_conversation_it_says_who_is_to_do_it(mh: Mh) -> None:
    said = [("Kostas", "I'll bring the sails on Friday, promised."), ("Ming", "我明天订酒店。")]
    messages = [{"role": "user", "content": text, "speaker": {"name": name, "id": name}} for name, text in said]
    mh("capture", stdin=json.dumps({"chat_type": "group", "title": "Crew", "messages": messages}))
    assert mh("judge").code == 0
    lines = section(mh("brief").out, "Due and upcoming")
    assert any("Kostas: I'll bring the sails on Friday, promised `" in line for line in lines)
    assert any("Ming: 我明天订酒店 `" in line for line in lines)


def test_what_is_long_overdue_does_not_crowd_out_what_is_next(memory: Memory) -> None:
    for number in range(20):
        memory.add(f"I must pay bill {number} by 3 February", created_at="2026-01-30T08:00:00Z", again=True)
    lines = section(memory.brief().content, "Due and upcoming")
    assert [line[:13] for line in lines[:5]] == ["- **overdue**"] * 4 + ["- **tomorrow "]
    assert lines[-1] == "- … 17 more overdue"


def test_an_erased_page_stays_erased(memory: Memory) -> None:
    memory.erase(memory.brief().id)
    with pytest.raises(ConflictError, match="was erased"):
        memory.brief()
    assert brief(Work(memory.store, DEFAULT_SPACE, new_operation("digest", "cron"), 0))[1:3] == ((), ())


def test_a_dropped_page_is_made_again(memory: Memory) -> None:
    memory.drop(memory.brief().id)
    assert memory.brief().is_new
    assert not memory.brief().is_new


def test_foreign_signs_mean_nothing(memory: Memory) -> None:
    memory.add("[click](http://x) <b>bold</b> `code` *star* # no \x1b[31mred &amp; _under_ snake_case", labels=["a*b"])
    page = memory.brief().content
    assert "\\[click\\](http://x) \\<b\\>bold\\</b\\> \\`code\\` \\*star\\*" in page
    shown = laid_out(page, 300, colour=False)
    assert "[click](http://x) <b>bold</b> `code` *star* # no red &amp; _under_ snake_case" in shown


@pytest.mark.parametrize(
    ("said", "shown"),
    [("-5 °C in the shed", "-5 °C in the shed"), ("- a list", "a list"), ("1. first of all", "1. first of all"),
     ("## Heading\n\ntext", "Heading"), ("> quoted", "quoted"), ("--- cut here", "--- cut here"), ("#", "#")],
)  # fmt: skip
def test_how_a_text_begins_does_not_change_the_page(memory: Memory, said: str, shown: str) -> None:
    note = memory.add(said, importance=1.0).item
    page = laid_out(memory.brief().content, 100, colour=False)
    assert f" • {shown} {note.id[-6:]}" in page.splitlines()


def test_thousands_of_notes_are_no_trouble(tmp_path: Path) -> None:
    from memhub.model.result import NewNote

    with Memory(tmp_path / "many.db") as memory:
        start = date(2026, 2, 10)
        notes = [
            NewNote(f"Note {n} about matter {n % 97}", created_at=(start - timedelta(days=n % 700)).isoformat())
            for n in range(3000)
        ]
        list(memory.add_many(notes))
        assert len(memory.brief().content.splitlines()) < 60
