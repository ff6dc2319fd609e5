"""basic-memory: Markdown notes with a permalink each; their observations and relations are read out of the lists."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memhub.model import EMPTY
from memhub.model.record import Cursor, Link, Origin, Passed, Record, Skipped
from memhub.text.labels import is_label, normalise, unique_labels
from memhub.text.masks import MASK, mask_markup
from memhub_importers import note_folders
from memhub_importers.encoding import Decoded, decode
from memhub_importers.files import Found, walk
from memhub_importers.frontmatter import split_front_matter
from memhub_importers.links import NOTE_ENDINGS, Names
from memhub_importers.note import Dialect, Identity
from memhub_importers.note import identity as identity_of
from memhub_importers.notebook import Profile, read_notes
from memhub_importers.options import DOCUMENTS, FACTS, YES
from memhub_importers.text import sid

OPTIONS = (FACTS, *DOCUMENTS)
GOES_BY_NAME = True
_SNIFFED = 20
_HEAD_CHARS = 70 * 1024
_PERMALINK = re.compile(
    r"^permalink[ \t]*:[ \t]*[\"']?[^\s/\"']", re.MULTILINE | re.IGNORECASE
)  # web pages begin with `/`
_OBSERVATION = re.compile(r"[ \t]*[-*][ \t]+\[([^\[\]()\n]{1,100})\][ \t]+(\S[^\n]*)")
_RELATION = re.compile(r"[ \t]*[-*][ \t]+(?:\"([^\"\n\[\]]{1,200})\"|([^\s\"\[\]]{1,100}))[ \t]*(?=\[\[)")
_WIKI = re.compile(r"\[\[([^\[\]\n|]{1,1000})(?:\|[^\[\]\n]{0,1000})?\]\]")
_CONTEXT = re.compile(r"\(([^()\n]{1,1000})\)[ \t]*$")
_TAG = re.compile(r"(?<!\S)#([^\s#()]{1,100})")
LINKS_TO = "links_to"


def places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """The folders of its projects."""
    return [folder for folder in note_folders.basic_memory(home, environ) if sniff(folder)]


def survey(path: Path) -> tuple[int, str]:
    """How many notes there are, by the endings of their names."""
    return note_folders.count(path, NOTE_ENDINGS), "notes"


def sniff(path: Path) -> bool:
    """Whether most of the first notes of a folder carry a permalink."""
    if not path.is_dir():
        return path.is_file() and path.suffix.lower() in NOTE_ENDINGS and _has_permalink(str(path))
    seen = with_permalink = 0
    for found in walk(path):
        if isinstance(found, Found) and found.suffix in NOTE_ENDINGS:
            seen += 1
            with_permalink += _has_permalink(found.path)
            if seen >= _SNIFFED:
                break
    return with_permalink * 2 > seen


def origin(path: Path) -> Origin:
    """`basic-memory`, named after the folder or the file."""
    path = path.resolve()
    return Origin("basic-memory", path.stem if path.is_file() else path.name)


def read(
    path: Path, *, scope: str = "", cursors: Mapping[str, str] = EMPTY, options: Mapping[str, str] = EMPTY
) -> Iterator[Record | Skipped | Cursor | Passed]:
    """Each note as a record, with its relations as links. Raises `NotFoundError`."""
    yield from read_notes(path, _Project(path, options), cursors)


class _Project(Profile):
    """Notes are called by their permalink and linked to by permalink or title."""

    dialect = Dialect(id_prefix="permalink", id_keys=("permalink",))

    def identity(self, found: Found, text: str) -> Identity:
        """The permalink, and the title as an alias."""
        if not text.startswith("---"):
            return Identity()
        values = {key.lower(): value for key, value in split_front_matter(text[:_HEAD_CHARS]).values.items()}
        permalink, title = (values[key].strip() if _is_text(values.get(key)) else "" for key in ("permalink", "title"))
        aliases = (*(name for name in (permalink, title) if name), *identity_of(text).aliases)
        return Identity(permalink or None, aliases)

    def note(self, found: Found, decoded: Decoded, external_id: str, names: Names) -> Record:
        """The note, with what its lists say beside the text."""
        record = super().note(found, decoded, external_id, names)
        observations, relations = _parse(record.content, found.name, names)
        kept = tuple(link for link in record.links if not _is_wikilink(link, record.content))
        attrs = {**record.attrs, "observations": observations} if observations else record.attrs
        return record._replace(attrs=attrs, links=(*relations, *kept))

    def parts(self, note: Record) -> Iterator[Record]:
        """With the option, each observation as a fact."""
        if FACTS.of(self.options) == YES:
            observations = note.attrs.get("observations", ())
            yield from (_fact(note, observation) for observation in observations if observation["content"])


def _fact(note: Record, observation: Mapping[str, Any]) -> Record:
    category, content = observation["category"], observation["content"]
    labels = [label for label in map(normalise, observation["tags"]) if is_label(label)]
    context = {"context": observation["context"]} if observation["context"] else {}
    return Record(
        external_id=f"{note.external_id}#obs:{sid(category, content)}",
        content=content,
        title=note.title,
        kind="fact",
        labels=unique_labels(labels),
        created_at=note.created_at,
        updated_at=note.updated_at,
        attrs={"category": category, **context},
        path=note.path,
        links=(Link("relation", "about", note.external_id, {"to_title": note.title}),),
    )


def _parse(content: str, note: str, names: Names) -> tuple[list[dict[str, Any]], list[Link]]:
    """The observations of a note, and its relations in the order they stand; the same link twice counts once."""
    observations: list[dict[str, Any]] = []
    relations: dict[tuple[str, str, str | None], Link] = {}
    lines = content.split("\n")
    for line, masked in zip(lines, mask_markup(content).split("\n"), strict=True):
        observation = _OBSERVATION.match(masked)
        if observation and observation[1].strip().lower() not in ("", "x", "-") and MASK not in observation[1]:
            observations.append(_observation(observation[1].strip(), line[observation.start(2) :]))
        if "[[" not in masked:
            continue
        relation = None if observation else _RELATION.match(masked)
        for number, wiki in enumerate(_WIKI.finditer(masked)):
            is_typed = relation is not None and number == 0 and wiki.start() == relation.end()
            word = (relation[1] or relation[2]).strip() if relation and is_typed else LINKS_TO
            target = wiki[1].strip()
            attrs = {"to_title": target}
            if is_typed and (context := _CONTEXT.search(line[wiki.end() :])):
                attrs["context"] = context[1].strip()
            external_id, file = names.find(target, note)
            if file:
                continue
            link = Link("relation", word, external_id, attrs)
            relations.setdefault((word, target, attrs.get("context")), link)
    return observations, list(relations.values())


def _observation(category: str, rest: str) -> dict[str, Any]:
    rest = rest.strip()
    context = _CONTEXT.search(rest)
    if context:
        rest = rest[: context.start()].rstrip()
    tags = _TAG.findall(rest)
    content = " ".join(_TAG.sub("", rest).split())
    return {"category": category, "content": content, "tags": tags, "context": context[1].strip() if context else None}


def _is_wikilink(link: Link, content: str) -> bool:
    """Whether a link of the text is written `[[target…`, and so among the relations."""
    return link.type == "link" and f"[[{link.target}" in content


def _has_permalink(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            head = file.read(4096)
    except OSError:
        return False
    decoded = decode(head)
    if decoded is None or not decoded.text.startswith("---"):
        return False
    block = decoded.text[3:]
    end = block.find("\n---")
    return bool(_PERMALINK.search(block[: end if end >= 0 else len(block)]))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
