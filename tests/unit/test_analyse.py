"""What is indexed and what is looked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhub.text.analyse import (
    RUNS,
    STOP_WORDS,
    Term,
    asking_terms,
    has_words,
    index_text,
    match_expression,
    phrase_expression,
    query_terms,
)
from memhub.text.script import script


@pytest.mark.parametrize(
    ("text", "indexed"),
    [
        ("plain English, untouched", "plain English, untouched"),
        ("机器学习", "机器 器学 学习 习"),
        ("书", "书"),
        ("Phillips曲线图", "Phillips 曲线 线图 图"),
        ("用 iPhone手机", "用 iPhone 手机 机"),
        ("北京、上海。", "北京 京 、 上海 海 。"),
        ("カタカナ・テスト", "カタ タカ カナ ナ ・ テス スト ト"),
        ("ﾃｽﾄ ＡＢＣ", "テス スト ト ABC"),
        ("한국어 글", "한국 국어 어 글"),
        ("𠮷野家", "𠮷野 野家 家"),
        ("人々〇", "人々 々〇 〇"),
        ("ㄅㄆ", "ㄅㄆ ㄆ"),
        ("café Straße", "café Straße"),
    ],
)
def test_index_text(text: str, indexed: str) -> None:
    assert index_text(text).split() == indexed.split()


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("机器学习", ["机器", "器学", "学习"]),
        ("书", ["书*"]),
        ("iPhone手机", ["iphone", "手机"]),
        ("When did the ferry leave?", ["ferry", "leave"]),
        ("to be or not to be", ["to", "be", "or", "not"]),
        ("the 书", ["书*"]),
        ("C++ C#", ["c"]),
        ("a_b a-b", ["b"]),
        ("don't panic", ["don", "panic"]),
        ("ferry Ferry FERRY", ["ferry"]),
        ("ＡＢＣ", ["abc"]),
        ("§§ ->", []),
        ('NEAR("x y", 3) AND NOT z', ["near", "x", "y", "3", "z"]),
    ],
)
def test_query_terms(query: str, terms: list[str]) -> None:
    assert [term.text + ("*" if term.prefix else "") for term in query_terms(query)] == terms


def test_match_expression_quotes_everything() -> None:
    assert match_expression([Term("near"), Term('x"y'), Term("书", prefix=True)]) == '"near" OR "x""y" OR "书"*'


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("green tea", '{own}: "green tea"'),
        ("机器学习", '{own}: "机器 器学 学习"'),
        ("用 Phillips 曲线", '{own}: "用 phillips 曲线"'),
        ("使用Phillips", '{own}: "使用 用 phillips"'),
        ("phillips 曲", '{own}: "phillips 曲"*'),
        ("a-b", '{own}: "a b"'),
        ("tea", None),
        ("手机", None),
        ("§§", None),
    ],
)
def test_phrase_expression(text: str, expression: str | None) -> None:
    assert phrase_expression(text) == expression


def test_only_letters_and_digits_are_words() -> None:
    assert [text for text in ("§§", "->", "……", "👩‍🚀", "_", "", "C#", "50%", "书", "①") if has_words(text)] == [
        "C#",
        "50%",
        "书",
        "①",
    ]


@given(
    st.text(alphabet=st.one_of(st.sampled_from("机器学习书𠮷カ한 aB1-、"), st.characters(codec="utf-8")), max_size=40)
)
def test_every_substring_shares_a_term_with_its_text(text: str) -> None:
    """What is looked for is in what was indexed: every pair and every lone character of a run begins some token."""
    tokens = index_text(text).split()
    for term in query_terms(text):
        if term.prefix or (len(term.text) == 2 and all(char in "机器学习书" for char in term.text)):
            assert any(token.startswith(term.text) for token in tokens)


def test_what_only_asks_leaves_a_chinese_query() -> None:
    assert [term.text for term in query_terms("妈妈什么时候飞")] == ["妈妈", "飞"]
    assert [term.text for term in asking_terms("妈妈什么时候飞")] == ["什么", "么时", "时候"]
    assert asking_terms("什么时候") == asking_terms("where does 妈妈 live") == []
    assert [term.text for term in query_terms("谁负责前端呢")] == ["负责", "责前", "前端"]
    assert [term.text for term in query_terms("怎么")] == ["怎么"]
    assert [term.text for term in query_terms("吗啡")] == ["吗啡"]


def test_stop_words_are_plain_words() -> None:
    assert {"the", "what", "s"} <= STOP_WORDS
    assert not {"c", "r", "go", "may", "will not"} & STOP_WORDS
    assert "・" not in RUNS


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the ferry leaves at nine", "latin"),
        ("图书馆九点开门", "han"),
        ("用 GPU 训练 model 的方法", "han"),
        ("machine learning (机器) in practice", "latin"),
        ("ひらがなとカタカナ", "han"),
        ("한국어 텍스트", "hangul"),
        ("Привет мир", "cyrillic"),
        ("123 %%", ""),
        ("👩‍🚀", ""),
    ],
)
def test_script(text: str, name: str) -> None:
    assert script(text) == name
