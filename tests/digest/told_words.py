"""A language model that words derived items, for tests."""

from collections.abc import Callable
from typing import Any

from server import ModelServer, Request


class Told:
    """A language model that words a derived item from what it is shown; `say` may be replaced."""

    server: ModelServer

    def __init__(self) -> None:
        self.say: Callable[[Any], Any] = self.word

    def __call__(self, request: Request) -> Any:
        if request.prompt == "derive":
            return self.say(request.data)
        if request.prompt == "judge":
            return {
                "rulings": [{"id": one["id"], "action": "append", "targets": []} for one in request.data["candidates"]]
            }
        return {"candidates": []} if request.prompt == "extract" else {"procedures": []}

    @staticmethod
    def word(data: Any) -> Any:
        """A title, a statement and one citation a statement, all of them sound."""
        shown = data["statements"]
        return {
            "title": f"About {data['kind']}",
            "statement": f"The model sums up: {shown[0]['text'].split(',')[0]}",
            "citations": [{"id": one["id"], "quote": one["text"].split(",")[0].rstrip(".。")} for one in shown],
        }
