"""A language model on loopback for the tests of the digest."""

from typing import Any

from server import ModelServer, Request


class Script:
    """`say` maps the name of a prompt to what it answers: a value, or a function of the data."""

    server: ModelServer

    def __init__(self) -> None:
        self.say: dict[str, Any] = {}

    def __call__(self, request: Request) -> Any:
        answer = self.say[request.prompt]
        return answer(request.data) if callable(answer) else answer
