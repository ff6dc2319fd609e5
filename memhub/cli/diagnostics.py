"""Everything `mh` says to people beside the data: the only writer to standard error."""

import sys
from typing import TYPE_CHECKING

from memhub.cli.style import ERROR, HINT, paint, uses_colour
from memhub.errors import MhError

_LONGEST = 600  # characters of a message; someone may have pasted a book where a name was meant

if TYPE_CHECKING:
    from memhub.cli.session import Session


class Diagnostics:
    """Talk on stderr; `--quiet` silences all but errors."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._bar = 0

    def error(self, error: MhError) -> None:
        """What happened to which thing, and the next step."""
        self.write(f"{self._paint('mh: error:', ERROR)} {sentence(error.message)}\n")
        if error.hint:
            self.write(f"{self._paint('hint:', HINT)} {sentence(error.hint)}\n")

    def notice(self, message: str) -> None:
        """Something the user should know about how it went."""
        self.talk(f"mh: {message}")

    def hint(self, message: str) -> None:
        """A next step, without an error before it."""
        if not self._session.quiet:
            self.write(f"{self._paint('hint:', HINT)} {sentence(message)}\n")

    def talk(self, line: str) -> None:
        """One line, unless `--quiet`."""
        if not self._session.quiet:
            self.write(sentence(line) + "\n")

    def skipped(self, where: str, why: str) -> None:
        """A record that gave nothing; said even with `--quiet`, because something the user has is not in."""
        self.write(sentence(f"mh: skipped {where}: {why}" if where else f"mh: skipped: {why}") + "\n")

    def progress(self, line: str) -> None:
        """Replace the progress line; nothing is shown when stderr is no terminal. An empty line removes it."""
        if self._session.quiet or not sys.stderr.isatty():
            return
        from memhub.text.clean import fit

        rest = " " * max(0, self._bar + 2 - len(line))  # two for the `^C` that the terminal may have put behind it
        sys.stderr.write("\r" + fit(sentence(line), 78) + rest + "\r" * (not line))
        sys.stderr.flush()
        self._bar = len(line)

    def write(self, text: str) -> None:
        """Write as it is; a closed stderr is nobody's problem."""
        if self._bar:
            text, self._bar = "\r" + " " * 78 + "\r" + text, 0
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            return

    def ask(self, question: str) -> bool:
        """A yes-or-no question on the terminal; anything but yes is no."""
        self.write(f"{sentence(question)} [y/N] ")
        return sys.stdin.readline().strip().lower() in ("y", "yes", "是")

    def _paint(self, text: str, style: str) -> str:
        return paint(text, style) if uses_colour(sys.stderr, self._session) else text


def sentence(text: str) -> str:
    """`text`, which may quote what the user typed, as one line that is safe to print; the middle of a very long one
    is left out."""
    from memhub.text.clean import ELLIPSIS, terminal_safe

    if len(text) > _LONGEST:
        text = text[: _LONGEST * 2 // 3] + ELLIPSIS + text[-_LONGEST // 3 :]
    return " ".join(terminal_safe(text).splitlines()) if not text.isprintable() else text
