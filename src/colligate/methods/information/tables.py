"""Cluster tables: the mass per pair of clusters of a relation, and their logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.methods.information.problem import InformationProblem
    from colligate.methods.information.sides import Side
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

# the logarithm that stands for log 0: no document enters a cluster that lacks its words, nothing is infinite
LOG_ZERO = -700.0


def masses(problem: InformationProblem, labels: Mapping[str, Labels]) -> list[Floats]:
    """For each relation, the counts per (row cluster, column cluster)."""
    found = []
    for relation, rows in zip(problem.network.relations, problem.rows, strict=True):
        sizes = problem.sizes[relation.rows], problem.sizes[relation.columns]
        found.append(
            problem.kernels.block_sums(rows, labels[relation.rows], labels[relation.columns], *sizes)
        )
    return found


def log_table(side: Side, tables: list[Floats], smoothing: float) -> Floats:
    """The scores (column × row clusters) of a label update: scale·log p(column cluster | row cluster).

    p is mixed with the clusters' common distribution by `smoothing`, so that a cluster can win a document of
    which it has not yet seen every word group.
    """
    blocks = []
    for piece in side.pieces:
        counts = tables[piece.relation].T if piece.flipped else tables[piece.relation]
        blocks.append(piece.scale * _log_conditional(counts, smoothing).T)
    return np.ascontiguousarray(np.concatenate(blocks))


def _log_conditional(counts: Floats, smoothing: float) -> Floats:
    sums = counts.sum(axis=1, keepdims=True)
    common = counts.sum(axis=0) / max(counts.sum(), 1e-300)
    conditional = np.where(sums > 0, counts / np.where(sums > 0, sums, 1.0), common)
    mixed = (1.0 - smoothing) * conditional + smoothing * common
    return np.asarray(np.log(mixed, where=mixed > 0, out=np.full_like(mixed, LOG_ZERO)))
