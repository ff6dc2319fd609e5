"""Conversations: what a chat platform hands over, and what reads return."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from memhub.model import EMPTY
from memhub.model.item import Item

if TYPE_CHECKING:
    from memhub.model.found import Hit


class Speaker(NamedTuple):
    """Who spoke: `id` is the platform's stable identity, `name` what the platform showed."""

    name: str | None = None
    id: str | None = None


class Message(NamedTuple):
    """One turn as it came. `role` is user, assistant, system or tool; `at` ISO 8601 or None; `id` the source's own."""

    content: str
    role: str = "user"
    speaker: Speaker = Speaker()
    at: str | None = None
    id: str | None = None
    attrs: Mapping[str, Any] = EMPTY


class ThreadInfo(NamedTuple):
    """What is known of a thread before it is stored. `whole` says that `messages` are all of it, in order.

    `key` = (kind, scope, external_id) of the source, for a thread that may come again. `folder` is the working folder
    as the source recorded it; its project is found from it. `started_at` and `ended_at` count where messages have no
    time. `parent` is the external id of the thread that this one was started from (a sub-agent).
    """

    title: str | None = None
    platform: str | None = None
    chat_type: str | None = None
    chat_name: str | None = None
    bot_name: str | None = None
    space: str | None = None
    project: str | None = None
    key: tuple[str, str, str] | None = None
    whole: bool = False
    id: str | None = None
    folder: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    parent: str | None = None


@dataclass(frozen=True)
class Thread:
    """A conversation; `turns` are filled by `Memory.thread` only. `folder` is where it ran."""

    id: str
    title: str
    platform: str | None
    chat_type: str | None
    chat_name: str | None
    bot_name: str | None
    participants: tuple[Speaker, ...]
    space: str
    project: str | None
    started_at: str | None
    updated_at: str | None
    length: int
    turns: tuple[Item, ...] = ()
    folder: str | None = None


@dataclass(frozen=True)
class ThreadHits:
    """A conversation and its turns that a search found, best first."""

    thread: Thread
    hits: "tuple[Hit, ...]"


@dataclass(frozen=True)
class ThreadsFound:
    """The answer to a search within conversations, the one with the best turn first."""

    threads: tuple[ThreadHits, ...]
    notices: tuple[str, ...] = ()
