"""Disturb commands at random moments, and check that nothing is lost.

    python -m tools.faults --faults 500 --seed 0 [--scenario cluster] --log tools/faults/log.json
    python -m tools.faults --recheck --log tools/faults/log.json     let those of its findings happen again
    python -m tools.faults --seed 0 --only 123        let one fault happen, and print what the command wrote

After each fault the outputs must be whole, or the same command must complete them (with --resume where there
is a checkpoint) with the same result as an undisturbed run. A message is expected, never a traceback. Every
fault has a number; with the seed it can be repeated, and a run that was stopped goes on where its log ends.
Exit 1 if anything is lost. It needs `fork` and `/proc`, so it runs on Linux only.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

# a child that is forked beside threads of compiled code may wait for them forever
os.environ |= {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import colligate
from tools.faults.injection import DEFECT, Ending, Fault, draw_fault, evaluate, run_child
from tools.faults.scenarios import SCENARIOS, Scenario

# the runs of the studio start another Python, and so take longest
TURNS = (*(name for name in SCENARIOS if name != "studio run"),) * 2 + ("studio run",)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description=__doc__.partition("\n")[0])
    parser.add_argument("--faults", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so many minutes")
    parser.add_argument("--scenario", choices=tuple(SCENARIOS), action="append")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--only", type=int, help="let the fault of this number happen alone")
    parser.add_argument("--recheck", action="store_true")
    options = parser.parse_args(arguments)
    if options.recheck:
        record = recheck(options.log)
        print(json.dumps(record, indent=1))
        return 1 if record["findings"] else 0
    turns = options.scenario or list(TURNS)
    numbers = range(options.faults) if options.only is None else [options.only]
    record = run(turns, numbers, options.seed, options.minutes, options.log, show=options.only is not None)
    print(json.dumps(record, indent=1))
    return 1 if record["findings"] else 0


def run(
    turns: list[str],
    numbers: range | list[int],
    seed: int,
    minutes: float = 1e9,
    log: Path | None = None,
    *,
    show: bool = False,
) -> dict[str, Any]:
    """Let faults happen in turn to the scenarios, and return the record; that of a log goes on."""
    record: dict[str, Any] = {"seed": seed, "faults": 0, "minutes": 0.0}
    record |= {"by_scenario": {}, "by_kind": {}, "outcomes": {}, "findings": [], "corrected": []}
    if log is not None and log.exists():
        earlier = json.loads(log.read_text(encoding="utf-8"))
        if earlier["seed"] == seed:
            record = earlier
            numbers = [number for number in numbers if number >= record["faults"]]
    _import_all()
    begun = record["minutes"]
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="faults-work-") as place:
        needed = {turns[number % len(turns)] for number in numbers}
        prepared = {name: _prepare(name, Path(place, name)) for name in SCENARIOS if name in needed}
        for number in numbers:
            if time.monotonic() - start > 60 * minutes:
                break
            name = turns[number % len(turns)]
            scenario, expected, undisturbed = prepared[name]
            fault = draw_fault(random.Random(f"{seed} {number}"), undisturbed, workers=scenario.has_workers)
            outcome, finding = _disturb(scenario, expected, fault, show=show)
            record["faults"] += 1
            for table, key in (("by_scenario", name), ("by_kind", fault.kind), ("outcomes", outcome)):
                record[table][key] = record[table].get(key, 0) + 1
            if finding:
                entry = {"number": number, "scenario": name, "fault": vars(fault), "finding": finding[-2000:]}
                record["findings"].append(entry)
            record["minutes"] = round(begun + (time.monotonic() - start) / 60, 1)
            if log is not None:
                log.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return record


def recheck(log: Path) -> dict[str, Any]:
    """Let the faults of all findings of a log happen again; those that lose nothing now are corrected."""
    record = json.loads(log.read_text(encoding="utf-8"))
    for finding in list(record["findings"]):
        if not run(list(TURNS), [finding["number"]], record["seed"])["findings"]:
            record["findings"].remove(finding)
            last = finding["finding"].strip().splitlines()[-1]
            record["corrected"].append({**finding, "finding": last[:300]})
        log.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return record


def _import_all() -> None:
    """Import the package once, so that no child has to."""
    for module in pkgutil.walk_packages(colligate.__path__, "colligate."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in ("pyarrow.parquet", "pyoxigraph", "sklearn.cluster", "jinja2", "rich.table"):
        importlib.import_module(name)


def _prepare(name: str, folder: Path) -> tuple[Scenario, str, Ending]:
    """Run a scenario without a fault, and return what it makes and how it uses the disk."""
    folder.mkdir()
    scenario = SCENARIOS[name](folder)
    scenario.warm()
    scenario.reset()
    ending = run_child(scenario.work, None, scenario.target)
    if ending.code or not evaluate(scenario.is_complete):
        raise SystemExit(f"{name} fails without a fault ({ending.code}): {ending.output}")
    if name == "overwrite":
        scenario.target.rename(folder / "earlier")
        scenario.reset()
    return scenario, evaluate(scenario.digest), ending


def _disturb(scenario: Scenario, expected: str, fault: Fault, *, show: bool = False) -> tuple[str, str]:
    """Let one fault happen; return the outcome in a word, and what was lost or shown that should not be."""
    scenario.reset()
    ending = run_child(scenario.work, fault, scenario.target)
    if show:
        print(f"{fault}\nended with {ending.code} and wrote:\n{ending.output}")
    finding = _find_defect(ending) or evaluate(lambda: scenario.check_kept(ending, fault))
    if finding:
        return "lost", finding
    whole = evaluate(scenario.is_complete)
    repeated = run_child(scenario.again, None, scenario.target)
    if fault.kind == "changed bytes" and repeated.code not in (0, DEFECT):
        # damage is named, and the files are made again; that is all one can do
        return "refused", _find_defect(repeated)
    if repeated.code or not evaluate(scenario.is_complete):
        return "lost", _find_defect(repeated) or f"a second run ended with {repeated.code}: {repeated.output}"
    if show:
        print(f"the second run ended with {repeated.code} and wrote:\n{repeated.output}")
    if fault.kind != "changed bytes" and evaluate(scenario.digest) != expected:
        return "lost", "the second run made another result"
    return "whole" if whole else "completed", ""


def _find_defect(ending: Ending) -> str:
    is_defect = ending.code == DEFECT or "Traceback" in ending.output or "defect" in ending.output
    return ending.output if is_defect else ""


if __name__ == "__main__":
    sys.exit(main())
