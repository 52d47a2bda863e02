"""A server on the loopback address that speaks the protocol of chat completions, or misbehaves on purpose."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Play = Callable[[BaseHTTPRequestHandler, str], None]


class ChatServer:
    """Checks every request, records it, and lets `play` answer the prompt of the user."""

    def __init__(self, play: Play) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.play = play
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path != "/v1/chat/completions":
                    refuse(404, "no such path")(self, "")
                    return
                system, user = body["messages"]
                assert (system["role"], user["role"]) == ("system", "user")
                outer.keys.append(self.headers["Authorization"])
                outer.requests.append(body)
                outer.play(self, user["content"])

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def prompts(self) -> list[str]:
        return [request["messages"][1]["content"] for request in self.requests]

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def serving(play: Play) -> Iterator[ChatServer]:
    server = ChatServer(play)
    try:
        yield server
    finally:
        server.stop()


def send(code: int, body: bytes, kind: str = "application/json", length: int | None = None) -> Play:
    def play(handler: BaseHTTPRequestHandler, _: str) -> None:
        handler.send_response(code)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body) if length is None else length))
        handler.end_headers()
        handler.wfile.write(body)

    return play


def refuse(code: int, message: str) -> Play:
    return send(code, json.dumps({"error": {"message": message}}).encode())


def say(text: str | None) -> Play:
    message = {"role": "assistant", "content": text}
    return send(200, json.dumps({"object": "chat.completion", "choices": [{"message": message}]}).encode())


def in_turn(*plays: Play) -> Play:
    """One play after the other; the last goes on."""
    left = list(plays)

    def play(handler: BaseHTTPRequestHandler, prompt: str) -> None:
        (left.pop(0) if len(left) > 1 else left[0])(handler, prompt)

    return play


def know(topics: dict[str, str], wrong: Callable[[int], bool] = lambda _: False) -> Play:
    """A model that knows the topics by their words; answer number n is wrong if `wrong(n)`."""
    count = iter(range(1_000_000))

    def topic_of(text: str) -> str:
        words = re.findall(r"\w+", text)
        return max(topics, key=lambda topic: sum(word in topics[topic].split() for word in words))

    def answer(prompt: str) -> str:
        documents = [topic_of(text) for text in re.findall(r"<document>\n(.*?)\n</document>", prompt, re.S)]
        is_wrong = wrong(next(count))
        if len(documents) == 2:
            return "yes" if (documents[0] == documents[1]) != is_wrong else "no"
        right = documents[0] if documents else topic_of(re.search(r"“(.*)” typical", prompt)[1])
        offered = {topic_of(text): number for number, text in re.findall(r"^(\d): (.*)$", prompt, re.M)}
        others = [number for topic, number in offered.items() if topic != right]
        return others[0] if is_wrong else offered.get(right, "skip")

    return lambda handler, prompt: say(answer(prompt))(handler, prompt)
