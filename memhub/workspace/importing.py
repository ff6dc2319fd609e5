"""The verb that brings files in."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from memhub.errors import NotFoundError, UsageError
from memhub.paths import without_tilde
from memhub.workspace.base import summary_of
from memhub.workspace.moving import Moving

if TYPE_CHECKING:
    from memhub.model.entry import Draft
    from memhub.model.report import Discovered, ImporterInfo, ImportReport
    from memhub.pipeline.places import Place
    from memhub.pipeline.records import Run
    from memhub.tasks.sessions import Wanted


_NOTES = ("text", "markdown", "obsidian", "org", "html", "pdf")
"""Kinds of folders in which the same file has the same id, whichever of their importers reads it."""


class Importing(Moving):
    """See the method."""

    def import_(
        self,
        path: "str | Path | IO[bytes]",
        *,
        importer: str | None = None,
        as_: str | None = None,
        space: str | None = None,
        labels: Iterable[str] = (),
        dry_run: bool = False,
        prune: bool = False,
        theirs: bool = False,
        ours: bool = False,
        since: str | None = None,
        project: str | None = None,
        limit: int | None = None,
        agents: bool = False,
        options: Mapping[str, str | bool] | None = None,
        progress: Callable[[int, str], None] | None = None,
    ) -> "ImportReport":
        """Import a folder, a file, or what is in a zip; a second import updates what changed and adds what is new.

        Of a stream of bytes (`sys.stdin.buffer`) `importer` is told, one that gives its records ids of their own.

        Of conversations, `since` (ISO 8601) leaves out those that ended before, `project` takes one project's, `limit`
        so many; `agents` takes sub-agents too. With any of the first three the next run looks at everything again.

        `as_` names the source (default: the name of the folder or file). What vanished from the source is reported,
        and dropped with `prune`. Where item and source both changed, both are kept as heads of one item; `theirs` or
        `ours` decides. `options` are for the importer (`importers()` lists them; `True` is `yes`), and the next import
        of the source remembers them. `progress(count, place)` is called after each batch.
        """
        from memhub.export.jsonl import is_export
        from memhub.stamp import ms_of
        from memhub.tasks.sessions import Wanted
        from memhub.workspace.plugins import opened

        root = None
        if isinstance(path, str | Path):
            path = root = without_tilde(path)
        if root is not None and not root.exists():
            raise NotFoundError(f"no file or folder `{root}`")
        if theirs and ours:
            raise UsageError("`theirs` and `ours` exclude each other")
        if root is not None and importer is None and is_export(root):
            if as_ or prune or theirs or ours or options or tuple(labels):
                raise UsageError(
                    f"`{path}` is an export of mh", "it comes in as it is: no labels, no other name, no options"
                )
            return self.import_export(root, dry_run=dry_run, space=space, progress=progress)
        wanted = Wanted(ms_of(since), project, limit, agents)
        with opened(path.resolve() if isinstance(path, Path) else path, importer) as source:
            run, first = self._run(source, root, as_, space, labels, theirs, ours, dry_run)
            return self._bring(source, run, first, options or {}, dry_run, prune, wanted, progress)

    def _run(
        self, source: Any, root: Path | None, as_: str | None, space: str | None, labels: Iterable[str],
        theirs: bool, ours: bool, dry_run: bool,
    ) -> "tuple[Run, list[Draft]]":  # fmt: skip
        """What the records of a source share, and the entries for the project that it lies in."""
        from memhub.pipeline import keep, projects
        from memhub.pipeline.records import Run

        origin = source.importer.origin(source.path)
        project: str | None = None
        first: list[Draft] = []
        if root is not None:
            place = projects.find_place(self._connection, root if root.is_dir() else root.resolve().parent)
            project, first = self._place(place, dry_run)
        own = tuple(keep.checked_label(label) for label in labels)
        scope = as_ or origin.scope
        kind = self._kind_before(root, scope, origin.kind) if root is not None else origin.kind
        return Run(kind, scope, self._space_id(space), project, own, theirs, ours), first

    def source_file(self, ref: str) -> Path | None:
        """The file that an item was imported from; None when it did not come from one, or it is not there any more."""
        source = self._item(self._id(ref)).source
        if source is None or not source.path:
            return None
        rows = self._connection.execute(
            "SELECT root FROM import_root WHERE kind = ? AND scope = ?", (source.kind, source.scope)
        )
        roots = [Path(root) for (root,) in rows]
        places = [Path(source.path), *(root if root.is_file() else root / source.path for root in roots)]
        return next((place for place in places if place.is_absolute() and place.is_file()), None)

    def _kind_before(self, root: Path, scope: str, kind: str) -> str:
        """The kind under which a folder of notes came in first: it stays one source when notes of other kinds join."""
        if kind not in _NOTES:
            return kind
        rows = self._connection.execute(
            "SELECT kind FROM import_root WHERE root = ? AND scope = ?", (str(root.resolve()), scope)
        )
        before = [known for (known,) in rows if known in _NOTES]
        return before[0] if before and kind not in before else kind

    def _bring(
        self, source: Any, run: "Run", first: "list[Draft]", options: Mapping[str, str | bool], dry_run: bool,
        prune: bool, wanted: "Wanted", progress: Callable[[int, str], None] | None,
    ) -> "ImportReport":  # fmt: skip
        from memhub.tasks.import_options import told_of
        from memhub.tasks.importing import run_import
        from memhub.workspace.plugins import checked_options, is_store, options_of

        name, module = source.row.name, source.importer
        told = told_of(self._connection, run, options_of(module), checked_options(name, module, options))

        def read(cursors: Mapping[str, str]) -> Iterator[Any]:
            yield from source.skipped
            yield from module.read(source.path, scope=run.scope, cursors=cursors, **told.keywords)

        return run_import(
            self.store, self._operation("import", summary_of(run.scope)), run, read,
            importer=name, root=source.path, first=first, told=told,
            is_folder=not source.is_copy and not is_store(module),
            dry_run=dry_run, prune=prune, progress=progress, wanted=wanted,
        )  # fmt: skip

    def importers(self) -> "list[ImporterInfo]":
        """What can read sources, and what each can be told."""
        from memhub.workspace.plugins import importers

        return importers()

    def discover(self) -> "list[Discovered]":
        """What lies in the usual places of the tools that can be imported, each with a rough count."""
        from memhub.workspace.plugins import discover

        return discover()

    def _place(self, place: "Place | None", dry_run: bool) -> "tuple[str | None, list[Draft]]":
        from memhub.pipeline import projects

        if place is None or dry_run:
            return None, []
        with self.store.writing():
            return projects.place_drafts(self._connection, place)
