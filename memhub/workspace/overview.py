"""Verbs that look at many items together: the page of a day, a neighbourhood, an answer from the notes."""

import builtins
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from memhub.errors import NotFoundError, UsageError
from memhub.store import refs
from memhub.workspace.judging import Judging

if TYPE_CHECKING:
    from memhub.digest.neighbourhood import Around
    from memhub.llm.call import Llm, Use
    from memhub.model.answered import Answered
    from memhub.model.briefing import Briefing
    from memhub.model.graph import Graph
    from memhub.model.query import Filters
    from memhub.text.dates import Zone

_HITS = 5
"""Hits of a query at which a graph begins."""


class Overview(Judging):
    """See the methods."""

    def brief(self, date: str | None = None, *, again: bool = False, with_model: bool = True) -> "Briefing":
        """The page of a day (today, or a date such as `2026-02-10` or `yesterday`); made when there is none.

        `again` writes it anew: what a person edited in it stays. A past day's says what was there then. With a model
        configured it begins with a short paragraph.
        """
        from memhub.digest.brief import kept_page, shown, write
        from memhub.digest.frame import frame_of

        now = self._zone()
        frame = frame_of(self._connection, self._space_id(), now, _day(date, now))
        kept = None if again else kept_page(frame)
        if kept is not None:
            return shown(frame, kept)
        with self._asking(with_model) as llm:
            return write(self.store, frame, self._operation("brief", who="digest"), llm)

    def graph(self, around: str | None = None, *, depth: int = 2, limit: int = 8) -> "Graph":
        """What hangs together around an item, a conversation or an entity (its id or name), or the hits of a query.

        Without any, around what somebody was on in the last days. `depth` 1 to 3 are the steps to go, `limit` the
        neighbours of one node that are followed (0: all).
        """
        from memhub.digest.neighbourhood import DEPTHS, Around, neighbourhood
        from memhub.store.filters import readable_spaces

        if depth not in DEPTHS:
            raise UsageError(f"a graph goes 1 to 3 steps, not {depth}")
        near = Around(self._connection, tuple(readable_spaces(self._connection, self._space)), limit)
        roots, notices = self._roots(near, around)
        return replace(neighbourhood(near, roots, depth), notices=notices)

    def _roots(self, near: "Around", around: str | None) -> tuple[builtins.list[str], tuple[str, ...]]:
        from memhub.digest.focus import focus_areas
        from memhub.digest.frame import frame_of
        from memhub.digest.neighbourhood import looks_like_id, named

        if around is None:
            now = self._zone()
            areas = focus_areas(frame_of(self._connection, self._space_id(), now, _day(None, now)))
            return [unit.id for area in areas for unit in area.units[:2]], ()
        if looks_like_id(around):
            for table in ("item", "thread", "entity"):
                try:
                    return [refs.resolve(self._connection, table, around)], ()
                except NotFoundError:
                    continue
        entity = named(near, around)
        if entity is not None:
            return [entity], ()
        found = self.search(around, limit=_HITS)
        return [hit.item.id for hit in found.hits], found.notices

    def ask(
        self, question: str, filters: "Filters | None" = None, *, limit: int = 8, with_model: bool = True
    ) -> "Answered":
        """Answer a question from the best `limit` items: with a model in sentences whose sources were checked.

        Without one, or when nothing it says holds, the answer has no sentences and its sources are what was found. What
        a digest derived is no source, unless the filters ask for it: it says again what these say.
        """
        from memhub.digest.ask import ask
        from memhub.model.query import Filters

        filters = filters or Filters()
        found = self.search(question, filters if filters.layers else filters._replace(layers=_SAID), limit=limit)
        with self._asking(with_model) as llm:
            return ask(question, found, llm)

    @contextmanager
    def _asking(self, with_model: bool) -> "Iterator[Llm | None]":
        """The configured model, or None; what it took is written down at the end."""
        from memhub.llm.settings import is_configured

        if not with_model or not is_configured(self.config):
            yield None
            return
        from memhub.llm.client import open_client

        uses: list[Use] = []
        try:
            yield open_client(self.config, on_use=uses.append)
        finally:
            self._note_use(uses)


_SAID = ("L0", "L1", "L2")


def _day(given: str | None, zone: "Zone") -> str:
    """The ISO day that is asked for; one that is still to come is refused."""
    from memhub.text.dates import parse_date, show_time

    today = "{:04d}-{:02d}-{:02d}".format(*zone.today())
    day = show_time(parse_date(given, zone), zone)[:10] if given else today
    if len(day) < 10:
        raise UsageError(f"`{given}` is no day", "write it as 2026-02-10, or today, yesterday, 3d")
    if day > today:
        raise UsageError(f"{day} is still to come", "`mh brief` shows today's page")
    return day
