"""A studio as a process of its own, and a client that speaks to it as its page does.

Everything that depends on the addresses and shapes of the studio's HTTP interface is here.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SECONDS = 120.0
MOST_AT_ONCE = 400
UNDER_WAY = ("waiting", "running")
OLD_NAMES = {"uneven_sizes": "uneven"}


class RefusalError(Exception):
    """A request that the studio refused, with the status of its answer."""

    def __init__(self, status: int, content: bytes) -> None:
        super().__init__(f"{status}: {content.decode(errors='replace')[:300]}")
        self.status = status


class Studio:
    """A studio that is started by its command, and ended when the block ends."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, "-m", "colligate", "studio", *map(str, arguments), "--no-browser"]
        path = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
        )
        self._place = self._cookie = ""

    def __enter__(self) -> Self:
        stdout: Any = self._process.stdout
        address = stdout.readline().decode().strip()
        if not address.startswith("http://"):
            _, errors = self._process.communicate(timeout=SECONDS)
            raise RuntimeError(f"the studio did not start: {errors.decode(errors='replace')[-600:]}")
        self._place, _, token = address.removeprefix("http://").partition("/?token=")
        self._cookie = self._admit(token)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()

    def _admit(self, token: str) -> str:
        """Exchange the token of the printed address for a cookie."""
        connection = http.client.HTTPConnection(self._place, timeout=SECONDS)
        try:
            connection.request("GET", f"/?token={token}")
            answer = connection.getresponse()
            answer.read()
            return answer.headers["set-cookie"].partition(";")[0]
        finally:
            connection.close()

    def request(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request and read its answer; a refusal is raised."""
        connection = http.client.HTTPConnection(self._place, timeout=SECONDS)
        content = None if body is None else json.dumps(body).encode()
        headers = {"cookie": self._cookie, "content-type": "application/json"}
        try:
            connection.request(method, path, content, headers)
            answer = connection.getresponse()
            received = answer.read()
        finally:
            connection.close()
        if answer.status >= 300:
            raise RefusalError(answer.status, received)
        return json.loads(received)

    def wait(self) -> None:
        """Wait until no job is under way; raise if the last one failed."""
        deadline = time.monotonic() + SECONDS
        jobs = self.request("GET", "/api/jobs")
        while any(job["status"] in UNDER_WAY for job in jobs):
            if time.monotonic() > deadline:
                raise TimeoutError("a run of the studio takes too long")
            time.sleep(0.02)
            jobs = self.request("GET", "/api/jobs")
        if jobs and jobs[-1]["status"] != "done":
            raise RuntimeError(f"the run of the studio {jobs[-1]['status']}: {jobs[-1]['message']}")

    def cluster(self, request: Mapping[str, Any]) -> None:
        """Cluster again, and wait for it."""
        known = json.dumps(self.request("GET", "/api/openapi.json"))
        names = {name: name if f'"{name}"' in known else OLD_NAMES.get(name, name) for name in request}
        self.request("POST", "/api/runs", {names[name]: value for name, value in request.items()})
        self.wait()

    def state(self, kind: str, body: Mapping[str, Any]) -> None:
        """Make a statement."""
        self.request("POST", "/api/statements", {"kind": kind, "body": body})

    def undo(self, number: int | None = None) -> None:
        """Take back the last statement, or one by its number, counted from 1."""
        entries = self.request("GET", "/api/statements")
        self.request("POST", "/api/undo", {} if number is None else {"id": entries[number - 1]["id"]})

    def redo(self) -> None:
        """State again what was taken back last."""
        self.request("POST", "/api/redo", {})

    def answer(self, kinds: str, answer: str) -> dict[str, Any]:
        """Answer the most useful question of some kinds; what was asked comes back."""
        question = self.request("GET", f"/api/questions?n=1&kinds={kinds}")[0]
        self.request("POST", f"/api/questions/{question['id']}", {"answer": answer})
        return {
            "kind": question["kind"],
            "items": [item["id"] for item in question["items"]],
            "groups": [group["group"] for group in question["groups"]],
        }

    def append_text(self, text: str) -> None:
        """Append lines to the knowledge file as text, as an edit of it does."""
        known = self.request("GET", "/api/knowledge")
        self.request("PUT", "/api/knowledge", {"text": known["text"] + text, "seq": known["seq"]})

    def list_runs(self) -> list[dict[str, Any]]:
        """List all runs."""
        return list(self.request("GET", "/api/runs"))

    def read_labels(self, run: int) -> list[int]:
        """Read the group of every document in a run, by its lasting number."""
        project = self.request("GET", "/api/project")
        count, labels = project["counts"][project["centre"]], []
        for first in range(0, count, MOST_AT_ONCE):
            positions = list(range(first, min(first + MOST_AT_ONCE, count)))
            page = {"at": positions, "limit": MOST_AT_ONCE}
            rows = self.request("POST", f"/api/runs/{run}/documents", page)["documents"]
            labels += [row["group"] for row in rows]
        return labels

    def read_groups(self, run: int) -> list[dict[str, Any]]:
        """Read the groups of a run."""
        return list(self.request("GET", f"/api/runs/{run}/groups"))

    def read_audit(self, run: int) -> dict[str, Any]:
        """Read what became of the knowledge of a run."""
        return dict(self.request("GET", f"/api/runs/{run}/audit?limit=1"))

    def list_statements(self) -> Sequence[dict[str, Any]]:
        """List everything stated so far, with what the last run made of it."""
        return list(self.request("GET", "/api/statements"))

    def read_knowledge(self) -> str:
        """Read the knowledge file of what stands."""
        return str(self.request("GET", "/api/knowledge")["text"])
