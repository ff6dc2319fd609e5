"""The verb that brings files in."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from memhub.errors import NotFoundError, UsageError
from memhub.paths import without_tilde
from memhub.workspace.base import summary_of
from memhub.workspace.moving import Moving

if TYPE_CHECKING:
    from memhub.model.entry import Draft
    from memhub.model.report import Discovered, ImporterInfo, ImportReport
    from memhub.pipeline.places import Place


class Importing(Moving):
    """See the method."""

    def import_(
        self,
        path: str | Path,
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
        """Import a folder or file; a second import updates what changed and adds what is new.

        Of conversations, `since` (ISO 8601) leaves out those that ended before, `project` takes one project's, `limit`
        so many; `agents` takes sub-agents too. With any of the first three the next run looks at everything again.

        `as_` names the source (default: the name of the folder or file). What vanished from the source is reported,
        and dropped with `prune`. Where item and source both changed, both are kept as heads of one item; `theirs` or
        `ours` decides. `options` are for the importer (`importers()` lists them; `True` is `yes`), and the next import
        of the source remembers them. `progress(count, place)` is called after each batch.
        """
        from memhub.export.jsonl import is_export
        from memhub.pipeline import keep, projects
        from memhub.pipeline.records import Run
        from memhub.stamp import ms_of
        from memhub.tasks.import_options import told_of
        from memhub.tasks.importing import run_import
        from memhub.tasks.sessions import Wanted
        from memhub.workspace.plugins import checked_options, choose_importer, options_of

        root = without_tilde(path)
        if not root.exists():
            raise NotFoundError(f"no file or folder `{path}`")
        if theirs and ours:
            raise UsageError("`theirs` and `ours` exclude each other")
        if importer is None and is_export(root):
            if as_ or prune or theirs or ours or options or tuple(labels):
                raise UsageError(
                    f"`{path}` is an export of mh", "it comes in as it is: no labels, no other name, no options"
                )
            return self.import_export(root, dry_run=dry_run, space=space, progress=progress)
        root = root.resolve()
        name, module = choose_importer(root, importer)
        origin = module.origin(root)
        folder = root if root.is_dir() else root.parent
        place = projects.find_place(self._connection, folder)
        own_project, first = self._place(place, dry_run)
        own = tuple(keep.checked_label(label) for label in labels)
        run = Run(origin.kind, as_ or origin.scope, self._space_id(space), own_project, own, theirs, ours)
        told = told_of(self._connection, run, options_of(module), checked_options(name, module, options or {}))
        return run_import(
            self.store, self._operation("import", summary_of(run.scope)), run,
            lambda: module.read(root, scope=run.scope, cursors=told.cursors, **told.keywords),
            importer=name, root=root, first=first, told=told, is_folder=not hasattr(module, "places"),
            dry_run=dry_run, prune=prune, progress=progress, wanted=Wanted(ms_of(since), project, limit, agents),
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
