"""Figure 2 of the triplet paper (2009) in numbers: how close to the axes the objects of a network are.

The paper plots words, documents and categories of two groups in the two columns of their G, by `src`,
`nmf-triplet` and `ssnmf` with links, and sees ever more of them on the axes. Here it is the share of an
object's squared length that its longer coordinate has (1 on an axis, .5 between), on average over objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rich.table import Table

import colligate as cg
from experiments.triplets import told_documents

if TYPE_CHECKING:
    from rich.console import Console

COUNTS = {"words": 200, "documents": 20, "categories": 2}
# the chance of an entry, by the group of the word or category, and of the document
WORDS, CATEGORIES = np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([[0.8, 0.1], [0.2, 0.9]])
SHARE = 0.05
SEEDS = 10


def halves(kind: str) -> np.ndarray:
    return np.arange(COUNTS[kind]) * 2 // COUNTS[kind]


def planted(seed: int) -> cg.Network:
    """Two groups of each type, drawn as the paper says."""
    rng = np.random.default_rng(seed)
    relations = []
    for kind, chance in (("words", WORDS), ("categories", CATEGORIES)):
        drawn = (
            rng.random((COUNTS["documents"], COUNTS[kind]))
            < chance[halves(kind)[:, None], halves("documents")].T
        )
        relations.append(cg.Relation("documents", kind, drawn.astype(np.float64)))
    types = {kind: cg.ObjectType(kind, range(count)) for kind, count in COUNTS.items()}
    return cg.Network(types, tuple(relations))


def positions(method: str, seed: int) -> dict[str, np.ndarray]:
    """The two coordinates of every object, by type."""
    network, truth = planted(seed), halves("documents")
    model = cg.make(method, n_clusters=2, n_word_clusters=2, n_entity_clusters=2, random_state=seed)
    if method == "src":
        return dict(model.problem(network, {}).vectors)
    known = np.flatnonzero(told_documents(truth, SHARE, seed)) if method == "ssnmf" else ()
    knowledge = cg.Knowledge().label({int(at): str(truth[at]) for at in known}) if len(known) else None
    return dict(model.fit(network, knowledge=knowledge).result_.memberships)


def on_axes(coordinates: np.ndarray) -> float:
    squares = np.square(coordinates)
    return float((squares.max(axis=1) / np.maximum(squares.sum(axis=1), 1e-300)).mean())


def print_figure_2(console: Console) -> None:
    table = Table("method", *COUNTS, title=f"Figure 2: closeness to the axes, {SEEDS} seeds")
    for method in ("src", "nmf-triplet", "ssnmf"):
        found = [positions(method, seed) for seed in range(SEEDS)]
        table.add_row(method, *(f"{np.mean([on_axes(one[kind]) for one in found]):.3f}" for kind in COUNTS))
    console.print(table)
