"""The checks: each takes the open store and yields findings, one line each, with what to do when something is wrong."""

from collections.abc import Callable, Iterator

from memhub.doctor.compare import differences, sequence_gaps
from memhub.model.report import Finding
from memhub.stamp import iso
from memhub.store.canonical import hash_row
from memhub.store.store import Store

_REBUILD = "`mh doctor --rebuild` derives it from the log again"
_BACKUP = "keep a copy of the file, then bring back a snapshot or import an export into a new one"


def integrity(store: Store, *, deep: bool) -> Iterator[Finding]:
    """SQLite's own check of pages and indexes; the quick one leaves the indexes out."""
    pragma = "integrity_check" if deep else "quick_check"
    rows = [str(row[0]) for row in store.connection.execute(f"PRAGMA {pragma}(20)")]
    if rows == ["ok"]:
        size = store.path.stat().st_size
        yield Finding("file", True, f"sound, {size / 1_048_576:.1f} MiB")
        return
    for row in rows:
        yield Finding("file", False, row.splitlines()[0], _BACKUP)


def full_text(store: Store) -> Iterator[Finding]:
    """FTS5's own check of its segments."""
    with store.writing():
        store.connection.execute("INSERT INTO words(words) VALUES ('integrity-check')")
    rows = store.connection.execute("SELECT count(*) FROM words").get
    yield Finding("full text", True, f"sound, {rows} items")


def projections(store: Store) -> Iterator[Finding]:
    """What reads show against what the log says."""
    wrong = {name: count for name, count in differences(store.connection).items() if count}
    for name, count in wrong.items():
        yield Finding("derived", False, f"{count} rows of {name} differ from the log", _REBUILD)
    if not wrong:
        yield Finding("derived", True, "everything that is derived is what the log says")


def sequences(store: Store) -> Iterator[Finding]:
    """Numbers without gaps, by device. A gap is no damage: the missing entries come with a later exchange."""
    gaps = sequence_gaps(store.connection)
    own = store.connection.execute("SELECT value FROM meta WHERE key = 'device'").get
    for device, count, highest in gaps:
        missing = highest - count
        if device == own:
            yield Finding("log", False, f"{missing} of this device's own entries are missing", _BACKUP)
        else:
            said = f"{missing} entries of device …{device[-6:]} have not arrived yet"
            yield Finding("log", True, said, "they come with its next exchange or export")
    if not gaps:
        count = store.connection.execute("SELECT count(*) FROM entry").get
        yield Finding("log", True, f"{count} entries, none missing")


def texts(store: Store) -> Iterator[Finding]:
    """Versions whose text is neither here nor erased."""
    missing = store.connection.execute(
        """SELECT count(*) FROM version WHERE meta IS NULL AND NOT EXISTS (
             SELECT 1 FROM entry WHERE entry.key = version.item AND entry.kind = 'item.erase')
           AND NOT EXISTS (SELECT 1 FROM span WHERE span.version = version.hash)"""
    ).get
    unknown = store.connection.execute(
        """SELECT count(*) FROM entry WHERE kind = 'version.put'
           AND NOT EXISTS (SELECT 1 FROM version WHERE version.hash = entry.payload ->> 'hash')"""
    ).get
    if missing or unknown:
        said = f"{missing + unknown} versions are known only by their hash"
        yield Finding("texts", False, said, "import an export of the device that wrote them")
    else:
        count = store.connection.execute("SELECT count(*) FROM version").get
        yield Finding("texts", True, f"{count} versions, each with its text or erased")


def waiting(store: Store) -> Iterator[Finding]:
    """Entries whose clock is more than a day ahead of ours."""
    count, first = next(iter(store.connection.execute("SELECT count(*), min(hlc) FROM waiting")))
    if count:
        said = f"{count} entries of another device wait: its clock is ahead, the first says {iso(first >> 16)}"
        yield Finding("waiting", True, said, "they are taken when that time is less than a day away")


def vectors(store: Store) -> Iterator[Finding]:
    """Pieces that search cannot yet find by meaning."""
    count = store.connection.execute("SELECT count(*) FROM pending").get
    hint = "`mh index` computes them; words and exact search need none"
    yield Finding("vectors", True, f"{count} pending" if count else "none pending", hint if count else None)


def erased(store: Store) -> Iterator[Finding]:
    """Bytes of erased texts that another program's open file kept us from removing; removed now if possible."""
    if store.is_clean:
        return
    if store.purge():
        yield Finding("erase", True, "bytes of erased texts were left from an earlier erase; they are gone now")
    else:
        said = "bytes of erased texts are still in the write-ahead log: another program has the file open"
        yield Finding("erase", False, said, "run `mh doctor` again when it is done")


def hashes(store: Store) -> Iterator[Finding]:
    """Every text against its hash."""
    wrong = count = 0
    first = ""
    for version_hash, item, title, content, meta in store.connection.execute(
        "SELECT hash, item, title, content, meta FROM version WHERE meta IS NOT NULL"
    ):
        count += 1
        if hash_row(item, title, content, meta) != version_hash:
            wrong += 1
            first = first or f"the first is of item …{item[-6:]}"
    if wrong:
        yield Finding("hashes", False, f"{wrong} texts are not what was written; {first}", _BACKUP)
    else:
        yield Finding("hashes", True, f"all {count} texts are what was written")


Check = Callable[[Store], Iterator[Finding]]
CHECKS: dict[str, Check] = {
    "full text": full_text,
    "derived": projections,
    "log": sequences,
    "texts": texts,
    "waiting": waiting,
    "vectors": vectors,
    "erase": erased,
}
DEEP: dict[str, Check] = {"hashes": hashes}
