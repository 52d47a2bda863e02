"""A small network of papers, words, people, cities and citations, and a result made of it by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from colligate._array import one_hot, softmax_rows
from colligate.network import Network, ObjectType, Relation
from colligate.result import Result
from colligate.result.association import count_by_group

PAPERS = [f"p{number}" for number in range(6)]
WORDS = ["ball", "cell", "goal", "gene", "of"]
PEOPLE = ["Ann", "Bo", "Cy", "Di"]
CITIES = ["Oslo", "Rome", "Nowhere"]
USES = np.array(
    [[3, 0, 2, 0, 1], [2, 0, 3, 0, 1], [1, 0, 1, 0, 0], [0, 3, 0, 2, 1], [0, 2, 0, 3, 2], [0, 0, 0, 0, 0]]
)
WROTE = np.array([[1, 1, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 0], [0, 0, 1, 1, 0, 0]])
LIVES = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [1, 3, 0]])
CITES = np.zeros((6, 6), dtype=int)
CITES[1, 0] = CITES[2, 0] = CITES[4, 3] = 1
LABELS = {
    "papers": [0, 0, 0, 1, 1, -1],
    "words": [0, 1, 0, 1, 2],
    "people": [0, 0, 1, 1],
    "cities": [0, 1, -1],
}


def network(weights: tuple[float | None, ...] = (0.5, 0.3, 0.1, 0.1)) -> Network:
    names = {"papers": PAPERS, "words": WORDS, "people": PEOPLE, "cities": CITIES}
    sides = (
        ("papers", "words", USES),
        ("people", "papers", WROTE),
        ("people", "cities", LIVES),
        ("papers", "papers", CITES),
    )
    return Network(
        {kind: ObjectType(kind, listed) for kind, listed in names.items()},
        tuple(
            Relation(rows, columns, matrix, weight)
            for (rows, columns, matrix), weight in zip(sides, weights, strict=True)
        ),
    )


def network_result(made_of: Network | None = None, labels: Any = None, **more: Any) -> Result:
    found = network() if made_of is None else made_of
    groups = {kind: np.array(own, dtype=np.int32) for kind, own in (labels or LABELS).items()}
    counts = {kind: int(own.max()) + 1 for kind, own in groups.items()}
    centre = found.centre
    shares = (
        count_by_group(groups[centre], counts[centre], found.neighbourhood(centre).matrix).toarray() + 0.5
    )
    model = {"log_words": np.log(shares / shares.sum(axis=1, keepdims=True)).T}
    memberships = {
        kind: 0.9 * one_hot(own, counts[kind]).toarray() + 0.1 * (own >= 0)[:, None] / counts[kind]
        for kind, own in groups.items()
    }
    memberships[centre] = softmax_rows(0.3 * (found.neighbourhood(centre).matrix @ model["log_words"]))
    memberships[centre][groups[centre] < 0] = 0
    fields: dict[str, Any] = {
        "method": "fake",
        "parameters": {},
        "seed": 1,
        "network": found,
        "corpus": None,
        "labels": groups,
        "memberships": memberships,
        "association": {
            relation.name: _mass(relation, groups, counts)
            for relation in found.relations
            if {relation.rows, relation.columns} <= groups.keys()
        },
        "history": (2.0, 1.0),
        "n_iter": 1,
        "converged": True,
        "restarts": (1.0,),
        "chosen": 0,
        "model": model,
    }
    return Result(**(fields | more))


def _mass(relation: Relation, groups: Any, counts: Any) -> np.ndarray:
    sides = [one_hot(groups[kind], counts[kind]).toarray() for kind in (relation.rows, relation.columns)]
    mass = sides[0].T @ relation.matrix.toarray() @ sides[1]
    return mass / mass.sum()
