"""Names in a text by rules: persons, organisations, places, tools, projects, tags, hosts, code and files.

Pure functions over one text. What is marked (addresses, code, tags, handles) is read first and hidden from the rules
for words.
"""

from memhub.text.names_han import han_names
from memhub.text.names_latin import latin_names
from memhub.text.names_marked import Candidate, marked

RULES = 1
"""Goes up when the rules find other names: what was looked through before is then looked through again."""


def candidates(text: str) -> list[Candidate]:
    """Every name in a text, in order, each place once."""
    found, rest = marked(text)
    found += latin_names(rest)
    if not rest.isascii():
        taken = [(one.start, one.stop) for one in found]
        found += [one for one in han_names(rest) if not any(a < one.stop and one.start < b for a, b in taken)]
    return sorted(found, key=lambda one: one.start)
