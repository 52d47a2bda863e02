"""The studio: how long a user waits from the command to the groups, the map and the first question.

    python -m benchmarks.studio_waiting [--data FOLDER] [--documents 2000 18846] [--baseline SRC]

For each number of documents of 20 Newsgroups, `colligate studio` is started on a new project, and its address
is followed as a page does it: `address` is printed, `groups` is when the first list of groups is there, `map`
when the map of the first run is there, `question` how long the first question takes after that. With
`--baseline`, the `src` folder of another version, the same is measured there first; the ratios are those of
this version to that one's time to its first map. The goal is that the groups are there after half of that
time, and the first question after a second. With `--cpu`, times are the seconds that studio and worker
computed, which other programs on the machine hardly change. Exits with 1 if a goal is missed.
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

    def follow(self) -> dict[str, float]:
        """Follow the first run to its map, and ask for the first question."""
        self._wait_for_run()
        self._ask("/api/runs/1/groups", self._cookie)
        self.timings.setdefault("groups", self._elapsed())
        self._ask("/api/runs/1/map", self._cookie)
        self.timings["map"] = self._elapsed()
        self._ask("/api/questions?run=1&n=5", self._cookie)
        self.timings["question"] = self._elapsed() - self.timings["map"]
        return self.timings

    def close(self) -> None:
        """End the studio."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait()

    def _wait_for_run(self) -> None:
        stream = http.client.HTTPConnection(self._place, timeout=600)
        stream.request("GET", "/api/events", headers={"cookie": self._cookie})
        lines, kind = stream.getresponse(), ""
        # what was reported before the stream was opened
        if self._has_groups(json.loads(self._ask("/api/project", self._cookie)[1]).get("progress") or {}):
            self.timings["groups"] = self._elapsed()
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

    def _ask(self, path: str, cookie: str) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection(self._place, timeout=600)
        connection.request("GET", path, headers={"cookie": cookie} if cookie else {})
        response = connection.getresponse()
        return response, response.read()

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
        return follower.follow()
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
            ratio = now["groups"] / (before or now)["map"]
            print(f"  groups / first map {ratio:.2f} (goal {GOAL}), first question {now['question']:.2f} s")
            is_missed |= ratio > GOAL or now["question"] > QUESTION_GOAL
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
