"""How the cost of a sweep grows with the non-zeros: parts of 20 Newsgroups, all of it, and several copies.

    python -m benchmarks.scaling [--data FOLDER] [--repeats 3]

Sweeps without links and with labels of half the documents as implied links. Fits log(time) on log(non-zeros)
and exits with 1 if an exponent is above 1.1. Small sizes pay for the start of threads, so it may be below 1.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy import sparse

import colligate as cg
from benchmarks.timing import PreparedRun, make_parser, measure_sweep, prepare_run
from experiments.corpora.newsgroups import read_newsgroups

SIZES = (0.25, 0.5, 1.0, 2.0, 4.0)
LIMIT = 1.1


def resample(
    counts: sparse.csr_array, labels: np.ndarray, size: float
) -> tuple[sparse.csr_array, np.ndarray]:
    """Return a random share of the documents, or all of them several times."""
    if size > 1.0:
        copies = int(size)
        return sparse.csr_array(sparse.vstack([counts] * copies, format="csr")), np.tile(labels, copies)
    chosen = np.sort(np.random.default_rng(0).permutation(len(labels))[: int(size * len(labels))])
    return sparse.csr_array(counts[chosen]), labels[chosen]


def prepare_runs(counts: sparse.csr_array, labels: np.ndarray) -> list[PreparedRun]:
    """Prepare a run without links, and one with every second document labelled."""
    network = cg.Network.from_matrix(counts)
    known = {int(i): str(labels[i]) for i in range(0, len(labels), 2)}
    guidance = cg.Knowledge().label(known).compile(network.names).guidance
    return [prepare_run(network, {}), prepare_run(network, guidance)]


def fit_exponent(entries: list[int], taken: list[float]) -> float:
    """Return the slope of log(time) on log(non-zeros)."""
    return float(np.polyfit(np.log(entries), np.log(taken), 1)[0])


def main() -> int:
    arguments = make_parser(__doc__).parse_args()
    corpus, labels = read_newsgroups(arguments.data, None, 5)
    entries, taken = [], []
    print(f"{'documents':>10} {'entries':>12} {'none ms':>9} {'links ms':>9}")
    for size in SIZES:
        counts, sample = resample(corpus.counts, labels, size)
        entries.append(int(counts.nnz))
        taken.append(measure_sweep(prepare_runs(counts, sample), arguments.repeats))
        print(f"{len(sample):10,} {entries[-1]:12,} {1000 * taken[-1][0]:9.2f} {1000 * taken[-1][1]:9.2f}")
    plain, linked = (fit_exponent(entries, [pair[side] for pair in taken]) for side in (0, 1))
    kept = max(plain, linked) <= LIMIT
    print(f"exponent without links {plain:.3f}, with links {linked:.3f}; at most {LIMIT}: {kept}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
