"""One sweep of ITCC against an iteration of scikit-learn's k-means and of NMF, on the same matrix.

    python -m benchmarks.kernels [--data FOLDER] [--repeats 3]

Prints milliseconds and the ratios to the sweep, and what implied links add to it. Times on a shared machine
mean little, ratios within one run more.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF

import colligate as cg
from colligate.methods.tfidf import tfidf
from experiments.data import DEFAULT, newsgroups

if TYPE_CHECKING:
    from collections.abc import Callable

CLUSTERS, WORD_CLUSTERS, SWEEPS = 20, 60, 10


def seconds(work: Callable[[], Any], repeats: int) -> float:
    """The shortest of several runs."""
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return min(taken)


def sweep_seconds(network: cg.Network, knowledge: cg.Knowledge | None, repeats: int) -> float:
    """The time of one sweep of CITCC from a common start; without knowledge it is ITCC's."""
    method = cg.make("citcc", n_clusters=CLUSTERS, n_word_clusters=WORD_CLUSTERS)
    guidance = {} if knowledge is None else knowledge.compile(network.names).guidance
    problem = method.problem(network, guidance)
    state = method.sweep(problem, method.start(problem, np.random.default_rng(0)))

    def sweeps() -> None:
        current = state
        for _ in range(SWEEPS):
            current = method.sweep(problem, current)

    return seconds(sweeps, repeats) / SWEEPS


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--data", type=Path, default=DEFAULT, help="the folder of corpora")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    corpus, labels = newsgroups(options.data, None, 5)
    network, rows = cg.Network.from_corpus(corpus), tfidf(cg.Network.from_corpus(corpus).relations[0].matrix)
    named = {corpus.ids[i]: labels[i] for i in range(0, len(labels), 10)}
    sweep = sweep_seconds(network, None, options.repeats)
    found = {
        f"one sweep of ITCC, K = {CLUSTERS}, L = {WORD_CLUSTERS}": sweep,
        f"the same with {len(named):,} labels as implied links": sweep_seconds(
            network, cg.Knowledge().label(named), options.repeats
        ),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peers = {
            "one iteration of KMeans": KMeans(CLUSTERS, init="random", n_init=1, max_iter=SWEEPS, tol=0.0),
            "one iteration of NMF": NMF(CLUSTERS, init="random", max_iter=SWEEPS, tol=0.0),
        }
        for name, peer in peers.items():
            found[name] = seconds(lambda peer=peer: peer.fit(rows), options.repeats) / SWEEPS
    print(f"{len(corpus):,} documents, {len(corpus.words):,} words, {corpus.counts.nnz:,} entries")
    for name, taken in found.items():
        print(f"{name:60} {1000 * taken:8.1f} ms   {taken / sweep:6.2f}")


if __name__ == "__main__":
    main()
