"""The substring promise: what stands in an item, two characters or more and not white space alone, finds it."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unicodedata import combining, normalize

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memhub.model.result import NewNote
from memhub.text.clean import clean
from memhub.workspace import Memory

TEXTS = [
    "The ferry to Naxos leaves at 7:30 from gate E2, not E1.",
    "数据库每天凌晨三点备份到 NAS，保留30天。繁體字與简体字混用",
    "for (i = 0; i < n; i++) { a[i] ^= b->c::d<T>(x, &y) || !z; } // §12 ~$HOME\\n",
    "👩\u200d🚀 landed, 👨\u200d👩\u200d👧\u200d👦 waved 🇩🇪🇫🇷 👍🏽 ❤️ 1️⃣",
    "e\u0301te\u0301 Straße İstanbul ﬁn Å Ω ẞ ǆ ﷺ",
    "機器學習 with GPU カメラ ｶﾒﾗ 한국어 ２０２６年",
    "שלום עולם \u202eabc\u202c مرحبا بالعالم ١٢٣",
    'SELECT "a""b", \'%_\' FROM t WHERE x NEAR/3 y AND NOT z* OR -w;',
    "line one\n\n\tline two\r\nline three\u2028line four \u00a0 end",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
    "ｗｉｄｅ　ｔｅｘｔ\u3000\u3000and narrow",
    "𠮷野家 𝒳 𝔘𝔫𝔦 \U0010ffff \ufeff\u200b\u00ad soft",
]
_ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
_MIXED = st.lists(st.sampled_from(TEXTS) | _ANY, min_size=1, max_size=3).map("".join)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with Memory(tmp_path_factory.mktemp("part") / "mh.db") as memory:
        yield memory


def part_of(text: str, start: int, length: int) -> str:
    start %= max(len(text) - 1, 1)
    return text[start : start + max(length, 2)]


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=_MIXED, start=st.integers(0, 500), length=st.integers(2, 60))
@example(text=TEXTS[4], start=0, length=2)  # between a letter and its accent
@example(text=TEXTS[4], start=1, length=2)
@example(text=TEXTS[3], start=1, length=2)  # inside an emoji sequence
@example(text="0\u0307\u0300", start=1, length=2)
@example(text="가\u11a8나", start=0, length=2)
def test_any_part_of_any_text_finds_it(filled: Memory, text: str, start: int, length: int) -> None:
    kept = clean(text)
    part = part_of(kept, start, length)
    if len(part) < 2 or not part.strip():
        return
    item = filled.add(text, again=True).item
    assert item.content == kept
    found = {hit.item.id for hit in filled.search(part, exact=True, limit=0).hits}
    assert item.id in found, (part, kept)


@pytest.mark.parametrize("text", TEXTS)
def test_every_part_of_these_is_found_and_nothing_else(tmp_path: Path, text: str) -> None:
    kept = clean(text)
    with Memory(tmp_path / "mh.db") as memory:
        items = dict.fromkeys(TEXTS)
        for added in memory.add_many(NewNote(other) for other in items):
            items[added.item.content] = added.item.id  # type: ignore[union-attr]
        chance = random.Random(kept)
        for _ in range(120):
            part = part_of(kept, chance.randrange(len(kept)), chance.choice((2, 2, 3, 4, 7, 15, len(kept))))
            if len(part) < 2 or not part.strip():
                continue
            found = memory.search(part, exact=True, limit=0).hits
            assert items[kept] in {hit.item.id for hit in found}, part
            if part.isascii() and part.isalnum():
                for hit in found:
                    plain = "".join(c for c in normalize("NFKD", hit.item.content.casefold()) if not combining(c))
                    assert part.casefold() in plain, (part, hit.item.content)


def test_the_command_line_keeps_the_promise(mh: Callable[..., Any]) -> None:
    ids = {}
    for text in TEXTS:
        added = json.loads(mh("add", "-", "--json", stdin=text).out)
        ids[added["id"]] = added["content"]
    chance = random.Random(4)
    for key, kept in ids.items():
        for _ in range(8):
            part = part_of(kept, chance.randrange(len(kept)), chance.choice((2, 3, 9)))
            if len(part) < 2 or not part.strip():
                continue
            code, out, err = mh("search", "--exact", "--limit", "0", "-q", "--", part)
            assert code == 0, err
            assert key in out.split(), (part, kept)


def test_the_promise_holds_for_filtered_and_archived_items(tmp_path: Path) -> None:
    from memhub.model.query import Filters

    with Memory(tmp_path / "mh.db") as memory:
        item = memory.add("数据库备份 at gate E2", labels=["ops"]).item
        memory.set(item.id, archived=True)
        for part in ("据库", "备份 a", "E2", "te E"):
            assert not memory.search(part, exact=True, limit=0).hits
            hits = memory.search(part, Filters(states=("archived",), labels=("ops",)), exact=True, limit=0).hits
            assert [hit.item.id for hit in hits] == [item.id]
