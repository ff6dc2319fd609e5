"""The paragraph with which a page begins when there is a model: a few sentences, each checked."""

import re

from memhub.digest.cited import cited
from memhub.digest.frame import Frame, escape
from memhub.llm.call import Llm
from memhub.model.answered import Said
from memhub.model.briefing import Section
from memhub.text.redact import mask

MOST = 3
_LINES = 40


def opening(frame: Frame, sections: list[Section], llm: Llm) -> str:
    """A few sentences on what matters today, each with the ids of the lines it rests on; empty when none holds."""
    lines = [(section.title, line[2:]) for section in sections for line in section.text.split("\n")][:_LINES]
    if not lines:
        return ""
    texts = [mask(_without_marks(line)) for _, line in lines]
    passages = [
        {"n": number, "section": title, "text": text}
        for number, ((title, _), text) in enumerate(zip(lines, texts, strict=True), 1)
    ]
    values = {"day": f"{frame.day} {frame.date:%A}", "passages": passages}
    reply = cited(llm, "opening", values, texts, frame.day, lambda text: "")
    return " ".join(_with_ids(said, [line for _, line in lines]) for said in reply.sentences[:MOST])


def _without_marks(line: str) -> str:
    """A line of the page as plain words: no ids, no Markdown."""
    plain = re.sub(r" ?`[0-9a-z]{6,26}`", "", line)
    return re.sub(r"\\(.)", r"\1", plain.replace("**", ""))


def _with_ids(said: Said, lines: list[str]) -> str:
    """The sentence, and behind it the short ids of the lines it rests on; three are enough."""
    ids = list(dict.fromkeys(found for n in said.cites for found in re.findall(r"`[0-9a-z]{6,26}`", lines[n - 1])))[:3]
    return " ".join((escape(said.text), *ids))
