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
    app = MhApp(make, config, zone, query=query, space=space)
    app.run()
    return app.return_code or 0
