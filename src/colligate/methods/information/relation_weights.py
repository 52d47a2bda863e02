"""Weights of relations learned without labels: what an occurrence tells of the cluster of its object.

A first clustering is made with every occurrence counting the same. Then the cluster of each row object is
predicted from each of its columns, by the *other* objects that have that column: the mean gain over guessing,

    g_r = mean over occurrences (i, j) of log [p(î | j, without i) / p(î)],

as a share of the entropy of the clusters, is how much the relation agrees with all of them together. A column
that one object alone has predicts nothing, so that rare names do not look telling. The weight of a relation
is its share of the occurrences times its gain, at least a hundredth of the best one's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.information import step
from colligate.methods.information.problem import InformationProblem, sweep_order
from colligate.methods.information.start import initialize_labels, place_remaining

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scipy import sparse

    from colligate.kernels import Kernels
    from colligate.methods.loop import Labels
    from colligate.network import Network, Relation

SWEEPS = 10
SMOOTHING = 0.01
# a column counts as if it had been seen once more, with clusters in their common proportions
PRIOR_COUNT = 1.0
MIN_GAIN_SHARE = 0.01


def learn_relation_weights(network: Network, sizes: Mapping[str, int], kernels: Kernels) -> list[float]:
    """The weights of the relations, which sum to 1; the network's own weights make the first clustering."""
    problem = InformationProblem(network, kernels, sizes)
    labels = _first_labels(problem)
    gains = np.array([_gain(relation, network.centre, labels) for relation in network.relations])
    told = np.maximum(gains, max(MIN_GAIN_SHARE * gains.max(initial=0.0), 1e-12)) * np.array(problem.weights)
    return [float(weight) for weight in told / told.sum()]


def information_gain(matrix: sparse.csr_array, labels: Labels) -> float:
    """How well columns tell the cluster of a row, by the other rows that have them: 0 guesses, 1 knows."""
    entries = matrix.tocoo()
    placed = labels[entries.coords[0]] >= 0
    row, column = (axis[placed] for axis in entries.coords)
    count, cluster = entries.data[placed].astype(np.float64), labels[row].astype(np.int64)
    if not len(count):
        return 0.0
    n_clusters = int(cluster.max()) + 1
    share = np.bincount(cluster, weights=count, minlength=n_clusters) / count.sum()
    key = column.astype(np.int64) * n_clusters + cluster
    known, place = np.unique(key, return_inverse=True)
    same = np.bincount(place, weights=count, minlength=len(known))[place] - count
    all_of = np.bincount(column, weights=count, minlength=matrix.shape[1])[column] - count
    odds = (same + PRIOR_COUNT * share[cluster]) / (all_of + PRIOR_COUNT) / share[cluster]
    entropy = -float(share[share > 0] @ np.log(share[share > 0]))
    return float(count @ np.log(odds) / count.sum() / entropy) if entropy > 0 else 0.0


def _first_labels(problem: InformationProblem) -> Mapping[str, Labels]:
    """A short clustering with a seed of its own, so that all restarts share the weights."""
    rng, smoothing = np.random.default_rng(0), SMOOTHING
    order = sweep_order(problem.network)
    found = {kind: initialize_labels(problem, kind, "svd", rng) for kind in dict.fromkeys(order)}
    labels: Mapping[str, Labels] = place_remaining(problem, found)
    for _ in range(SWEEPS):
        for kind in order:
            labels = step.update_labels(problem, labels, kind, smoothing, {})
        smoothing /= 2.0
    return labels


def _gain(relation: Relation, centre: str, labels: Mapping[str, Labels]) -> float:
    """A relation is judged by the clusters of the centre where it takes part, else by those of its rows."""
    if relation.columns == centre != relation.rows:
        return information_gain(relation.matrix.T.tocsr(), labels[centre])
    return information_gain(relation.matrix, labels[relation.rows])
