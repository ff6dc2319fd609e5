"""Keeps what a model answered until the run that asked is over: one that was cut off pays the call in flight alone."""

import hashlib
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw

from memhub.llm.call import Answer, Llm, Use
from memhub.llm.prompts import Prompt
from memhub.store.connection import connect, said_plainly, transaction


class Answers:
    """A model whose answers are on disk before they are used; the same question is not asked twice.

    Has a connection of its own, since several threads ask at once.
    """

    def __init__(self, llm: Llm, path: Path) -> None:
        self._llm = llm
        self._path = path
        self._connection: apsw.Connection | None = None
        self._lock = threading.Lock()
        self._keys: set[str] = set()

    @property
    def model(self) -> str:
        """The model's name."""
        return self._llm.model

    def complete(self, prompt: Prompt, values: Mapping[str, Any], schema: Mapping[str, Any]) -> Answer:
        """The answer kept for this question, which costs nothing; else the model's."""
        asked = json.dumps([self.model, prompt.hash, values], ensure_ascii=False)
        key = "answer/" + hashlib.sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()
        kept = self._kept(key)
        if kept is not None:
            return Answer(json.loads(kept), Use(self.model, prompt.hash, 0, 0, 0.0, 0.0, 0))
        answer = self._llm.complete(prompt, values, schema)
        with self._lock, said_plainly(self._path), transaction(self._open()):
            self._open().execute("INSERT OR REPLACE INTO ruling_cache VALUES (?,?)", (key, json.dumps(answer.value)))
        return answer

    def forget(self) -> None:
        """Drop the answers that were used; what they led to is written down."""
        with self._lock, said_plainly(self._path), transaction(self._open()):
            self._open().executemany("DELETE FROM ruling_cache WHERE key = ?", [(key,) for key in self._keys])

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _kept(self, key: str) -> str | None:
        with self._lock, said_plainly(self._path):
            self._keys.add(key)
            found = self._open().execute("SELECT value FROM ruling_cache WHERE key = ?", (key,)).get
        return None if found is None else str(found)

    def _open(self) -> apsw.Connection:
        if self._connection is None:
            self._connection = connect(self._path)
        return self._connection
