"""Starts the apps in this terminal."""

import warnings
from collections.abc import Callable

from memhub.config import Config
from memhub.errors import UsageError
from memhub.text.dates import Zone
from memhub.workspace import Memory


def run(
    make: Callable[[str | None], Memory], config: Config, zone: Zone, *, query: str = "", space: str | None = None
) -> int:
    """Run until the user leaves; answers the exit code."""
    from memhub_tui.app import MhApp

    with make(space) as memory:
        memory.data_version()  # a file that cannot be opened is told before the screen is taken
    app = MhApp(make, config, zone, query=query, space=space)
    _forgive_what_never_began()
    app.run()
    return app.return_code or 0


def pick(
    make: Callable[[str | None], Memory],
    config: Config,
    zone: Zone,
    *,
    query: str = "",
    space: str | None = None,
    several: bool = True,
) -> tuple[str, ...] | None:
    """The ids that the user chooses; None when the user leaves instead."""
    from memhub_tui.pick_app import PickApp
    from memhub_tui.tty import has_terminal

    if not has_terminal():
        raise UsageError("`mh pick` needs a terminal", "`mh search -q WORDS` prints ids without one")
    with make(space) as memory:
        memory.data_version()
    _forgive_what_never_began()
    return PickApp(make, config, zone, query=query, space=space, several=several).run()


def _forgive_what_never_began() -> None:
    """Work that was asked for and given up before its turn, such as completing the last letter, is no fault to tell."""
    warnings.filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)
