"""Figure 2 of the triplet paper (2009) in numbers: how close to the axes the objects of a network are.

The paper plots words, documents and categories of two groups in the two columns of their G, by `src`,
`nmf-triplet` and `ssnmf` with links, and sees ever more of them on the axes. Here it is the share of an
object's squared length that its longer coordinate has (1 on an axis, .5 between), on average over objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from experiments.corpora.triplets import draw_labelled
from experiments.paper002 import PRINTED
from experiments.runner.experiment import Cell, Entry, Experiment, Quick, TableSpec, Task

if TYPE_CHECKING:
    from pathlib import Path

COUNTS = {"words": 200, "documents": 20, "categories": 2}
# the chance of an entry, by the group of the word or category, and of the document
WORDS, CATEGORIES = np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([[0.8, 0.1], [0.2, 0.9]])
SHARE = 0.05
METHODS = ("src", "nmf-triplet", "ssnmf")


@dataclass(frozen=True)
class Planted:
    """Two groups of each type; `linked` tells the groups of some documents."""

    linked: bool

    def task(self, data: Path, seed: int) -> Task:
        """The data folder is not asked."""
        network, truth = plant_network(seed), count_halves("documents")
        known = np.flatnonzero(draw_labelled(truth, SHARE, seed)) if self.linked else ()
        knowledge = (
            cg.Knowledge().label({int(position): str(truth[position]) for position in known})
            if len(known)
            else None
        )
        parameters = {"n_clusters": 2, "n_word_clusters": 2, "n_entity_clusters": 2}
        return Task(network, truth, knowledge, parameters, further=partial(compute_positions, network))


def count_halves(kind: str) -> np.ndarray:
    return np.arange(COUNTS[kind]) * 2 // COUNTS[kind]


def plant_network(seed: int) -> cg.Network:
    """Two groups of each type, drawn as the paper says."""
    rng = np.random.default_rng(seed)
    relations = []
    for kind, chance in (("words", WORDS), ("categories", CATEGORIES)):
        likely = chance[count_halves(kind)[:, None], count_halves("documents")].T
        drawn = rng.random((COUNTS["documents"], COUNTS[kind])) < likely
        relations.append(cg.Relation("documents", kind, drawn.astype(np.float64)))
    types = {kind: cg.ObjectType(kind, range(count)) for kind, count in COUNTS.items()}
    return cg.Network(types, tuple(relations))


def compute_positions(network: cg.Network, model: Any) -> dict[str, float]:
    """How close to the axes the objects of each type are."""
    spectral = hasattr(model.problem(network, {}), "vectors")
    vectors = model.problem(network, {}).vectors if spectral else model.result_.memberships
    return {f"axes_{kind}": measure_axes(vectors[kind]) for kind in COUNTS}


def measure_axes(coordinates: np.ndarray) -> float:
    squares = np.square(coordinates)
    return float((squares.max(axis=1) / np.maximum(squares.sum(axis=1), 1e-300)).mean())


CELLS = {name: Cell(f"{name} | planted", name, Planted(name == "ssnmf")) for name in METHODS}
CELLS["ssnmf, as printed"] = Cell("ssnmf | planted | as printed", "ssnmf", Planted(linked=True), PRINTED)

EXPERIMENT = Experiment(
    name="paper002_figure2",
    paper="002",
    about="how close to the axes the objects of two planted groups are",
    corpora=(),
    cells=tuple(CELLS.values()),
    tables=(
        TableSpec(
            "Closeness to the axes: 1 on an axis, .5 between",
            "method",
            {name: {kind: Entry(one.key, f"axes_{kind}") for kind in COUNTS} for name, one in CELLS.items()},
            of="002 Figure 2",
        ),
    ),
    seeds=10,
    quick=Quick(("",), seeds=2),
)
