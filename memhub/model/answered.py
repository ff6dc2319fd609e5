"""A question, its answer, and what the answer rests on."""

from dataclasses import dataclass
from typing import NamedTuple

from memhub.model.found import Hit


class Said(NamedTuple):
    """A sentence of an answer; `cites` are the numbers of the sources that bear it out, from 1, at least one."""

    text: str
    cites: tuple[int, ...]


@dataclass(frozen=True)
class Answered:
    """`sentences` are empty without a model, or when it had no answer that its sources bear out.

    `sources` are what was found, the best first; the first is number 1. `is_partial`: a model was to answer and could
    not be asked.
    """

    question: str
    sentences: tuple[Said, ...]
    sources: tuple[Hit, ...]
    model: str | None = None
    notices: tuple[str, ...] = ()
    is_partial: bool = False

    @property
    def text(self) -> str | None:
        """The whole answer with its sources in brackets; None when there is none."""
        return " ".join(with_sources(said) for said in self.sentences) or None


def with_sources(said: Said) -> str:
    """The sentence with the numbers of its sources before its full stop."""
    marks = "".join(f"[{number}]" for number in said.cites)
    text = said.text.rstrip()
    end = text[-1:] if text[-1:] in ".!?。！？" else ""
    body = text[: len(text) - len(end)]
    return f"{body}{'' if body[-1:] > chr(0x2E80) else ' '}{marks}{end}"
