"""Time, ids and nonces: the only module that asks the clock or the random source.

Tests replace `now_ms` and `random_bytes` here, and everything above becomes repeatable.
"""

import hashlib
import os
import time
from datetime import UTC, datetime, timedelta

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = [a + b for a in _ALPHABET for b in _ALPHABET]
DAY_MS = 86_400_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now_ms() -> int:
    """Wall time as Unix milliseconds (UTC)."""
    return time.time_ns() // 1_000_000


def random_bytes(count: int) -> bytes:
    """`count` unpredictable bytes."""
    return os.urandom(count)


def encode_id(value: int) -> str:
    """A 128-bit number as 26 characters of Crockford base 32, lower case (the text form of a ULID)."""
    high, low = divmod(value, 1 << 60)
    pairs = [_PAIRS[(low >> shift) & 1023] for shift in range(50, -1, -10)]
    top = [_PAIRS[(high >> shift) & 1023] for shift in range(60, -1, -10)]
    return "".join(top + pairs)


def new_id() -> str:
    """A fresh ULID: 48 bits of Unix milliseconds, 80 random bits."""
    return encode_id((now_ms() << 80) | int.from_bytes(random_bytes(10), "big"))


def derived_id(*parts: str) -> str:
    """The id of a thing with a natural key: the same parts give the same id on every device.

    The first 128 bits of SHA-256 over the parts joined with U+001F.
    """
    digest = hashlib.sha256("\x1f".join(parts).encode()).digest()
    return encode_id(int.from_bytes(digest[:16], "big"))


def new_nonce() -> str:
    """32 hex digits that make the hash of a typed text unguessable."""
    return random_bytes(16).hex()


def derived_nonce(item_id: str) -> str:
    """The nonce of a version written by an importer or a derivation, equal on every device."""
    return hashlib.sha256(item_id.encode()).hexdigest()


def hlc_next(last: int, wall_ms: int) -> int:
    """The next hybrid logical clock after `last`: int64 `(unix_ms << 16) | counter`."""
    return max(last + 1, wall_ms << 16)


def iso(unix_ms: int) -> str:
    """Unix milliseconds as ISO 8601 UTC, with a fraction only where there is one."""
    seconds, ms = divmod(unix_ms, 1000)
    year, month, day, hour, minute, second = time.gmtime(seconds)[:6]  # strftime writes the year 1 as `1`
    whole = f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}"
    return f"{whole}.{ms:03d}Z" if ms else f"{whole}Z"


def ms_of(text: str | None) -> int | None:
    """The Unix milliseconds at which an ISO 8601 date, month or time begins; naive times count as UTC.

    None where the text is none of these.
    """
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(f"{text}-01" if len(text) == 7 else text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(milliseconds=1)
