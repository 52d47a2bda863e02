"""The leading vectors of a network: for each type the best orthonormal G while the other types hold theirs.

    max Σ_r weight_r·‖G_pᵀ·R_r·G_q‖²,   GᵀG = I for every type

Given the others, the best G of a type are the leading left singular vectors of its relations times the other
types' vectors, next to each other: thin matrices, so that nothing of n × n is formed. No step can lower the
sum. With one relation it is the singular value decomposition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.factorisation.problem import FactorProblem

    Floats = NDArray[np.float64]

MAX_ROUNDS = 100
MIN_GAIN = 1e-9


def embed_types(problem: FactorProblem, seed: int = 0) -> dict[str, Floats]:
    """The objects of every type in as many vectors as it has groups, rows of unit length."""
    rng, types, sizes = np.random.default_rng(seed), problem.network.types, problem.sizes
    vectors = {kind: _orthonormal(rng.random((len(types[kind]), width))) for kind, width in sizes.items()}
    reached = 0.0
    for _ in range(MAX_ROUNDS):
        total = 0.0
        for kind, width in sizes.items():
            vectors[kind], held = _leading(_seen_from(problem, kind, vectors), width)
            total += held
        if total - reached <= MIN_GAIN * total:
            break
        reached = total
    return {kind: _unit(rows) for kind, rows in vectors.items()}


def _seen_from(problem: FactorProblem, kind: str, vectors: dict[str, Floats]) -> Floats:
    blocks = []
    for number, piece in enumerate(problem.pieces):
        if kind in (piece.rows, piece.columns):
            across = piece.columns == kind
            other = vectors[piece.rows if across else piece.columns]
            blocks.append(np.sqrt(piece.weight) * problem.product(number, other, transposed=across))
    return np.concatenate(blocks, axis=1)


def _leading(matrix: Floats, width: int) -> tuple[Floats, float]:
    """The leading left singular vectors, and the sum of the squared values they hold."""
    left, values, _ = np.linalg.svd(matrix, full_matrices=False)
    return np.ascontiguousarray(left[:, :width]), float(np.square(values[:width]).sum())


def _orthonormal(matrix: Floats) -> Floats:
    return np.asarray(np.linalg.qr(matrix)[0])


def _unit(rows: Floats) -> Floats:
    length = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    return np.asarray(rows / np.where(length > 0, length, 1.0))
