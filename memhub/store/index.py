"""Derives what search looks in from the items: full-text rows, chunks, and which chunks still need a vector."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import apsw

from memhub.model import EMPTY
from memhub.store import vectors, words
from memhub.store.canonical import dumps
from memhub.store.connection import query

if TYPE_CHECKING:
    from memhub.text.chunks import Chunk

LONG = 2000  # characters; up to here an item is one chunk
_SLICE = 500


class Shown(NamedTuple):
    """The text of an item as reads show it."""

    id: str
    layer: str
    title: str | None
    content: str
    speaker: str | None
    is_present: bool

    @property
    def spoken(self) -> str:
        """`speaker: text` for a turn, title and text for everything else."""
        head = f"{self.speaker}: " if self.layer == "L0" and self.speaker else ""
        title = f"{self.title}\n" if self.title else ""
        return f"{head}{title}{self.content}"


class ChunkRow(NamedTuple):
    """One piece of an item: characters `start` to `stop` of its content, under `heading`."""

    ordinal: int
    start: int
    stop: int
    heading: str
    hash: bytes


def shown(connection: apsw.Connection, number: int) -> Shown | None:
    """The text on display of an item row."""
    return _texts(connection, [number]).get(number)


def _texts(connection: apsw.Connection, numbers: Iterable[int]) -> dict[int, Shown]:
    rows = connection.execute(
        """SELECT item.n, item.id, item.layer, item.title, version.content, version.meta, item.merged, item.is_present
           FROM item LEFT JOIN version ON version.n = item.shown WHERE item.n IN (SELECT value FROM json_each(?))""",
        (dumps(list(numbers)),),
    )
    found: dict[int, Shown] = {}
    for number, identifier, layer, title, content, meta, merged, is_present in rows:
        speaker = json.loads(meta)["attrs"].get("speaker") if layer == "L0" and meta else None
        if merged:
            content = json.loads(merged)["content"]
        found[number] = Shown(identifier, layer, title, content or "", speaker, bool(is_present))
    return found


Beside = tuple[int | None, int | None]
"""Row numbers of the present turns before and after one in its thread."""


def neighbours(connection: apsw.Connection, turns: Iterable[str]) -> dict[str, Beside]:
    """What is beside each of these turns; those that are in no thread are left out."""
    before, after = (
        f"""(SELECT item.n FROM edge JOIN item ON item.id = edge.src
             WHERE edge.dst = own.dst AND edge.relation = 'part_of' AND item.is_present
               AND (edge.ordinal, edge.src) {sign} (own.ordinal, own.src)
             ORDER BY edge.ordinal {order}, edge.src {order} LIMIT 1)"""
        for sign, order in (("<", "DESC"), (">", "ASC"))
    )
    rows = connection.execute(
        f"""SELECT own.src, own.dst, {before}, {after} FROM edge AS own
            WHERE own.src IN (SELECT value FROM json_each(?)) AND own.relation = 'part_of' AND own.ordinal IS NOT NULL
        """,
        (dumps(list(turns)),),
    )
    found: dict[str, Beside] = {}
    for turn, _, *beside in sorted(rows, key=lambda row: row[1], reverse=True):  # in several: the first by its id
        found[turn] = (beside[0], beside[1])
    return found


def rows_of(beside: Mapping[str, Beside]) -> list[int]:
    """The row numbers of the turns beside others."""
    return [number for pair in beside.values() for number in pair if number is not None]


class Texts:
    """Texts and neighbours, each read once: good as long as no item, edge or version changes."""

    def __init__(self, connection: apsw.Connection, beside: Mapping[str, Beside] = EMPTY) -> None:
        """`beside`: neighbours that the caller knows already."""
        self._connection = connection
        self._shown: dict[int, Shown | None] = {}
        self._neighbours: dict[str, Beside] = dict(beside)

    def load(self, numbers: Iterable[int]) -> None:
        """Read the texts of these rows, and of the turns beside those that are turns."""
        self._load(numbers)
        turns = [text.id for n in numbers if (text := self._shown[n]) and text.layer == "L0"]
        unknown = [turn for turn in turns if turn not in self._neighbours]
        if unknown:
            self._neighbours.update(dict.fromkeys(unknown, (None, None)))
            self._neighbours.update(neighbours(self._connection, unknown))
        self._load({n for turn in turns for n in self._neighbours[turn] if n is not None})

    def _load(self, numbers: Iterable[int]) -> None:
        wanted = [number for number in numbers if number not in self._shown]
        self._shown.update(dict.fromkeys(wanted))
        self._shown.update(_texts(self._connection, wanted))

    def shown(self, number: int) -> Shown | None:
        """The text on display of an item row that was loaded."""
        return self._shown[number]

    def around(self, turn: Shown) -> tuple[str, str]:
        """What was said before and after a loaded turn; nothing for what is no turn."""
        before, after = (
            (text.spoken if n is not None and (text := self._shown[n]) else "")
            for n in self._neighbours.get(turn.id, (None, None))
        )
        return before, after


def reindex(connection: apsw.Connection, numbers: Sequence[int], beside: Mapping[str, Beside]) -> None:
    """Write full text and chunks of these items anew; absent items leave the index.

    `beside`: the neighbours of some of them, as far as the caller knows them.
    """
    for start in range(0, len(numbers), _SLICE):
        some = numbers[start : start + _SLICE]
        texts = Texts(connection, beside)
        texts.load(some)
        gone: list[int] = []
        rows: list[words.Row] = []
        pieces: dict[int, Sequence[ChunkRow]] = dict.fromkeys(some, ())
        for number in some:
            text = texts.shown(number)
            if text is None or not text.is_present or not text.spoken.strip():
                gone.append(number)
                continue
            before, after = texts.around(text)
            rows.append(words.Row(number, text.spoken, tuple(near for near in (before, after) if near)))
            pieces[number] = _chunks(text, before)
        words.drop(connection, gone)
        words.put(connection, rows)
        _replace_chunks(connection, pieces)


def embed_texts(connection: apsw.Connection, chunks: list[int]) -> dict[int, str]:
    """What each chunk's vector is made of: the previous turn and its own, or heading path and own text."""
    found: dict[int, str] = {}
    rows = query(
        connection,
        "SELECT n, item, start, stop, heading FROM chunk WHERE n IN (SELECT value FROM json_each(?))",
        (dumps(chunks),),
    )
    texts = Texts(connection)
    texts.load([item for _, item, *_ in rows])
    for chunk, item, start, stop, heading in rows:
        text = texts.shown(item)
        if text is not None:
            found[chunk] = _embedded(text, texts.around(text)[0], start, stop, heading)
    return found


