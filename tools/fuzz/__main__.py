"""Send random inputs through every door, and report crashes, exceptions, waiting and memory.

    python -m tools.fuzz --inputs 1000000 --seed 0 --bounds-share 0.02 --log tools/fuzz/log.json
    python -m tools.fuzz --recheck --log tools/fuzz/log.json        run the findings of a log again
    python -m tools.fuzz --door results --seed 0 --only 1234        run one input here, with its traceback

Every input has a number; with the door and the seed it can be repeated. The inputs run in child processes
with a limit on time and memory, so that a crash of compiled code is a finding like any other. A run that was
stopped goes on where its log ends; runs of other seeds add up in the log. With --bounds-share, so much of the
inputs of doors that lead to compiled code runs with checks of all indices (NUMBA_BOUNDSCHECK=1), which is
slower. Exit 1 if there are findings.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from tools.fuzz.batch import Lane, run_batch
from tools.fuzz.log import Log

# how many of a thousand inputs go through a door: fast doors get more
SHARES = {
    "matrices": 14,
    "networks": 14,
    "results": 11,
    "checkpoints": 11,
    "projects": 10,
    "readers": 20,
    "knowledge": 60,
    "annotations": 50,
    "sparql": 670,
    "rdf": 80,
    "replies": 25,
    "api": 10,
    "commands": 3,
    "texts": 20,
    "fits": 2,
}
COMPILED = ("matrices", "networks", "results", "checkpoints", "fits")
BATCH = 50_000
MOST_FINDINGS = 200


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--door", choices=tuple(SHARES), action="append")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so many minutes")
    parser.add_argument("--bounds-share", type=float, default=0.0)
    parser.add_argument("--only", type=int, help="run this input alone, in this process")
    parser.add_argument("--recheck", action="store_true")
    options = parser.parse_args(arguments)
    doors = options.door or list(SHARES)
    if options.only is not None:
        return _run_one(doors[0], options.seed, options.only)
    log = Log(options.log)
    if options.recheck:
        recheck(log)
    else:
        run(log, doors, options.inputs, options.seed, options.minutes, options.bounds_share)
    print(json.dumps(log.summary, indent=1))
    for finding in log.findings[:20]:
        print(f"\n{finding['door']} {finding['input']}: {finding['finding']}")
    return 1 if log.findings else 0


def run(
    log: Log, doors: list[str], n_inputs: int, seed: int, minutes: float = 1e9, bounds_share: float = 0.0
) -> None:
    """Send inputs through the doors in turn, and add them to the log."""
    total = sum(SHARES[door] for door in doors)
    goals: dict[Lane, int] = {}
    for door in doors:
        goal = max(1, round(n_inputs * SHARES[door] / total))
        checked = round(goal * bounds_share) if door in COMPILED else 0
        goals[Lane(door)] = goal - checked
        goals[Lane(door, bounds=True)] = checked
    start = time.monotonic()
    while time.monotonic() - start < 60 * minutes and len(log.findings) < MOST_FINDINGS:
        left = {lane: goal - log.count(seed, lane) for lane, goal in goals.items()}
        lanes = [lane for lane, count in left.items() if count > 0]
        if not lanes:
            break
        # the one that is furthest from its goal, so that a run that is stopped has tried all doors
        lane = max(lanes, key=lambda lane: left[lane] / goals[lane])
        log.add(seed, lane, run_batch(lane, seed, log.count(seed, lane), min(BATCH, left[lane])))


def recheck(log: Log) -> None:
    """Run the inputs of all findings again; those that find nothing any more are corrected."""
    for run in log.runs:
        for finding in list(run["findings"]):
            door, _, bounds = finding["door"].partition(" ")
            if not run_batch(Lane(door, bool(bounds)), run["seed"], finding["input"], 1).findings:
                run["findings"].remove(finding)
                last = finding["finding"].strip().splitlines()[-1]
                run["corrected"].append({**finding, "finding": last[:300]})
            log.write()


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
