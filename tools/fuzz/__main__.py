"""Send random inputs through every door, and report crashes, exceptions, waiting and memory.

    python -m tools.fuzz --inputs 1000000 --seed 0 [--door results] [--log log.json] [--bounds]
    python -m tools.fuzz --door results --seed 0 --only 1234        run one input here, with its traceback

Every input has a number; with the door and the seed it can be repeated. The inputs run in child processes
with a limit on time and memory, so that a crash of compiled code is a finding like any other. With --bounds,
compiled code checks its indices (NUMBA_BOUNDSCHECK=1) and is slower. Exit 1 if there are findings.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tools.fuzz.child import HEAD, INPUT_SECONDS

DOOR_NAMES = (
    "matrices",
    "results",
    "checkpoints",
    "readers",
    "knowledge",
    "sparql",
    "rdf",
    "api",
    "projects",
)
# how many of a hundred inputs go through a door: fast doors get more
SHARES = dict(zip(DOOR_NAMES, (14, 10, 6, 20, 16, 14, 10, 6, 4), strict=True))
BATCH = 500
START_SECONDS = 300
MOST_FINDINGS = 200


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--door", choices=DOOR_NAMES, action="append")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so many minutes")
    parser.add_argument("--bounds", action="store_true")
    parser.add_argument("--only", type=int, help="run this input alone, in this process")
    options = parser.parse_args(arguments)
    doors = options.door or list(DOOR_NAMES)
    if options.only is not None:
        return _run_one(doors[0], options.seed, options.only)
    record = run(doors, options.inputs, options.seed, options.minutes, bounds=options.bounds)
    text = json.dumps(record, indent=1)
    if options.log is not None:
        options.log.write_text(text + "\n", encoding="utf-8")
    print(json.dumps({**record, "findings": len(record["findings"])}, indent=1))
    for finding in record["findings"][:20]:
        print(f"\n{finding['door']} {finding['input']}: {finding['finding']}")
    return 1 if record["findings"] else 0


def run(
    doors: list[str], n_inputs: int, seed: int, minutes: float = 1e9, *, bounds: bool = False
) -> dict[str, Any]:
    """Send inputs through the doors in turn, and return the record."""
    share = sum(SHARES[door] for door in doors)
    left = {door: max(1, round(n_inputs * SHARES[door] / share)) for door in doors}
    done = dict.fromkeys(doors, 0)
    record: dict[str, Any] = {
        "seed": seed,
        "boundscheck": bounds,
        "python": platform.python_version(),
        "inputs": 0,
        "accepted": 0,
        "by_door": done,
        "slowest_seconds": 0.0,
        "findings": [],
    }
    start = time.monotonic()
    while any(left.values()) and time.monotonic() - start < 60 * minutes:
        for door in doors:
            count = min(BATCH, left[door])
            if count and len(record["findings"]) < MOST_FINDINGS:
                ran = _run_batch(record, door, seed, done[door], count, bounds=bounds)
                done[door] += ran
                left[door] -= ran
        if len(record["findings"]) >= MOST_FINDINGS:
            break
    record["inputs"] = sum(done.values())
    record["minutes"] = round((time.monotonic() - start) / 60, 1)
    return record


def _run_batch(record: dict[str, Any], door: str, seed: int, first: int, count: int, *, bounds: bool) -> int:
    """Run some inputs in a child; return how many were run, up to and with one that ended the child."""
    environment = {**os.environ, "NUMBA_NUM_THREADS": "2", "OMP_NUM_THREADS": "1"}
    if bounds:
        environment["NUMBA_BOUNDSCHECK"] = "1"
        # compiled with the checks, so beside those that are cached without them
        environment["NUMBA_CACHE_DIR"] = str(Path(tempfile.gettempdir()) / "fuzz-numba-boundscheck")
    with tempfile.TemporaryDirectory(prefix="fuzz-report-") as folder:
        report = Path(folder) / "report"
        command = [
            sys.executable,
            "-m",
            "tools.fuzz.child",
            door,
            *map(str, (seed, first, count)),
            str(report),
        ]
        try:
            child = subprocess.run(
                command,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=START_SECONDS + count * INPUT_SECONDS,
                check=False,
            )
            end, errors = child.returncode, child.stderr.decode(errors="replace")[-2000:]
        except subprocess.TimeoutExpired:
            end, errors = None, "the process did not end"
        head, _, lines = report.read_bytes().partition(b"\n") if report.exists() else (b"", b"", b"")
    for line in lines.splitlines():
        entry = json.loads(line)
        if "finding" in entry:
            record["findings"].append({"door": door, **entry})
        else:
            record["accepted"] += entry["accepted"]
            record["slowest_seconds"] = round(max(record["slowest_seconds"], entry["slowest"]), 2)
    if end == 0:
        return count
    if not head.strip():
        raise SystemExit(f"the door {door} cannot be prepared: {errors}")
    number = int(head[:HEAD])
    reason = f"the process ended with {end}\n{errors}"
    record["findings"].append({"door": door, "input": number, "finding": reason})
    return number - first + 1


def _run_one(door: str, seed: int, number: int) -> int:
    from tools.fuzz.doors import DOORS, is_allowed, silence_warnings

    silence_warnings()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        try:
            DOORS[door](Path(folder)).attack(random.Random(f"{door} {seed} {number}"))
            print("accepted")
        except Exception as error:
            if not is_allowed(error):
                raise
            print(f"refused: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
