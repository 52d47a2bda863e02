"""A thousand connections to the studio at once: each is answered or refused with a word.

    python -m benchmarks.studio_connections [--connections 1000] [--documents 300]

`colligate studio` is started on a new project of made-up texts. First one connection asks 50 times, one
request after the other. Then all connections are opened at once, and each asks for the project: the answer is
200, or 503 with a sentence; anything else is a failure, such as a connection that is closed without an
answer. At last as many connections are opened and stay silent, and the user asks again. Median, 99th
percentile and the longest time are printed and stored in `benchmarks/results/studio_connections.json`, and
as ratios to the one connection. Exits with 1 if a connection is not answered.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

STORED = Path(__file__).parent / "results" / "studio_connections.json"
TOPICS = ("orbit nasa shuttle moon rocket", "puck goalie team ice skate", "bread oven flour sugar dough")
N_SINGLE = 50
ANSWER_SECONDS = 60
FAILED = "no answer"


def write_documents(path: Path, number: int) -> None:
    """Write texts of three topics."""
    rng = random.Random(0)
    lines = [f"d{row},{' '.join(rng.choices(TOPICS[row % 3].split(), k=8))}" for row in range(number)]
    path.write_text("\n".join(["id,text", *lines]) + "\n")


class Client:
    """A browser with access to the studio."""

    def __init__(self, place: str, cookie: str) -> None:
        self.host, _, self.port = place.partition(":")
        lines = (
            (f"host: {place}", f"cookie: {cookie}", "connection: close") if cookie else (f"host: {place}",)
        )
        self.headers = "".join(f"{line}\r\n" for line in lines)

    async def ask(self, target: str = "/api/project") -> tuple[str, float, bytes]:
        """Send one request over a new connection; return its status, its seconds, and the answer."""
        start = time.perf_counter()
        try:
            reader, writer = await asyncio.open_connection(self.host, int(self.port))
        except OSError:
            return FAILED, time.perf_counter() - start, b""
        try:
            writer.write(f"GET {target} HTTP/1.1\r\n{self.headers}\r\n".encode())
            async with asyncio.timeout(ANSWER_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                body = await reader.read()
            return head[9:12].decode(), time.perf_counter() - start, head + body
        except (OSError, EOFError, TimeoutError, asyncio.IncompleteReadError):
            return FAILED, time.perf_counter() - start, b""
        finally:
            writer.close()

    async def ask_at_once(self, number: int) -> list[tuple[str, float, bytes]]:
        """Ask over many connections at the same time."""
        return await asyncio.gather(*(self.ask() for _ in range(number)))

    async def ask_beside(self, number: int) -> tuple[str, float, bytes]:
        """Ask while many other connections are open and silent."""
        silent = []
        for _ in range(number):
            with contextlib.suppress(OSError):
                silent.append(await asyncio.open_connection(self.host, int(self.port)))
        answer = await self.ask()
        for _, writer in silent:
            writer.close()
        return answer


def summarise(answers: list[tuple[str, float, bytes]], single: float) -> dict[str, Any]:
    """Return the number of each status, and times in milliseconds."""
    times = sorted(seconds for _, seconds, _ in answers)
    p99 = times[min(len(times) - 1, int(0.99 * len(times)))]
    return {
        "statuses": dict(sorted(Counter(status for status, _, _ in answers).items())),
        "median_ms": round(1000 * median(times), 1),
        "p99_ms": round(1000 * p99, 1),
        "longest_ms": round(1000 * times[-1], 1),
        "p99_to_single": round(p99 / single, 1),
    }


async def measure(place: str, token: str, connections: int) -> dict[str, Any]:
    """Measure one connection, many at once, and one beside many silent ones."""
    _, _, answer = await Client(place, "").ask(f"/?token={token}")
    cookie = next(
        line.partition(":")[2].partition(";")[0].strip()
        for line in answer.decode().splitlines()
        if line.lower().startswith("set-cookie:")
    )
    client = Client(place, cookie)
    # the first run takes the processor
    while not json.loads((await client.ask())[2].rpartition(b"\r\n\r\n")[2])["current"]:
        await asyncio.sleep(0.2)
    alone = [await client.ask() for _ in range(N_SINGLE)]
    single = median(seconds for _, seconds, _ in alone)
    at_once = await client.ask_at_once(connections)
    bodies = {answer.rpartition(b"\r\n\r\n")[2] for status, _, answer in at_once if status == "503"}
    return {
        "connections": connections,
        "one": summarise(alone, single),
        "at_once": summarise(at_once, single),
        "refusal": sorted(json.loads(body)["error"]["what"] for body in bodies),
        "beside_silent": summarise([await client.ask_beside(connections)], single),
    }


def main() -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--connections", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=300)
    options = parser.parse_args()
    # of this process and the studio, which inherits it: a connection takes a file handle of each
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        documents = Path(folder, "documents.csv")
        write_documents(documents, options.documents)
        words = ["studio", documents, "--project", Path(folder, "project"), "-k", 3, "--no-browser"]
        command = [sys.executable, "-P", "-m", "colligate", *map(str, words)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip().removeprefix("http://")
            place, _, token = address.partition("/?token=")
            record = asyncio.run(measure(place, token, options.connections))
        finally:
            process.terminate()
            process.wait()
    record = {"python": platform.python_version(), "cores": os.cpu_count(), **record}
    text = json.dumps(record, indent=1)
    print(text)
    STORED.write_text(text + "\n", encoding="utf-8")
    statuses = set(record["at_once"]["statuses"]) | set(record["beside_silent"]["statuses"])
    return 0 if statuses <= {"200", "503"} else 1


if __name__ == "__main__":
    sys.exit(main())
