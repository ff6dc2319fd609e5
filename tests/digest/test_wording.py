"""How what the digest finds is called and quoted, read as somebody would who has to make sense of it."""

import json
from collections.abc import Callable
from typing import Any

Mh = Callable[..., Any]
Listed = Callable[..., list[dict[str, Any]]]


def digested(mh: Mh, *notes: str) -> None:
    for day, note in enumerate(notes, 1):
        mh("add", "--date", f"2026-01-{day:02d}", note)
    assert mh("digest", "--steps", "judge,entities,schemas,persona").code == 0


def test_names_keep_their_capital_and_other_words_have_none(mh: Mh, listed: Listed) -> None:
    digested(
        mh,
        "Mooring fee of the boat paid to Kostas",
        "The boat needs a new mooring line, Kostas buys it",
        "Asked Kostas about the mooring of the boat for the winter",
    )
    (theme,) = listed("schema")
    assert {"boat", "mooring", "Kostas"} == set(theme["title"].split(", "))


def test_a_name_with_which_every_sentence_begins_keeps_its_capital(mh: Mh, listed: Listed) -> None:
    digested(
        mh,
        "Marie repairs the mooring line of the boat",
        "Marie paid the mooring fee of the boat",
        "Marie has the mooring papers of the boat",
    )
    (theme,) = listed("schema")
    assert "Marie" in theme["title"]


def test_days_and_months_alone_make_no_theme(mh: Mh, listed: Listed) -> None:
    digested(
        mh,
        "I will transfer the money by Friday morning",
        "Send the invoice to the insurer by Friday",
        "Bring the sails on Friday, promised",
    )
    assert [theme["title"] for theme in listed("schema") if "riday" in theme["title"]] == []
    digested(mh, "二月三号之前交学费", "二月五号之前交报告", "二月八号之前交签证材料")
    assert [theme["title"] for theme in listed("schema") if "二月" in theme["title"]] == []


def test_labels_alone_are_no_quotation(mh: Mh, listed: Listed) -> None:
    digested(
        mh,
        "The bilge pump fails when the float switch sticks. #boat",
        "Replaced the float switch of the bilge pump. #boat",
        "New impeller for the pump in the engine room. #boat #engine",
    )
    (theme,) = listed("schema")
    lines = [line.removeprefix("- ") for line in theme["content"].splitlines()]
    assert not [line for line in lines if line.startswith("#")]


def test_a_document_is_not_quoted_by_a_sentence_about_something_else(mh: Mh, listed: Listed) -> None:
    runbook = (
        "# Runbook\n\nOwner: Ulrike Brandt.\n\n## Backup\n\nBackups of the database go to S3 and are kept 30 days."
    )
    assert mh("add", "--date", "2026-01-09", "-k", "document", runbook).code == 0
    digested(mh, "数据库每天备份到 NAS", "数据库备份改成每周两次", "备份数据库之前先停掉导出任务")
    (theme,) = listed("schema")
    assert len(json.loads(mh("why", theme["id"], "--json").out)["edges"]) == 4
    assert "Ulrike" not in theme["content"]


def test_what_others_say_and_what_is_planned_once_is_not_believed_of_me(mh: Mh) -> None:
    said = [("Kostas", f"I {what} every week and I love it") for what in ("sail", "go sailing", "take the boat out")]
    messages = [{"role": "user", "content": text, "speaker": {"name": name, "id": name}} for name, text in said]
    mh("capture", stdin=json.dumps({"chat_type": "group", "title": "Crew", "messages": messages}))
    digested(mh, "I will pay the crew by Friday", "I must pay the yard by Monday", "I have to pay the sails by Sunday")
    assert [line["text"] for line in json.loads(mh("persona", "--json").out)] == []


def test_what_the_profile_says_is_not_said_again(mh: Mh) -> None:
    mh("add", "I am allergic to peanuts.")
    mh("judge")
    (line,) = json.loads(mh("persona", "--json").out)
    mh("persona", "correct", line["item"], "--text", "I am allergic to peanuts and cashews")
    digested(mh, "I am allergic to nuts of any kind, the doctor says", "我对花生过敏，不吃香菜")
    texts = [line["text"] for line in json.loads(mh("persona", "--json").out)]
    assert "I am allergic to peanuts" not in texts
    assert "I am allergic to peanuts and cashews" in texts


def test_of_two_preferences_the_later_one_holds(mh: Mh) -> None:
    digested(mh, "I prefer tea to coffee.", "I prefer coffee to tea these days.")
    assert [line["text"] for line in json.loads(mh("persona", "--json").out)] == ["I prefer coffee to tea these days"]
