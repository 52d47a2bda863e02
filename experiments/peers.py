"""Our methods beside other people's programs for the same, on two newsgroups, from the same tf-idf or counts.

    python -m experiments.peers [--data FOLDER] [--seeds 5]

scikit-learn has k-means and NMF. `coclust` has ITCC; it is asked where it can be imported. There is no
program for tri-factorisation to compare with, so that the tests compare `tnmf` with its dense textbook form.
An objective is what both minimise (for ITCC: the information that is kept, the more the better).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF

import colligate as cg
from colligate.methods.tfidf import tfidf
from colligate.result.metrics import evaluate
from experiments.corpora.catalogue import load
from experiments.corpora.folder import DEFAULT
from experiments.corpora.newsgroups import PAIR

if TYPE_CHECKING:
    from collections.abc import Callable

    from scipy.sparse import csr_array

WORD_CLUSTERS = 16
Found = tuple[np.ndarray, float]


def kmeans(counts: csr_array, seed: int) -> Found:
    model = KMeans(2, n_init=5, random_state=seed).fit(tfidf(counts))
    return model.labels_, float(model.inertia_)


def nmf(counts: csr_array, seed: int) -> Found:
    rows = tfidf(counts)
    model = NMF(2, init="nndsvda", random_state=seed, max_iter=500)
    return model.fit_transform(rows).argmax(axis=1), float(model.reconstruction_err_) ** 2


def itcc(counts: csr_array, seed: int) -> Found:
    from coclust.coclustering import CoclustInfo
    from scipy.sparse import csr_matrix

    model = CoclustInfo(2, WORD_CLUSTERS, n_init=5, random_state=seed)
    model.fit(csr_matrix(counts, dtype=np.float64))
    return np.array(model.row_labels_), kept(
        counts, np.array(model.row_labels_), np.array(model.column_labels_)
    )


def kept(counts: csr_array, rows: np.ndarray, columns: np.ndarray) -> float:
    """The information that a table of groups keeps, in nats."""
    table = np.zeros((rows.max() + 1, columns.max() + 1))
    found = counts.tocoo()
    np.add.at(table, (rows[found.coords[0]], columns[found.coords[1]]), found.data)
    p = table / table.sum()
    used = p > 0
    return float((p[used] * np.log(p[used] / np.outer(p.sum(axis=1), p.sum(axis=0))[used])).sum())


def ours(method: str, counts: csr_array, seed: int) -> Found:
    given: dict[str, Any] = {"n_word_clusters": WORD_CLUSTERS} if method == "itcc" else {}
    model = cg.make(method, n_clusters=2, random_state=seed, **given).fit(counts)
    if method != "itcc":
        return model.labels_, model.history_[-1]
    return model.labels_, kept(counts, model.labels_, model.word_labels_)


PEERS: dict[str, tuple[str, Callable[[csr_array, int], Found]]] = {
    "kmeans": ("sklearn", kmeans),
    "nmf": ("sklearn", nmf),
    "itcc": ("coclust", itcc),
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DEFAULT, help="the folder of corpora")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    corpus, labels = load(f"20ng/{'+'.join(PAIR)}", options.data)
    table = Table("method", "by", "objective", "NMI", title="mean ± deviation over seeds")
    for method, (package, peer) in PEERS.items():
        runs = {"colligate": [ours(method, corpus.counts, seed) for seed in range(options.seeds)]}
        try:
            runs[package] = [peer(corpus.counts, seed) for seed in range(options.seeds)]
        except ImportError:
            runs[package] = []
        for name, found in runs.items():
            nmi = [evaluate(labels, groups)["nmi"] for groups, _ in found]
            table.add_row(method, name, _spread([value for _, value in found]), _spread(nmi))
    Console(width=120).print(table)


def _spread(values: list[float]) -> str:
    return f"{np.mean(values):.4f} ± {np.std(values):.4f}" if values else "cannot be imported"


if __name__ == "__main__":
    main()
