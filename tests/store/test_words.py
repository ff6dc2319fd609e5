"""The full-text index in a real file."""

from pathlib import Path

import apsw
import pytest

from memhub.store import words
from memhub.store.connection import connect
from memhub.store.schema import open_schema
from memhub.text.analyse import match_expression, phrase_expression, query_terms

TEXTS = {
    1: "The sourdough starter needs feeding every day",
    2: "机器学习的书在二楼图书馆",
    3: "学习使用 iPhone手机 拍照",
    4: "Café Zürich closes at nine; don't be late",
    5: "她在上海读书",
    6: "書店 のカタカナ ﾃｽﾄ page",
    7: "𠮷野家 𠀋𠀌𠀍 rare characters",
    8: "한국어 텍스트를 찾는다",
    9: "ＦＵＬＬ width ①",
}


@pytest.fixture
def connection(tmp_path: Path) -> apsw.Connection:
    opened = connect(tmp_path / "mh.db")
    open_schema(opened, tmp_path / "mh.db", tmp_path / "snapshots")
    for n, text in TEXTS.items():
        words.put(opened, [words.Row(n, text)])
        opened.execute(
            """INSERT INTO item(n, id, suffix, layer, kind, state, is_present, space, updated_at, updated_ms, added_ms)
               VALUES (?, ?, ?, 'L1', ?, 'live', 1, 1, '', 0, 0)""",
            (n, f"id{n}", f"{n}di", "note" if n % 2 else "fact"),
        )
    return opened


def found(connection: apsw.Connection, query: str, where: str = "1") -> list[int]:
    expression = match_expression(query_terms(query))
    return [hit.n for hit in words.ranked(connection, expression, where, (), 10)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("feeds", [1]),
        ("学习", [3, 2]),
        ("图书馆", [2]),
        ("书", [5, 2]),
        ("馆", [2]),
        ("手机", [3]),
        ("iphone", [3]),
        ("cafe zurich", [4]),
        ("テスト", [6]),
        ("𠀌𠀍", [7]),
        ("𠀍", [7]),
        ("텍스트", [8]),
        ("full", [9]),
        ("ｗｉｄｔｈ", [9]),
        ("nothing like it", []),
    ],
)
def test_finds(connection: apsw.Connection, query: str, expected: list[int]) -> None:
    assert sorted(found(connection, query)) == sorted(expected)


@pytest.mark.parametrize(
    "query", ['NEAR("x y", 3) AND NOT z', 'own: "', "* OR", "near:book", "{own near}: x", "a^b -c"]
)
def test_syntax_is_text(connection: apsw.Connection, query: str) -> None:
    assert found(connection, query) == []


def test_condition_is_applied_and_ranking_stays(connection: apsw.Connection) -> None:
    assert found(connection, "学习", "item.kind = 'fact'") == [2]
    assert found(connection, "学习", "item.kind = 'task'") == []


def test_narrow_condition_visits_every_match(connection: apsw.Connection) -> None:
    for n in range(100, 200):
        words.put(connection, [words.Row(n, "common common common")])
        connection.execute(
            """INSERT INTO item(n, id, suffix, layer, kind, state, is_present, space, updated_at, updated_ms, added_ms)
               VALUES (?1, ?1, ?1, 'L1', ?2, 'live', 1, 1, '', 0, 0)""",
            (n, "rare" if n == 199 else "note"),
        )
    hits = words.ranked(connection, '"common"', "item.kind = ?", ("rare",), 5)
    assert [hit.n for hit in hits] == [199]


def test_phrase_is_exact(connection: apsw.Connection) -> None:
    def phrase(text: str) -> list[int]:
        return [hit.n for hit in words.ranked(connection, phrase_expression(text) or "", "1", (), 10)]

    assert phrase("sourdough starter needs") == [1]
    assert phrase("starter sourdough") == []
    assert phrase("机器学习") == [2]
    assert phrase("使用 iPhone手机") == [3]
    assert phrase("iphone 手") == [3]
    assert phrase("手机") == []  # one pair: no phrase, the term itself finds it


