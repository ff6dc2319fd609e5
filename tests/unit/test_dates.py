"""Days are the user's days, in every zone, also where the clock jumps."""

import pytest

from memhub.errors import UsageError
from memhub.text.dates import Zone, checked_time, instant_ms, parse_date, parse_range, precision, show_time

NOON = 1_770_724_800_000  # 2026-02-10T12:00:00Z
LOS_ANGELES, SHANGHAI, UTC = (Zone(name, NOON) for name in ("America/Los_Angeles", "Asia/Shanghai", "UTC"))
NOTES = {
    "evening": "2026-02-11T03:40:00Z",
    "noon": "2026-02-10T20:00:00Z",
    "last minute": "2026-02-11T07:59:59Z",
    "first second": "2026-02-11T08:00:00Z",
    "date only": "2026-02-10",
    "after the jump": "2026-03-08T10:30:00Z",
    "23:30 on the short day": "2026-03-09T06:30:00Z",
    "清晨": "2026-02-10T23:10:00Z",
}


def within(since, until, zone):
    """The notes in a range, by the rule that `Range` documents."""
    span = parse_range(since, until, zone)
    found = set()
    for name, stored in NOTES.items():
        low, high = span.instants if stored.endswith("Z") else span.days
        value = instant_ms(stored) if stored.endswith("Z") else stored
        below_high = high is None or (value < high if stored.endswith("Z") else value <= high)
        if (low is None or value >= low) and below_high:
            found.add(name)
    return found


@pytest.mark.parametrize("named", [True, False])
def test_this_evening_belongs_to_today(named, zone):
    def at(name):
        zone("Pacific/Kiritimati" if named else name)
        return Zone(name if named else "")

    los_angeles = at("America/Los_Angeles")
    assert within("2026-02-10", "2026-02-10", los_angeles) == {"noon", "evening", "last minute", "清晨", "date only"}
    assert within("2026-03-08", "2026-03-08", los_angeles) == {"after the jump", "23:30 on the short day"}
    shanghai = at("Asia/Shanghai")
    assert within("2026-02-10", "2026-02-10", shanghai) == {"date only"}
    assert within("2026-02-11", "2026-02-11", shanghai) == {"noon", "evening", "last minute", "first second", "清晨"}


def test_the_short_day_has_23_hours():
    start, end = parse_range("2026-03-08", "2026-03-08", LOS_ANGELES).instants
    assert (end - start) // 3_600_000 == 23
    start, end = parse_range("2026-11-01", "2026-11-01", LOS_ANGELES).instants
    assert (end - start) // 3_600_000 == 25


def test_a_day_whose_midnight_is_skipped_begins_at_one():
    start = parse_range("2018-11-04", None, Zone("America/Sao_Paulo")).instants[0]
    assert start == instant_ms("2018-11-04T03:00:00Z")


@pytest.mark.parametrize(
    ("since", "days"),
    [
        ("2026-02", ("2026-02-01", "2026-02-28")),
        ("2024-02", ("2024-02-01", "2024-02-29")),
        ("2026", ("2026-01-01", "2026-12-31")),
        ("today", ("2026-02-10", "2026-02-10")),
        ("yesterday", ("2026-02-09", "2026-02-09")),
        ("3d", ("2026-02-07", "2026-02-07")),
        ("2w", ("2026-01-27", "2026-01-27")),
    ],
)
def test_a_range_takes_days_months_years_and_words(since, days):
    assert parse_range(since, since, UTC).days == days


