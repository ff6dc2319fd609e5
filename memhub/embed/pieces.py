"""Cut a text into the model's word pieces, with tables that are mapped into memory instead of read.

The same result as the package's own tokenizer (SentencePiece `nmt_nfkc` normaliser and unigram Viterbi), whose
arithmetic this follows; the package is Apache-2.0, by cnmoro.
"""

from typing import Any

_OFFSET, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1
_SPACE = "▁".encode()
UNKNOWN, BEGIN, END = 0, 1, 2


class Pieces:
    """The vocabulary. `arrays` are memoryviews (keys Q, values I, scores f, units I, texts B)."""

    def __init__(self, arrays: dict[str, memoryview], values: dict[str, Any]) -> None:
        self._keys, self._values, self._scores = arrays["keys"], arrays["values"], arrays["scores"]
        self._units, self._texts = arrays["units"], bytes(arrays["texts"])
        self._slots = len(self._keys) - 1
        self._max_len: int = values["max_len"]
        self._unknown_score: float = values["unknown_score"]
        self._ascii = [bytes.fromhex(part) for part in values["ascii"]]
        self._two_byte = frozenset(values["two_byte"])

    def encode(self, text: str) -> list[int]:
        """The piece ids of a text between the begin and end marks."""
        normal = self.normalise(text)
        return [BEGIN, *(self._best_cut(normal) if normal else [UNKNOWN]), END]

    def normalise(self, text: str) -> str:
        """NFKC and space handling as the model was trained with: one `▁` before each word, none at the end."""
        raw = text.encode("utf-8", "replace")
        out = bytearray()
        position, size, after_space = 0, len(raw), True
        while position < size:
            byte = raw[position]
            following = raw[position + 1] if position + 1 < size else None
            if byte < 0x80 and (following is None or (byte << 8 | following) not in self._two_byte):
                part, step = self._ascii[byte], 1
            else:
                part, step = self._longest(raw, position)
            position += step
            if after_space:
                part = part.lstrip(b" ")
            if part:
                after_space = part.endswith(b" ")
                out += part
        cleaned = bytes(out).replace(b" ", _SPACE)
        while cleaned.endswith(_SPACE):
            cleaned = cleaned[: -len(_SPACE)]
        return (_SPACE + cleaned).decode("utf-8", "replace") if cleaned else ""

    def _longest(self, raw: bytes, position: int) -> tuple[bytes, int]:
        """The replacement of the longest known beginning of `raw[position:]`, and its length (a double array)."""
        units = self._units
        node = (units[0] >> 10) << ((units[0] & 0x200) >> 6)
        found, value = 0, 0
        for i in range(position, len(raw)):
            node ^= raw[i]
            unit = units[node]
            if unit & 0x800000FF != raw[i]:
                break
            node ^= (unit >> 10) << ((unit & 0x200) >> 6)
            if unit & 0x100:
                found, value = i + 1 - position, units[node] & 0x7FFFFFFF
        if not found or value >= len(self._texts):
            lead = raw[position]
            size = 1 if lead < 0xC0 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
            return raw[position : position + size], size
        return self._texts[value : self._texts.index(b"\0", value)], found

    def _best_cut(self, text: str) -> list[int]:
        """The most likely pieces (Viterbi): `best[p]` is the best score of a cut of `text[:p]`."""
        size = len(text)
        codes = [ord(char) for char in text]
        best = [0.0] + [-1e38] * size
        start_of, piece_of = [0] * (size + 1), [UNKNOWN] * (size + 1)
        keys, values, scores, slots = self._keys, self._values, self._scores, self._slots
        for i in range(size):
            base, hashed, single = best[i], _OFFSET, False
            for j in range(i, min(i + self._max_len, size)):
                hashed = ((hashed ^ codes[j]) * _PRIME) & _MASK
                slot = (hashed ^ hashed >> 29) & slots
                key = keys[slot]
                while key != hashed and key:
                    slot = (slot + 1) & slots
                    key = keys[slot]
                if not key:
                    break
                piece = values[slot]
                if piece:
                    score = base + scores[piece - 1]
                    if score > best[j + 1]:
                        best[j + 1], start_of[j + 1], piece_of[j + 1] = score, i, piece - 1
                    single = single or j == i
            if not single and base + self._unknown_score > best[i + 1]:
                best[i + 1], start_of[i + 1], piece_of[i + 1] = base + self._unknown_score, i, UNKNOWN
        ids, position = [], size
        while position > 0:
            ids.append(piece_of[position])
            position = start_of[position]
        ids.reverse()
        return ids
