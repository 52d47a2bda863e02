"""Fits of `colligate` with the statements of a user, judged on the documents that no statement names."""

from __future__ import annotations

import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import colligate as cg
from colligate.errors import KnowledgeWarning
from colligate.result.metrics import evaluate
from experiments.evaluation.corpora import RESTARTS, count_classes, read_network
from experiments.evaluation.statements import Statements, User, join_statements

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from colligate.methods.mixture.constants import Constants
    from experiments.runner.store import Run

# where fewer are left, all documents are judged
FEWEST_LEFT = 0.05


def fit_with_statements(
    corpus: str,
    says: Sequence[Callable[[User], Statements]],
    wrong: float,
    data: Path,
    seed: int,
    constants: Constants | None = None,
) -> Run:
    """The figures with statements, those without (`bare`) on the same documents, and the trust in them.

    The fit with statements has other `constants`, if there are any.
    """
    network, labels = read_network(corpus, data)
    statements = join_statements(say(User(network, labels, seed, wrong)) for say in says)
    result = fit_network(network, count_classes(labels), statements.knowledge, seed, constants)
    judged = ~np.isin(np.arange(len(labels)), statements.named)
    if judged.mean() < FEWEST_LEFT:
        judged[:] = True
    bare = fit_without_knowledge(corpus, count_classes(labels), data, seed)
    return {
        **compare_groupings(labels, result.labels[network.centre], bare, judged),
        "documents": int(judged.sum()),
        "statements": len(statements.wrong),
        **_mean_trust(result, statements.wrong),
    }


def fit_network(
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
def fit_without_knowledge(corpus: str, n_clusters: int, data: Path, seed: int) -> np.ndarray:
    """The groups without knowledge, which many cells of a seed share."""
    network, _ = read_network(corpus, data)
    return np.asarray(fit_network(network, n_clusters, None, seed).labels[network.centre])


def compare_groupings(labels: np.ndarray, groups: np.ndarray, bare: np.ndarray, judged: np.ndarray) -> Run:
    """NMI and accuracy of two groupings on the documents that are judged, and the gain of the first."""
    ours, before = (evaluate(labels, grouping, judged) for grouping in (groups, bare))
    figures: Run = {name: ours[name] for name in ("nmi", "accuracy")}
    figures |= {f"bare_{name}": before[name] for name in ("nmi", "accuracy")}
    return {**figures, "gain": ours["nmi"] - before["nmi"]}


def _mean_trust(result: cg.Result, wrong: np.ndarray) -> Run:
    """The mean trust in right and in wrong statements, of those that were judged."""
    if result.trust is None:
        return {"trust_right": None, "trust_wrong": None}
    judged = ~np.isnan(result.trust)
    trusts = {"trust_right": result.trust[judged & ~wrong], "trust_wrong": result.trust[judged & wrong]}
    return {name: float(trust.mean()) if len(trust) else None for name, trust in trusts.items()}
