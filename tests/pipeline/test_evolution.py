"""What was said in one moment is judged, and told, in the order in which it was said."""

import pytest

from memhub import Memory
from memhub.model.result import NewNote


@pytest.mark.parametrize("places", [("Paris", "Berlin", "Rome", "Oslo"), ("Oslo", "Rome", "Berlin", "Paris")])
def test_notes_of_one_command_are_judged_in_their_order(places: tuple[str, ...]) -> None:
    """They have one time, and ids that say nothing about their order; the last word counts."""
    with Memory() as memory:
        notes = [NewNote("I live in " + places[0]), *(NewNote(f"I moved to {place}") for place in places[1:])]
        kept = [answer.item.id for answer in memory.add_many(notes)]  # type: ignore[union-attr]
        memory.judge()
        assert [item.id for item in memory.list() if item.kind == "note"] == kept[-1:]
        assert [line.value for line in memory.profile()] == [places[-1]]
        assert [step.item for step in memory.evolves(kept[1])] == kept
