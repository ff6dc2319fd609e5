"""Derives what search looks in from the items: full-text rows, chunks, and which chunks still need a vector."""

import hashlib
import json
from typing import TYPE_CHECKING, NamedTuple

import apsw

from memhub.store import vectors, words

if TYPE_CHECKING:
    from memhub.text.chunks import Chunk

LONG = 2000  # characters; up to here an item is one chunk


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
    row = connection.execute(
        """SELECT item.id, item.layer, item.title, version.content, version.meta, item.merged, item.is_present
           FROM item LEFT JOIN version ON version.n = item.shown WHERE item.n = ?""",
        (number,),
    ).fetchone()
    if row is None:
        return None
    identifier, layer, title, content, meta, merged, is_present = row
    speaker = None
    if layer == "L0" and meta:
        speaker = json.loads(meta)["attrs"].get("speaker")
    if merged:
        content = json.loads(merged)["content"]
    return Shown(identifier, layer, title, content or "", speaker, bool(is_present))


def neighbours(connection: apsw.Connection, item: str) -> tuple[int | None, int | None]:
    """Row numbers of the present turns before and after this one in its thread."""
    edge = connection.execute(
        "SELECT dst, ordinal FROM edge WHERE src = ? AND relation = 'part_of' AND ordinal IS NOT NULL", (item,)
    ).fetchone()
    if edge is None:
        return None, None
    thread, ordinal = edge
    before, after = (
        connection.execute(
            f"""SELECT item.n FROM edge JOIN item ON item.id = edge.src
                WHERE edge.dst = ?1 AND edge.relation = 'part_of' AND item.is_present
                  AND (edge.ordinal, edge.src) {sign} (?2, ?3)
                ORDER BY edge.ordinal {order}, edge.src {order} LIMIT 1""",
            (thread, ordinal, item),
        ).get
        for sign, order in (("<", "DESC"), (">", "ASC"))
    )
    return before, after


class Texts:
    """Texts and neighbours, each read once: good as long as no item, edge or version changes."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._shown: dict[int, Shown | None] = {}
        self._neighbours: dict[str, tuple[int | None, int | None]] = {}

    def shown(self, number: int | None) -> Shown | None:
        """The text on display of an item row."""
        if number is None:
            return None
        if number not in self._shown:
            self._shown[number] = shown(self._connection, number)
        return self._shown[number]

    def neighbours(self, item: str) -> tuple[int | None, int | None]:
        """Row numbers of the present turns before and after this one."""
        if item not in self._neighbours:
            self._neighbours[item] = neighbours(self._connection, item)
        return self._neighbours[item]


def reindex(connection: apsw.Connection, number: int, texts: Texts) -> None:
    """Write full text and chunks of one item anew; an absent item leaves the index."""
    text = texts.shown(number)
    if text is None or not text.is_present or not text.spoken.strip():
        words.drop(connection, number)
        _replace_chunks(connection, number, [])
        return
    before, after = texts.neighbours(text.id) if text.layer == "L0" else (None, None)
    around = [neighbour.spoken for n in (before, after) if (neighbour := texts.shown(n))]
    words.put(connection, number, text.spoken, "\n".join(around))
    previous = texts.shown(before)
    _replace_chunks(connection, number, _chunks(text, previous.spoken if previous else ""))


def embed_texts(connection: apsw.Connection, chunks: list[int]) -> dict[int, str]:
    """What each chunk's vector is made of: the previous turn and its own, or heading path and own text."""
    found: dict[int, str] = {}
    texts = Texts(connection)
    for chunk in chunks:
        row = connection.execute("SELECT item, start, stop, heading FROM chunk WHERE n = ?", (chunk,)).fetchone()
        text = texts.shown(row[0]) if row else None
        if row is None or text is None:
            continue
        previous = texts.shown(texts.neighbours(text.id)[0]) if text.layer == "L0" else None
        found[chunk] = _embedded(text, previous.spoken if previous else "", row[1], row[2], row[3])
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


def _replace_chunks(connection: apsw.Connection, number: int, rows: list[ChunkRow]) -> None:
    """Chunks whose text did not change keep their vector."""
    old = {
        bytes(digest): chunk
        for chunk, digest in connection.execute("SELECT n, hash FROM chunk WHERE item = ?", (number,))
    }
    for row in rows:
        chunk = old.pop(row.hash, None)
        if chunk is not None:
            connection.execute(
                "UPDATE chunk SET ordinal = ?, start = ?, stop = ?, heading = ? WHERE n = ?", (*row[:4], chunk)
            )
        else:
            connection.execute(
                "INSERT INTO chunk(item, ordinal, start, stop, heading, hash) VALUES (?,?,?,?,?,?)", (number, *row)
            )
            connection.execute("INSERT INTO pending(chunk) VALUES (?)", (connection.last_insert_rowid(),))
    for chunk in old.values():
        vectors.drop(connection, chunk)
        connection.execute("DELETE FROM chunk WHERE n = ?", (chunk,))
        connection.execute("DELETE FROM pending WHERE chunk = ?", (chunk,))
