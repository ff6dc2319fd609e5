"""A small model server on loopback that speaks as OpenAI does, and says what a test told it to say.

    with ModelServer(lambda request: {"candidates": []}) as server:
        ...                                # base URL: server.url
        assert server.requests[0].prompt == "extract"

`answer` is a function of the request, or a list of replies handed out in turn. A reply is a `Reply`, a text, or
anything else, which is sent as JSON.
"""

import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True)
class Reply:
    """What the server answers.

    `usage` are tokens in and out, None leaves them out; `raw` replaces the whole body. `stream`: `asked` streams only
    when the request wants it, `always` answers every request with a stream. `is_finished` False leaves the
    finish_reason out of the stream; `hangs` never answers; `trickles` sends white space for ever.
    """

    content: str | None = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    usage: tuple[int, int] | None = (100, 20)
    raw: bytes | None = None
    finish: str = "stop"
    stream: str = "asked"
    is_finished: bool = True
    hangs: bool = False
    trickles: bool = False


@dataclass(frozen=True)
class Request:
    """What the server was asked. Names of headers are in small letters."""

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages of a chat; the one text of a completion as `ollama/` sends it."""
        if "messages" in self.body:
            return list(self.body["messages"])
        return [{"role": "user", "content": self.body.get("prompt", "")}]

    @property
    def text(self) -> str:
        """Everything that was said to the model."""
        return "\n".join(message["content"] for message in self.messages)

    @property
    def prompt(self) -> str:
        """The name of the prompt: the word in its heading."""
        found = re.search(r"^# Task: (\w+)", self.text, re.M)
        return found[1] if found else ""

    @property
    def data(self) -> Any:
        """What stands between the marks of the data."""
        found = re.search(r"<data>\n(.*?)\n</data>", self.text, re.S)
        return json.loads(found[1]) if found else None

    @property
    def is_repair(self) -> bool:
        """Whether this asks for a second, better answer."""
        return any(message["role"] == "assistant" for message in self.messages)


Answer = Callable[[Request], Any] | Sequence[Any]


class ModelServer:
    """The server with its thread; a context manager."""

    def __init__(self, answer: Answer = ()) -> None:
        self.answer = answer
        self.requests: list[Request] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._handed_out = 0
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._http.block_on_close = False
        self._http.owner = self  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def root(self) -> str:
        """The address without a path, as `ollama/` wants it."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def url(self) -> str:
        """The base URL."""
        return self.root + "/v1"

    @property
    def asked(self) -> list[str]:
        """The name of the prompt of each request so far."""
        return [request.prompt for request in self.requests]

    def __enter__(self) -> "ModelServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def reply_to(self, request: Request) -> Reply:
        """Notes the request and works out the reply; a list that is used up answers 400."""
        with self._lock:
            self.requests.append(request)
            number = self._handed_out
            self._handed_out += 1
        if callable(self.answer):
            given = self.answer(request)
        elif number < len(self.answer):
            given = self.answer[number]
        else:
            return Reply(status=400, raw=b'{"error": {"message": "the script of the test has no answer left"}}')
        if isinstance(given, Reply):
            return given
        return Reply(given if isinstance(given, str) else json.dumps(given, ensure_ascii=False))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        owner: ModelServer = self.server.owner  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request = Request(self.path, body, {name.lower(): value for name, value in self.headers.items()})
        if self.path.endswith("/embeddings"):
            owner.requests.append(request)
            self._send(200, "application/json", json.dumps(_embeddings(body)).encode())
            return
        if self.path.endswith("/api/show"):
            self._send(200, "application/json", b'{"model_info": {}, "template": ""}')
            return
        reply = owner.reply_to(request)
        if reply.hangs:
            owner.closing.wait(60)
            self.close_connection = True
        elif reply.trickles:
            self._trickle(owner.closing)
        elif self.path.startswith("/api/"):
            self._send(reply.status, "application/json", reply.raw or json.dumps(_ollama(body, reply)).encode(), reply)
        elif reply.raw is None and reply.status == 200 and (body.get("stream") or reply.stream == "always"):
            self._send(200, "text/event-stream", b"".join(_events(body, reply)), reply)
        else:
            raw = json.dumps(_completion(body, reply)).encode() if reply.raw is None else reply.raw
            self._send(reply.status, "application/json", raw, reply)

    def _send(self, status: int, kind: str, raw: bytes, reply: Reply | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(raw)))
        for name, value in (reply.headers if reply else {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def _trickle(self, closing: threading.Event) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            while not closing.wait(0.1):
                self.wfile.write(b"1\r\n \r\n")
        except OSError:
            pass
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def _usage(reply: Reply) -> dict[str, Any]:
    if reply.usage is None:
        return {}
    tokens_in, tokens_out = reply.usage
    counts = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}
    return {"usage": counts}


def _completion(body: Mapping[str, Any], reply: Reply) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.content}
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    head = {"id": "c-1", "object": "chat.completion", "created": 0, "model": body["model"]}
    return {**head, "choices": [choice], **_usage(reply)}


def _events(body: Mapping[str, Any], reply: Reply) -> list[bytes]:
    head = {"id": "c-1", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}
    text = reply.content or ""
    pieces = [text[at : at + 7] for at in range(0, len(text), 7)]
    chunks: list[dict[str, Any]] = [
        {**head, "choices": [{"index": 0, "delta": {"role": "assistant", "content": piece}, "finish_reason": None}]}
        for piece in pieces
    ]
    if reply.is_finished:
        chunks.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish}]})
        if reply.usage is not None:
            chunks.append({**head, "choices": [], **_usage(reply)})
    events = [f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode() for chunk in chunks]
    return [*events, b"data: [DONE]\n\n"] if reply.is_finished else events


def _ollama(body: Mapping[str, Any], reply: Reply) -> dict[str, Any]:
    counts = {} if reply.usage is None else {"prompt_eval_count": reply.usage[0], "eval_count": reply.usage[1]}
    said = (
        {"message": {"role": "assistant", "content": reply.content}}
        if "messages" in body
        else {"response": reply.content}
    )
    return {"model": body["model"], "created_at": "2026-01-01T00:00:00Z", **said, "done": True, **counts}


def _embeddings(body: Mapping[str, Any]) -> dict[str, Any]:
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    data = [
        {"object": "embedding", "index": number, "embedding": [float(len(text)), 1.0, 0.0]}
        for number, text in enumerate(texts)
    ]
    return {"object": "list", "model": body["model"], "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
