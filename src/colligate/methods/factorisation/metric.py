"""A metric for each relation of the centre, and the weight of the relation, both learned from links.

Along a direction u, rows that are to be apart differ by uᵀ·Zᵀ·L_B·Z·u in all, rows that are to be together by
uᵀ·Zᵀ·L_A·Z·u, with Z the rows in their leading singular space, L_A and L_B the Laplacians of the links. The
few directions of the largest ratio are those to stretch (semi-supervised discriminant analysis; algorithm 1
of the triplet paper). Nothing of n × n or of terms × terms is formed. Scatters and ridge are relative to the
rows, so that the directions do not depend on the weight of the relation: the paper's rounds, metric for given
weights and weights for a given metric, are at their fixed point after the first.

A few links in many dimensions can be told apart by noise. So how far to stretch, if at all, the ridge and the
weight are judged by pairs of objects that the directions were not learned from.

Links to learn from and pairs to judge by, with no object in both: what was fitted cannot judge itself.

What links teach a network: a metric and a weight for every relation of its centre.
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

DIMENSIONS = 50
RIDGES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
# shares of the full stretch, and ridges
CANDIDATES = ((0.0, 1.0), *product((1 / 3, 1.0), RIDGES))
ROUNDING = 1e-9
# a relation that the links have no use for is kept: other documents may have nothing else to go by
MIN_IMPORTANCE = 0.1
FOLDS = 5
# of implied links, so many are drawn to judge by; listed ones all count
DRAWN_LINKS = 20_000


def learn_metrics(
    pieces: Sequence[FactorRelation], links: Guidance, rank: int, strength: float
) -> tuple[list[FactorRelation], Floats]:
    """Relations of one type with a metric for each, and how much each of them is to count.

    The metric makes rows longer; their weight makes up for it, so that the importance alone counts. A single
    label links nothing and teaches nothing.
    """
    judges = cross_validation_splits(links)
    target = np.concatenate([split.pairs.target for split in judges])
    if not len(target):
        return list(pieces), np.ones(len(pieces))
    found, alike = [], []
    for piece in pieces:
        Z, V = _latent(piece)
        tried = [_held_out(Z, judges, rank, share * strength, ridge) for share, ridge in CANDIDATES]
        best = _best([_residuals(cosines, target) for cosines in tried], judges)
        share, ridge = CANDIDATES[best]
        found.append(_stretched(piece, V @ discriminant_directions(Z, links, rank, ridge), share * strength))
        alike.append(tried[best])
    return found, relation_importance(alike, target)


def _stretched(piece: FactorRelation, along: Floats, strength: float) -> FactorRelation:
    if not strength:
        return piece
    longer = replace(piece, stretch=Metric.along(along, piece.matrix, strength))
    return replace(longer, weight=piece.weight * piece.squared_norm / max(longer.squared_norm, 1e-300))


def relation_importance(alike: list[Floats], target: Floats) -> Floats:
    """How much of the links each relation accounts for, the largest being 1.

    min ‖T − c − Σ_r a_r·C_r‖² over linked pairs, a ≥ 0: T is 1 for together and 0 for apart, C_r the cosine
    of the two rows in relation r; c stands for what all rows have in common, which tells nothing.
    """
    from scipy.optimize import nnls

    found, _ = nnls(np.column_stack([_centred(cosines) for cosines in alike]), _centred(target))
    if found.max() <= 0:
        return np.ones(len(alike))
    return np.asarray(np.maximum(found / found.max(), MIN_IMPORTANCE))


def discriminant_directions(Z: Floats, links: Guidance, rank: int, ridge: float) -> Floats:
    """Orthonormal directions in which rows to be apart differ most beside rows to be together.

    The more ridge, the more they are those in which all rows differ. What all rows have in common is no part
    of that: stretched, it would make them all alike.
    """
    from scipy.linalg import eigh

    norm, size = max(float(np.square(Z).sum()), 1e-300), Z.shape[1]
    together, apart = (_relative(scatter, norm) for scatter in link_scatters(Z, links))
    differing = Z - Z.mean(axis=0)
    within = together + ridge * np.eye(size) / size
    between = apart + ridge * _relative(differing.T @ differing, norm)
    _, vectors = eigh(between, within, subset_by_index=(size - min(rank, size), size - 1))
    return np.asarray(np.linalg.qr(vectors)[0])


def link_scatters(Z: Floats, links: Guidance) -> tuple[Floats, Floats]:
    """Zᵀ·L·Z of the links together and apart; the face of guidance takes parts of one sign alone."""
    degrees = links.gain_and_loss(np.ones((len(Z), 1)))
    up, down = links.gain_and_loss(np.maximum(Z, 0.0)), links.gain_and_loss(np.maximum(-Z, 0.0))
    found = [
        Z.T @ (degree * Z - (plus - minus)) for degree, plus, minus in zip(degrees, up, down, strict=True)
    ]
    return found[0], found[1]


def _relative(scatter: Floats, norm: float) -> Floats:
    """A scatter at trace 1; none where it is rounding alone, as among rows that do not differ."""
    trace = float(np.trace(scatter))
    return scatter / trace if trace > ROUNDING * norm else np.zeros_like(scatter)


def _latent(piece: FactorRelation) -> tuple[Floats, Floats]:
    """The rows in their leading singular space, and the space."""
    from sklearn.utils.extmath import randomized_svd

    width = min(DIMENSIONS, *piece.matrix.shape)
    left, values, right = randomized_svd(piece.matrix, width, n_iter=4, random_state=0)
    return left * values, right.T


def _held_out(Z: Floats, judges: tuple[Split, ...], rank: int, strength: float, ridge: float) -> Floats:
    """The cosines of the pairs of each split, in the metric that its links teach."""
    parts = []
    for split in judges:
        U = discriminant_directions(Z, split.links, rank, ridge)
        parts.append(_cosines(Z + strength * (Z @ U) @ U.T, split.pairs))
    return np.concatenate(parts)


def _cosines(rows: Floats, pairs: Pairs) -> Floats:
    unit = rows / np.maximum(np.sqrt(np.square(rows).sum(axis=1, keepdims=True)), 1e-300)
    return np.asarray(np.einsum("ij,ij->i", unit[pairs.left], unit[pairs.right]))


def _residuals(cosines: Floats, target: Floats) -> Floats:
    """What the best multiple of the cosines, if any, leaves of the target, pair by pair, squared."""
    C, T = _centred(cosines), _centred(target)
    share = max(float(C @ T), 0.0) / max(float(C @ C), 1e-300)
    return np.asarray(np.square(T - share * C))


def _best(left: list[Floats], judges: tuple[Split, ...]) -> int:
    """The candidate that leaves least; the first, no stretch, unless it leaves more by a standard error.

    Of many candidates, one does better by chance. The error is that of the mean over parts, as pairs that
    share objects are not independent.
    """
    best = int(np.argmin([each.sum() for each in left]))
    ends = np.cumsum([len(split.pairs.target) for split in judges])[:-1]
    more = np.array([part.mean() for part in np.split(left[0] - left[best], ends)])
    return best if more.mean() > more.std() / np.sqrt(max(len(more) - 1, 1)) else 0


def _centred(values: Floats) -> Floats:
    return np.asarray(values - values.mean())


class Pairs(NamedTuple):
    """Linked pairs; `target` is 1 for together and 0 for apart."""

    left: Ints
    right: Ints
    target: Floats


class Split(NamedTuple):
    """Links to learn from, and pairs of other objects."""

    links: Guidance
    pairs: Pairs


def cross_validation_splits(links: Guidance) -> tuple[Split, ...]:
    """Each part of the linked objects judged by the others; all by all where that leaves a sign out."""
    part = _parts(links)
    found = [Split(_among(links, part != n), _pairs(_among(links, part == n))) for n in range(FOLDS)]
    if len(np.unique(np.concatenate([split.pairs.target for split in found]))) < 2:
        return (Split(links, _pairs(links)),)
    return tuple(split for split in found if len(split.pairs.target))


def _parts(links: Guidance) -> Ints:
    """Which part each object is in.

    Objects that chains of listed links connect stay in one part, so that no link is lost between two, unless
    they are too many or there are groups.
    """
    rng, pairs, size = np.random.default_rng(0), links.pairs, links.size
    graph = coo_array((np.ones(len(pairs)), (pairs.left, pairs.right)), shape=(size, size))
    n_chains, chain = connected_components(graph, directed=False)
    members = np.bincount(chain)
    if links.groups or FOLDS * members.max() > members[members > 1].sum():
        return np.asarray(rng.permutation(size) % FOLDS)
    return np.asarray((rng.permutation(n_chains) % FOLDS)[chain])


def _among(links: Guidance, chosen: NDArray[np.bool_]) -> Guidance:
    """The links between chosen objects."""
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
    for each in links.groups:
        own = chosen[each.member]
        member, group, statement = each.member[own], each.group[own], each.statement[own]
        groups.append(replace(each, member=member, group=group, statement=statement))
    return replace(links, pairs=listed, groups=tuple(groups))


def _pairs(links: Guidance) -> Pairs:
    """All pairs that are listed, and some that are implied."""
    rng = np.random.default_rng(0)
    parts = [(links.pairs.left, links.pairs.right, links.pairs.sign > 0)]
    for groups in (each for each in links.groups if len(each)):
        first, second = rng.integers(len(groups), size=(2, DRAWN_LINKS))
        same = groups.group[first] == groups.group[second]
        used = (groups.member[first] != groups.member[second]) & np.where(
            same, groups.together > 0, groups.apart > 0
        )
        parts.append((groups.member[first[used]], groups.member[second[used]], same[used]))
    left, right, together = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Pairs(left, right, together.astype(np.float64))


def learn_from_links(
    network: Network,
    pieces: tuple[FactorRelation, ...],
    judged: Collection[str],
    links: Guidance,
    rank: int,
    mu: float,
) -> tuple[Network, tuple[FactorRelation, ...]]:
    """The network with learned weights, and its relations with these and their metrics.

    Relations that are not `judged` say what the links say and cannot be judged by them; they count as much as
    the best of the others. Those that the centre has no part in stay as they are. The weights sum to 1.
    """
    own = [i for i, piece in enumerate(pieces) if piece.rows == network.centre and piece.name in judged]
    stretched, importance = learn_metrics([pieces[i] for i in own], links, rank, mu)
    found, factor = list(pieces), np.ones(len(pieces))
    for i, piece, weight in zip(own, stretched, importance, strict=True):
        found[i], factor[i] = replace(piece, weight=piece.weight * float(weight)), weight
    weights = factor * [float(relation.weight or 0.0) for relation in network.relations]
    return replace_weights(network, (weights / weights.sum()).tolist()), tuple(found)
