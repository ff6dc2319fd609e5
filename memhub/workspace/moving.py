"""Verbs that carry everything out of the file and back, and look after the file itself."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from memhub.errors import NotFoundError
from memhub.model.query import Filters
from memhub.paths import without_tilde
from memhub.store.store import new_operation
from memhub.workspace.base import Base, summary_of

if TYPE_CHECKING:
    from memhub.export.markdown import FolderWritten
    from memhub.model.report import DoctorReport, ImportReport


class Moving(Base):
    """See the methods."""

    def export_lines(self, filters: Filters | None = None, *, refs: Iterable[str] | None = None) -> Iterator[str]:
        """mh-export JSON Lines, each ended by LF: everything, with all history; only flat records under filters.

        The space of this `Memory` is no filter: a backup holds every space unless `filters` names one. With `refs`
        only these items are written, whatever the filters say.
        """
        from importlib.metadata import version

        from memhub.export.write import export_lines

        path = self.store.path  # made when it is not there
        only = None if refs is None else self._ids(refs)
        return export_lines(path, filters, only=only, tool=f"mh {version('memhub')}")

    def export_folder(
        self,
        folder: str | Path,
        filters: Filters | None = None,
        *,
        plain: bool = False,
        force: bool = False,
        refs: Iterable[str] | None = None,
    ) -> "FolderWritten":
        """Write a folder of Markdown notes, which `import_` takes back: what was changed in a file goes to its item.

        The folder is new, empty or an earlier export. Raises `ConflictError` when files of that were changed since;
        `force` writes over them. `plain` writes no front matter. Turns are left out unless the filters ask for L0.
        With `refs` only these items are written, whatever the filters say.
        """
        from memhub.export.markdown import write_folder

        path = self.store.path
        only = None if refs is None else self._ids(refs)
        return write_folder(path, without_tilde(folder), filters or Filters(), plain=plain, force=force, only=only)

    def import_export(
        self,
        path: str | Path,
        *,
        force: bool = False,
        dry_run: bool = False,
        space: str | None = None,
        progress: Callable[[int, str], None] | None = None,
    ) -> "ImportReport":
        """Bring in an mh-export file, the whole of it checked first. One with a log is applied as a sync is; `undo`
        writes drops for what came with it. One of flat records alone starts fresh chains.

        `force` takes what is good of a file that is cut off or has bad lines; the report names what was left out.
        `dry_run` checks, and tells items that are new from those that are here. `space` is for flat items without one.
        """
        from memhub.export.check import check
        from memhub.export.flat import take_flat
        from memhub.export.take import rehearse, take

        file = without_tilde(path)
        if not file.is_file():
            raise NotFoundError(f"no file `{path}`")
        checked = check(file, force=force)
        if dry_run:
            return rehearse(self.store, file, checked)
        operation = new_operation(self._command or "import", self._who, summary=summary_of(file.name))
        if checked.is_flat:
            return take_flat(self.store, operation, file, checked, self._space_id(space), progress)
        return take(self.store, operation, file, checked, progress)

    def doctor(self, *, deep: bool = False, rebuild: bool = False) -> "DoctorReport":
        """Examine the file: form, log against projections, full text; `deep` also every hash.

        `rebuild` derives the projections from the log again before looking. Never raises for a damaged file.
        """
        from memhub import paths
        from memhub.doctor.examine import examine

        self.close()
        return examine(self.path, paths.state_folder() / "snapshots", deep=deep, rebuild=rebuild)
