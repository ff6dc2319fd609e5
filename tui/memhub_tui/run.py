"""Starts the app in this terminal."""

from collections.abc import Callable

from memhub.config import Config
from memhub.text.dates import Zone
from memhub.workspace import Memory
from memhub_tui.app import MhApp


def run(
    make: Callable[[str | None], Memory], config: Config, zone: Zone, *, query: str = "", space: str | None = None
) -> int:
    """Run until the user leaves; answers the exit code."""
    with make(space) as memory:
        memory.data_version()  # a file that cannot be opened is told before the screen is taken
    app = MhApp(make, config, zone, query=query, space=space)
    app.run()
    return app.return_code or 0
