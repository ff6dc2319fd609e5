"""One Claude Code transcript: which of its records are turns, which are dead branches, and what they are called.

The order of the file is the order of the conversation. Following `parentUuid` from the last record back would lose
text, because compaction starts a new root and parents are sometimes never written; it only tells which prompts were
edited and sent again. Two judgements of ours where the format is silent:

- Only prompts that say something compete for the place below one parent, and of two with the same text the one that
  was answered stays: a harness note or a prompt written twice must not kill the answer beside it.
- A slash command without arguments is kept when an expanded prompt (`isMeta`) follows it, because then it is the
  user's own command and the whole request; `/clear` and its like are not.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from memhub.model.record import Conversation, Skipped
from memhub.model.thread import Message
from memhub_importers import dialogue
from memhub_importers.claude_text import Prompt, prompt
from memhub_importers.values import entries, instant, table, text

KIND = "claude-code"
_TITLES = {
    "summary": ("summary", 0),
    "ai-title": ("aiTitle", 1),
    "agent-name": ("agentName", 2),
    "custom-title": ("customTitle", 3),
}


class _Turn:
    """A turn as its records come in; `blocks` are texts, `parent` the uuid it hangs off, `at` as written."""

    __slots__ = ("at", "blocks", "id", "model", "parent", "role", "stop", "tool", "uuid", "uuids")

    def __init__(self, role: str, id: str, uuid: str, parent: str, at: Any) -> None:
        self.role, self.id, self.uuid, self.parent, self.at = role, id, uuid, parent, at
        self.blocks: list[str] = []
        self.uuids = {uuid} if uuid else set()
        self.model = self.stop = ""
        self.tool = False


class Transcript:
    """The records of one file, added in order. `foreign` are uuids that an older transcript owns."""

    def __init__(self, *, is_agent: bool = False, foreign: Collection[str] = ()) -> None:
        self.is_agent, self.foreign = is_agent, foreign
        self.folder = self.session = ""
        self.times: dict[str, str] = {}
        self.parents: dict[str, str] = {}
        self._turns: list[_Turn] = []
        self._answers: dict[str, _Turn] = {}
        self._queued: set[str] = set()
        self._titles: list[tuple[int, str, str]] = []
        self._command: tuple[_Turn, Prompt] | None = None

    def add(self, record: Mapping[str, Any]) -> None:
        """Takes in the next record; whatever its fields hold."""
        kind = text(record, "type")
        if kind in _TITLES:
            if title := text(record, _TITLES[kind][0]).strip():
                self._titles.append((_TITLES[kind][1], title, text(record, "leafUuid") if kind == "summary" else ""))
            return
        if (record.get("isSidechain") is True) != self.is_agent and kind in ("user", "assistant"):
            return
        uuid = text(record, "uuid")
        if uuid:
            if uuid in self.parents:
                return
            self.parents[uuid] = text(record, "parentUuid")
            self.times[uuid] = text(record, "timestamp")
            if uuid in self.foreign:
                return
        if kind == "user":
            self._user(record, uuid)
        elif kind == "assistant":
            self._assistant(record, uuid)
        elif kind == "attachment":
            self._attachment(record, uuid)

    def conversation(self, id: str, scope: str, *, parent: str = "") -> Conversation | Skipped:
        """The thread made of what was added."""
        dead = self._dead()
        kept: list[Message | None] = []
        for turn in self._turns:
            if turn.uuids and turn.uuids <= dead:
                continue
            if turn.blocks:
                kept.append(self._message(turn))
            if turn.tool:
                kept.append(None)
        stops = any(turn.stop for turn in self._turns)
        messages = [message for message in kept if message] if stops else dialogue.marked(kept)
        return dialogue.conversation(
            (KIND, scope, id), messages, title=self._best_title(), folder=self.folder, parent=parent
        )

    def _best_title(self) -> str:
        """What the user called it, else the last generated title; no summary of another transcript."""
        best, title = -1, ""
        for rank, value, leaf in self._titles:
            if rank >= best and (not leaf or leaf in self.parents):
                best, title = rank, value
        return title

    def _message(self, turn: _Turn) -> Message:
        attrs = dialogue.attrs(turn.model, turn.stop == "end_turn") if turn.role == "assistant" else {}
        return Message("\n\n".join(turn.blocks), turn.role, at=instant(turn.at), id=turn.id, attrs=attrs)

    def _turn(self, role: str, record: Mapping[str, Any], id: str, uuid: str) -> _Turn:
        turn = _Turn(role, id, uuid, text(record, "parentUuid"), record.get("timestamp"))
        self.folder = self.folder or text(record, "cwd")
        self.session = self.session or text(record, "sessionId")
        self._turns.append(turn)
        return turn

    def _user(self, record: Mapping[str, Any], uuid: str) -> None:
        said = prompt(table(record, "message").get("content"))
        command, self._command = self._command, None
        if record.get("isMeta") is True:
            if command and not command[0].blocks and said.content:
                command[0].blocks = [command[1].command]
            elif command and not said.content:
                self._command = command
            return
        if command and said.is_output:
            command[0].blocks = []
        if record.get("isCompactSummary") is True or record.get("isVisibleInTranscriptOnly") is True:
            return
        if text(record, "promptSource") == "system" or (not said.content and not said.command):
            return
        if said.content in self._queued and text(record, "promptSource") != "typed":
            return
        turn = self._turn("user", record, uuid or _derived(record, said.content), uuid)
        turn.blocks = [said.content] if said.content else []
        if said.command:
            self._command = (turn, said)

    def _attachment(self, record: Mapping[str, Any], uuid: str) -> None:
        attachment = table(record, "attachment")
        if text(attachment, "type") != "queued_command" or text(attachment, "commandMode") != "prompt":
            return
        said = prompt(attachment.get("prompt")).content
        if said and said not in self._queued:
            self._queued.add(said)
            turn = self._turn("user", record, uuid or _derived(record, said), uuid)
            turn.blocks, turn.parent = [said], ""  # it competes with no other prompt

    def _assistant(self, record: Mapping[str, Any], uuid: str) -> None:
        message = table(record, "message")
        model = text(message, "model")
        if model == "<synthetic>" or record.get("isApiErrorMessage") is True:
            return
        id = text(message, "id") or uuid or _derived(record, str(message.get("content")))
        said = _said(message)
        turn = self._answers.get(id)
        if turn is None or (said and not turn.blocks and turn is not self._turns[-1]):
            before = turn.uuids if turn else set()  # the text counts from where it begins
            turn = self._answers[id] = self._turn("assistant", record, id, uuid)
            turn.uuids |= before
        elif said and not turn.blocks:
            turn.at = record.get("timestamp") or turn.at
        turn.uuids |= {uuid} if uuid else set()
        turn.model = model or turn.model
        turn.stop = text(message, "stop_reason") or turn.stop
        for block in said:
            _extend(turn.blocks, block)
        turn.tool |= any(text(block, "type") == "tool_use" for block in entries(message, "content"))

    def _dead(self) -> set[str]:
        """The uuids of prompts that were edited and sent again, and of all that hangs off them."""
        below: dict[str, list[str]] = {}
        for uuid, parent in self.parents.items():
            below.setdefault(parent, []).append(uuid)
        rivals: dict[str, list[_Turn]] = {}
        for turn in self._turns:
            if turn.role == "user" and turn.uuid and turn.parent and turn.blocks:
                rivals.setdefault(turn.parent, []).append(turn)
        dead: set[str] = set()
        for turns in rivals.values():
            live = turns[-1]
            if not below.get(live.uuid):
                live = next((turn for turn in turns if turn.blocks == live.blocks and below.get(turn.uuid)), live)
            left = [turn.uuid for turn in turns if turn is not live]
            while left:
                uuid = left.pop()
                if uuid not in dead:
                    dead.add(uuid)
                    left += below.get(uuid, ())
        return dead


def _said(message: Mapping[str, Any]) -> list[str]:
    """The texts of an answer."""
    content = message.get("content")
    if isinstance(content, str):
        return [text(message, "content").strip()] if content.strip() else []
    blocks = (text(block, "text").strip() for block in entries(message, "content") if text(block, "type") == "text")
    return [block for block in blocks if block]


def _extend(blocks: list[str], block: str) -> None:
    """Adds a text to those of an answer; a snapshot of one that was still growing takes the place of the former."""
    if block in blocks:
        return
    if blocks and block.startswith(blocks[-1]):
        blocks[-1] = block
    else:
        blocks.append(block)


def _derived(record: Mapping[str, Any], content: str) -> str:
    """An id for a record without one: what it says and when."""
    key = f"{text(record, 'timestamp')}\n{content}".encode("utf-8", "replace")
    return "text:" + hashlib.sha256(key).hexdigest()[:20]


def add_all(transcript: Transcript, records: Iterable[tuple[int, dict[str, Any]] | Skipped]) -> list[Skipped]:
    """Adds every record to `transcript`; what could not be read."""
    skipped: list[Skipped] = []
    for record in records:
        if isinstance(record, Skipped):
            skipped.append(record)
        else:
            transcript.add(record[1])
    return skipped
