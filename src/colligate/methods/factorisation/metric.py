"""A metric for each relation of the centre, and the weight of the relation, both learned from links.

Along a direction u, rows that are to be apart differ by uᵀ·Zᵀ·L_B·Z·u in all, rows that are to be together by
uᵀ·Zᵀ·L_A·Z·u, with Z the rows in their leading singular space, L_A and L_B the Laplacians of the links. The
few directions of the largest ratio are those to stretch (semi-supervised discriminant analysis; algorithm 1
of the triplet paper). Nothing of n × n or of terms × terms is formed. The ridge is relative to the rows, so
that the directions do not depend on the weight of the relation, and the paper's rounds end after the first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.factorisation.pieces import Stretch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.factorisation.pieces import Piece
    from colligate.methods.factorisation.problem import FactorProblem

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

DIMENSIONS = 50
RIDGE = 0.1
# of implied links, so many are drawn to weigh the relations by; listed ones all count
DRAWN_LINKS = 20_000
# a relation that the links speak against is not thrown away altogether
LEAST_WEIGHT = 1e-3


def learned(problem: FactorProblem, links: Guidance, strength: float) -> tuple[Piece, ...]:
    """The pieces with their metrics and weights; those that the centre has no part in as they were."""
    own = [i for i, piece in enumerate(problem.pieces) if piece.rows == problem.network.centre]
    pieces, rows = list(problem.pieces), []
    for i in own:
        Z, V = _latent(pieces[i])
        U = _directions(Z, links, max(problem.sizes[pieces[i].rows] - 1, 1))
        rows.append(Z + strength * (Z @ U) @ U.T)
        pieces[i] = replace(pieces[i], stretch=Stretch.along(V @ U, pieces[i].matrix, strength))
    for i, weight in zip(own, importance(rows, links), strict=True):
        pieces[i] = replace(pieces[i], weight=pieces[i].weight * float(weight))
    return tuple(pieces)


def importance(relations: list[Floats], links: Guidance) -> Floats:
    """How much of the links each relation accounts for, the largest being 1.

    min ‖T − Σ_r a_r·C_r‖² over linked pairs, a ≥ 0: T is 1 for together and 0 for apart, C_r the cosine of
    the two rows in relation r.
    """
    from scipy.optimize import nnls

    left, right, target = _pairs(links)
    columns = [np.einsum("ij,ij->i", Z[left], Z[right]) for Z in map(_unit, relations)]
    found, _ = nnls(np.column_stack(columns), target)
    if found.max() <= 0:
        return np.ones(len(relations))
    return np.asarray(np.maximum(found / found.max(), LEAST_WEIGHT))


def _latent(piece: Piece) -> tuple[Floats, Floats]:
    """The rows in their leading singular space, and the space."""
    from sklearn.utils.extmath import randomized_svd

    width = min(DIMENSIONS, *piece.matrix.shape)
    left, values, right = randomized_svd(piece.matrix, width, n_iter=4, random_state=0)
    return left * values, right.T


def _directions(Z: Floats, links: Guidance, rank: int) -> Floats:
    """Orthonormal directions in which rows to be apart differ most beside rows to be together."""
    from scipy.linalg import eigh

    together, apart = _scatters(Z, links)
    whole = Z.T @ Z / max(float(np.square(Z).sum()), 1e-300)
    within = together / max(np.trace(together), 1e-300) + RIDGE * np.eye(len(whole)) / len(whole)
    between = apart / max(np.trace(apart), 1e-300) + RIDGE * whole
    rank = min(rank, len(whole))
    _, vectors = eigh(between, within, subset_by_index=(len(whole) - rank, len(whole) - 1))
    return np.asarray(np.linalg.qr(vectors)[0])


def _scatters(Z: Floats, links: Guidance) -> tuple[Floats, Floats]:
    """Zᵀ·L·Z of the links together and apart; the face of guidance takes parts of one sign alone."""
    degrees = links.split(np.ones((len(Z), 1)))
    up, down = links.split(np.maximum(Z, 0.0)), links.split(np.maximum(-Z, 0.0))
    found = [
        Z.T @ (degree * Z - (plus - minus)) for degree, plus, minus in zip(degrees, up, down, strict=True)
    ]
    return found[0], found[1]


def _pairs(links: Guidance) -> tuple[Ints, Ints, Floats]:
    """Linked pairs with 1 for together and 0 for apart: all that are listed, and some that are implied."""
    rng = np.random.default_rng(0)
    parts = [(links.pairs.left, links.pairs.right, links.pairs.sign > 0)]
    for groups in links.groups:
        first, second = rng.integers(len(groups), size=(2, DRAWN_LINKS))
        same = groups.group[first] == groups.group[second]
        used = (groups.member[first] != groups.member[second]) & np.where(
            same, groups.together > 0, groups.apart > 0
        )
        parts.append((groups.member[first[used]], groups.member[second[used]], same[used]))
    left, right, together = (np.concatenate(part) for part in zip(*parts, strict=True))
    return left, right, together.astype(np.float64)


def _unit(Z: Floats) -> Floats:
    return np.asarray(Z / np.maximum(np.sqrt(np.square(Z).sum(axis=1, keepdims=True)), 1e-300))
