"""What makes two statements equal, alike, opposite; how quantities are read."""

import pytest

from memhub.pipeline.statements import compare, normalise, parse
from memhub.text.quantities import find, han_number


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Berlin", "i live in Berlin."),
        ("Backups run every 3 hours", "Backups run every three hours"),
        ("The inspection is on 14 October", "The inspection is on October 14th"),
        ("验船是10月14日", "验船是十月十四日"),
        ("I don't eat peanuts", "I do not eat peanuts"),
        ("The lens cap is 77 mm", "The lens cap is 77mm"),
        ("镜头盖是77mm", "镜头盖是７７ｍｍ"),
        ("The rent is 1,200 euros", "The rent is 1200 euros"),
        ("Remember that the gate code is 4471", "The gate code is 4471"),
        ("记住：大门密码是4471", "大门密码是4471"),
        ("晨会九点半开始", "晨会9点半开始"),
        ("My favourite colour", "my favorite color"),
    ],
)
def test_the_same_said_otherwise_is_equal(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Harbour fee: €1,200", "Harbour fee: €1.200"),
        ("The value is 10⁵ Pa", "The value is 105 Pa"),
        ("It gives 5 MW", "It gives 5 mW"),
        ("Python 3.2", "Python 3.20"),
        ("C is fun", "C++ is fun"),
        ("It is -5 degrees", "It is 5 degrees"),
        ("Tom 👍", "Tom 👎"),
        ("You can swim", "You can swim?"),
        ("The user re-signed", "The user resigned"),
        ("firmware 4.10.2", "firmware 4.1.02"),
        ("绞车保养每六个月一次", "绞车保养每六周一次"),
    ],
)
def test_what_may_mean_something_else_is_not_equal(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Invoice 2231 of 14 October", [("number", "2231"), ("date", "10-14")]),
        ("三号泊位 五月三号", [("ordinal", "#3"), ("date", "05-03")]),
        ("每六个月 六周 周一", [("amount", "6|month"), ("amount", "6|week"), ("weekday", "monday")]),
        ("at 9:30 am, 3pm, 下午三点", [("time", "09:30"), ("time", "15:00"), ("time", "15:00")]),
        ("OZ-1147 and v4.10.2", [("identifier", "oz-1147"), ("version", "4.10.2")]),
        ("我是一名护士，一起去四川", [("article", "")]),
    ],
)
def test_quantities_have_one_canonical_form(text: str, kinds: list[tuple[str, str]]) -> None:
    assert [(q.kind, q.canon) for q in find(text)] == kinds


def test_a_quantity_points_at_its_place() -> None:
    text = "Rent is 940 euros from 1 June"
    assert [text[q.start : q.stop] for q in find(text)] == ["940 euros", "1 June"]


@pytest.mark.parametrize(
    ("text", "value"), [("二十一", 21), ("两", 2), ("一百二十", 120), ("二〇二六", 2026), ("三万五千", 35_000)]
)
def test_chinese_numerals(text: str, value: int) -> None:
    assert han_number(text) == value


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("Boat inspection is on 14 October", "Boat inspection is on 15 October", "14 → 15 October"),
        ("Invoice 2231 is paid", "Invoice 2213 is paid", "2231 ≠ 2213"),
        ("三号泊位空着", "五号泊位空着", "三号 ≠ 五号"),
        ("缆绳直径 16 mm", "缆绳直径 16 cm", "16 mm → 16 cm"),
        ("Berth 7A costs 410 a year", "Berth 7B costs 410 a year", "7A ≠ 7B"),
    ],
)
def test_the_difference_is_named(old: str, new: str, difference: str) -> None:
    assert compare(old, new).differences == (difference,)


def test_negation_and_marks_stand_beside_the_core() -> None:
    compared = compare("I smoke", "I no longer smoke")
    assert (compared.is_core_equal, compared.do_negations_differ) == (True, True)
    assert parse("I no longer smoke").is_correction
    assert parse("会议改成十一点半").is_correction
    assert not parse("我觉得不错").negations


@pytest.mark.parametrize(
    "text",
    ["Do I live in Paris?", "If I lived in Paris I would smile", "Anna says I live in Paris", "我住在巴黎吗？",
    "小王说我住在巴黎", "如果我住在巴黎", "I used to live in Rome"],
)  # fmt: skip
def test_these_state_nothing(text: str) -> None:
    assert not parse(text).is_plain


def test_these_do_state_something() -> None:
    said = ("数据库用的是 SQLite", "问题在第三行", "The May release is out", "我住在柏林", "我会说丹麦语")
    assert all(parse(text).is_plain for text in said)


def test_long_texts_are_equal_only_when_written_alike() -> None:
    page = "The tide was high. " * 1000
    assert normalise(page) == normalise(page.upper() + "\n")
    assert not compare(page, page + "It rained.").is_equal
