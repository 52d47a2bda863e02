"""Weights of relations, learned without labels from how well they agree on the clusters (hinc, eq. 3).

A short clustering is made in which every occurrence counts the same. Then the cluster of each row object i is
predicted from each of its columns j, by the other objects that have that column. The mean gain over guessing,

    g_r = mean over occurrences (i, j) of log [p(î | j, without i) / p(î)] / H,

with H the entropy of the clusters, measures how much the relation agrees with all relations together. A
column of one object only predicts nothing, so rare names do not look informative. The weight of a relation is
its share of the occurrences times its gain, at least a hundredth of the best gain.
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

# iterations of the first clustering: its labels hardly change after them
SWEEPS = 10
# ε of the first iteration (itcc, eq. 4)
SMOOTHING = 0.01
# a column counts as if it had been seen once more, with the clusters in their overall proportions
PRIOR_COUNT = 1.0
# a relation without gain keeps this share of the best gain: other objects may have no other relation
MIN_GAIN_SHARE = 0.01


def learn_relation_weights(network: Network, sizes: Mapping[str, int], kernels: Kernels) -> list[float]:
    """Return weights that sum to 1; the weights of `network` make the first clustering."""
    problem = InformationProblem(network, kernels, sizes)
    labels = _cluster_once(problem)
    gains = np.array([_relation_gain(relation, network.centre, labels) for relation in network.relations])
    # if no relation has a gain, the weights are the shares of the occurrences
    least = max(MIN_GAIN_SHARE * gains.max(initial=0.0), 1e-12)
    weights = np.maximum(gains, least) * np.array(problem.weights)
    return [float(weight) for weight in weights / weights.sum()]


def _cluster_once(problem: InformationProblem) -> Mapping[str, Labels]:
    """Cluster shortly with a fixed seed, so that all restarts share the weights."""
    rng, smoothing = np.random.default_rng(0), SMOOTHING
    order = sweep_order(problem.network)
    start = {kind: initialize_labels(problem, kind, "svd", rng) for kind in dict.fromkeys(order)}
    labels: Mapping[str, Labels] = place_remaining(problem, start)
    for _ in range(SWEEPS):
        for kind in order:
            labels = step.update_labels(problem, labels, kind, smoothing, {})
        smoothing /= 2.0
    return labels


def _relation_gain(relation: Relation, centre: str, labels: Mapping[str, Labels]) -> float:
    """Measure a relation by the clusters of the centre if it includes it, else by those of its rows."""
    if relation.columns == centre != relation.rows:
        return information_gain(relation.matrix.T.tocsr(), labels[centre])
    return information_gain(relation.matrix, labels[relation.rows])


def information_gain(matrix: sparse.csr_array, labels: Labels) -> float:
    """Return how well columns predict the cluster of a row from the other rows: 0 guesses, 1 is certain."""
    entries = matrix.tocoo()
    placed = labels[entries.coords[0]] >= 0
    row, column = (axis[placed] for axis in entries.coords)
    count, cluster = entries.data[placed].astype(np.float64), labels[row].astype(np.int64)
    if not len(count):
        return 0.0
    n_clusters = int(cluster.max()) + 1
    share = np.bincount(cluster, weights=count, minlength=n_clusters) / count.sum()
    # one key for (column, cluster): only cells with entries exist, not a table of columns × clusters
    key = column.astype(np.int64) * n_clusters + cluster
    keys, place = np.unique(key, return_inverse=True)
    # the object's own occurrences are left out, or a name that occurs once would predict perfectly
    same = np.bincount(place, weights=count, minlength=len(keys))[place] - count
    total = np.bincount(column, weights=count, minlength=matrix.shape[1])[column] - count
    odds = (same + PRIOR_COUNT * share[cluster]) / (total + PRIOR_COUNT) / share[cluster]
    H = -float(share[share > 0] @ np.log(share[share > 0]))
    return float(count @ np.log(odds) / count.sum() / H) if H > 0 else 0.0
