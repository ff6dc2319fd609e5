"""`Memory`: every verb of mh, synchronous."""

from memhub.workspace.digesting import Digesting
from memhub.workspace.entities import Entities
from memhub.workspace.groups import Groups
from memhub.workspace.importing import Importing
from memhub.workspace.overview import Overview
from memhub.workspace.threads import Threads
from memhub.workspace.writing import Writing


class Memory(Writing, Groups, Importing, Threads, Entities, Digesting, Overview):
    """A knowledge base in one file.

        with Memory("notes.db") as memory:
            added = memory.add("The ferry to Naxos leaves at 7:30", labels=["travel"])
            found = memory.search("ferry")
            memory.drop(added.item.id)
            memory.undo()

    Methods take ids or unique ends of ids and return frozen values; errors are those of `memhub.errors`. One object is
    for one thread at a time; any number of processes may have the same file open.
    """
