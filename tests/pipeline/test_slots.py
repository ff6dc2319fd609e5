"""Which sentence fills which slot, and which must not."""

import pytest

from memhub.pipeline.slots import same_value, slot_of


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("I live in Paris", ("user", "state.location", "", "Paris")),
        ("I've moved to Ghent", ("user", "state.location", "", "Ghent")),
        ("Actually, I now live in New York with Ida", ("user", "state.location", "", "New York")),
        ("我搬到柏林了", ("user", "state.location", "", "柏林")),
        ("我现在住在重庆", ("user", "state.location", "", "重庆")),
        ("My name is Karin Holm", ("user", "identity.name", "", "Karin Holm")),
        ("其实我叫王方", ("user", "identity.name", "", "王方")),
        ("I was born on May 3rd", ("user", "identity.birthday", "", "May 3rd")),
        ("I'm a nurse", ("user", "identity.job", "", "nurse")),
        ("我是一名护士", ("user", "identity.job", "", "护士")),
        ("I work at Contoso now", ("user", "identity.employer", "", "Contoso")),
        ("我在北风公司上班", ("user", "identity.employer", "", "北风公司")),
        ("Anna works at Lindqvist AB", ("Anna", "identity.employer", "", "Lindqvist AB")),
        ("小王搬到了无锡", ("小王", "state.location", "", "无锡")),
        ("My sister lives in Rome", ("my sister", "state.location", "", "Rome")),
        ("My favourite editor is Helix", ("user", "preference.editor", "", "Helix")),
        ("I use Zed as my editor", ("user", "preference.editor", "", "Zed")),
        ("我最喜欢的编辑器是Helix", ("user", "preference.editor", "", "Helix")),
        ("I prefer tea to coffee", ("user", "preference.choice", "coffee / tea", "tea")),
        ("I prefer coffee over tea these days", ("user", "preference.choice", "coffee / tea", "coffee")),
        ("My favourite breakfast is porridge", ("user", "preference.food", "breakfast", "porridge")),
        ("我的船叫白鹭", ("user", "possession.name", "船", "白鹭")),
        ("The name of my boat is Heron", ("user", "possession.name", "boat", "Heron")),
        ("I'm allergic to shellfish", ("user", "health.allergy", "shellfish", "shellfish")),
        ("My partner is Joan", ("user", "relation.partner", "", "Joan")),
        ("I'm single", ("user", "state.relationship", "", "single")),
        ("My phone number is 555 0198", ("user", "contact.phone", "", "555 0198")),
    ],
)
def test_what_fills_a_slot(text: str, slot: tuple[str, str, str, str]) -> None:
    found = slot_of(text)
    assert found is not None
    assert (found.subject, found.dimension, found.qualifier, found.value) == slot


@pytest.mark.parametrize(
    "text",
    [
        "Do I live in Paris?", "If I lived in Paris, I would speak French", "I might move to Madrid",
        "I used to live in Rome",
        "Anna, who lives in Paris, called", 'You wrote "I live in Paris"', "I moved to Vim",
        "I moved to Platform Engineering",
        "I'm a morning person", "I work at night", "I live in fear", "He lives in Rome", "I like it",
        "My phone is broken",
        "I no longer live in Paris", "I don't like olives", "我住在巴黎吗？", "我可能搬去马德里",
        "小王说我住在巴黎", "他住在罗马",
        "我是素食者", "我有一条狗叫像素", "住在巴黎的小王打来电话", "我不喜欢橄榄", "Which knot holds best?",
        "x" * 500,
    ],
)  # fmt: skip
def test_what_fills_none(text: str) -> None:
    assert slot_of(text) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [("I like coffee", "I like tea"), ("My cat is called Miso", "My cat is called Tofu"), ("我会说丹麦语",
    "我会说芬兰语"), ("I speak Danish", "I speak Finnish")],
)  # fmt: skip
def test_several_of_a_kind_never_share_a_slot(one: str, other: str) -> None:
    first, second = slot_of(one), slot_of(other)
    assert first is not None
    assert second is not None
    assert first.key != second.key


def test_equal_values() -> None:
    assert same_value("12 August 1984", "August 12, 1984")
    assert same_value("the Helix", "helix")
    assert not same_value("Berlin", "Bern")
