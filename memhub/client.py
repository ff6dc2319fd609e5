"""`MemoryClient`: the verbs of `Memory` as coroutines, each carried out in one thread of the client's own."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial, update_wrapper
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from memhub.workspace import Memory

P = ParamSpec("P")
R = TypeVar("R")
_END = object()


def _verb(
    method: Callable[Concatenate[Memory, P], R],
) -> Callable[Concatenate["MemoryClient", P], Awaitable[R]]:
    """The coroutine of a verb that answers with one value."""

    async def call(self: "MemoryClient", /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._call(partial(method, self.memory, *args, **kwargs))

    update_wrapper(call, method)
    return call


def _stream(
    method: Callable[Concatenate[Memory, P], Iterator[R]],
) -> Callable[Concatenate["MemoryClient", P], AsyncIterator[R]]:
    """The asynchronous iterator of a verb that yields as it goes."""

    async def call(self: "MemoryClient", /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[R]:
        values = await self._call(partial(method, self.memory, *args, **kwargs))
        try:
            while (value := await self._call(partial(next, values, _END))) is not _END:
                yield value
        finally:  # also when the caller stops early: what the verb holds is given back in the thread that took it
            if isinstance(values, Generator):
                await self._call(values.close)

    update_wrapper(call, method)
    return call


class MemoryClient:
    """A knowledge base in one file, for asynchronous programs.

        async with MemoryClient("notes.db") as memory:
            await memory.add("The ferry to Naxos leaves at 7:30", labels=["travel"])
            found = await memory.search("ferry")

    Takes the arguments of `Memory` and has its verbs; see there. Calls of one client are carried out one after the
    other; the event loop never waits for the disk or a model. Iterables and `progress` functions that are handed to a
    verb are called in the client's thread. A call that is cancelled is still carried out to its end.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.memory = Memory(*args, **kwargs)
        self._thread = ThreadPoolExecutor(1, "mh")
        self._is_closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the file and end the thread, once what was asked for before is done; no verb can be called after."""
        if not self._is_closed:
            self._is_closed = True
            await self._call(self.memory.close)
            self._thread.shutdown(wait=False)

    @property
    def path(self) -> Path:
        """The file in use."""
        return self.memory.path

    @asynccontextmanager
    async def together(self, verb: str, summary: str = "") -> AsyncIterator[None]:
        """See `Memory.together`; what other tasks change meanwhile with this client belongs to it, too."""
        inside = self.memory.together(verb, summary)
        await self._call(inside.__enter__)
        try:
            yield
        finally:
            await self._call(partial(inside.__exit__, None, None, None))

    async def _call(self, work: Callable[[], R]) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    add = _verb(Memory.add)
    add_many = _stream(Memory.add_many)
    add_messages = _verb(Memory.add_messages)
    search = _verb(Memory.search)
    get = _verb(Memory.get)
    get_many = _verb(Memory.get_many)
    list = _verb(Memory.list)
    rows = _verb(Memory.rows)
    data_version = _verb(Memory.data_version)
    count = _verb(Memory.count)
    undated = _verb(Memory.undated)
    suffix = _verb(Memory.suffix)
    history = _verb(Memory.history)
    operations = _verb(Memory.operations)
    operation_count = _verb(Memory.operation_count)
    links = _verb(Memory.links)
    relations = _verb(Memory.relations)
    threads = _verb(Memory.threads)
    thread_count = _verb(Memory.thread_count)
    thread = _verb(Memory.thread)
    thread_search = _verb(Memory.thread_search)
    thread_drop = _verb(Memory.thread_drop)
    labels = _verb(Memory.labels)
    spaces = _verb(Memory.spaces)
    projects = _verb(Memory.projects)
    project_of = _verb(Memory.project_of)
    stats = _verb(Memory.stats)
    update = _verb(Memory.update)
    set = _verb(Memory.set)
    move = _verb(Memory.move)
    drop = _verb(Memory.drop)
    restore = _verb(Memory.restore)
    erase = _verb(Memory.erase)
    undo = _verb(Memory.undo)
    redo = _verb(Memory.redo)
    entities = _verb(Memory.entities)
    entity = _verb(Memory.entity)
    entity_merge = _verb(Memory.entity_merge)
    entity_alias = _verb(Memory.entity_alias)
    entity_rename = _verb(Memory.entity_rename)
    entity_type = _verb(Memory.entity_type)
    entity_split = _verb(Memory.entity_split)
    entity_drop = _verb(Memory.entity_drop)
    look_through = _verb(Memory.look_through)
    label = _verb(Memory.label)
    label_rename = _verb(Memory.label_rename)
    link = _verb(Memory.link)
    unlink = _verb(Memory.unlink)
    space_new = _verb(Memory.space_new)
    space_rename = _verb(Memory.space_rename)
    space_read = _verb(Memory.space_read)
    space_merge = _verb(Memory.space_merge)
    judge = _verb(Memory.judge)
    distill = _verb(Memory.distill)
    rulings = _verb(Memory.rulings)
    overturn = _verb(Memory.overturn)
    why = _verb(Memory.why)
    evolves = _verb(Memory.evolves)
    profile = _verb(Memory.profile)
    digest = _verb(Memory.digest)
    persona = _verb(Memory.persona)
    persona_pin = _verb(Memory.persona_pin)
    persona_correct = _verb(Memory.persona_correct)
    persona_ban = _verb(Memory.persona_ban)
    persona_allow = _verb(Memory.persona_allow)
    useful = _verb(Memory.useful)
    decay = _verb(Memory.decay)
    seen = _verb(Memory.seen)
    review = _verb(Memory.review)
    brief = _verb(Memory.brief)
    graph = _verb(Memory.graph)
    ask = _verb(Memory.ask)
    resolve = _verb(Memory.resolve)
    queue = _verb(Memory.queue)
    queue_count = _verb(Memory.queue_count)
    queue_retry = _verb(Memory.queue_retry)
    queue_drop = _verb(Memory.queue_drop)
    import_ = _verb(Memory.import_)
    discover = _verb(Memory.discover)
    importers = _verb(Memory.importers)
    source_file = _verb(Memory.source_file)
    export_lines = _stream(Memory.export_lines)
    export_folder = _verb(Memory.export_folder)
    import_export = _verb(Memory.import_export)
    index = _verb(Memory.index)
    doctor = _verb(Memory.doctor)
