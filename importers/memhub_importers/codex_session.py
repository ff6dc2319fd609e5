"""One Codex rollout, of any of the three record forms, as a conversation.

Up to 0.147 every prompt and answer is written twice, as `event_msg` for the screen and as `response_item` for the
model; later versions write `item_completed` for the screen; the files of early 2025 have only the items of the model.
One layer is read: that of the screen where it has a prompt, since the other also holds what was put in unasked.
(Ours: a screen layer without any answer is not taken when the other has some.)

A turn has no id that lasts: a later Codex rewrites old files and gives new ones. Its role and its time to the
millisecond are what stays, so they are the id; in files without times it is the position.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from memhub.model.record import Conversation, Skipped
from memhub.model.thread import Message
from memhub_importers import dialogue
from memhub_importers.values import entries, instant, table, text

KIND = "codex"
_INJECTED = (
    "# AGENTS.md",
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<permissions",
    "<skill",
    "<turn_aborted",
    "<subagent_notification",
)
_EDITOR_CONTEXT = "# Context from my IDE setup:"
_REQUEST = "## My request for Codex:"
_TOOLS = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call")
_TOOL_ITEMS = ("CommandExecution", "FileChange", "McpToolCall", "WebSearch")
_FOLDER = re.compile(r"<cwd>([^<\n]+)</cwd>|^Current working directory: (.+)$", re.M)
_GENERIC_TURN = re.compile(r"rollout-\d+")


class _Said(NamedTuple):
    """A prompt or an answer of one layer; `stamp` is the time as written, `turn` the id of the turn it is part of."""

    role: str
    content: str
    stamp: str
    turn: str = ""
    phase: str = ""
    model: str = ""


class Rollout:
    """The records of one file, added in order. `named` is the thread id in the name of the file.

    The first `session_meta` counts; that of a parent may follow, and stands alone where the first one is damaged, so
    the name of the file says whose file it is.
    """

    def __init__(self, named: str = "") -> None:
        self.meta: Mapping[str, Any] = {}
        self._named = named
        self.turns: set[str] = set()
        self.title = ""
        self._folder = ""
        self._turn = self._model = ""
        self._screen: list[_Said | None] = []  # None: a tool was called
        self._items: list[_Said | None] = []
        self._last_answers: set[str] = set()

    def add(self, record: Mapping[str, Any]) -> None:
        """Takes in the next record; whatever its fields hold."""
        kind, stamp = text(record, "type"), text(record, "timestamp").strip()
        payload = table(record, "payload")
        if kind == "session_meta" or (not kind and text(record, "id") and not self.meta):
            self.meta = self.meta or payload or record
        elif kind == "event_msg":
            self._event(payload, stamp)
        elif kind == "response_item":
            self._item(payload, stamp)
        elif kind == "turn_context":
            self._model = text(payload, "model") or self._model
            self._enter(payload)
        elif kind and "payload" not in record:
            self._item(record, "")

    @property
    def id(self) -> str:
        """The id of the thread, or nothing when neither the file nor its name says."""
        return self._named or text(self.meta, "id").strip() or text(self.meta, "session_id").strip()

    @property
    def parent(self) -> str:
        """The thread that a sub-agent worked for; nothing when a person started this one."""
        source = self.meta.get("source")
        if text(self.meta, "thread_source") != "subagent" and not isinstance(source, dict):
            return ""
        spawned = table(table(source, "subagent"), "thread_spawn")
        named = (text(self.meta, "parent_thread_id"), text(spawned, "parent_thread_id"), text(self.meta, "session_id"))
        return next((name.strip() for name in named if name.strip()), "unknown")

    @property
    def forked_from(self) -> str:
        """The thread whose first turns this one repeats."""
        return text(self.meta, "forked_from_id").strip()

    def conversation(self, id: str, scope: str, *, title: str, known: Collection[str] = ()) -> Conversation | Skipped:
        """The thread. `known` are ids of turns of the thread that this one was forked from: left out at its start."""
        has_prompt, has_answer = _roles(self._screen)
        said = self._screen if has_prompt and (has_answer or not _roles(self._items)[1]) else self._items
        kept = _once(said)
        while kept and (kept[0] is None or kept[0].turn in known):
            del kept[0]
        return dialogue.conversation(
            (KIND, scope, id),
            self._messages(kept),
            title=self.title or title,
            folder=text(self.meta, "cwd") or self._folder,
            started_at=instant(self.meta.get("timestamp")),
            parent=self.parent,
        )

    def _event(self, event: Mapping[str, Any], stamp: str) -> None:
        kind = text(event, "type")
        if kind == "user_message":
            if text(event, "kind") not in ("environment_context", "user_instructions"):
                self._prompt(self._screen, text(event, "message"), stamp)
        elif kind == "agent_message":
            self._answer(self._screen, text(event, "message"), stamp, text(event, "phase"))
        elif kind == "item_completed":
            self._enter(event)
            self._completed(table(event, "item"), stamp)
        elif kind == "task_started":
            self._enter(event)
        elif kind == "task_complete":
            self._last_answers.add(text(event, "last_agent_message").strip())
        elif kind == "thread_rolled_back":
            for layer in (self._screen, self._items):
                _roll_back(layer, event.get("num_turns"))
        elif kind == "thread_name_updated":
            self.title = text(event, "thread_name").strip() or self.title

    def _completed(self, item: Mapping[str, Any], stamp: str) -> None:
        kind = text(item, "type")
        if kind == "UserMessage":
            self._prompt(self._screen, _text(item), stamp)
        elif kind == "AgentMessage":
            self._answer(self._screen, _text(item), stamp, text(item, "phase"))
        elif kind in _TOOL_ITEMS:
            self._screen.append(None)

    def _item(self, item: Mapping[str, Any], stamp: str) -> None:
        kind, role = text(item, "type"), text(item, "role")
        if kind in _TOOLS:
            self._screen.append(None)
            self._items.append(None)
        elif kind == "message" and role == "assistant":
            self._answer(self._items, _text(item), stamp, text(item, "phase"))
        elif kind == "message" and role == "user":
            parts = _parts(item)
            if not self._folder and (found := next(filter(None, map(_FOLDER.search, parts)), None)):
                self._folder = found[1] or found[2]
            typed = [part for part in parts if not part.lstrip().startswith(_INJECTED)]
            self._prompt(self._items, "\n\n".join(typed), stamp)

    def _enter(self, payload: Mapping[str, Any]) -> None:
        self._turn = text(payload, "turn_id") or self._turn
        if self._turn and not _GENERIC_TURN.fullmatch(self._turn):
            self.turns.add(self._turn)

    def _prompt(self, layer: list[_Said | None], content: str, stamp: str) -> None:
        content = content.strip()
        if content.startswith(_EDITOR_CONTEXT) and _REQUEST in content:
            content = content.partition(_REQUEST)[2].strip()
        if content:
            layer.append(_Said("user", content, stamp, self._turn))

    def _answer(self, layer: list[_Said | None], content: str, stamp: str, phase: str) -> None:
        if content.strip():
            layer.append(_Said("assistant", content.strip(), stamp, self._turn, phase, self._model))

    def _messages(self, kept: list[_Said | None]) -> list[Message]:
        """The turns as messages; where the tool does not mark the final answer, the rule of all tools does."""
        done: list[Message] = []
        turn: list[Message | None] = []
        is_marked = False
        number = 0
        for said in (*kept, _Said("user", "", "")):
            if said is None:
                turn.append(None)
                continue
            if said.role == "user":
                done += [message for message in turn if message] if is_marked else dialogue.marked(turn)
                turn, is_marked = [], False
            number += 1
            is_final = said.phase == "final_answer" or (not said.phase and said.content in self._last_answers)
            is_marked |= bool(said.phase) or (is_final and said.role == "assistant")
            attrs = dialogue.attrs(said.model, is_final) if said.role == "assistant" else {}
            id = f"{said.role}:{said.stamp}" if said.stamp else f"#{number}"
            turn.append(Message(said.content, said.role, at=instant(said.stamp), id=id, attrs=attrs))
        return done


def _roles(layer: list[_Said | None]) -> tuple[bool, bool]:
    """Whether a layer has a prompt, and whether it has an answer."""
    roles = {said.role for said in layer if said}
    return "user" in roles, "assistant" in roles


def _once(layer: list[_Said | None]) -> list[_Said | None]:
    """The layer without what is written again: a prompt repeated before any answer, an answer in two forms at once."""
    kept: list[_Said | None] = []
    last: _Said | None = None
    for said in layer:
        if said is not None:
            if last and said[:2] == last[:2] and (said.role == "user" or said.stamp == last.stamp != ""):
                continue
            last = said
        kept.append(said)
    return kept


def _roll_back(layer: list[_Said | None], count: Any) -> None:
    """Takes the last `count` prompts away, and everything after the first of them."""
    if not isinstance(count, int) or isinstance(count, bool) or count <= 0:
        return
    prompts = [place for place, said in enumerate(layer) if said and said.role == "user"]
    if prompts:
        del layer[prompts[max(0, len(prompts) - count)] :]


def _parts(item: Mapping[str, Any]) -> list[str]:
    """The texts of a message; the names of the part types differ in case between versions."""
    kinds = ("text", "input_text", "output_text")
    return [text(part, "text") for part in entries(item, "content") if text(part, "type").lower() in kinds]


def _text(item: Mapping[str, Any]) -> str:
    return "\n\n".join(part.strip() for part in _parts(item) if part.strip())
