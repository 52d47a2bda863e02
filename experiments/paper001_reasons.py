"""Why methods are equal with many links on two newsgroups, and how they differ on other documents.

As Figure 2 of the constrained paper (2010), with random links made from labels. The first table shows how
many documents links determine without words. With two groups, a link and the group of one document give the
group of the other, so one document determines all that links connect to it. *Joined* is the share of
documents in the largest such set. The second table judges documents that no link can reach: links are drawn
among nine tenths of the posts, and the other tenth is judged. The third table is about `ckmeans` with links
from shared names (Table 2), of which some are wrong: the weight of a link, and whether a metric is learned.
The paper has 1/√M for M documents, here .024. Without links `ckmeans` is spherical k-means, not the `kmeans`
of Table 2. The last table compares D_max of `citcc`, a bound, with the largest divergence of two objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

import colligate as cg
from colligate.kernels import make_kernels
from colligate.methods.information.links import SMOOTHING, smooth_rows
from colligate.methods.information.problem import make_views
from colligate.network import Network
from experiments.corpora.newsgroups import FILE, PAIR
from experiments.knowledge_bases import list_sources
from experiments.paper001 import GUIDED, LINKS, read_corpus
from experiments.paper001_names import GAZETTEER, Names
from experiments.random_links import draw_pairs
from experiments.runner.experiment import Cell, Entry, Experiment, Measurement, Quick, TableSpec, Task

if TYPE_CHECKING:
    from pathlib import Path

METHODS = tuple(name for name in GUIDED if name != "ssnmf")
# rows whose divergences from all others are in memory at a time
BLOCK = 500
MANY, HELD_OUT = LINKS[2:], 0.1
WEIGHTS, FORMS, LEAST_NAMES = (1.0, 0.1, 0.024), {"hmrf": "metric learned", "pck": "metric fixed"}, (2, 5)
# the paper's, which a claim is about; the others have fewer seeds
AS_PRINTED, OTHER_SEEDS = ("hmrf", 0.024), 5


@dataclass(frozen=True)
class HeldOut:
    """Two newsgroups with links among nine tenths of the posts; the other tenth is judged."""

    links: int

    def task(self, data: Path, seed: int) -> Task:
        """Which posts are held out, and the links of the others, are drawn anew for each seed."""
        part, rng = read_corpus(data), np.random.default_rng(seed)
        held = np.zeros(len(part.labels), dtype=bool)
        held[rng.permutation(len(held))[: int(HELD_OUT * len(held))]] = True
        knowledge = None
        if self.links:
            together, apart = draw_pairs(part.labels, self.links, seed, np.flatnonzero(~held))
            knowledge = cg.Knowledge().together(documents=together).apart(documents=apart)
        return Task(part.counts, part.labels, knowledge, {"n_clusters": len(PAIR)}, judged=held)


def measure_settled(links: int, data: Path, seed: int) -> dict[str, Any]:
    """What random links settle without words."""
    labels = read_corpus(data).labels
    return share_joined(np.concatenate(draw_pairs(labels, links, seed)), len(labels))


def share_joined(pairs: np.ndarray, count: int) -> dict[str, float]:
    """The share of objects in the largest set that pairs join, and of those in no pair."""
    graph = sparse.coo_array((np.ones(len(pairs)), tuple(pairs.T)), shape=(count, count))
    _, sets = connected_components(graph, directed=False)
    sizes = np.bincount(sets)
    return {"joined": float(sizes.max() / count), "free": float(np.sum(sizes == 1) / count)}


def measure_bound(kind: str, data: Path, _: int) -> dict[str, Any]:
    """The bound on every divergence of `citcc`, and the largest divergence of all pairs."""
    view = make_views(Network.from_matrix(read_corpus(data).counts), make_kernels())[kind]
    x, smoothed = view.rows, smooth_rows(view)
    shape = len(x), x.n_columns
    y, s = (sparse.csr_array((part, x.indices, x.indptr), shape=shape) for part in (smoothed.y, smoothed.s))
    b = np.bincount(x.indices, weights=x.data, minlength=x.n_columns)
    v = SMOOTHING * (s @ (b / b.sum()))
    u, largest = smoothed.y_s + v, 0.0
    for first in range(0, len(x), BLOCK):
        block = slice(first, first + BLOCK)
        divergences = u[block, None] - v - (y[block] @ s.T).toarray()  # citcc, below eq. 4
        largest = max(largest, float(divergences.max()))
    return {"bound": smoothed.d_max, "largest": largest}


def make_cell(method: str, links: int = 0) -> Cell:
    """A method, judged on what is held out."""
    return Cell(f"{method} | {links} links | held out", method, HeldOut(links))


def make_weighted_cell(form: str, weight: float, least: int) -> Cell:
    """`ckmeans` with links from names, by what they weigh."""
    key = f"ckmeans | {GAZETTEER} ≥ {least} | {form} | weight {weight:g}"
    seeds = None if (form, weight) == AS_PRINTED else OTHER_SEEDS
    return Cell(key, "ckmeans", Names(GAZETTEER, least), {"form": form, "link_weight": weight}, seeds=seeds)


ALONE = {n: Measurement(f"links alone | {n} links", partial(measure_settled, n)) for n in LINKS}
BOUNDS = {
    kind: Measurement(f"D_max | {kind}", partial(measure_bound, kind), seeds=1)
    for kind in ("documents", "words")
}
HELD = {name: {0: make_cell(GUIDED[name])} | {n: make_cell(name, n) for n in MANY} for name in METHODS}
WEIGHED = {
    f"{title}, weight {weight:g}": {least: make_weighted_cell(form, weight, least) for least in LEAST_NAMES}
    for form, title in FORMS.items()
    for weight in WEIGHTS
}
WEIGHED["no links"] = dict.fromkeys(LEAST_NAMES, Cell("ckmeans | no links", "ckmeans", Names()))

EXPERIMENT = Experiment(
    name="paper001_reasons",
    paper="001",
    about="what many links settle without words, and documents that they do not reach",
    corpora=(FILE, *list_sources("freebase")),
    cells=(
        *ALONE.values(),
        *BOUNDS.values(),
        *{one.key: one for row in (*HELD.values(), *WEIGHED.values()) for one in row.values()}.values(),
    ),
    tables=(
        TableSpec(
            "What links settle without any word: shares of the documents",
            "documents",
            {
                name: {f"{n:,} links": Entry(one.key, figure) for n, one in ALONE.items()}
                for name, figure in (("joined to each other by links", "joined"), ("in no link", "free"))
            },
        ),
        TableSpec(
            "NMI of a tenth of the documents, with links among the others",
            "method",
            {name: {f"{n:,} links": Entry(one.key) for n, one in row.items()} for name, row in HELD.items()},
            chart="links among the other documents",
        ),
        TableSpec(
            "NMI of ckmeans with links from shared names, by the weight of a link",
            "ckmeans",
            {
                name: {f"≥ {least} names": Entry(one.key) for least, one in row.items()}
                for name, row in WEIGHED.items()
            },
            "Names from the gazetteer of Freebase.",
        ),
        TableSpec(
            "D_max of citcc and the largest divergence",
            "objects",
            {
                kind: {"D_max": Entry(one.key, "bound"), "largest divergence": Entry(one.key, "largest")}
                for kind, one in BOUNDS.items()
            },
        ),
    ),
    seeds=10,
    quick=Quick(("links alone",)),
)
