"""The rule for labels, sign by sign."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhub.text.labels import find_labels, is_label, label_key, normalise, unique_labels
from memhub.text.masks import mask_markup

LINKS = """Manual: https://docs.example.org/manual/scheduler#round-robin and about://settings/#proxy and
[section two](guide.md#section-two), see also <https://example.org/?q=a#b> and www.example.org/#/ticket/list?x=1

Real one at the end of a line #profiling
"""
CODE = """```c
#define LIMIT 3
#include <stdio.h>
```

    #!/bin/sh
    # comment #notalabel

Inline `#selector` and `a[href="#top"]`, colour #a1b2c3 and #fff, order # K-2207, ticket #4711, item #4711a, C# and F#,
a\\#b, ##twice, issue owner/repo#12, &#8364; and &#x20AC;
"""
CHINESE = """#读书 今天看完第三章。 版本#2说明在附录，编号＃7 的图缺了。
中文里没有空格#不算标签 但换行后
#日记/2026 算，（#括号里）算不算要写明白。 #emoji🎉 也行

| 表 | 头 |
|---|---|
| #表里 | x |
"""


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        (LINKS, ["profiling"]),
        (CODE, ["4711a"]),
        (CHINESE, ["读书", "日记/2026", "括号里", "emoji🎉", "表里"]),
        (
            '# Heading\n#Garden again, #slow-tools too, #tools, #tools. (#tools) "#no"',
            ["Garden", "slow-tools", "tools"],
        ),
        ("see https://example.org/x#frag and `#code`, label #kept", ["kept"]),
        ("#Garden #garden #GARDEN", ["Garden"]),
        ("#cafe\u0301 #caf\u00e9", ["caf\u00e9"]),
        ("#a/b #c/ #d- #e_", ["a/b", "c", "d", "e_"]),
        ("\\#b \\ #c", ["c"]),
        ("f(#x) [a](#part) (#y) ((#z))", ["y", "z"]),
        ("「#引号」《#书名》", ["引号", "书名"]),
        ("## Plan #todo\n", ["todo"]),
        ("#1984 #1984a #12 #2024/05", ["1984a", "2024/05"]),
        ("#bad #add #facade #eee #ffccdd #1b3", ["bad", "add", "facade"]),
        ("<a href='x' data-x=' #no'>#no2</a> <!-- #no3 -->", []),
        ("$x #no$ and it costs $5 #yes or $6", ["yes"]),
        ("[[Note #no]] [x](<a b #no>) #yes", ["yes"]),
        ("[ref]: https://example.org 'a #no'", []),
        ("[12:30]: talked about #yes today", ["yes"]),
        ("[a]: #part\n#yes", ["yes"]),
        ("- item\n\n    #yes still the item\n", ["yes"]),
        ("text\n\n\t#no code\n\nmore #yes", ["yes"]),
        ("> ```\n> #no\nafter #yes", ["yes"]),
        ("```\n#no\n", []),
        ("~~~\n```\n#no\n~~~\n#yes", ["yes"]),
        ("``#no ` #no`` #yes `", ["yes"]),
        ("an \\` escaped #yes `", ["yes"]),
        ("- a ` b\n- #yes ` c", ["yes"]),
        ("#हिन्दी #한국어 #عربي", ["हिन्दी", "한국어", "عربي"]),
        ("#👩\u200d💻 #❤\ufe0f", ["👩\u200d💻", "❤\ufe0f"]),
        ("#!bang #- #/ # ", []),
        ("%% remark #kept %%", ["kept"]),
        ("#" + "x" * 200, []),
        ("<pre>\n#no\n</pre> #yes", ["yes"]),
        ("a < b #yes and c > d", ["yes"]),
        ("no hash", []),
    ],
)
def test_labels_in_a_text(text: str, labels: list[str]) -> None:
    assert list(find_labels(text)) == labels


@pytest.mark.parametrize(
    ("raw", "stored"),
    [("#City", "City"), ("  slow \t tools ", "slow tools"), ("##x", "x"), ("a/b/", "a/b"), ("#", ""), ("2026", "2026")],
)
def test_spelling(raw: str, stored: str) -> None:
    assert normalise(raw) == stored


def test_sameness_ignores_case_and_composition() -> None:
    assert label_key("#Straße") == label_key("STRASSE")
    assert label_key("Cafe\u0301") == label_key("CAFÉ")
    assert unique_labels(["garden", "#Garden", "", "slow tools"]) == ("garden", "slow tools")
    assert not is_label("2026")
    assert not is_label("ffcc00")
    assert is_label("slow tools")


def test_a_mask_keeps_offsets_and_lines() -> None:
    masked = mask_markup(CODE)
    assert len(masked) == len(CODE)
    assert masked.count("\n") == CODE.count("\n")
    assert "define" not in masked
    assert "order # K-2207" in masked


@given(st.text(alphabet="#a `~<>!-\n\t$\\[]()1中", max_size=80))
def test_any_text_gives_labels_that_are_in_it(text: str) -> None:
    assert len(mask_markup(text)) == len(text)
    for label in find_labels(text):
        assert label in text


@pytest.mark.parametrize(
    "piece",
    [
        "#",
        "`",
        "``` ",
        "#a ",
        "<!--",
        "<a ",
        "<code>",
        "$$",
        "$",
        "(",
        "[[",
        "](",
        "\\`",
        "` `` ",
        "    x\n\n",
        ">",
        "<style>",
    ],
)
def test_a_megabyte_takes_no_time(piece: str) -> None:
    text = "#a " + piece * (1_000_000 // len(piece))
    start = time.process_time()
    find_labels(text)
    assert time.process_time() - start < 8
