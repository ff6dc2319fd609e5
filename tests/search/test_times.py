"""Times that a query names, asked on Tuesday 2026-02-10, in both languages."""

import pytest

from memhub.search.times import named_time
from memhub.text.dates import Zone

ZONE = Zone("UTC", 1_770_724_800_000)  # 2026-02-10T12:00:00Z


def told(query: str) -> str | None:
    time = named_time(query, ZONE)
    return time and time.told


@pytest.mark.parametrize(
    ("query", "span"),
    [
        ("what did I do today", "on 2026-02-10"),
        ("notes from yesterday", "on 2026-02-09"),
        ("the day before yesterday", "on 2026-02-08"),
        ("last week", "from 2026-02-02 to 2026-02-08"),
        ("this month", "from 2026-02-01 to 2026-02-28"),
        ("last month's rent", "from 2026-01-01 to 2026-01-31"),
        ("last weekend", "from 2026-02-07 to 2026-02-08"),
        ("last Friday", "on 2026-02-06"),
        ("invoices in March 2023", "from 2023-03-01 to 2023-03-31"),
        ("invoices in March", "from 2025-03-01 to 2025-03-31"),
        ("2024-05 rent", "from 2024-05-01 to 2024-05-31"),
        ("two months ago", "from 2025-12-01 to 2025-12-31"),
        ("3 days ago", "on 2026-02-07"),
        ("last 3 days", "from 2026-02-07 to 2026-02-10"),
        ("what did Maria say on 7 May", "on 2025-05-07"),
        ("what did Maria say on May 7th, 2023", "on 2023-05-07"),
        ("since last summer", "from 2025-06-01"),
        ("last winter", "from 2024-12-01 to 2025-02-28"),
        ("summer of 2021", "from 2021-06-01 to 2021-08-31"),
        ("contracts before 2024", "to 2023-12-31"),
        ("contracts after 2024", "from 2025-01-01"),
        ("until last month", "to 2026-01-31"),
        ("between August 11 and August 15 2023 in Rome", "from 2023-08-11 to 2023-08-15"),
        ("from May to July", "from 2025-05-01 to 2025-07-31"),
        ("上个月的会议", "from 2026-01-01 to 2026-01-31"),
        ("去年三月 发票", "from 2025-03-01 to 2025-03-31"),
        ("前天说了什么", "on 2026-02-08"),
        ("2023年5月 预算", "from 2023-05-01 to 2023-05-31"),
        ("2023年5月7日的会", "on 2023-05-07"),
        ("上周五 deploy", "on 2026-02-06"),
        ("上上周部署", "from 2026-01-26 to 2026-02-01"),
        ("三个月前的合同", "from 2025-11-01 to 2025-11-30"),
        ("最近两周 数据库", "from 2026-01-27 to 2026-02-10"),
        ("去年夏天 旅行", "from 2025-06-01 to 2025-08-31"),
        ("2023年以来的备份", "from 2023-01-01"),
        ("去年之前的合同", "to 2024-12-31"),
        ("六月之前的账单", "to 2025-05-31"),
        ("half a year ago", "from 2025-08-01 to 2025-08-31"),
        ("半年前的体检", "from 2025-08-01 to 2025-08-31"),
        ("去年 12 月 的发票", "from 2025-12-01 to 2025-12-31"),
        ("2025 年 3 月 5 日 的会", "on 2025-03-05"),
        ("invoices up to June", "to 2025-06-30"),
        ("从三月到五月的预算", "from 2025-03-01 to 2025-05-31"),
    ],
)
def test_the_time_that_a_query_names(query: str, span: str) -> None:
    assert told(query) == span


@pytest.mark.parametrize(
    "query",
    [
        "when did Caroline go camping", "什么时候去露营", "May I borrow the ladder", "march of progress", "spring boot",
        "the Friday report", "周五的例会", "restart in 3 weeks", "tomorrow", "明天", "next month", "room 2023 key",
        "on May 40", "二月三十日", "last seen", "一月一次的例会", "in March 2027",
        "999 years ago", "9999 years ago", "一千年前", "on 31 February",
    ],
)  # fmt: skip
def test_no_time(query: str) -> None:
    assert told(query) is None


def test_a_day_is_the_day_of_the_user() -> None:
    late = Zone("Asia/Shanghai", 1_770_753_600_000)  # 2026-02-10T20:00:00Z, the 11th there
    time = named_time("today", late)
    assert time is not None
    assert time.told == "on 2026-02-11"
    span = time.range(late)
    assert span is not None
    assert span.days == ("2026-02-11", "2026-02-11")
