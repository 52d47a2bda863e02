"""Fits of `colligate` with what a user said, judged on the documents that no statement names."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import colligate as cg
from colligate.errors import KnowledgeWarning
from colligate.result.metrics import evaluate
from experiments.evaluation.corpora import RESTARTS, n_classes, read
from experiments.evaluation.statements import Said, User, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from colligate.methods.mixture.constants import Constants
    from experiments.runner.store import Run

# where fewer are left, all documents are judged
FEWEST_LEFT = 0.05


def told(
    corpus: str,
    says: Sequence[Callable[[User], Said]],
    wrong: float,
    data: Path,
    seed: int,
    constants: Constants | None = None,
) -> Run:
    """The figures with statements, those without (`bare`) on the same documents, and the trust in them.

    The fit with statements has other `constants`, if there are any.
    """
    network, labels = read(corpus, data)
    said = joined(say(User(network, labels, seed, wrong)) for say in says)
    result = fitted(network, n_classes(labels), said.knowledge, seed, constants)
    judged = ~np.isin(np.arange(len(labels)), said.named)
    if judged.mean() < FEWEST_LEFT:
        judged[:] = True
    bare = untold(corpus, n_classes(labels), data, seed)
    return {
        **compared(labels, result.labels[network.centre], bare, judged),
        "documents": int(judged.sum()),
        "statements": len(said.wrong),
        **_trusted(result, said.wrong),
    }


def fitted(
    network: cg.Network,
    n_clusters: int,
    knowledge: cg.Knowledge | None,
    seed: int,
    constants: Constants | None = None,
    **parameters: Any,
) -> cg.Result:
    """Fit with or without knowledge."""
    model = cg.make("colligate", n_clusters=n_clusters, n_ensemble=RESTARTS, random_state=seed, **parameters)
    if constants is not None:
        model.constants = constants
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", KnowledgeWarning)
        model.fit(network, knowledge=knowledge)
    result: cg.Result = model.result_
    return result


@lru_cache(maxsize=100)
def untold(corpus: str, n_clusters: int, data: Path, seed: int) -> np.ndarray:
    """The groups without knowledge, which many cells of a seed share."""
    network, _ = read(corpus, data)
    return np.asarray(fitted(network, n_clusters, None, seed).labels[network.centre])


def compared(labels: np.ndarray, found: np.ndarray, bare: np.ndarray, judged: np.ndarray) -> Run:
    """NMI and accuracy of two groupings on the documents that are judged, and the gain of the first."""
    ours, before = (evaluate(labels, groups, judged) for groups in (found, bare))
    figures: Run = {name: ours[name] for name in ("nmi", "accuracy")}
    figures |= {f"bare_{name}": before[name] for name in ("nmi", "accuracy")}
    return {**figures, "gain": ours["nmi"] - before["nmi"]}


def _trusted(result: cg.Result, wrong: np.ndarray) -> Run:
    """The mean trust in right and in wrong statements, of those that were judged."""
    if result.trust is None:
        return {"trust_right": None, "trust_wrong": None}
    judged = ~np.isnan(result.trust)
    own = {"trust_right": result.trust[judged & ~wrong], "trust_wrong": result.trust[judged & wrong]}
    return {name: float(trust.mean()) if len(trust) else None for name, trust in own.items()}
