"""The options that importers share; what each is told stands in `read(…, options=…)`."""

from memhub.model.record import Option

NO, YES = "no", "yes"

ARCHIVED = Option("archived", (NO, YES), "Org: what is marked COMMENT or archived, and `*_archive` files, too")
FACTS = Option("facts", (NO, YES), "an item of its own for each observation, beside the whole")
FILES = Option("files", (NO, YES), "bookmarks of files on this machine (`file:`) too")
FULL = Option("full", (NO, YES), "web pages: the whole body, menus and forms included")
SPLIT = Option("split", ("auto", "headline", "file"), "Org: an item for each headline, or one for each file")

DOCUMENTS = (ARCHIVED, FILES, FULL, SPLIT)
"""What folders of notes can be told about the documents in them."""
