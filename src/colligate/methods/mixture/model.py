"""What is kept of a fit for new documents: the same scores without links, labels and given embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from colligate.methods.mixture.evidence import Scale
from colligate.methods.mixture.expert import Expert
from colligate.methods.mixture.named import present
from colligate.methods.mixture.space import Space
from colligate.methods.mixture.terms import VOTE, counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.methods.mixture.position import Position
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.mixture.terms import Terms

    Floats = NDArray[np.float64]
    Arrays = dict[str, NDArray[Any]]


def model_of(problem: MixtureProblem, terms: Terms, at: Position, trust: Floats) -> Arrays:
    """The arrays: columns × groups of lifts and leanings, directions × groups of slopes, and the scales."""
    assert problem.scale is not None
    assert problem.space is not None
    found: Arrays = {
        "lifts": at.lifts,
        "basis": problem.space.basis,
        "slope": problem.views[0].concentration * at.centres[0],
        "offset": at.log_share,
        "idf": problem.scale.idf,
        "bounds": problem.scale.bounds,
        "exponent": problem.scale.exponent,
        "weight": problem.scale.weight,
        "concentrations": np.array([view.concentration for view in problem.views]),
    }
    if terms.expert is not None:
        found |= {f"taught_{name}": np.asarray(value) for name, value in vars(terms.expert).items()}
    leanings = _leanings(problem, trust)
    return found if leanings is None else {**found, "leanings": leanings}


def _leanings(problem: MixtureProblem, trust: Floats) -> Floats | None:
    """How much every column leans to every group; None if no column does."""
    from colligate.network import parts_of

    assert problem.scale is not None
    found = np.zeros((len(problem.scale.idf), problem.n_groups))
    for part in parts_of(problem.network, problem.network.centre):
        for leaning in problem.names.leanings:
            if leaning.kind == part.other != problem.network.centre:
                groups = problem.group_of_name[leaning.name]
                own = leaning.strength * counted(leaning, trust)
                np.add.at(found, (part.start + leaning.member, groups), own)
    return found if found.any() else None


def scores_of(model: Mapping[str, NDArray[Any]], matrix: csr_array) -> Floats:
    """The scores of documents in every group, in nats."""
    scale, space = _scales(model)
    evidence = scale.evidence(matrix)
    found = np.asarray(evidence @ model["lifts"])
    unit = _unit(space.placed(matrix))
    found += unit @ model["slope"]
    if "taught_slope" in model:
        found += _expert(model).nats(unit, found.shape[1])
    if "leanings" in model:
        votes = np.asarray(present(matrix) @ model["leanings"])
        found += VOTE * np.asarray(evidence.sum(axis=1))[:, None] * np.log1p(votes)
    return np.asarray((found + model["offset"]) / model["temperature"])


def evidence_of(
    model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
) -> Floats:
    """What each entry of one document adds to its scores."""
    scale, space = _scales(model)
    row = csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["idf"])))
    evidence = scale.evidence(row).data
    found = evidence[:, None] * model["lifts"][columns]
    lengths = _lengths(space, row)
    along = lengths[:, None] * space.basis[columns]
    found += along @ model["slope"]
    if "taught_slope" in model:
        expert = _expert(model)
        slope = expert.faith * (expert.slope - expert.slope.mean(axis=1, keepdims=True))
        best = int((along.sum(axis=0) @ expert.slope + expert.offset).argmax())
        own = np.zeros_like(found)
        # groups without labels have what the best of those with labels has, see `Expert.nats`
        own[:, : expert.n_inside] = along @ slope[:, [best]]
        own[:, expert.groups] = along @ slope
        found += own
    if "leanings" in model:
        votes = model["leanings"][columns]
        total = votes.sum(axis=0)
        found += VOTE * evidence.sum() * votes * (np.log1p(total) / np.maximum(total, 1e-300))
    return np.asarray(found / model["temperature"])


def _expert(model: Mapping[str, NDArray[Any]]) -> Expert:
    groups, slope, offset = (model[f"taught_{name}"] for name in ("groups", "slope", "offset"))
    return Expert(groups, slope, offset, float(model["taught_faith"]), int(model["taught_n_inside"]))


def _lengths(space: Space, row: csr_array) -> Floats:
    """What each entry of a document's tf-idf is in units of the length of its direction."""
    from colligate.methods.tfidf import tfidf

    length = float(np.sqrt(np.square(space.placed(row)).sum()))
    return np.asarray(tfidf(row, space.idf).data / max(length, 1e-300))


def _scales(model: Mapping[str, NDArray[Any]]) -> tuple[Scale, Space]:
    scale = Scale(model["idf"], model["bounds"], model["exponent"], model["weight"])
    return scale, Space(model["idf"], model["basis"])


def _unit(rows: Floats) -> Floats:
    length = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    return np.asarray(rows / np.where(length > 0, length, 1.0))
