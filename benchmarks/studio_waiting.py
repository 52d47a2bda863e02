"""The studio: how long a user waits for the first groups, the map and a question, and to cluster again.

    python -m benchmarks.studio_waiting [--data FOLDER] [--documents 2000 18846] [--baseline SRC]

For each number of documents of 20 Newsgroups, `colligate studio` is started on a new project, and its
address is followed as a page does it: `address` is printed, `groups` is when the first list of groups is
there, `map` when the map of the first run is there, `question` how long the first question takes after that,
and `answers` how long the preview of its answers takes. Then the most doubtful document is moved to its
second-best group and *Cluster again* is pressed; `again` is how long it takes until the new groups and their
map are there. The same times are printed as ratios to the first map. With `--baseline`, the `src` folder of
another version, the same is measured there first, without `answers` and `again`, and the ratios are to that
version's first map. The goals are that the groups are there after half of that time, and the first question
after a second. With `--cpu`, times are the seconds that studio and worker computed, which other programs on
the machine hardly change. Exits with 1 if a goal is missed.
"""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.timing import make_parser

CLUSTERS = 20
GOAL, QUESTION_GOAL = 0.5, 1.0


class Follower:
    """A client of a studio that notes when something is there, in seconds since the command."""

    def __init__(self, documents: Path, project: Path, source: Path | None, *, is_cpu: bool) -> None:
        self._is_cpu = is_cpu
        self._began = time.perf_counter()
        words = ["studio", documents, "--project", project, "--text", "text", "-k", CLUSTERS, "--no-browser"]
        environment = {**os.environ, "PYTHONPATH": str(source)} if source else None
        command = [sys.executable, "-P", "-m", "colligate", *map(str, words)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        self._place, _, token = (
            self.process.stdout.readline().strip().removeprefix("http://").partition("/?token=")
        )
        self.timings = {"address": self._elapsed()}
        response, _ = self._ask(f"/?token={token}", "")
        self._cookie = response.headers["set-cookie"].partition(";")[0]

    def follow(self) -> int:
        """Follow the first run to its map, ask for the first question, and return its number."""
        self._wait_for_run()
        self._ask("/api/runs/1/groups", self._cookie)
        self.timings.setdefault("groups", self._elapsed())
        self._ask("/api/runs/1/map", self._cookie)
        self.timings["map"] = self._elapsed()
        questions = json.loads(self._ask("/api/questions?run=1&n=5", self._cookie)[1])
        self.timings["question"] = self._elapsed() - self.timings["map"]
        return questions[0]["id"]

    def correct(self, question: int) -> dict[str, float]:
        """Preview the answers to a question, move a document, and cluster again."""
        began = self._elapsed()
        self._ask(f"/api/questions/{question}/answers", self._cookie)
        self.timings["answers"] = self._elapsed() - began
        self._move_document()
        began = self._elapsed()
        self._cluster_again()
        self.timings["again"] = self._elapsed() - began
        return self.timings

    def _move_document(self) -> None:
        """Move the least certain document to its second-best group, as a user would."""
        request = {"order": "doubt", "limit": 1}
        page = json.loads(self._ask("/api/runs/1/documents", self._cookie, request)[1])
        (document,) = page["documents"]
        target = json.loads(self._ask(f"/api/runs/1/documents/{document['document']}", self._cookie)[1])[
            "next"
        ]
        body = {"kind": "label", "body": {"group": target}, "at": [document["document"]]}
        self._ask("/api/statements", self._cookie, body)

    def _cluster_again(self) -> None:
        """Press *Cluster again*, and fetch what the page shows of the new run."""
        self._wait_for_run({"from_run": 1})
        self._ask("/api/runs/2/groups", self._cookie)
        self._ask("/api/runs/2/map", self._cookie)

    def close(self) -> None:
        """End the studio."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate()

    def _wait_for_run(self, request: dict[str, Any] | None = None) -> None:
        """Follow the events until a run is there; a request for it is sent once they are followed."""
        with contextlib.closing(http.client.HTTPConnection(self._place, timeout=600)) as stream:
            stream.request("GET", "/api/events", headers={"cookie": self._cookie})
            self._follow_events(stream.getresponse(), request)

    def _follow_events(self, lines: http.client.HTTPResponse, request: dict[str, Any] | None) -> None:
        kind = ""
        if request is not None:
            self._ask("/api/runs", self._cookie, request)
        # what was reported before the stream was opened
        if self._has_groups(json.loads(self._ask("/api/project", self._cookie)[1]).get("progress") or {}):
            self.timings.setdefault("groups", self._elapsed())
        for line in iter(lines.readline, b""):
            text = line.decode().strip()
            if text.startswith("event:"):
                kind = text.removeprefix("event:").strip()
            elif text.startswith("data:"):
                content = json.loads(text.removeprefix("data:"))
                if kind == "progress" and self._has_groups(content):
                    self.timings.setdefault("groups", self._elapsed())
                if kind == "job" and content["status"] in ("failed", "cancelled"):
                    raise SystemExit(content["message"])
                if kind == "run":
                    return

    @staticmethod
    def _has_groups(content: dict[str, Any]) -> bool:
        return bool(content.get("groups"))

    def _ask(
        self, path: str, cookie: str, body: dict[str, Any] | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Get a path, or post a body to it."""
        headers = {"cookie": cookie} if cookie else {}
        with contextlib.closing(http.client.HTTPConnection(self._place, timeout=600)) as connection:
            if body is None:
                connection.request("GET", path, headers=headers)
            else:
                headers["content-type"] = "application/json"
                connection.request("POST", path, json.dumps(body).encode(), headers)
            response = connection.getresponse()
            content = response.read()
        if response.status >= 400:
            raise SystemExit(f"{path}: {content.decode()}")
        return response, content

    def _elapsed(self) -> float:
        return _cpu_seconds(self.process.pid) if self._is_cpu else time.perf_counter() - self._began


def _cpu_seconds(pid: int) -> float:
    """The seconds that a process and its children computed (Linux)."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    total = 0
    for process in (pid, *map(int, listed.stdout.split())):
        with contextlib.suppress(FileNotFoundError):
            fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def measure(documents: Path, folder: Path, source: Path | None, *, is_cpu: bool) -> dict[str, float]:
    """The timings of one new project."""
    follower = Follower(documents, folder, source, is_cpu=is_cpu)
    try:
        question = follower.follow()
        # another version may not know these requests
        return follower.timings if source else follower.correct(question)
    finally:
        follower.close()


def show(name: str, timings: dict[str, float]) -> None:
    print(f"{name}: " + ", ".join(f"{what} {seconds:.1f} s" for what, seconds in timings.items()))


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[2_000, 18_846])
    parser.add_argument("--baseline", type=Path, help="the src folder of another version")
    parser.add_argument("--cpu", action="store_true", help="measure seconds of computing")
    options = parser.parse_args()
    is_missed = False
    for count in options.documents:
        with tempfile.TemporaryDirectory() as name:
            folder, documents = Path(name), Path(name) / "posts.jsonl"
            with gzip.open(options.data / "20newsgroups.jsonl.gz", "rt", encoding="utf-8") as lines:
                documents.write_text("".join(islice(lines, count)), encoding="utf-8")
            before = None
            if options.baseline:
                before = measure(documents, folder / "before", options.baseline, is_cpu=options.cpu)
                show(f"{count:,} documents before", before)
            now = measure(documents, folder / "now", None, is_cpu=options.cpu)
            show(f"{count:,} documents", now)
            first = (before or now)["map"]
            ratios = {what: now[what] / first for what in ("groups", "question", "again")}
            print("  as ratios to the first map: " + ", ".join(f"{k} {v:.3f}" for k, v in ratios.items()))
            is_missed |= (before is not None and ratios["groups"] > GOAL) or now["question"] > QUESTION_GOAL
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
