"""What the factorisations share as methods: each group has a profile over all that is around the centre.

A document with row x, every relation of it at unit length and scaled by the root of its weight, is explained
by group k alone up to ‖x‖²·(1 − cos(x, b_k)²), b_k being the profile of the group; the cosines, sharpened,
are the scores.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from colligate._array import unit_rows
from colligate.kernels import SparseRows, make_kernels
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.spherical import inverse_document_frequency, tfidf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.methods.factorisation.problem import FactorProblem
    from colligate.methods.loop import State
    from colligate.methods.parameters import Domain

    Floats = NDArray[np.float64]

# cosines with profiles differ by tenths; memberships of new documents are read on that scale
SHARPNESS = 50.0


class ProfileMethod(Method):
    """A method whose groups are profiles over what the centre is related to."""

    family: ClassVar[str] = "factorisation"
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "weighting": parameters.Choice(("tfidf", "counts")),
    }

    weighting: str

    @abstractmethod
    def profiles(self, problem: Any, state: State) -> list[Floats]:
        """For each relation of the centre, its columns × groups."""

    def model(self, problem: FactorProblem, state: State) -> dict[str, NDArray[Any]]:
        """The profiles at unit length, idf of the columns (none for counts), ends and scales of relations."""
        own = problem.own
        scale = np.sqrt([piece.weight for piece in own])
        found = [root * B for root, B in zip(scale, self.profiles(problem, state), strict=True)]
        length = np.sqrt(np.sum([np.einsum("ik,ik->k", B, B) for B in found], axis=0))
        met = [B if p.stretch is None else p.stretch.met_by(B) for p, B in zip(own, found, strict=True)]
        profiles = met[0] if len(met) == 1 else np.concatenate(met)
        profiles /= np.where(length > 0, length, 1.0)
        weigh = self.weighting == "tfidf"
        return {
            "profiles": profiles,
            "idf": np.concatenate([inverse_document_frequency(p.matrix) for p in own])
            if weigh
            else np.zeros(0),
            "stops": np.cumsum([piece.matrix.shape[1] for piece in own]),
            "scale": scale,
        }

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See the module."""
        return SHARPNESS * make_kernels().product(SparseRows.of(_unit(model, matrix)), model["profiles"])

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """The product of the document's entry and the profile's, sharpened."""
        one = csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["profiles"])))
        return np.asarray(SHARPNESS * _unit(model, one).data[:, None] * model["profiles"][columns])


def _unit(model: Mapping[str, NDArray[Any]], matrix: csr_array) -> csr_array:
    """Rows as the profiles meet them."""
    idf, scale = model["idf"], model["scale"]
    rows = tfidf(matrix, idf) if len(idf) else csr_array(matrix.astype(np.float64))
    if len(scale) == 1:
        return unit_rows(rows)
    part = np.searchsorted(model["stops"], rows.indices, side="right")
    factor = scale[part]
    if len(idf):
        owner = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr)) * len(scale) + part
        factor = factor / np.sqrt(np.bincount(owner, np.square(rows.data))[owner])
    return unit_rows(csr_array((rows.data * factor, rows.indices, rows.indptr), shape=rows.shape))
