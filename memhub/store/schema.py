"""Tables, and the numbered migrations that lead to them. A shipped migration is never edited."""

from collections.abc import Callable, Sequence
from pathlib import Path

import apsw

from memhub.errors import NewerStoreError, StoreError
from memhub.store import names
from memhub.store.connection import make_wal, transaction

APPLICATION_ID = 0x6D68_6462  # "mhdb"

TRUTH = (
    """CREATE TABLE device(n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT""",
    """CREATE TABLE operation(
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        hlc INTEGER, at INTEGER, device INTEGER, command TEXT, who TEXT, undoes TEXT, redoes TEXT, summary TEXT
    ) STRICT""",
    """CREATE INDEX operation_undoes ON operation(undoes) WHERE undoes IS NOT NULL""",
    """CREATE INDEX operation_redoes ON operation(redoes) WHERE redoes IS NOT NULL""",
    """CREATE INDEX operation_clock ON operation(hlc)""",
    # title, content and meta are NULL once erased, or until the text of a known version arrives
    """CREATE TABLE version(
        n INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, item TEXT NOT NULL, title TEXT, content TEXT, meta TEXT
    ) STRICT""",
    """CREATE INDEX version_item ON version(item)""",
    """CREATE TABLE entry(
        device INTEGER NOT NULL, seq INTEGER NOT NULL, hlc INTEGER NOT NULL, at INTEGER NOT NULL,
        kind TEXT NOT NULL, key TEXT NOT NULL, payload TEXT NOT NULL, operation INTEGER NOT NULL, request TEXT,
        PRIMARY KEY(device, seq)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX entry_key ON entry(key)""",
    """CREATE INDEX entry_operation ON entry(operation)""",
    """CREATE INDEX entry_request ON entry(request) WHERE request IS NOT NULL""",
    """CREATE TABLE extra(n INTEGER PRIMARY KEY, line TEXT NOT NULL UNIQUE) STRICT""",
)

