"""Fields whose own keys act at their place among the letters.

Textual lets a bound key travel up to the app before it acts; letters typed right after it would overtake it.
"""

from textual import events
from textual.widget import Widget
from textual.widgets import Input, TextArea


class Line(Input):
    """One line to type."""

    async def _on_key(self, event: events.Key) -> None:
        await _act(self, event)


class Text(TextArea):
    """A text to type. Escape is left to the screen, which gets it after every letter typed before it."""

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.prevent_default()  # of going to the next field
        else:
            await _act(self, event)


async def _act(field: Widget, event: events.Key) -> None:
    for binding in field._bindings.key_to_bindings.get(event.key, ())[:1]:
        event.stop()
        event.prevent_default()
        await field.run_action(binding.action)