def _embedded(text: Shown, previous: str, start: int, stop: int, heading: str) -> str:
    if text.layer == "L0":
        return f"{previous} {text.spoken[:LONG]}".strip() if previous else text.spoken[:LONG]
    return "\n".join(part for part in (heading, text.content[start:stop]) if part)


def _chunks(text: Shown, previous: str) -> list[ChunkRow]:
    title = text.title or ""
    if len(text.content) <= LONG or text.layer == "L0":
        spans = [(0, len(text.content), title)]
    else:
        from memhub.text.chunks import chunks

        spans = [(chunk.start, chunk.stop, _heading(title, chunk)) for chunk in chunks(text.content)]
    rows = []
    for ordinal, (start, stop, heading) in enumerate(spans):
        source = _embedded(text, previous, start, stop, heading)
        digest = hashlib.sha256(source.encode("utf-8", "surrogatepass")).digest()[:16]
        rows.append(ChunkRow(ordinal, start, stop, heading, digest))
    return rows


def _heading(title: str, chunk: "Chunk") -> str:
    """What stands before a piece when it is embedded: title and headings, then the head of a table or fence."""
    names = dict.fromkeys(name for name in (title, *chunk.heading_path) if name)
    return "\n".join(part for part in (" › ".join(names), chunk.lead.rstrip("\n")) if part)


def _replace_chunks(connection: apsw.Connection, pieces: Mapping[int, Sequence[ChunkRow]]) -> None:
    """Write the chunks of each item; those whose text did not change keep their vector."""
    old: dict[tuple[int, bytes], list[int]] = {}
    for item, chunk, digest in connection.execute(
        "SELECT item, n, hash FROM chunk WHERE item IN (SELECT value FROM json_each(?))", (dumps(list(pieces)),)
    ):
        old.setdefault((item, bytes(digest)), []).append(chunk)
    number = int(connection.execute("SELECT coalesce(max(n), 0) FROM chunk").get)
    new: list[tuple[int, int, int, int, int, str, bytes]] = []
    same: list[tuple[int, int, int, str, int]] = []
    for item, rows in pieces.items():
        for row in rows:
            chunks = old.get((item, row.hash))
            if chunks:
                same.append((row.ordinal, row.start, row.stop, row.heading, chunks.pop(0)))
            else:
                number += 1
                new.append((number, item, *row))
    connection.executemany("UPDATE chunk SET ordinal = ?, start = ?, stop = ?, heading = ? WHERE n = ?", same)
    connection.executemany("INSERT INTO chunk VALUES (?,?,?,?,?,?,?)", new)
    connection.executemany("INSERT INTO pending VALUES (?)", [(row[0],) for row in new])
    for chunk in (chunk for chunks in old.values() for chunk in chunks):
        vectors.drop(connection, chunk)
        connection.execute("DELETE FROM chunk WHERE n = ?", (chunk,))
        connection.execute("DELETE FROM pending WHERE chunk = ?", (chunk,))
