"""Groups from the leading eigenvectors of an operator on documents, by the rotation of Yu and Shi (2003)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse.linalg import eigsh

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse.linalg import LinearOperator

    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

# below so many documents all eigenvectors are found at once
FEW = 200


def embedding(operator: LinearOperator, n_groups: int) -> Floats:
    """Documents × groups: the eigenvectors of the largest eigenvalues, every row at unit length."""
    n = operator.shape[0]
    if n <= max(FEW, n_groups + 1):
        _, vectors = np.linalg.eigh(operator @ np.eye(n))
        vectors = vectors[:, -n_groups:]
    else:
        first = np.random.default_rng(0).normal(size=n)
        wide = min(n, max(4 * n_groups, 40))
        _, vectors = eigsh(operator, k=n_groups, which="LA", v0=first, tol=1e-4, ncv=wide, maxiter=1000)
    length = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return np.asarray(vectors / np.where(length > 0, length, 1.0))


@dataclass(frozen=True, eq=False)
class Rotation:
    """The rotation under which rows come closest to their groups, as indicators: min ‖X − Y·R‖²."""

    turned: Floats

    @classmethod
    def towards(cls, rows: Floats, groups: Labels) -> Rotation:
        """The best rotation of the rows for given groups."""
        sums = np.zeros((rows.shape[1], rows.shape[1]))
        np.add.at(sums, groups, rows)
        left, _, right = np.linalg.svd(sums.T)
        return cls(rows @ (left @ right))

    def distance(self, groups: Labels) -> float:
        """‖X − Y·R‖² of some groups X; every row of Y is of unit length."""
        return float(2.0 * (1.0 - self.turned[np.arange(len(groups)), groups]).sum())


def symmetric_operator(apply: Any, size: int) -> LinearOperator:
    """A symmetric linear map as SciPy wants it."""
    from scipy.sparse.linalg import LinearOperator as Operator

    return Operator((size, size), matvec=apply, rmatvec=apply, matmat=apply, dtype=np.float64)
