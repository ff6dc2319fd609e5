"""Keys of services: the environment first, then the keyring. Never a file, never the database.

A key called `openai` is read from `MH_KEY_OPENAI`, then from the keyring entry `openai` of the service `mh`. keyring
costs 80 ms to import, so it is imported inside these functions. A machine without a keyring backend has no stored
keys: reading says None, writing says what to do instead.
"""

import os
from typing import Any, NamedTuple

from memhub.errors import NotFoundError, UnavailableError, UsageError

SERVICE = "mh"
_NAMES = "names"  # the keyring cannot list its entries, so one entry holds their names


class KeyInfo(NamedTuple):
    """A key that is there: its name and `environment` or `keyring`, never its value."""

    name: str
    origin: str


def environment_name(name: str) -> str:
    """The variable that overrides the keyring: `openai` → `MH_KEY_OPENAI`."""
    return "MH_KEY_" + name.upper().replace("-", "_")


def read_key(name: str) -> str | None:
    """The value of the key called `name`, or None when nobody set it or there is no keyring."""
    value = os.environ.get(environment_name(_checked(name)))
    if value:
        return value
    ring = _keyring()
    return ring.get_password(SERVICE, name) if ring else None


def write_key(name: str, value: str) -> None:
    """Put a key into the keyring, replacing an older value."""
    _checked(name)
    if not value:
        raise UsageError("an empty key is no key", f"`mh key rm {name}` removes one")
    ring = _needed_keyring(name)
    ring.set_password(SERVICE, name, value)
    _write_names(ring, {*_names(ring), name})


def remove_key(name: str) -> None:
    """Take a key out of the keyring."""
    _checked(name)
    ring = _needed_keyring(name)
    if ring.get_password(SERVICE, name) is None:
        raise NotFoundError(f"no key `{name}` in the keyring", "`mh key list` shows the keys there are")
    ring.delete_password(SERVICE, name)
    _write_names(ring, _names(ring) - {name})


def list_keys() -> list[KeyInfo]:
    """Every key that can be read, by name; the environment hides the keyring."""
    found = {name: "keyring" for name in _names(_keyring())}
    for variable, value in os.environ.items():
        if variable.startswith("MH_KEY_") and value:
            found[variable.removeprefix("MH_KEY_").lower().replace("_", "-")] = "environment"
    return [KeyInfo(name, origin) for name, origin in sorted(found.items())]


def _checked(name: str) -> str:
    if not name.replace("-", "").isalnum() or not name.isascii() or name != name.lower() or name == _NAMES:
        raise UsageError(f"`{name}` cannot name a key", "use small letters, digits and dashes, as in `openai`")
    return name


def _keyring() -> Any:
    """The keyring module when a backend works here, else None."""
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.get_password(SERVICE, _NAMES)
    except (KeyringError, RuntimeError, OSError):
        return None
    return keyring


def _needed_keyring(name: str) -> Any:
    ring = _keyring()
    if ring is None:
        raise UnavailableError(
            "there is no keyring on this machine", f"set `{environment_name(name)}` in the environment instead"
        )
    return ring


def _names(ring: Any) -> set[str]:
    stored = ring.get_password(SERVICE, _NAMES) if ring else None
    return set(stored.split()) if stored else set()


def _write_names(ring: Any, names: set[str]) -> None:
    ring.set_password(SERVICE, _NAMES, " ".join(sorted(names)))
