"""A small corpus of four topics, projects and sessions on it, and a real server with a client."""

from __future__ import annotations

import http.client
import json
import queue
import shutil
import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.corpus import Corpus
from colligate.studio.project import Project, Settings
from colligate.studio.project.folder import hash_input
from colligate.studio.server.app import Server
from colligate.studio.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping

TOPICS = {
    "space": "orbit nasa shuttle moon launch rocket lunar satellite astronaut planet",
    "hockey": "puck goalie playoff team ice skate league score coach season",
    "food": "bread butter oven flour recipe sugar baking dough salt yeast",
    "cars": "engine wheel brake clutch diesel gear tyre motor petrol exhaust",
}
COMMON = "people time year good make think know want"
PER_TOPIC = 30
WAIT = 300.0
"""Longer than a run takes on a busy machine with nothing compiled; a wait ends as soon as it can."""


def write_corpus(path: Path, topics: Mapping[str, str] = TOPICS) -> Path:
    rng = np.random.default_rng(0)
    lines = []
    for topic, words in topics.items():
        for number in range(PER_TOPIC):
            drawn = [*rng.choice(words.split(), 9), *rng.choice(COMMON.split(), 5)]
            line = {"id": f"{topic[0]}{number}", "text": " ".join(drawn), "topic": topic}
            lines.append(json.dumps(line))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def make_project(
    folder: Path, knowledge: str = "", n_clusters: int = 4, topics: Mapping[str, str] = TOPICS
) -> Project:
    folder.mkdir(exist_ok=True)
    docs = write_corpus(folder / "docs.jsonl", topics)
    settings = Settings(str(docs), hash_input(docs), "citcc", n_clusters)
    return Project.create(folder / "docs.jsonl.studio", Corpus.read(docs), settings, knowledge)


def copy_project(folder: Path, place: Path) -> Path:
    """Copy the folder of a closed project to another place."""
    return Path(shutil.copytree(folder, place / folder.name))


class Watched:
    """A session whose jobs can be waited for."""

    def __init__(self, project: Project, who: str = "", naming: Mapping[str, Any] | None = None) -> None:
        self.session = Session(project, who, naming)
        self.told: list[tuple[str, dict[str, Any]]] = []
        self._ended: queue.Queue[dict[str, Any]] = queue.Queue()
        self.session.listeners.append(self._hear)

    def run(self, **request: Any) -> dict[str, Any]:
        self.session.request_run(request)
        return self.ended()

    def ended(self) -> dict[str, Any]:
        return self._ended.get(timeout=WAIT)

    def _hear(self, kind: str, content: Any) -> None:
        self.told.append((kind, dict(content)))
        if kind == "job" and content["status"] in ("done", "failed", "cancelled"):
            self._ended.put(dict(content))


class Client:
    """A client of a server with the cookie that its address was exchanged for."""

    def __init__(self, address: str) -> None:
        self.place, _, self.token = address.removeprefix("http://").partition("/?token=")
        status, headers, _ = self.ask("GET", f"/?token={self.token}", cookie=False)
        assert status == 303
        self.cookie = headers["set-cookie"].partition(";")[0]

    def ask(
        self, method: str, path: str, body: Any = None, *, cookie: bool = True, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection(self.place, timeout=60)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if cookie:
            sent.setdefault("cookie", self.cookie)
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            sent.setdefault("content-type", "application/json")
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        status, _, content = self.ask("GET", path)
        assert status == 200, content
        return json.loads(content)

    def send(self, method: str, path: str, body: Any, expected: int = 200) -> Any:
        status, _, content = self.ask(method, path, body)
        assert status == expected, content
        return json.loads(content)


class Serving:
    """A real server in a thread, on a session of its own."""

    def __init__(self, project: Project) -> None:
        self.watched = Watched(project)
        self.session = self.watched.session
        self.server = Server(self.session, 0)
        self._thread = threading.Thread(target=self.server.serve_until_stopped)
        self._thread.start()

    @cached_property
    def client(self) -> Client:
        """A client, which uses the address up."""
        return Client(self.server.address)

    def close(self) -> None:
        self.server.should_exit = True
        self._thread.join(20)
        self.session.close()
        assert not self._thread.is_alive()
