"""Bytes that people or their programs wrote, as text."""

_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def decode(raw: bytes) -> str:
    """Text from outside: UTF-8 or, with its mark, UTF-16; broken bytes become U+FFFD, line ends become LF."""
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), "utf-8-sig")
    return raw.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n")
