"""Our methods beside other programs for the same task, on two newsgroups, from the same tf-idf or counts.

scikit-learn has k-means and NMF. `coclust` has ITCC; if it can be imported, `python -m experiments run peers
--only coclust --seeds 5` runs it. No program for tri-factorisation is available, so the tests compare `tnmf`
with its dense textbook form. The objective is what both programs minimise (for ITCC the preserved
information, where more is better).
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF

import colligate as cg
from colligate.methods.spherical import tfidf
from colligate.result.metrics import evaluate
from experiments.corpora.catalogue import load_corpus
from experiments.corpora.newsgroups import FILE, PAIR
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scipy.sparse import csr_array

    from experiments.runner.store import Run

WORD_CLUSTERS = 16
Found = tuple[np.ndarray, float]


def run_kmeans(counts: csr_array, seed: int) -> Found:
    model = KMeans(2, n_init=5, random_state=seed).fit(tfidf(counts))
    return model.labels_, float(model.inertia_)


def run_nmf(counts: csr_array, seed: int) -> Found:
    rows = tfidf(counts)
    model = NMF(2, init="nndsvda", random_state=seed, max_iter=500)
    return model.fit_transform(rows).argmax(axis=1), float(model.reconstruction_err_) ** 2


def run_itcc(counts: csr_array, seed: int) -> Found:
    from coclust.coclustering import CoclustInfo
    from scipy.sparse import csr_matrix

    model = CoclustInfo(2, WORD_CLUSTERS, n_init=5, random_state=seed)
    model.fit(csr_matrix(counts, dtype=np.float64))
    return np.array(model.row_labels_), keep_entries(
        counts, np.array(model.row_labels_), np.array(model.column_labels_)
    )


def keep_entries(counts: csr_array, rows: np.ndarray, columns: np.ndarray) -> float:
    """The information that a table of groups keeps, in nats."""
    table = np.zeros((rows.max() + 1, columns.max() + 1))
    entries = counts.tocoo()
    np.add.at(table, (rows[entries.coords[0]], columns[entries.coords[1]]), entries.data)
    p = table / table.sum()
    used = p > 0
    return float((p[used] * np.log(p[used] / np.outer(p.sum(axis=1), p.sum(axis=0))[used])).sum())


def run_colligate(method: str, counts: csr_array, seed: int) -> Found:
    parameters: dict[str, Any] = {"n_word_clusters": WORD_CLUSTERS} if method == "itcc" else {}
    model = cg.make(method, n_clusters=2, random_state=seed, **parameters).fit(counts)
    if method != "itcc":
        return model.labels_, model.history_[-1]
    return model.labels_, keep_entries(counts, model.labels_, model.word_labels_)


METHODS = ("kmeans", "nmf", "itcc")
# not among what the extras install, so that no run of it is asked for
SEEDS = {"coclust": 0}
PEERS: dict[str, tuple[str, Callable[[csr_array, int], Found]]] = {
    "kmeans": ("scikit-learn", run_kmeans),
    "nmf": ("scikit-learn", run_nmf),
    "itcc": ("coclust", run_itcc),
}


@cache
def read_corpus(data: Path) -> tuple[cg.Corpus, np.ndarray]:
    return load_corpus(f"20ng/{'+'.join(PAIR)}", data)


def compute_figures(program: Callable[[csr_array, int], Found], data: Path, seed: int) -> Run:
    """What a program finds on the two newsgroups."""
    corpus, labels = read_corpus(data)
    groups, objective = program(corpus.counts, seed)
    return {"objective": objective, **evaluate(labels, groups)}


CELLS = {
    (method, name): Measurement(
        f"{method} | {name}", partial(compute_figures, program), seeds=SEEDS.get(name)
    )
    for method in METHODS
    for name, program in (("colligate", partial(run_colligate, method)), PEERS[method])
}
COLUMNS = {"objective": "objective", "NMI": "nmi", "accuracy": "accuracy"}

EXPERIMENT = Experiment(
    name="peers",
    paper="001",
    about="our methods beside other people's programs for the same",
    corpora=(FILE,),
    cells=tuple(CELLS.values()),
    tables=(
        TableSpec(
            "Our methods beside other programs for the same, alt.atheism and comp.graphics",
            "method, program",
            {
                one.key: {head: Entry(one.key, figure) for head, figure in COLUMNS.items()}
                for one in CELLS.values()
            },
            "The objective is what both minimise; of itcc it is the information kept, the more the better, "
            "with 16 word clusters. `coclust` could not be installed here.",
        ),
    ),
    quick=Quick(("kmeans",)),
)
