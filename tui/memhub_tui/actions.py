"""The table of everything a key can do. Bindings, footer, help, palette and remapping all read it.

`scope` is where an action is there: `app` everywhere; `list` in every list; `items` wherever items can be chosen;
else the screen of that name. The method is `action_<name>` of the app, the list or the screen.
"""

from typing import NamedTuple

from textual.binding import Binding, BindingType

from memhub_tui.modes import MODES


class Action(NamedTuple):
    """One row. `words` stand in the footer when `shown`, `help` in the help and the palette."""

    scope: str
    name: str
    keys: str
    words: str
    help: str
    shown: bool = False

    @property
    def id(self) -> str:
        """The name that `keys.toml` remaps it by."""
        return f"{self.scope}.{self.name}"


ACTIONS = (
    Action("app", "help", "question_mark,f1", "Help", "Show what every key does", True),
    *(Action("app", f"go('{mode.name}')", mode.key, mode.words, f"Go to {mode.words}") for mode in MODES),
    Action("app", "quit", "q,ctrl+q", "Quit", "Leave mh"),
    Action("app", "undo", "u", "Undo", "Take back the last change"),
    Action("app", "redo", "ctrl+r,U", "Redo", "Take back the last undo"),
    Action("list", "down", "down,j", "Down", "Next line"),
    Action("list", "up", "up,k", "Up", "Line before"),
    Action("list", "page_down", "pagedown,ctrl+f,ctrl+d", "Page down", "One window down"),
    Action("list", "page_up", "pageup,ctrl+b,ctrl+u", "Page up", "One window up"),
    Action("list", "first", "home,g", "First", "First line"),
    Action("list", "last", "end,G", "Last", "Last line"),
    Action("list", "mark", "space", "Mark", "Mark this line and go on to the next"),
    Action("list", "mark_all", "ctrl+a", "Mark all", "Mark every line of the list"),
    Action("list", "choose", "enter", "Open", "Open what the cursor is on", True),
    Action("browse", "search", "slash", "Search", "Type what to look for", True),
    Action("browse", "leave", "escape", "Back", "Leave the search box, unmark, or forget the search"),
    Action("pick", "mark", "tab", "Mark", "Mark this line and go on to the next"),
    Action("pick", "mark_back", "shift+tab", "Mark, up", "Mark this line and go on to the one before"),
    Action("pick", "leave", "escape,ctrl+c,ctrl+g,ctrl+q", "Leave", "Leave without choosing anything"),
    Action("items", "edit", "e", "Edit", "Change title and text here", True),
    Action("items", "new", "n", "New", "Write a new note", True),
    Action("items", "label", "l", "Label", "Add or remove labels", True),
    Action("items", "pin", "p", "Pin", "Pin or unpin"),
    Action("items", "archive", "a", "Archive", "Archive, or take out of the archive"),
    Action("items", "drop", "d,delete", "Delete", "Delete; undo brings it back", True),
)


def bindings(scope: str) -> list[BindingType]:
    """The keys of a scope."""
    return [
        Binding(action.keys, action.name, action.words, show=action.shown, id=action.id, tooltip=action.help)
        for action in ACTIONS
        if action.scope == scope
    ]
