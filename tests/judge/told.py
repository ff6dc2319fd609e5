"""A language model whose answers a test lays down by what stands in the texts."""

from collections.abc import Callable
from typing import Any

from server import ModelServer, Request

Entry = dict[str, Any]


class Told:
    """Answers of the three prompts: statements by their quotes, rulings by candidate and target, procedures as given.

    `on_call`, when set, hears each request before it is answered.
    """

    server: ModelServer

    def __init__(self) -> None:
        self.quotes: list[Entry] = []
        self.rulings: dict[str, tuple[str, str | None]] = {}
        self.procedures: list[Entry] = []
        self.on_call: Callable[[Request], Any] | None = None

    @property
    def asked(self) -> list[str]:
        """The prompts so far."""
        return self.server.asked

    def state(self, quote: str, kind: str = "fact", **more: Any) -> None:
        """Draw this statement from every text that holds the words."""
        self.quotes.append({"quote": quote, "kind": kind, "text": quote, **more})

    def rule(self, text: str, action: str, target: str | None = None, **more: Any) -> None:
        """Rule so on the candidate with this text, against the relative with that text."""
        self.rulings[text] = (action, target)

    def __call__(self, request: Request) -> Any:
        if self.on_call is not None:
            given = self.on_call(request)
            if given is not None:
                return given
        answer = getattr(self, f"_{request.prompt}")
        return answer(request.data)

    def _extract(self, data: Any) -> Any:
        found = [
            {"turn": turn["id"], **entry}
            for entry in self.quotes
            for turn in data["turns"]
            if entry["quote"] in turn["text"]
        ]
        return {"candidates": found}

    def _procedures(self, data: Any) -> Any:
        return {"procedures": self.procedures}

    def _judge(self, data: Any) -> Any:
        return {"rulings": [self._ruling(candidate) for candidate in data["candidates"]]}

    def _ruling(self, candidate: Any) -> Entry:
        action, wanted = self.rulings.get(candidate["text"], ("append", None))
        targets = [one["id"] for one in candidate["relatives"] if one["text"] == wanted]
        return {
            "id": candidate["id"], "action": action, "targets": targets, "reason": f"told to say {action}",
            "difference": "old → new" if action == "replaces" else None, "confidence": 0.9,
        }  # fmt: skip
