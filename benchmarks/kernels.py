"""One sweep of ITCC against an iteration of scikit-learn's k-means and of NMF, on the same matrix.

    python -m benchmarks.kernels [--data FOLDER] [--repeats 3]

Prints milliseconds and the ratios to the sweep, and what implied links add to it. Times on a shared machine
mean little, ratios within one run more.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from sklearn.cluster import KMeans
from sklearn.decomposition import NMF

import colligate as cg
from benchmarks.timing import (
    CLUSTERS,
    SWEEPS,
    WORD_CLUSTERS,
    make_parser,
    measure_seconds,
    measure_sweep,
    prepare_run,
)
from colligate.methods.spherical import tfidf
from experiments.corpora.newsgroups import read_newsgroups

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.knowledge import Guidance


def label_guidance(network: cg.Network, named: dict[str, str]) -> Mapping[str, Guidance]:
    return cg.Knowledge().label(named).compile(network.names).guidance


def main() -> None:
    arguments = make_parser(__doc__).parse_args()
    corpus, labels = read_newsgroups(arguments.data, None, 5)
    network, rows = cg.Network.from_corpus(corpus), tfidf(cg.Network.from_corpus(corpus).relations[0].matrix)
    named = {corpus.ids[i]: labels[i] for i in range(0, len(labels), 10)}
    runs = [prepare_run(network, {}), prepare_run(network, label_guidance(network, named))]
    sweep, linked = measure_sweep(runs, arguments.repeats)
    timings = {
        f"one sweep of ITCC, K = {CLUSTERS}, L = {WORD_CLUSTERS}": sweep,
        f"the same with {len(named):,} labels as implied links": linked,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peers = {
            "one iteration of KMeans": KMeans(CLUSTERS, init="random", n_init=1, max_iter=SWEEPS, tol=0.0),
            "one iteration of NMF": NMF(CLUSTERS, init="random", max_iter=SWEEPS, tol=0.0),
        }
        for name, peer in peers.items():
            timings[name] = measure_seconds(lambda peer=peer: peer.fit(rows), arguments.repeats) / SWEEPS
    print(f"{len(corpus):,} documents, {len(corpus.words):,} words, {corpus.counts.nnz:,} entries")
    for name, taken in timings.items():
        print(f"{name:60} {1000 * taken:8.1f} ms   {taken / sweep:6.2f}")


if __name__ == "__main__":
    main()
