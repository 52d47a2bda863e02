"""Disturb commands at random moments, and check that nothing is lost.

    python -m tools.faults --faults 500 --seed 0 [--scenario cluster] [--log log.json]

After each fault the outputs must be whole, or the same command must complete them (with --resume where there
is a checkpoint) with the same result as an undisturbed run. A message is expected, never a traceback. Exit 1
if anything is lost. It needs `fork`, so it does not run on Windows.
"""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import colligate
from tools.faults.injection import DEFECT, KINDS, Ending, Fault, draw_fault, evaluate, run_child
from tools.faults.scenarios import SCENARIOS, Scenario


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description=__doc__.partition("\n")[0])
    parser.add_argument("--faults", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so many minutes")
    parser.add_argument("--scenario", choices=tuple(SCENARIOS), action="append")
    parser.add_argument("--log", type=Path)
    options = parser.parse_args(arguments)
    record = run(options.scenario or list(SCENARIOS), options.faults, options.seed, options.minutes)
    text = json.dumps(record, indent=1)
    if options.log is not None:
        options.log.write_text(text + "\n", encoding="utf-8")
    print(text)
    return 1 if record["findings"] else 0


def run(names: list[str], n_faults: int, seed: int, minutes: float = 1e9) -> dict[str, Any]:
    """Let faults happen in turn to the scenarios, and return the record."""
    rng = random.Random(seed)
    record: dict[str, Any] = {"seed": seed, "faults": 0, "by_scenario": {}, "by_kind": {}, "findings": []}
    outcomes: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    _import_all()
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="faults-work-") as place:
        prepared = {name: _prepare(name, Path(place, name)) for name in names}
        for number in range(n_faults):
            if time.monotonic() - start > 60 * minutes:
                break
            name = names[number % len(names)]
            scenario, expected, n_calls = prepared[name]
            fault = draw_fault(rng, n_calls)
            kinds[fault.kind] += 1
            outcome, finding = _disturb(scenario, expected, fault)
            outcomes[outcome] += 1
            record["faults"] += 1
            record["by_scenario"][name] = record["by_scenario"].get(name, 0) + 1
            if finding:
                record["findings"].append(
                    {"scenario": name, "fault": vars(fault), "finding": finding[-2000:]}
                )
    record["by_kind"] = {kind: kinds[kind] for kind in KINDS}
    record["outcomes"] = dict(outcomes)
    record["minutes"] = round((time.monotonic() - start) / 60, 1)
    return record


def _import_all() -> None:
    """Import the package once, so that no child has to."""
    for module in pkgutil.walk_packages(colligate.__path__, "colligate."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in ("pyarrow.parquet", "pyoxigraph", "sklearn.cluster", "jinja2", "rich.table"):
        importlib.import_module(name)


def _prepare(name: str, folder: Path) -> tuple[Scenario, str, int]:
    """Run a scenario without a fault, and return what it makes and how often it changes the disk."""
    folder.mkdir()
    scenario = SCENARIOS[name](folder)
    scenario.reset()
    ending = run_child(scenario.work, None, scenario.target)
    if ending.code or not evaluate(scenario.is_complete):
        raise SystemExit(f"{name} fails without a fault ({ending.code}): {ending.output}")
    if name == "overwrite":
        scenario.target.rename(folder / "earlier")
        scenario.reset()
    return scenario, evaluate(scenario.digest), ending.n_calls


def _disturb(scenario: Scenario, expected: str, fault: Fault) -> tuple[str, str]:
    """Let one fault happen; return the outcome in a word, and what was lost or shown that should not be."""
    scenario.reset()
    ending = run_child(scenario.work, fault, scenario.target)
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
    if fault.kind != "changed bytes" and evaluate(scenario.digest) != expected:
        return "lost", "the second run made another result"
    return "whole" if whole else "completed", ""


def _find_defect(ending: Ending) -> str:
    is_defect = ending.code == DEFECT or "Traceback" in ending.output or "defect" in ending.output
    return ending.output if is_defect else ""


if __name__ == "__main__":
    sys.exit(main())
