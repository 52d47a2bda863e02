"""A metric and a weight for each relation of the centre, both learned from links (docs: ssnmf).

Along a direction u, rows that are apart differ by uᵀ·Zᵀ·L_B·Z·u in all, rows that are together by
uᵀ·Zᵀ·L_A·Z·u, with Z the rows in their leading singular space and L_A, L_B the Laplacians of the links. The
few directions U of the largest ratio (eq. 2) are stretched: semi-supervised discriminant analysis, algorithm
1 of the triplet paper. Nothing of n × n or of terms × terms is formed. Scatters and ridge are relative to the
rows, so U does not depend on the weight of the relation, and the paper's alternation of metric and weights is
at its fixed point after one round.

A few links in many dimensions can be fitted by noise. So cross-validation chooses the ridge, the stretch (if
any) and the weight: pairs of objects are predicted in the metric learned from all other objects.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from colligate.methods.factorisation.problem import Metric
from colligate.methods.schema import replace_weights

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.factorisation.problem import FactorRelation
    from colligate.network import Network

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# singular directions in which the metric is learned
DIMENSIONS = 50
# candidates for cross-validation: (share of the full stretch, ridge); the first is no stretch
RIDGES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
CANDIDATES = ((0.0, 1.0), *product((1 / 3, 1.0), RIDGES))
# a scatter below this share of ‖Z‖² is rounding
ROUNDING = 1e-9
# a relation that does not predict the links is kept: other documents may have no other relation
MIN_IMPORTANCE = 0.1
FOLDS = 5
# pairs drawn from implied links; listed links are all used
DRAWN_LINKS = 20_000


def learn_from_links(
    network: Network,
    relations: tuple[FactorRelation, ...],
    judged: Collection[str],
    links: Guidance,
    rank: int,
    mu: float,
) -> tuple[Network, tuple[FactorRelation, ...]]:
    """Return the network with learned weights (which sum to 1), and its relations with weights and metrics.

    Relations that are not `judged` are made of the links themselves; they count as much as the best of the
    others. Relations without the centre are unchanged.
    """
    chosen = [i for i, r in enumerate(relations) if r.rows == network.centre and r.name in judged]
    stretched, importance = learn_metrics([relations[i] for i in chosen], links, rank, mu)
    learned, factor = list(relations), np.ones(len(relations))
    for i, relation, a in zip(chosen, stretched, importance, strict=True):
        learned[i], factor[i] = replace(relation, weight=relation.weight * float(a)), a
    weights = factor * [float(relation.weight or 0.0) for relation in network.relations]
    return replace_weights(network, (weights / weights.sum()).tolist()), tuple(learned)


def learn_metrics(
    relations: Sequence[FactorRelation], links: Guidance, rank: int, mu: float
) -> tuple[list[FactorRelation], Floats]:
    """Return the relations with a metric for each, and the importance a of each (eq. 3).

    The metric makes rows longer; the weight makes up for it, so that only the importance counts. A single
    label links nothing and teaches nothing.
    """
    splits = cross_validation_splits(links)
    target = np.concatenate([split.pairs.target for split in splits])
    if not len(target):
        return list(relations), np.ones(len(relations))
    stretched, cosines = [], []
    for relation in relations:
        Z, V = latent_rows(relation)
        tried = [_held_out_cosines(Z, splits, rank, share * mu, ridge) for share, ridge in CANDIDATES]
        best = _choose_candidate([_squared_residuals(each, target) for each in tried], splits)
        share, ridge = CANDIDATES[best]
        # cross-validation chose the ridge and the stretch; the directions come from all links
        U = V @ discriminant_directions(Z, links, rank, ridge)
        stretched.append(_apply_metric(relation, U, share * mu))
        cosines.append(tried[best])
    return stretched, relation_importance(cosines, target)


def _apply_metric(relation: FactorRelation, U: Floats, mu: float) -> FactorRelation:
    if not mu:
        return relation
    longer = replace(relation, metric=Metric.along(U, relation.matrix, mu))
    weight = relation.weight * relation.squared_norm / max(longer.squared_norm, 1e-300)
    return replace(longer, weight=weight)


def relation_importance(cosines: list[Floats], target: Floats) -> Floats:
    """Return how much of the links each relation accounts for, the largest being 1 (eq. 3).

    min ‖T − c − Σ_r a_r·C_r‖² over linked pairs, a ≥ 0: T is 1 for together and 0 for apart, C_r the cosine
    of the two rows in relation r; c is what all rows have in common.
    """
    from scipy.optimize import nnls

    a, _ = nnls(np.column_stack([_centre(C_r) for C_r in cosines]), _centre(target))
    if a.max() <= 0:
        return np.ones(len(cosines))
    return np.asarray(np.maximum(a / a.max(), MIN_IMPORTANCE))


def discriminant_directions(Z: Floats, links: Guidance, rank: int, ridge: float) -> Floats:
    """Return U: orthonormal directions in which rows apart differ most relative to rows together (eq. 2).

    The larger the ridge, the more they are those in which all rows differ around their mean. The mean is
    taken off: what all rows have in common, stretched, would make them all alike.
    """
    from scipy.linalg import eigh

    norm, size = max(float(np.square(Z).sum()), 1e-300), Z.shape[1]
    together, apart = (_unit_trace(scatter, norm) for scatter in link_scatters(Z, links))
    around_mean = Z - Z.mean(axis=0)
    within = together + ridge * np.eye(size) / size
    between = apart + ridge * _unit_trace(around_mean.T @ around_mean, norm)
    # the ridge makes `within` positive definite, as eigh requires; eigenvalues ascend
    _, vectors = eigh(between, within, subset_by_index=(size - min(rank, size), size - 1))
    # generalised eigenvectors are orthogonal in `within` only, but the metric needs an orthonormal U
    return np.asarray(np.linalg.qr(vectors)[0])


def link_scatters(Z: Floats, links: Guidance) -> tuple[Floats, Floats]:
    """Return Zᵀ·L_A·Z and Zᵀ·L_B·Z; guidance multiplies non-negative parts only."""
    degrees = links.gain_and_loss(np.ones((len(Z), 1)))
    positive, negative = links.gain_and_loss(np.maximum(Z, 0.0)), links.gain_and_loss(np.maximum(-Z, 0.0))
    scatters = [
        Z.T @ (degree * Z - (plus - minus))
        for degree, plus, minus in zip(degrees, positive, negative, strict=True)
    ]
    return scatters[0], scatters[1]


def _unit_trace(scatter: Floats, norm: float) -> Floats:
    """Return a scatter at trace 1; zero if it is rounding, as among rows that do not differ."""
    trace = float(np.trace(scatter))
    return scatter / trace if trace > ROUNDING * norm else np.zeros_like(scatter)


def latent_rows(relation: FactorRelation) -> tuple[Floats, Floats]:
    """Return the rows in their leading singular space, and the space."""
    from sklearn.utils.extmath import randomized_svd

    width = min(DIMENSIONS, *relation.matrix.shape)
    # a fixed seed: the metric belongs to the problem, which all restarts share
    left, values, right = randomized_svd(relation.matrix, width, n_iter=4, random_state=0)
    return left * values, right.T


def _held_out_cosines(Z: Floats, splits: tuple[Split, ...], rank: int, mu: float, ridge: float) -> Floats:
    """Return the cosines of the held-out pairs of each split, in the metric of its other links."""
    parts = []
    for split in splits:
        U = discriminant_directions(Z, split.links, rank, ridge)
        rows = Z + mu * (Z @ U) @ U.T
        unit = rows / np.maximum(np.sqrt(np.square(rows).sum(axis=1, keepdims=True)), 1e-300)
        parts.append(np.asarray(np.einsum("ij,ij->i", unit[split.pairs.left], unit[split.pairs.right])))
    return np.concatenate(parts)


def _squared_residuals(cosines: Floats, target: Floats) -> Floats:
    """Return, pair by pair, what the best non-negative multiple of the cosines leaves of the target."""
    C, T = _centre(cosines), _centre(target)
    share = max(float(C @ T), 0.0) / max(float(C @ C), 1e-300)
    return np.asarray(np.square(T - share * C))


def _choose_candidate(residuals: list[Floats], splits: tuple[Split, ...]) -> int:
    """Return the candidate with the least residuals, but no stretch within a standard error of it.

    Of many candidates, one is best by chance. The error is that of the mean over folds, since pairs that
    share objects are not independent.
    """
    best = int(np.argmin([each.sum() for each in residuals]))
    ends = np.cumsum([len(split.pairs.target) for split in splits])[:-1]
    gain = np.array([part.mean() for part in np.split(residuals[0] - residuals[best], ends)])
    return best if gain.mean() > gain.std() / np.sqrt(max(len(gain) - 1, 1)) else 0


def _centre(values: Floats) -> Floats:
    return np.asarray(values - values.mean())


class Pairs(NamedTuple):
    """Linked pairs; `target` is 1 for together and 0 for apart."""

    left: Ints
    right: Ints
    target: Floats


class Split(NamedTuple):
    """Links to learn from, and pairs of other objects to test on."""

    links: Guidance
    pairs: Pairs


def cross_validation_splits(links: Guidance) -> tuple[Split, ...]:
    """Test each fold of the linked objects on the others; all on all if the folds lack a sign."""
    fold = _assign_folds(links)
    splits = [
        Split(_links_among(links, fold != n), linked_pairs(_links_among(links, fold == n)))
        for n in range(FOLDS)
    ]
    # pairs of one sign alone are predicted by a constant, so they cannot judge a metric
    if len(np.unique(np.concatenate([split.pairs.target for split in splits]))) < 2:
        return (Split(links, linked_pairs(links)),)
    return tuple(split for split in splits if len(split.pairs.target))


def _assign_folds(links: Guidance) -> Ints:
    """Return the fold of each object.

    Objects connected by listed links stay in one fold, so that no link is lost between two, unless they are
    too many or there are groups.
    """
    rng, pairs, size = np.random.default_rng(0), links.pairs, links.size
    graph = coo_array((np.ones(len(pairs)), (pairs.left, pairs.right)), shape=(size, size))
    n_components, component = connected_components(graph, directed=False)
    members = np.bincount(component)
    if links.groups or FOLDS * members.max() > members[members > 1].sum():
        return np.asarray(rng.permutation(size) % FOLDS)
    return np.asarray((rng.permutation(n_components) % FOLDS)[component])


def _links_among(links: Guidance, chosen: NDArray[np.bool_]) -> Guidance:
    """Return the links between chosen objects."""
    pairs = links.pairs
    both = chosen[pairs.left] & chosen[pairs.right]
    listed = replace(
        pairs,
        left=pairs.left[both],
        right=pairs.right[both],
        sign=pairs.sign[both],
        strength=pairs.strength[both],
        statement=pairs.statement[both],
    )
    groups = []
    for implied in links.groups:
        kept = chosen[implied.member]
        member, group, statement = implied.member[kept], implied.group[kept], implied.statement[kept]
        groups.append(replace(implied, member=member, group=group, statement=statement))
    return replace(links, pairs=listed, groups=tuple(groups))


def linked_pairs(links: Guidance) -> Pairs:
    """Return all listed pairs, and a sample of the implied ones."""
    rng = np.random.default_rng(0)
    parts = [(links.pairs.left, links.pairs.right, links.pairs.sign > 0)]
    for groups in (implied for implied in links.groups if len(implied)):
        # implied pairs grow with the square of the group, so a sample stands in for them
        first, second = rng.integers(len(groups), size=(2, DRAWN_LINKS))
        same = groups.group[first] == groups.group[second]
        used = (groups.member[first] != groups.member[second]) & np.where(
            same, groups.together > 0, groups.apart > 0
        )
        parts.append((groups.member[first[used]], groups.member[second[used]], same[used]))
    left, right, together = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Pairs(left, right, together.astype(np.float64))
