"""How time and memory grow with the documents: `colligate cluster` on generated corpora, from file to report.

    python -m benchmarks.growth [--sizes 5000 20000 80000] [--method colligate] [--clusters 20]
        [--data FOLDER] [--store FILE]

Documents are those of 20 Newsgroups in turn, each with half of its words left out at random, so that none is
a copy of another. Every size runs in a process of its own. Printed are the seconds that it computed, on all
cores together, which other programs on the machine hardly change, the seconds that passed, and its peak
memory; then the exponents of both: the slopes of log(seconds) and log(memory) on log(documents). Exits with 1
if the exponent of the seconds is above 1.1; one size has no exponent. `--store` writes the figures as JSON,
with the command.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.timing import CLUSTERS, make_parser, measure_process, store_figures

if TYPE_CHECKING:
    from collections.abc import Iterator

LEFT_OUT, LIMIT = 0.5, 1.1


def generate_documents(source: Path, count: int) -> Iterator[dict[str, Any]]:
    """Yield documents, each with half of the words of one of 20 Newsgroups."""
    rng = random.Random(0)
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    for number, text in enumerate(islice(cycle(texts), count)):
        words = (word for word in text.split(" ") if rng.random() >= LEFT_OUT)
        yield {"id": str(number), "text": " ".join(words)}


def write_documents(path: Path, documents: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(f"{json.dumps(document)}\n" for document in documents)


def measure_size(source: Path, count: int, method: str, n_clusters: int) -> dict[str, Any]:
    """Return the figures of one run."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "documents.jsonl", Path(folder) / "run"
        write_documents(path, generate_documents(source, count))
        words = ["cluster", path, "-k", n_clusters, "--method", method, "--seed", 0, "--out", out]
        figures = measure_process(words)
        record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    return {"documents": count, **figures, "stages": record["timings"]}


def fit_exponent(runs: list[dict[str, Any]], name: str) -> float:
    """Return the slope of the logarithm of a figure on that of the documents."""
    return float(
        np.polyfit(np.log([run["documents"] for run in runs]), np.log([run[name] for run in runs]), 1)[0]
    )


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5000, 20000, 80000])
    parser.add_argument("--method", default="colligate")
    parser.add_argument("--clusters", type=int, default=CLUSTERS)
    parser.add_argument("--store", type=Path)
    arguments = parser.parse_args()
    source, options = arguments.data / "20newsgroups.jsonl.gz", (arguments.method, arguments.clusters)
    runs: list[dict[str, Any]] = []
    # what compiles once is compiled first
    measure_size(source, 500, *options)
    print(
        f"{'documents':>10} {'CPU s':>8} {'s':>8} {'MB':>8}   seconds of each stage ({os.cpu_count()} cores)"
    )
    for count in arguments.sizes:
        runs.append(measure_size(source, count, *options))
        stages = ", ".join(f"{name} {seconds:.1f}" for name, seconds in runs[-1]["stages"].items())
        figures = (runs[-1][name] for name in ("cpu_seconds", "seconds", "peak_mb"))
        print(f"{count:10,} " + " ".join(f"{value:8.1f}" for value in figures) + f"   {stages}", flush=True)
    exponents: dict[str, float] = {}
    if len(runs) > 1:
        exponents = {name: round(fit_exponent(runs, name), 3) for name in ("cpu_seconds", "peak_mb")}
        print(f"exponents: {exponents}; at most {LIMIT} for the seconds")
    if arguments.store is not None:
        name = f"growth {arguments.method} {max(arguments.sizes)}"
        store_figures(arguments.store, name, "growth", {"runs": runs, "exponents": exponents})
    return int(exponents.get("cpu_seconds", 0.0) > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