PROJECTIONS = (
    """CREATE TABLE space(
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, description TEXT NOT NULL DEFAULT '',
        alias_of TEXT, resolved INTEGER NOT NULL, is_dropped INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    """CREATE TABLE space_reads(space INTEGER NOT NULL, other TEXT NOT NULL, PRIMARY KEY(space, other)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE project(
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, alias_of TEXT, resolved INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE item(
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, suffix TEXT NOT NULL,
        layer TEXT NOT NULL, kind TEXT NOT NULL, title TEXT, shown INTEGER, merged TEXT,
        state TEXT NOT NULL, is_present INTEGER NOT NULL, flags TEXT NOT NULL DEFAULT '',
        space INTEGER NOT NULL, project INTEGER, importance REAL,
        pinned INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0,
        created_at TEXT, created_ms INTEGER, updated_at TEXT NOT NULL, updated_ms INTEGER NOT NULL,
        added_ms INTEGER NOT NULL, text_hash INTEGER, key TEXT, place TEXT
    ) STRICT""",
    """CREATE INDEX item_suffix ON item(suffix)""",
    """CREATE INDEX item_created ON item(space, coalesce(created_ms, updated_ms))""",
    """CREATE INDEX item_updated ON item(space, updated_ms)""",
    """CREATE INDEX item_added ON item(space, added_ms)""",
    """CREATE INDEX item_text ON item(text_hash) WHERE text_hash IS NOT NULL""",
    """CREATE INDEX item_key ON item(key) WHERE key IS NOT NULL""",
    """CREATE INDEX item_project ON item(project) WHERE project IS NOT NULL""",
    """CREATE TABLE item_label(item INTEGER NOT NULL, label TEXT NOT NULL, name TEXT NOT NULL,
        PRIMARY KEY(item, label)) STRICT, WITHOUT ROWID""",
    """CREATE INDEX item_label_label ON item_label(label)""",
    """CREATE TABLE edge(
        src TEXT NOT NULL, relation TEXT NOT NULL, dst TEXT NOT NULL, attrs TEXT NOT NULL, ordinal INTEGER,
        hlc INTEGER NOT NULL, PRIMARY KEY(src, relation, dst)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX edge_dst ON edge(dst, relation, ordinal)""",
    """CREATE TABLE thread(
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, suffix TEXT NOT NULL, fields TEXT NOT NULL,
        space INTEGER NOT NULL, project INTEGER, is_dropped INTEGER NOT NULL DEFAULT 0, updated_ms INTEGER NOT NULL
    ) STRICT""",
    """CREATE INDEX thread_suffix ON thread(suffix)""",
    """CREATE TABLE span(item TEXT NOT NULL, version TEXT NOT NULL, owner TEXT NOT NULL, PRIMARY KEY(item, version)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX span_owner ON span(owner)""",
    """CREATE VIRTUAL TABLE words USING fts5(own, near, content='', contentless_delete=1,
        tokenize='porter unicode61 remove_diacritics 2')""",
    """CREATE VIRTUAL TABLE words_vocab USING fts5vocab(words, row)""",
    """CREATE TABLE chunk(
        n INTEGER PRIMARY KEY, item INTEGER NOT NULL, ordinal INTEGER NOT NULL, start INTEGER NOT NULL,
        stop INTEGER NOT NULL, heading TEXT NOT NULL, hash BLOB NOT NULL
    ) STRICT""",
    """CREATE INDEX chunk_item ON chunk(item)""",
    """CREATE TABLE vec(
        space INTEGER NOT NULL, cell INTEGER NOT NULL DEFAULT 0, chunk INTEGER NOT NULL, model INTEGER NOT NULL,
        q BLOB NOT NULL, PRIMARY KEY(space, cell, chunk)
    ) STRICT, WITHOUT ROWID""",
    """CREATE UNIQUE INDEX vec_by_chunk ON vec(chunk, model)""",
    """CREATE TABLE pending(chunk INTEGER PRIMARY KEY) STRICT""",
)

LOCAL = (
    """CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE vector_model(n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dims INTEGER NOT NULL,
        floor REAL NOT NULL, threshold REAL NOT NULL) STRICT""",
    """CREATE TABLE scope(space TEXT PRIMARY KEY, epoch INTEGER NOT NULL, revision INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE folder(path TEXT PRIMARY KEY, project TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE import_root(kind TEXT NOT NULL, scope TEXT NOT NULL, root TEXT NOT NULL,
        PRIMARY KEY(kind, scope)) STRICT, WITHOUT ROWID""",
    # which entries came here with an import of an export: seq `first` to `last` of a device
    """CREATE TABLE imported(operation TEXT NOT NULL, device INTEGER NOT NULL, first INTEGER NOT NULL,
        last INTEGER NOT NULL, PRIMARY KEY(operation, device, first)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE waiting(device TEXT NOT NULL, seq INTEGER NOT NULL, hlc INTEGER NOT NULL, line TEXT NOT NULL,
        PRIMARY KEY(device, seq)) STRICT, WITHOUT ROWID""",
)


JUDGING = (
    # projections
    """CREATE TABLE ruling(
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, suffix TEXT NOT NULL, at INTEGER NOT NULL, hlc INTEGER NOT NULL,
        space INTEGER NOT NULL, operation TEXT NOT NULL, fields TEXT NOT NULL
    ) STRICT""",
    """CREATE INDEX ruling_suffix ON ruling(suffix)""",
    """CREATE INDEX ruling_space ON ruling(space, hlc)""",
    """CREATE TABLE ruling_item(item TEXT NOT NULL, ruling INTEGER NOT NULL, PRIMARY KEY(item, ruling)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX ruling_item_ruling ON ruling_item(ruling)""",
    # local: what waits to be judged, who is at it, what was judged before, what the model was asked
    """CREATE TABLE queue(
        item TEXT PRIMARY KEY, thread TEXT, space TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'waiting',
        attempts INTEGER NOT NULL DEFAULT 0, error TEXT, next_ms INTEGER NOT NULL DEFAULT 0, added_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX queue_space ON queue(space, next_ms)""",
    """CREATE TABLE lease(space TEXT PRIMARY KEY, holder TEXT NOT NULL, until_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE ruling_cache(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE digest_space(space TEXT PRIMARY KEY, since_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE model_use(
        n INTEGER PRIMARY KEY, at INTEGER NOT NULL, model TEXT NOT NULL, prompt TEXT NOT NULL,
        tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, cost REAL NOT NULL, seconds REAL NOT NULL
    ) STRICT""",
)


IMPORTING = (
    # local: how far each place of a source was read, and by which operation
    """CREATE TABLE import_cursor(
        kind TEXT NOT NULL, scope TEXT NOT NULL, space TEXT NOT NULL, place TEXT NOT NULL, value TEXT NOT NULL,
        operation TEXT NOT NULL, PRIMARY KEY(kind, scope, space, place)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX import_cursor_operation ON import_cursor(operation)""",
)


DISTILLING = (
    # local: turns that were distilled, in which version, and whether a model took part
    """CREATE TABLE distilled(item TEXT PRIMARY KEY, version TEXT NOT NULL, by_model INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
)


DIGESTING = (
    # projections: who and what is spoken of
    """CREATE TABLE entity(
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, suffix TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL,
        alias_of TEXT, resolved INTEGER NOT NULL, is_dropped INTEGER NOT NULL DEFAULT 0, fields TEXT NOT NULL
    ) STRICT""",
    """CREATE INDEX entity_suffix ON entity(suffix)""",
    """CREATE TABLE entity_name(name TEXT NOT NULL, entity INTEGER NOT NULL, PRIMARY KEY(name, entity)
    ) STRICT, WITHOUT ROWID""",
    """CREATE INDEX entity_name_entity ON entity_name(entity)""",
    # local: an index, as vectors are, of which shown text speaks of which entity, and which texts were looked through
    """CREATE TABLE mention(item INTEGER NOT NULL, entity INTEGER NOT NULL, times INTEGER NOT NULL,
        PRIMARY KEY(entity, item)) STRICT, WITHOUT ROWID""",
    """CREATE INDEX mention_item ON mention(item)""",
    """CREATE TABLE looked_through(item INTEGER PRIMARY KEY, shown INTEGER NOT NULL, rules INTEGER NOT NULL) STRICT""",
    """CREATE TABLE community(n INTEGER PRIMARY KEY, space INTEGER NOT NULL, name TEXT NOT NULL) STRICT""",
    """CREATE TABLE community_item(item INTEGER PRIMARY KEY, community INTEGER NOT NULL) STRICT""",
    """CREATE INDEX community_item_community ON community_item(community)""",
    # local: when an item was last looked at or edited, and how often
    """CREATE TABLE used(item TEXT PRIMARY KEY, last_ms INTEGER NOT NULL, times INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    # local: how far each step of the digest came in a space (a clock of the log), and why it could not go on
    """CREATE TABLE digest_step(
        space TEXT NOT NULL, step TEXT NOT NULL, mark INTEGER NOT NULL DEFAULT 0, done_ms INTEGER, error TEXT,
        attempts INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(space, step)
    ) STRICT, WITHOUT ROWID""",
)


def _first(connection: apsw.Connection) -> None:
    for statement in (*TRUTH, *PROJECTIONS, *LOCAL):
        connection.execute(statement)
    names.number_of(connection, "space", names.DEFAULT_SPACE)


def _judging(connection: apsw.Connection) -> None:
    for statement in JUDGING:
        connection.execute(statement)


def _importing(connection: apsw.Connection) -> None:
    for statement in IMPORTING:
        connection.execute(statement)


def _distilling(connection: apsw.Connection) -> None:
    for statement in DISTILLING:
        connection.execute(statement)


def _digesting(connection: apsw.Connection) -> None:
    for statement in DIGESTING:
        connection.execute(statement)


Migration = Callable[[apsw.Connection], None]
MIGRATIONS: tuple[Migration, ...] = (_first, _judging, _importing, _distilling, _digesting)
VERSION = len(MIGRATIONS)


def open_schema(
    connection: apsw.Connection, path: Path, snapshots: Path, migrations: Sequence[Migration] | None = None
) -> None:
    """Bring the file to this mh's schema, with a snapshot before each step; refuse a later one."""
    migrations = MIGRATIONS if migrations is None else migrations
    found = int(connection.pragma("user_version"))
    if found == len(migrations):
        return
    if found > len(migrations):
        raise NewerStoreError(
            f"`{path}` was written by a later mh (schema {found}, this one knows {len(migrations)})",
            "upgrade mh, or name another file with `--db`",
        )
    if found == 0 and int(connection.pragma("application_id")) != APPLICATION_ID:
        if connection.execute("SELECT count(*) FROM sqlite_schema").get:
            _refuse_foreign(connection, path)
        else:
            make_wal(connection)
    if found == 0:
        _step(connection, migrations, 0, len(migrations))  # a new file: nobody ever sees it half made
        return
    for number in range(found, len(migrations)):
        _snapshot(connection, path, snapshots, number)
        _step(connection, migrations, number, number + 1)


def _step(connection: apsw.Connection, migrations: Sequence[Migration], start: int, stop: int) -> None:
    """Migrations `start` to `stop` in one transaction, unless another process was first."""
    with transaction(connection):
        if int(connection.pragma("user_version")) == start:
            for migration in migrations[start:stop]:
                migration(connection)
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", stop)


def _refuse_foreign(connection: apsw.Connection, path: Path) -> None:
    """A database of another program is never written to; one that another process of ours is just making is fine."""
    if int(connection.pragma("application_id")) != APPLICATION_ID:
        raise StoreError(f"`{path}` is a database of another program", "name another file with `--db`")


def _snapshot(connection: apsw.Connection, path: Path, snapshots: Path, number: int) -> None:
    snapshots.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = snapshots / f"{path.stem}-schema{number}.db"
    if not target.exists():
        connection.execute("VACUUM INTO ?", (str(target),))
        target.chmod(0o600)
