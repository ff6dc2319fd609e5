"""mh: a personal knowledge base in one SQLite file.

    from memhub import Memory

    with Memory() as memory:
        memory.add("The boat key hangs behind the door")
        for hit in memory.search("boat key").hits:
            print(hit.item.content)

`Memory` is synchronous; `MemoryClient` has the same verbs as coroutines. Both load on first use, so that
`import memhub` costs nothing.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Memory", "MemoryClient", "__version__"]

if TYPE_CHECKING:
    from memhub.client import MemoryClient
    from memhub.workspace import Memory


def __getattr__(name: str) -> Any:
    if name == "Memory":
        from memhub.workspace import Memory

        return Memory
    if name == "MemoryClient":
        from memhub.client import MemoryClient

        return MemoryClient
    raise AttributeError(f"module 'memhub' has no attribute {name!r}")
