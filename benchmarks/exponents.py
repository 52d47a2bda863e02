"""How the time and the memory of a fit grow with documents, words, entries, groups and links.

    python -m benchmarks.exponents [--methods itcc kmeans ...] [--processes 1] [--largest 100] [--store FILE]

One of the five grows by a factor of 100 while the others stay: 20,000 documents of 40 different words each,
20,000 words, 20 groups; links are random listed pairs, for `citcc` and `colligate`. Every size is a process
of its own, on one thread, with one restart of at most five iterations, so that a size does not change how
often a method iterates. Seconds are those that were computed; memory is the peak of the fit above the matrix.
Both are fitted by a power of the size, over its larger half: for small sizes fixed costs hide the growth.
Exits with 1 if the seconds of a method grow faster than with the power 1.1 of documents or entries. With
`--store`, a plot is written too.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.timing import make_parser, store_figures

METHODS = ("itcc", "citcc", "kmeans", "tnmf", "nmf", "plsa", "colligate")
BASE = {"documents": 20_000, "words": 20_000, "length": 40, "groups": 20, "links": 0}
# the smallest size of what grows
SMALLEST = {"documents": 2_000, "words": 2_000, "length": 5, "groups": 2, "links": 10_000}
NAMES = {"length": "entries"}
LINKED = ("citcc", "colligate")
STEPS = (1, 4, 16, 40, 100)
PROMISED, LIMIT = ("documents", "length"), 1.1
PLOT = Path(__file__).parents[1] / "docs" / "images" / "figures" / "growth.svg"


def generate_counts(documents: int, words: int, length: int, groups: int) -> sparse.csr_array:
    """Return counts with a power law over the words; a third of them are those of the document's topic."""
    rng = np.random.default_rng(0)
    topic = np.repeat(rng.integers(0, groups, documents), length)
    rank = np.exp(rng.random(documents * length) * np.log(words + 1.0)).astype(np.int64) - 1
    shift = np.where(rng.random(len(rank)) < 1 / 3, topic * (words // groups + 1), 0)
    columns = ((rank + shift) % words).astype(np.int32)
    starts = np.arange(documents + 1, dtype=np.int64) * length
    counts = sparse.csr_array((np.ones(len(columns), np.float32), columns, starts), shape=(documents, words))
    counts.sum_duplicates()
    return counts


def fit_once(method: str, size: dict[str, int]) -> dict[str, float]:
    """Fit one method in this process; return the seconds computed and the peak of the memory."""
    import colligate as cg

    options = {"random_state": 0, "n_init": 1, "max_iter": 5, "n_jobs": 1, "device": "cpu"}
    tiny = generate_counts(60, 50, 10, 2)
    cg.make(method, n_clusters=2, **options).fit(tiny)
    counts = generate_counts(**{name: size[name] for name in ("documents", "words", "length", "groups")})
    knowledge = None
    if size["links"]:
        rng = np.random.default_rng(1)
        left = rng.integers(0, size["documents"], size["links"])
        right = (left + rng.integers(1, size["documents"], size["links"])) % size["documents"]
        knowledge = cg.Knowledge().together(documents=np.stack([left, right], axis=1))
    # from here on, the kernel notes the peak anew: making the matrix took more than it has
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before, began = read_memory("VmRSS"), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cg.make(method, n_clusters=size["groups"], **options).fit(counts, knowledge=knowledge)
    seconds = time.process_time() - began
    peak = read_memory("VmHWM") - before
    return {"entries": int(counts.nnz), "cpu_seconds": seconds, "peak_mb": max(peak, 0.1)}


def read_memory(name: str) -> float:
    """Return the memory of this process now (VmRSS) or at its peak (VmHWM), in MB; on Linux."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return float(next(line for line in lines if line.startswith(name)).split()[1]) / 1024


def run_size(method: str, size: dict[str, int]) -> dict[str, float]:
    """Fit in a process of its own, on one thread."""
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    command = [sys.executable, "-m", "benchmarks.exponents", "--child", json.dumps([method, size])]
    output = subprocess.run(command, check=True, env={**os.environ, **one}, stdout=subprocess.PIPE)
    measured: dict[str, float] = json.loads(output.stdout)
    print(f"{method} {size}: {measured}", file=sys.stderr, flush=True)
    return measured


def list_sizes(name: str, largest: int) -> list[dict[str, int]]:
    """Return the sizes in which one of the five grows."""
    return [{**BASE, name: SMALLEST[name] * step} for step in STEPS if step <= largest]


def fit_exponent(runs: list[dict[str, Any]], name: str, figure: str) -> float:
    """Return the slope of the logarithm of a figure over the larger half of the sizes."""
    late = runs[len(runs) // 2 - (len(runs) % 2 == 0) :]
    sizes = [run["entries"] if name == "length" else run["size"][name] for run in late]
    return round(float(np.polyfit(np.log(sizes), np.log([run[figure] for run in late]), 1)[0]), 2)


def draw_growth(cases: dict[str, Any]) -> str:
    """Draw the seconds of every method by the size, a panel for each of the five, on logarithmic scales."""
    colours = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
    side, gap, top = 190, 60, 40
    width = 5 * (side + gap) + gap
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top + side + 90}" role="img" '
        'font-family="sans-serif" font-size="12">',
        '<title>Seconds computed by a fit as its size grows</title><rect width="100%" height="100%" '
        'fill="white"/>',
    ]
    runs = [run for case in cases.values() for run in case["runs"]]
    low, high = (f(np.log10([run["cpu_seconds"] for run in runs])) for f in (np.min, np.max))
    for place, name in enumerate(SMALLEST):
        left = gap + place * (side + gap)
        parts.append(f'<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="none" stroke="#999"/>')
        title = escape(NAMES.get(name, name))
        parts.append(f'<text x="{left + side / 2}" y="{top - 12}" text-anchor="middle">{title}</text>')
        sizes = [size[name] for size in list_sizes(name, STEPS[-1])]
        for size in (sizes[0], sizes[-1]):
            x = left + side * np.log(size / sizes[0]) / np.log(sizes[-1] / sizes[0])
            shown = f"{size * BASE['documents'] if name == 'length' else size:,}"
            parts.append(f'<text x="{x:.0f}" y="{top + side + 16}" text-anchor="middle">{shown}</text>')
        for number in range(int(np.ceil(low)), int(np.floor(high)) + 1):
            y = top + side - side * (number - low) / (high - low)
            parts.append(f'<text x="{left - 4}" y="{y + 4:.0f}" text-anchor="end">{10.0**number:g} s</text>')
            parts.append(f'<line x1="{left}" x2="{left + side}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        for colour, method in zip(colours, METHODS, strict=True):
            case = cases.get(f"{method} {NAMES.get(name, name)}")
            if case is None:
                continue
            points = " ".join(
                f"{left + side * np.log(run['size'][name] / sizes[0]) / np.log(sizes[-1] / sizes[0]):.1f},"
                f"{top + side - side * (np.log10(run['cpu_seconds']) - low) / (high - low):.1f}"
                for run in case["runs"]
            )
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
    for number, (colour, method) in enumerate(zip(colours, METHODS, strict=True)):
        x, y = gap + number * 130, top + side + 50
        parts.append(f'<line x1="{x}" x2="{x + 22}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" '
                     'stroke-width="3"/>' + f'<text x="{x + 28}" y="{y}">{method}</text>')  # fmt: skip
    return "\n".join([*parts, "</svg>", ""])


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    parser.add_argument("--processes", type=int, default=1, help="sizes that are measured at the same time")
    parser.add_argument("--largest", type=int, default=STEPS[-1], help="the largest factor of growth")
    parser.add_argument("--store", type=Path)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child is not None:
        print(json.dumps(fit_once(*json.loads(arguments.child))))
        return 0
    cases = [
        (method, name, size)
        for name in SMALLEST
        for method in arguments.methods
        if name != "links" or method in LINKED
        for size in list_sizes(name, arguments.largest)
    ]
    # the largest first, so that none is left alone at the end
    order = sorted(range(len(cases)), key=lambda i: -np.prod([max(v, 1) for v in cases[i][2].values()]))
    with ThreadPoolExecutor(arguments.processes) as pool:
        futures = {i: pool.submit(run_size, cases[i][0], cases[i][2]) for i in order}
        measured = [futures[i].result() for i in range(len(cases))]
    table: dict[str, Any] = {}
    for (method, name, size), figures in zip(cases, measured, strict=True):
        case = table.setdefault(f"{method} {NAMES.get(name, name)}", {"runs": []})
        case["runs"].append({"size": size, **figures})
    too_steep = False
    for title, case in table.items():
        name = next(key for key in SMALLEST if NAMES.get(key, key) == title.split()[1])
        for figure in ("cpu_seconds", "peak_mb"):
            case[f"{figure}_exponent"] = fit_exponent(case["runs"], name, figure)
        too_steep |= name in PROMISED and case["cpu_seconds_exponent"] > LIMIT
        seconds = " ".join(f"{run['cpu_seconds']:8.2f}" for run in case["runs"])
        print(f"{title:20} {seconds} s   to the power of {case['cpu_seconds_exponent']:.2f}, memory "
              f"{case['peak_mb_exponent']:.2f}", flush=True)  # fmt: skip
    if arguments.store is not None:
        store_figures(arguments.store, "exponents", "exponents", table)
        PLOT.write_text(draw_growth(table), encoding="utf-8")
    return int(too_steep)


if __name__ == "__main__":
    sys.exit(main())