def test_today_is_the_users_today():
    later = NOON + 5 * 3_600_000  # 17:00 in UTC is the 11th in Shanghai
    assert parse_date("today", SHANGHAI._replace(now_ms=later)) == "2026-02-11"
    assert parse_date("today", LOS_ANGELES._replace(now_ms=later)) == "2026-02-10"
    assert parse_date("6h", UTC) == "2026-02-10T06:00:00Z"


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("2026-02-10", "2026-02-10"),
        ("2026-2-1", "2026-02-01"),
        ("2026-02", "2026-02"),
        ("2026-02-10 20:00", "2026-02-11T04:00:00Z"),
        ("2026-02-10T20:00:00+08:00", "2026-02-10T12:00:00Z"),
        ("2026-02-10T20:00:00.250Z", "2026-02-10T20:00:00.250Z"),
        ("yesterday", "2026-02-09"),
    ],
)
def test_a_date_is_stored_as_exactly_as_it_was_given(given, stored):
    assert parse_date(given, LOS_ANGELES) == stored


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("2026-02-30", "2026-02 has 28 days"),
        ("2026-13", "no month 13"),
        ("02-10", "without a year"),
        ("2/10", "without a year"),
        ("0000-01-01", "no year"),
        ("soon", "no date"),
        ("2026-02-10T25:00", "no such time of day"),
        ("99999999999d", "no date"),
        ("9999-12-31T23:59:59-12:00", "too far away"),
        ("0001-01-01T00:00+14:00", "too far away"),
        ("", "no date"),
    ],
)
def test_what_is_no_date_is_refused(given, words):
    with pytest.raises(UsageError, match=words) as caught:
        parse_date(given, UTC)
    assert caught.value.exit_code == 2


def test_a_range_that_ends_before_it_begins_is_refused():
    with pytest.raises(UsageError, match="is after"):
        parse_range("2026-02-11", "2026-02-10", UTC)


def test_an_unknown_zone_is_named():
    with pytest.raises(UsageError, match="unknown time zone `Mars/Base`"):
        parse_date("today", Zone("Mars/Base"))


def test_times_are_shown_on_the_users_clock_and_plain_dates_unmoved():
    assert show_time("2026-02-11T03:40:00Z", LOS_ANGELES) == "2026-02-10 19:40"
    assert show_time("2026-02-11T03:40:00.123Z", SHANGHAI) == "2026-02-11 11:40"
    assert show_time("2026-02-10", LOS_ANGELES) == "2026-02-10"
    assert show_time(None, UTC) == ""


def test_precision_is_what_the_source_knew():
    assert [precision(stored) for stored in ("2026", "2026-02", "2026-02-10", "2026-02-10T00:00:00Z")] == [
        "year",
        "month",
        "day",
        "second",
    ]


@pytest.mark.parametrize(
    "given", ["0001-01-01T00:00:00Z", "0999-06-01T10:00:00.5Z", "9999-12-31T23:59:59Z", "0001", "9999-12"]
)
def test_what_is_accepted_can_be_shown_everywhere(given):
    stored = checked_time(given)
    for zone in (LOS_ANGELES, SHANGHAI, UTC, Zone()):
        assert show_time(stored, zone)[:4].isdigit()
    if stored.endswith("Z"):
        assert len(stored.partition(".")[0].rstrip("Z")) == 19
        assert checked_time(stored) == stored
        assert parse_date(given, UTC) == stored


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("2026-02-10T10:00:00+08:00", "2026-02-10T02:00:00Z"),
        ("2026-02-10 10:00", "2026-02-10T10:00"),
        ("2026-02-10T10:00:00.25Z", "2026-02-10T10:00:00.250Z"),
        ("2026-02", "2026-02"),
    ],
)
def test_a_time_from_a_program_is_kept_in_one_form(given, stored):
    assert checked_time(given) == stored


@pytest.mark.parametrize(
    "given", ["", "nonsense", "x" * 19 + "Z", "2026-99-99", "2026-2-1", "today", "3d", "10000-01-01T00:00:00Z"]
)
def test_what_no_clock_shows_is_refused_from_programs(given):
    with pytest.raises(UsageError):
        checked_time(given)


@pytest.mark.parametrize(
    "stored", ["x" * 19 + "Z", "10000-01-01T11:59:59Z", "1-01-01T10:00:00Z", "9999-99-99T99:99:99Z"]
)
def test_a_time_that_another_program_stored_is_shown_somehow(stored):
    for zone in (LOS_ANGELES, SHANGHAI, UTC, Zone()):
        assert show_time(stored, zone)