def test_neighbours_count_less(connection: apsw.Connection) -> None:
    words.put(connection, [words.Row(50, "nothing here", ("zebra crossing",))])
    words.put(connection, [words.Row(51, "zebra crossing", ("nothing here",))])
    for n in (50, 51):
        connection.execute(
            """INSERT INTO item(n, id, suffix, layer, kind, state, is_present, space, updated_at, updated_ms, added_ms)
               VALUES (?1, ?1, ?1, 'L0', 'turn', 'live', 1, 1, '', 0, 0)""",
            (n,),
        )
    assert found(connection, "zebra") == [51, 50]
    assert words.ranked(connection, phrase_expression("zebra crossing") or "", "1", (), 5)[0].n == 51


def test_put_again_replaces(connection: apsw.Connection) -> None:
    words.put(connection, [words.Row(1, "rye bread")])
    assert found(connection, "sourdough") == []
    assert found(connection, "rye") == [1]
    assert words.size(connection) == len(TEXTS)


def test_weights_are_those_of_bm25(connection: apsw.Connection) -> None:
    weighed = words.weigh(connection, query_terms("学习 feeding absent 书"))
    by_text = dict(zip([term.text for term in weighed.terms], weighed.idf, strict=True))
    assert by_text["学习"] == pytest.approx(1.0986, abs=1e-3)  # ln(7.5 / 2.5)
    assert by_text["feeding"] == pytest.approx(1.7346, abs=1e-3)  # ln(8.5 / 1.5), found by its stem
    assert by_text["absent"] == pytest.approx(2.9444, abs=1e-3)  # ln(9.5 / 0.5)
    assert by_text["书"] == pytest.approx(1.0986, abs=1e-3)  # items 2 and 5, by prefix


def test_common_terms_bring_no_rows_but_count(connection: apsw.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(100, 140):
        words.put(connection, [words.Row(n, "filler of the day")])
    for n, text in ((98, "bread"), (99, "sourdough bread"), (101, "bread"), (102, "bread roll")):
        words.put(connection, [words.Row(n, text)])
    for n in (98, 99):
        connection.execute(
            """INSERT INTO item(n, id, suffix, layer, kind, state, is_present, space, updated_at, updated_ms, added_ms)
               VALUES (?1, ?1, ?1, 'L1', 'note', 'live', 1, 1, '', 0, 0)""",
            (n,),
        )
    terms = query_terms("sourdough bread")

    def hits() -> list[words.Ranked]:
        weighed = words.weigh(connection, terms)
        return words.ranked(connection, weighed.expression, "1", (), 50, weighed.copies)

    plain = hits()
    assert [hit.n for hit in plain] == [99, 98, 1]
    monkeypatch.setattr(words, "BUDGET", 5)
    assert [term.text for term in words.weigh(connection, terms).follow] == ["bread"]
    again = {hit.n: hit.bm25 for hit in hits()}
    assert again == {hit.n: pytest.approx(hit.bm25) for hit in plain if hit.n != 98}
    assert words.weigh(connection, terms[1:]).follow == ()
    assert words.weigh(connection, []).terms == ()


def test_word_that_a_whole_space_shares_leaves_there_only(connection: apsw.Connection) -> None:
    connection.execute("UPDATE item SET space = 2 WHERE n IN (2, 3)")
    terms = query_terms("学习 图书")
    assert [term.text for term in words.weigh(connection, terms, (2,)).terms] == ["图书"]
    assert [term.text for term in words.weigh(connection, terms, (1, 2)).terms] == ["学习", "图书"]
    assert [term.text for term in words.weigh(connection, terms[:1], (2,)).terms] == ["学习"]


def test_purge_takes_dropped_words_out_of_the_file(connection: apsw.Connection, tmp_path: Path) -> None:
    words.put(connection, [words.Row(60, "xylophonesecret 绝密档案", ("quasarsecret",))])
    for n in range(61, 300):
        words.put(connection, [words.Row(n, f"filler text number {n}")])
    words.drop(connection, [60])
    connection.pragma("wal_checkpoint(TRUNCATE)")
    words.purge(connection)
    connection.execute("VACUUM")
    connection.pragma("wal_checkpoint(TRUNCATE)")
    raw = (tmp_path / "mh.db").read_bytes()
    for secret in ("xylophonesecret", "quasarsecret", "绝密"):
        assert secret.encode() not in raw
    assert found(connection, "xylophonesecret") == []
    assert found(connection, "sourdough") == [1]
    connection.execute("INSERT INTO words(words) VALUES ('integrity-check')")
