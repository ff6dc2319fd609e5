"""A model that says what a test told it to say, without a server."""

from collections.abc import Callable, Mapping
from typing import Any

from memhub.llm.call import Answer, Use
from memhub.llm.prompts import Prompt
from memhub.llm.schema import check


class FakeLlm:
    """`say` gets the prompt's name and the data and returns the value, or raises."""

    model = "fake"

    def __init__(self, say: Callable[[str, Any], Any]) -> None:
        self.say = say
        self.asked: list[tuple[str, Any]] = []

    def complete(self, prompt: Prompt, values: Mapping[str, Any], schema: Mapping[str, Any]) -> Answer:
        self.asked.append((prompt.name, values))
        value = check(self.say(prompt.name, values), schema)
        return Answer(value, Use(self.model, prompt.hash, 1, 1, 0.0, 0.0))
