"""Tells whether an export says something new about a conversation, and is not older than what was read before."""

from hashlib import blake2b
from typing import Any

from memhub.model.record import Conversation, Skipped
from memhub_importers.values import instant


def state_of(outcome: Conversation | Skipped, updated: Any) -> str:
    """`<time of the last change, if known>|<digest of what is kept>`."""
    digest = blake2b(repr(outcome).encode("utf-8", "replace"), digest_size=12)
    return f"{instant(updated) or ''}|{digest.hexdigest()}"


def is_news(before: str | None, now: str) -> bool:
    """Whether the digest differs, and the export is no older one than that which was read last."""
    if before is None:
        return True
    updated, _, digest = now.partition("|")
    last_updated, _, last_digest = before.partition("|")
    return digest != last_digest and not (updated and updated < last_updated)
