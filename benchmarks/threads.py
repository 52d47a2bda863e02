"""How much faster more threads are: ITCC with its start on a matrix of RCV1's shape, `colligate` on 20NG.

    python -m benchmarks.threads [--threads 1 2 4 8 16] [--rcv 1.0] [--parts colligate itcc] [--data FOLDER]
        [--store FILE] [--repeats 1]

ITCC: the problem, its start and 20 sweeps, from the matrix in memory; then the start and a sweep alone.
`colligate`: a whole fit on the counts of 20 Newsgroups (`20newsgroups.jsonl.gz` of the data folder), with one
restart. Seconds are those that passed, and those computed by all threads: the shortest of `--repeats` runs,
after a small one that compiles. The labels of all numbers of threads must be equal. Each part is printed and
stored when it is complete.
"""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

import colligate as cg
from benchmarks.speed import generate_rcv
from benchmarks.timing import CLUSTERS, WORD_CLUSTERS, make_parser, measure_seconds, store_figures
from experiments.corpora.newsgroups import read_newsgroups

if TYPE_CHECKING:
    from argparse import Namespace

SWEEPS = 20
SMALL = 0.02
"""This share of the matrix compiles the kernels: as the whole, it starts from a sample of its documents."""


def run_itcc(network: cg.Network, n_jobs: int) -> tuple[dict[str, float], Any]:
    """Return the seconds of the start, of a sweep and of all, and the labels."""
    method = cg.make("itcc", n_clusters=CLUSTERS, n_word_clusters=WORD_CLUSTERS, n_jobs=n_jobs, device="cpu")
    # as in a fit: the threads of the kernels are the only ones
    with threadpool_limits(1):
        began = time.perf_counter()
        problem = method.problem(network, {})
        state = method.start(problem, np.random.default_rng(0))
        start = time.perf_counter() - began
        for _ in range(SWEEPS):
            state = method.sweep(problem, state)
        whole = time.perf_counter() - began
    return {"start": start, "sweep": (whole - start) / SWEEPS, "whole": whole}, state.labels


def measure_itcc(arguments: Namespace) -> dict[str, Any]:
    """Return the figures for every number of threads, and the speed-ups against one."""
    rng = np.random.default_rng(0)
    small = cg.Network.from_matrix(generate_rcv(SMALL, rng))
    network = cg.Network.from_matrix(generate_rcv(arguments.rcv, rng))
    figures: dict[str, Any] = {"documents": len(network.types[network.centre]), "entries": network.n_entries}
    labels = None
    run_itcc(small, 1)
    for n_jobs in arguments.threads:
        runs = [run_itcc(network, n_jobs) for _ in range(arguments.repeats)]
        figures[f"{n_jobs} threads"] = {
            name: min(seconds[name] for seconds, _ in runs) for name in ("start", "sweep", "whole")
        }
        labels = runs[0][1] if labels is None else labels
        assert all(np.array_equal(labels[kind], runs[0][1][kind]) for kind in labels), "labels differ"
    return add_speedups(figures, arguments.threads, ("start", "sweep", "whole"))


def measure_colligate(arguments: Namespace) -> dict[str, Any]:
    """Return the seconds of a fit for every number of threads, and the speed-ups against one."""
    counts = read_newsgroups(arguments.data, None, 5)[0].counts
    figures: dict[str, Any] = {"documents": counts.shape[0], "entries": int(counts.nnz)}
    fits: list[Any] = []
    for n_jobs in arguments.threads:
        model = cg.make("colligate", n_clusters=CLUSTERS, random_state=0, n_jobs=n_jobs, device="cpu")
        if not fits:
            model.fit(sparse.csr_array(counts[:500]))
        began = time.process_time()
        seconds = measure_seconds(lambda m=model: m.fit(counts), arguments.repeats)
        computed = (time.process_time() - began) / arguments.repeats
        figures[f"{n_jobs} threads"] = {"whole": seconds, "computed": computed}
        fits.append(model.labels_)
    assert all(np.array_equal(labels, fits[0]) for labels in fits), "labels differ"
    return add_speedups(figures, arguments.threads, ("whole",))


def add_speedups(figures: dict[str, Any], threads: list[int], names: tuple[str, ...]) -> dict[str, Any]:
    """Add the time of the first number of threads by that of every other one."""
    first = figures[f"{threads[0]} threads"]
    for n_jobs in threads[1:]:
        taken = figures[f"{n_jobs} threads"]
        taken |= {f"{name} speed-up": first[name] / taken[name] for name in names}
    return figures


PARTS = {"colligate": measure_colligate, "itcc": measure_itcc}


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    parser.add_argument("--rcv", type=float, default=1.0, help="this share of a matrix of RCV1's shape")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--store", type=Path)
    parser.set_defaults(repeats=1)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in arguments.parts:
        figures = PARTS[name](arguments)
        print(name)
        for key, value in figures.items():
            parts = value.items() if isinstance(value, dict) else [("", value)]
            print(f"  {key:12}", "   ".join(f"{part} {number:,.3f}" for part, number in parts), flush=True)
        if arguments.store is not None:
            store_figures(arguments.store, f"threads {name}", "threads", figures)


if __name__ == "__main__":
    main()
