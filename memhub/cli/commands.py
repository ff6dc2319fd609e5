"""The table of commands: name, where it lives, its help line, and the group it is shown in."""

from typing import NamedTuple


class Row(NamedTuple):
    """One command. `target` is "module:object", an object made by `app.typer_app`."""

    name: str
    target: str
    help: str
    group: str


GROUPS = ("Remember and find", "Change", "Organise", "Judge", "Take back", "Move data", "Set up and look after")
_FIND, _CHANGE, _ORGANISE, _JUDGE, _BACK, _MOVE, _CARE = GROUPS

COMMANDS = (
    Row("add", "memhub.cli.add:app", "Remember a text, or every record of standard input.", _FIND),
    Row("capture", "memhub.cli.capture:app", "Keep a conversation, or one turn of it, from stdin.", _FIND),
    Row("search", "memhub.cli.search:app", "Find items by words and by meaning.", _FIND),
    Row("show", "memhub.cli.show:app", "Show items in full.", _FIND),
    Row("list", "memhub.cli.list:app", "List items, newest first.", _FIND),
    Row("tui", "memhub.cli.tui:app", "Browse and edit everything with the keyboard.", _FIND),
    Row("pick", "memhub.cli.pick:app", "Choose items from a list below the prompt, and print their ids.", _FIND),
    Row("edit", "memhub.cli.edit:app", "Change the text of an item, in the editor or by options.", _CHANGE),
    Row("set", "memhub.cli.change:set_app", "Set importance, pin, archive or project of items.", _CHANGE),
    Row("mv", "memhub.cli.change:mv_app", "Move items into another space.", _CHANGE),
    Row("rm", "memhub.cli.change:rm_app", "Drop items; `mh restore` brings them back.", _CHANGE),
    Row("restore", "memhub.cli.change:restore_app", "Bring dropped items back.", _CHANGE),
    Row("erase", "memhub.cli.erase:app", "Remove items and their history for good.", _CHANGE),
    Row("label", "memhub.cli.label:app", "Add, remove, rename and list labels.", _ORGANISE),
    Row("space", "memhub.cli.space:app", "Make, list, rename, connect and merge spaces.", _ORGANISE),
    Row("link", "memhub.cli.link:link_app", "Link two items.", _ORGANISE),
    Row("unlink", "memhub.cli.link:unlink_app", "Remove a link between two items.", _ORGANISE),
    Row("links", "memhub.cli.link:links_app", "List the links of an item.", _ORGANISE),
    Row("entity", "memhub.cli.entity:app", "List, name and merge who and what items speak of.", _ORGANISE),
    Row("thread", "memhub.cli.thread:app", "List, show, search, remove and export conversations.", _ORGANISE),
    Row("judge", "memhub.cli.judge:app", "Compare what is new with what is known.", _JUDGE),
    Row("distill", "memhub.cli.distill:app", "Draw what is worth keeping from conversations.", _JUDGE),
    Row("review", "memhub.cli.review:app", "Settle what needs a person: contradictions, forks, doubts.", _JUDGE),
    Row("profile", "memhub.cli.profile:app", "Show what holds now about you and others.", _JUDGE),
    Row("rulings", "memhub.cli.rulings:rulings_app", "List what was ruled, newest first.", _JUDGE),
    Row(
        "why",
        "memhub.cli.rulings:why_app",
        "Say what speaks for an item: the words it came from, rulings, links.",
        _JUDGE,
    ),
    Row("evolves", "memhub.cli.rulings:evolves_app", "Show how a statement changed over time, oldest first.", _JUDGE),
    Row("queue", "memhub.cli.queue:app", "List what waits to be judged.", _JUDGE),
    Row("history", "memhub.cli.history:app", "Show every version of an item and what changed.", _BACK),
    Row("log", "memhub.cli.log:log_app", "List operations, newest first.", _BACK),
    Row("undo", "memhub.cli.log:undo_app", "Take back the last operation, or a named one.", _BACK),
    Row("redo", "memhub.cli.log:redo_app", "Take back an undo.", _BACK),
    Row("import", "memhub.cli.importing:import_app", "Bring in notes, files, AI sessions or an export.", _MOVE),
    Row(
        "export", "memhub.cli.transfer:export_app", "Write everything as JSON Lines, or as a folder of Markdown.", _MOVE
    ),
    Row("index", "memhub.cli.care:index_app", "Compute the vectors that are still pending.", _CARE),
    Row("stats", "memhub.cli.care:stats_app", "Count what is stored.", _CARE),
    Row("doctor", "memhub.cli.care:doctor_app", "Check the file, and rebuild what can be rebuilt.", _CARE),
    Row("config", "memhub.cli.config:app", "Show and change settings.", _CARE),
    Row("key", "memhub.cli.key:app", "Store keys of services in the keyring.", _CARE),
    Row(
        "completion", "memhub.cli.completion:app", "Print the completion script of a shell, or its key bindings.", _CARE
    ),
    Row("help", "memhub.cli.help:app", "Show help on a command or a topic.", _CARE),
)
