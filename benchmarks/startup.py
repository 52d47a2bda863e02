"""How long Colligate takes to start: import, help, and the demo, as ratios to the import of scikit-learn.

    python -m benchmarks.startup [--repeats 5] [--demo]

Every command runs in a process of its own; the figure is the processor time of the fastest of several runs,
which other programs on the machine hardly change. With `--demo`, `colligate demo` runs once with an empty
folder of compiled kernels, and once more with the kernels that the first run compiled. The ratios are stored
in `benchmarks/results/startup.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

STORED = Path(__file__).parent / "results" / "startup.json"
PYTHON = (sys.executable, "-c")
PEER = "import sklearn"
COMMANDS = {
    PEER: (*PYTHON, "import sklearn"),
    "import colligate": (*PYTHON, "import colligate"),
    "colligate.Corpus": (*PYTHON, "import colligate; colligate.Corpus"),
    "colligate --version": (sys.executable, "-m", "colligate", "--version"),
    "colligate --help": (sys.executable, "-m", "colligate", "--help"),
    "colligate cluster --help": (sys.executable, "-m", "colligate", "cluster", "--help"),
}


def measure_cpu(command: tuple[str, ...], environment: dict[str, str] | None = None) -> float:
    """Return the processor seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure_demo() -> dict[str, float]:
    """Return the processor seconds of the demo without and with compiled kernels."""
    taken = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": f"{folder}/kernels"}
        for name in ("cold", "warm"):
            command = (sys.executable, "-m", "colligate", "demo", "--out", f"{folder}/{name}")
            taken[f"colligate demo, {name}"] = measure_cpu(command, environment)
    return taken


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--demo", action="store_true", help="also run the demo, cold and warm")
    options = parser.parse_args()
    seconds = {
        name: min(measure_cpu(words) for _ in range(options.repeats)) for name, words in COMMANDS.items()
    }
    if options.demo:
        seconds |= measure_demo()
    record = {
        "command": "python -m benchmarks.startup" + (" --demo" if options.demo else ""),
        "python": platform.python_version(),
        "scikit-learn": version("scikit-learn"),
        "ratio_to_import_of_scikit_learn": {name: round(s / seconds[PEER], 2) for name, s in seconds.items()},
    }
    STORED.parent.mkdir(exist_ok=True)
    STORED.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    for name, value in seconds.items():
        print(f"{name:28s} {value:6.2f} s of processor time, {value / seconds[PEER]:5.2f} × {PEER}")


if __name__ == "__main__":
    main()
