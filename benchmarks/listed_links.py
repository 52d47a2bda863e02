"""Many listed links: nanoseconds for an entry of their adjacency, and the memory to build it.

    python -m benchmarks.listed_links [--documents 800000] [--pairs 50000000] [--store FILE] [--repeats 3]

Random pairs with random energies. The adjacency has every pair twice, at 12 bytes an entry. Building it is
measured with the peak of the memory over that of the pairs themselves; then, on one thread, the table of
documents × 20 groups that an update of labels starts from, which reads every entry once, and a whole update
of labels (iterated conditional modes) of which a tenth are wrong. Exits with 1 if a goal is missed: 5.5 ns an
entry, or a peak of 2.5 times the adjacency.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import numpy as np
from scipy import sparse

from benchmarks.timing import CLUSTERS, make_parser, measure_seconds, store_figures
from colligate.kernels import Links, add_pairs, make_kernels

BYTES_PER_ENTRY, LIMIT_NS, LIMIT_PEAK = 12, 5.5, 2.5
DISTURBED = 0.1


def peak_bytes() -> int:
    """Return the most memory that this process has used; on Linux ru_maxrss is in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--documents", type=int, default=800_000)
    parser.add_argument("--pairs", type=int, default=50_000_000)
    parser.add_argument("--store", type=Path)
    arguments = parser.parse_args()
    n, rng, kernels = arguments.documents, np.random.default_rng(0), make_kernels("fast", n_jobs=1)
    # what compiles once is compiled first
    small = add_pairs(
        Links.of_pairs(sparse.csr_array((4, 4))),
        *(np.array([0, 1], np.int32), np.array([2, 3], np.int32)),
        np.ones(2),
    )
    kernels.link_tables(small, np.zeros(4, np.int32), CLUSTERS)
    truth = rng.integers(0, CLUSTERS, n, dtype=np.int32)
    left = rng.integers(0, n, arguments.pairs, dtype=np.int32)
    right = rng.integers(1, n, arguments.pairs, dtype=np.int32)
    right += left
    right -= np.where(right >= n, n, 0).astype(np.int32)
    # equal classes attract each other
    energy = np.where(truth[left] == truth[right], -1.0, 0.05)
    before, began = peak_bytes(), time.perf_counter()
    links = add_pairs(Links.of_pairs(sparse.csr_array((n, n))), left, right, energy)
    built = time.perf_counter() - began
    entries = len(links.neighbours)
    adjacency = BYTES_PER_ENTRY * entries
    rise = (peak_bytes() - before) / adjacency
    del left, right, energy
    labels = truth.copy()
    moved = rng.permutation(n)[: int(DISTURBED * n)]
    labels[moved] = rng.integers(0, CLUSTERS, len(moved), dtype=np.int32)
    table = measure_seconds(lambda: kernels.link_tables(links, labels, CLUSTERS), arguments.repeats)
    cost, order = np.zeros((n, CLUSTERS)), np.arange(n)
    updated = labels.copy()
    began = time.perf_counter()
    kernels.run_icm(links, None, cost, updated, order, 30)
    update = time.perf_counter() - began
    figures = {
        "documents": n,
        "pairs": arguments.pairs,
        "build_seconds": built,
        "peak_by_adjacency": rise,
        "ns_per_entry": 1e9 * table / entries,
        "update_ns_per_entry": 1e9 * update / entries,
        "right_after_update": float((updated == truth).mean()),
    }
    for name, value in figures.items():
        print(f"{name:22} {value:,.3f}")
    if arguments.store is not None:
        store_figures(arguments.store, "listed links", "listed_links", figures)
    return int(figures["ns_per_entry"] > LIMIT_NS or rise > LIMIT_PEAK)


if __name__ == "__main__":
    sys.exit(main())
