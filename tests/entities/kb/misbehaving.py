"""A server on the loopback address that misbehaves as it is told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Play = Callable[[BaseHTTPRequestHandler, str], None]


class Misbehaving:
    """A server on the loopback address whose every answer is scripted; `queries` are those it was asked."""

    def __init__(self, *plays: Play) -> None:
        self.queries: list[str] = []
        self.times: list[float] = []
        self.closing = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                outer.times.append(time.monotonic())
                outer.queries.append(body)
                plays[min(len(outer.queries), len(plays)) - 1](self, body)

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/sparql"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


def send(code: int, body: bytes, kind: str = "application/sparql-results+json", **headers: str) -> Play:
    def play(handler: BaseHTTPRequestHandler, _: str) -> None:
        handler.send_response(code)
        sent = {"Content-Type": kind, "Content-Length": str(len(body))}
        for name, value in (sent | {key.replace("_", "-"): value for key, value in headers.items()}).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return play
