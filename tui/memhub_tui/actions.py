"""The table of everything a key can do. Bindings, footer, help, palette and remapping all read it.

`scope` is where an action is there: `app` everywhere; `list` in every list; `view` beside a preview; `items` wherever
items can be chosen; else the screen of that name. The method is `action_<name>` of the app, the list or the screen.
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
    Action("app", "command_palette", "ctrl+p", "Palette", "Find an action, an item, a space or a theme by name"),
    Action("app", "space", "S", "Space", "Work in another space, with those it reads"),
    Action("app", "graph", "N", "Graph", "Show what hangs together around this, or around what you were on"),
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
    Action("view", "preview", "z", "Preview", "Show what is beside the list, or hide it"),
    Action("view", "narrower", "less_than_sign", "Narrower", "Less room for the list"),
    Action("view", "wider", "greater_than_sign", "Wider", "More room for the list"),
    Action("browse", "search", "slash", "Search", "Type what to look for", True),
    Action("browse", "leave", "escape", "Back", "Leave the search box, unmark, or forget the search"),
    Action("pick", "mark", "tab", "Mark", "Mark this line and go on to the next"),
    Action("pick", "mark_back", "shift+tab", "Mark, up", "Mark this line and go on to the one before"),
    Action("pick", "leave", "escape,ctrl+c,ctrl+g,ctrl+q", "Leave", "Leave without choosing anything"),
    Action("items", "edit", "e", "Edit", "Change title and text here", True),
    Action("items", "edit_outside", "E", "Editor", "Change the text in your own editor"),
    Action("items", "new", "n", "New", "Write a new note", True),
    Action("items", "label", "l", "Label", "Add or remove labels", True),
    Action("items", "pin", "p", "Pin", "Pin or unpin"),
    Action("items", "archive", "a", "Archive", "Archive, or take out of the archive"),
    Action("items", "importance", "i", "Importance", "Set the importance, from 0 to 1"),
    Action("items", "move", "m", "Move", "Move into another space"),
    Action("items", "drop", "d,delete", "Delete", "Delete; undo brings it back", True),
    Action("items", "export", "x", "Export", "Write into a folder as Markdown, or as JSON Lines"),
    Action("items", "copy_id", "y", "Copy id", "Copy the ids"),
    Action("items", "copy_texts", "Y", "Copy text", "Copy the texts"),
    Action("items", "copy_markdown", "ctrl+y", "Copy Markdown", "Copy the texts under their titles"),
    Action("items", "open_source", "o", "Source", "Open the page, file or conversation it came from"),
    Action("items", "links", "L", "Links", "Walk along the links of the item"),
    Action("item", "text", "t", "Text", "Show the text"),
    Action("item", "versions", "v", "Versions", "Show every version and what changed"),
    Action("item", "sources", "s", "Sources", "Show the words it was drawn from"),
    Action("item", "related", "r", "Related", "Show what it is linked to"),
    Action("item", "why", "w", "Why", "Show what was ruled about it, and why"),
    Action("item", "facts", "f", "Facts", "Show all that is known of it"),
    Action("item", "next", "J,right_square_bracket", "Next", "The next item of the list"),
    Action("item", "before", "K,left_square_bracket", "Before", "The item before in the list"),
    Action("item", "restore", "R", "Restore", "Make this version the newest again", True),
    Action("item", "overturn", "O", "Overturn", "Take this ruling back", True),
    Action("item", "leave", "escape", "Back", "Back", True),
    Action("links", "follow", "enter", "Go", "Make this item the centre", True),
    Action("links", "back", "backspace", "Back", "Back to the item before", True),
    Action("links", "evolution", "v", "Stages", "Show how the statement changed over time", True),
    Action("links", "add", "A", "Add", "Link the centre to another item", True),
    Action("links", "remove", "d,delete", "Remove", "Remove this link; undo brings it back", True),
    Action("links", "open", "o", "Open", "Open the item", True),
    Action("links", "leave", "escape", "Leave", "Leave the walk", True),
    Action("threads", "search", "slash", "Search", "Look for words in conversations", True),
    Action("threads", "distill", "D", "Distill", "Draw what is worth keeping from it", True),
    Action("threads", "drop", "d,delete", "Remove", "Remove with all turns; undo brings it back", True),
    Action("threads", "leave", "escape", "Back", "Leave the search box, unmark, or forget the search"),
    Action("thread", "find", "slash", "Find", "Find words in this conversation", True),
    Action("thread", "find_next", "f", "Next", "Next turn that was found"),
    Action("thread", "find_before", "F", "Before", "Turn before that was found"),
    Action("thread", "distill", "D", "Distill", "Draw what is worth keeping from it"),
    Action("thread", "remove", "R", "Remove", "Remove the whole conversation; undo brings it back"),
    Action("thread", "save_as", "X", "Save as", "Write the conversation as Markdown"),
    Action("thread", "leave", "escape", "Back", "Back", True),
    Action("review", "keep('new')", "n", "Keep new", "The newer one holds", True),
    Action("review", "keep('old')", "o", "Keep old", "The older one holds", True),
    Action("review", "keep('both')", "b", "Both", "Both hold", True),
    Action("review", "merge", "m", "Merge", "Write one text in place of both", True),
    Action("review", "note", "t", "Note", "Say a word on it; it stays open"),
    Action("review", "skip", "s", "Skip", "Leave it open and go on", True),
    Action("log", "undo_this", "t", "Undo this", "Take back the operation under the cursor", True),
    Action("log", "redo_this", "T", "Redo this", "Bring back the operation under the cursor", True),
    Action("activity", "import", "i", "Import", "Bring in a folder or file", True),
    Action("activity", "index", "x", "Index", "Compute the vectors that are pending", True),
    Action("activity", "judge", "J", "Judge", "Compare what is new with what is known", True),
    Action("activity", "digest", "D", "Digest", "Find what many items have in common", True),
    Action("activity", "cancel", "c", "Cancel", "Stop the job under the cursor; what is done stays", True),
    Action("activity", "retry", "r", "Retry", "Let what waits be tried at once"),
    Action("activity", "drop", "d,delete", "Forget", "Take it out of the queue, or a job that is over off the list"),
    Action("brief", "edit", "e", "Edit", "Change the page; what you edit stays", True),
    Action("brief", "again", "w", "Write again", "Write it again around what you edited", True),
    Action("brief", "before", "left,left_square_bracket", "Day before", "The page of the day before", True),
    Action("brief", "after", "right,right_square_bracket", "Day after", "The page of the day after", True),
    Action("brief", "today", "t", "Today", "The page of today"),
    Action("persona", "correct", "e", "Correct", "Say in your own words what is right", True),
    Action("persona", "pin", "p", "Pin", "Pin or unpin", True),
    Action("persona", "ban", "b", "Ban", "Stop believing it for good; what is banned is believed again", True),
    Action("persona", "banned", "B", "Banned", "Show what is banned, or what is believed", True),
    Action("persona", "sources", "s", "Sources", "Open what speaks for it", True),
    Action("graph", "follow", "enter", "Go", "Make this the centre", True),
    Action("graph", "back", "backspace", "Back", "Back to the centre before", True),
    Action("graph", "farther", "plus,equals_sign", "More", "Go one step farther, up to three", True),
    Action("graph", "nearer", "minus", "Less", "Go one step less far", True),
    Action("graph", "all", "a", "All", "Show all neighbours, or the first of each"),
    Action("graph", "ask", "slash", "Around", "Begin at a name, an id or words", True),
    Action("graph", "open", "o", "Open", "Open the item or conversation", True),
    Action("graph", "leave", "escape", "Leave", "Leave the graph", True),
    Action("import", "go_on", "ctrl+s", "Go on", "Show what would come in; then bring it in", True),
    Action("import", "tick_all", "a", "All", "Tick every place, or none", True),
    Action("import", "leave", "escape", "Back", "Back; nothing more is looked at", True),
    Action("settings", "change", "enter,e", "Change", "Change the setting", True),
    Action("settings", "reset", "r", "Reset", "Take the setting out of the file", True),
)

_BESIDE = {"browse": ("items", "view"), "item": ("items", "view"), "thread": ("items", "view"), "links": ("view",),
           "threads": ("view",), "log": ("view",), "activity": ("view",), "settings": ("view",),
           "brief": ("view",), "persona": ("view",), "graph": ("view",), "review": ("view",)}  # fmt: skip
"""The scopes that are there together with that of a screen, besides `list` and `app`."""


def meet(one: str, other: str) -> bool:
    """Whether two scopes are ever there at the same time."""
    if one == other or "app" in (one, other):
        return "pick" not in (one, other) or one == other
    scopes = [{screen, "list", *_BESIDE.get(screen, ())} for screen in {action.scope for action in ACTIONS}]
    return any({one, other} <= together for together in scopes)


def level(scope: str) -> int:
    """How far from the focus: of two actions with one key the nearer one is carried out."""
    return {"list": 0, "view": 1, "app": 3}.get(scope, 2)


def bindings(scope: str) -> list[BindingType]:
    """The keys of a scope. That of a search box is taken before others, so that what is typed after it goes there."""
    return [
        Binding(
            action.keys, action.name, action.words, show=action.shown, id=action.id, tooltip=action.help,
            priority=action.name == "search",
        )
        for action in ACTIONS
        if action.scope == scope
    ]  # fmt: skip
