"""Which device this file is being written on. A copy of the file elsewhere, or a restored backup, is a new device."""

import hashlib
import os
from pathlib import Path

import apsw

from memhub import stamp


def device_of(connection: apsw.Connection, path: Path) -> str:
    """The device id under which this process writes; made anew where the file is not where it last was.

    The mark is the machine and the file's inode: copying, restoring and moving to another disk all change it.
    A needless new id costs nothing; writing on under a copied one would give two entries the same number.
    """
    mark = _mark(path)
    rows = dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('device', 'device_mark')"))
    if rows.get("device_mark") == mark and "device" in rows:
        return str(rows["device"])
    device = stamp.new_id()
    for key, value in (("device", device), ("device_mark", mark)):
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (key, value))
    return device


def _mark(path: Path) -> str:
    try:
        machine = Path("/etc/machine-id").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        import platform

        machine = platform.node()
    found = os.stat(path)
    return hashlib.sha256(f"{machine}/{found.st_dev}/{found.st_ino}".encode()).hexdigest()[:32]
