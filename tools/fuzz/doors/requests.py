"""Requests to the studio."""

from __future__ import annotations

import asyncio
import json
import shutil
from typing import TYPE_CHECKING, Any

import colligate as cg
from colligate.studio.project import Project, Settings
from colligate.studio.project.runs import RunRecord, save_run
from colligate.studio.server.app import make_app
from colligate.studio.server.events import Hub
from colligate.studio.server.routes import ROUTES
from colligate.studio.session import Session
from tools.fuzz import mutation
from tools.fuzz.doors.base import KNOWLEDGE, Door, make_corpus

if TYPE_CHECKING:
    import random

PROJECT_INPUTS = 300
"""Requests to one project: a journal of many thousand statements would only slow them down."""


class Requests(Door):
    """Requests to the studio: every route, with changed paths, queries and bodies."""

    name = "api"

    def prepare(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.routes = ROUTES
        self.n_attacks = 0
        corpus = make_corpus()
        project = Project.create(self.folder / "sound", corpus, Settings("x", "", "citcc", 3))
        model = cg.make("citcc", n_clusters=3, n_init=1, random_state=0).fit(corpus)
        save_run(model.result_, project.folder / "runs" / "1")
        record = RunRecord(1, "citcc", {}, 0, None, False, "", (0, 1, 2), ("a", "b", "c"))
        project.work.add_run(record)
        project.close()
        self.open()

    def open(self) -> None:
        """Serve a copy of the project without the statements of earlier requests."""
        shutil.copytree(self.folder / "sound", self.folder / "project")
        self.session = Session(Project(self.folder / "project"))
        self.app = make_app(self.session, Hub(), 1, "token")
        self.cookie = ""
        status, headers, _ = self.ask("GET", "/", "token=token", b"")
        assert status == 303
        self.cookie = headers["set-cookie"].partition(";")[0]

    BODIES = (
        {"kind": "label", "body": {"document": "d1", "group": 0}},
        {"kind": "together", "body": {"type": "documents", "items": ["d0", "d1"]}, "why": "same"},
        {"kind": "category", "body": {"name": "x", "word": "orbit"}},
        {"kind": "name", "body": {"group": 1, "name": "Ice"}},
        {"kind": "merge", "body": {"groups": [0, 1]}},
        {"kind": "split", "body": {"group": 0, "into": 2}},
        {"text": KNOWLEDGE, "seq": 0},
        {"group": 0, "order": "confidence", "query": "orbit", "limit": 5},
        {"documents": [0, 1], "rectangle": [0, 0, 1, 1]},
        {"method": "citcc", "n_clusters": 3, "parameters": {"n_init": 1}},
        {},
    )

    def attack(self, rng: random.Random) -> None:
        self.n_attacks += 1
        if self.n_attacks % PROJECT_INPUTS == 0:
            self.session.close()
            shutil.rmtree(self.folder / "project")
            self.open()
        route = rng.choice(self.routes)
        path = route.template
        for name in route.parameters:
            path = path.replace(
                f"{{{name}}}", str(rng.choice((0, 1, 1, 1, 2, 23, 24, 10**9, 2**40, "x", "-1")))
            )
        names = [*route.query, "offset", "limit", "from", "group"]
        values = (0, 1, 5, -1, 10**12, "x", "", "%ff", "orbit", "1,2", "\u20ac")
        query = "&".join(f"{rng.choice(names)}={rng.choice(values)}" for _ in range(rng.randrange(4)))
        body = json.dumps(mutation.mutate_value(rng, rng.choice(self.BODIES))).encode()
        if rng.random() < 0.1:
            body = mutation.mutate_bytes(rng, body)
        method = rng.choice((route.method, route.method, route.method, "PUT"))
        status, _, content = self.ask(method, path, query, b"" if method == "GET" else body)
        if status >= 500:
            raise AssertionError(f"{method} {path}?{query} {body!r:.300} gave {status}: {content!r:.300}")

    def ask(self, method: str, path: str, query: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        """Send one request to the application, and return its answer."""
        headers = [(b"host", b"127.0.0.1:1"), (b"content-type", b"application/json")]
        headers += [(b"cookie", self.cookie.encode())] if self.cookie else []
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": headers,
            "scheme": "http",
            "server": ("127.0.0.1", 1),
            "client": ("127.0.0.1", 2),
            "root_path": "",
        }
        sent: list[Any] = []
        received = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> Any:
            message = next(received, None)
            if message is None:
                await asyncio.sleep(3600)
            return message

        async def send(message: Any) -> None:
            sent.append(message)

        self.loop.run_until_complete(asyncio.wait_for(self.app(scope, receive, send), 60))
        answer = {name.decode(): value.decode("latin-1") for name, value in sent[0]["headers"]}
        return sent[0]["status"], answer, b"".join(message.get("body", b"") for message in sent[1:])
