"""Profiles of groups: how the factorisations score new documents and words.

A document has a row x over everything around the centre, every relation at unit length times the root of its
weight. Group k alone explains it up to ‖x‖²·(1 − cos(x, b_k)²), with b_k the profile of the group. The scores
are the cosines, sharpened.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from colligate._array import unit_rows
from colligate._storage.array_schema import DOUBLES, INTEGERS, ArraySpec
from colligate.kernels import SparseRows, make_kernels
from colligate.methods import parameters
from colligate.methods.base import Method
from colligate.methods.spherical import inverse_document_frequency, tfidf

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema
    from colligate.methods.factorisation.problem import FactorProblem
    from colligate.methods.loop import State
    from colligate.methods.parameters import Domain

    Floats = NDArray[np.float64]

# cosines with profiles differ by tenths: the softmax of fifty times these is a readable membership
SHARPNESS = 50.0
INITS = ("auto", "tfidf", "random")


class ProfileMethod(Method):
    """A method whose groups have profiles over everything the centre is related to."""

    family: ClassVar[str] = "factorisation"
    model_schema: ClassVar[ArraySchema] = {
        "profiles": ArraySpec(("columns", "groups"), DOUBLES),
        "idf": ArraySpec(("weighted",)),
        "stops": ArraySpec(("relations",), INTEGERS, least=0),
        "scale": ArraySpec(("relations",), least=0.0),
    }
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "weighting": parameters.Choice(("tfidf", "counts")),
    }

    weighting: str

    @abstractmethod
    def profiles(self, problem: Any, state: State) -> list[Floats]:
        """Return columns × groups for each relation of the centre."""

    def model(self, problem: FactorProblem, state: State) -> dict[str, NDArray[Any]]:
        """Return the unit profiles, idf of the columns (none for counts), ends and scales of relations."""
        relations = problem.centre_relations
        scale = np.sqrt([relation.weight for relation in relations])
        B = [root * b for root, b in zip(scale, self.profiles(problem, state), strict=True)]
        length = np.sqrt(np.sum([np.einsum("ik,ik->k", b, b) for b in B], axis=0))
        stretched = [b if r.metric is None else r.metric.apply(b) for r, b in zip(relations, B, strict=True)]
        profiles = stretched[0] if len(stretched) == 1 else np.concatenate(stretched)
        # in place: the arrays were made above and belong to no state
        profiles /= np.where(length > 0, length, 1.0)
        idf = [inverse_document_frequency(r.matrix) for r in relations] if self.weighting == "tfidf" else []
        return {
            "profiles": profiles,
            "idf": np.concatenate([np.zeros(0), *idf]),
            "stops": np.cumsum([relation.matrix.shape[1] for relation in relations]),
            "scale": scale,
        }

    @staticmethod
    def check_model(model: Mapping[str, NDArray[Any]]) -> None:
        """Raise ValueError for relations that do not fit the profiles; see `Method.check_model`."""
        n_columns, stops = len(model["profiles"]), model["stops"]
        if len(model["idf"]) not in (0, n_columns):
            raise ValueError("the array 'idf' of the model does not fit its profiles")
        if not len(stops) or stops[-1] != n_columns or (np.diff(stops) < 0).any():
            raise ValueError("the array 'stops' of the model does not fit its profiles")

    @staticmethod
    def predict_scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """Return the cosines of rows and profiles, sharpened."""
        rows = SparseRows.of(_scale_rows(model, matrix))
        return SHARPNESS * make_kernels().product(rows, model["profiles"])

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """Return the products of the document's entries and the profiles', sharpened."""
        row = csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["profiles"])))
        return np.asarray(SHARPNESS * _scale_rows(model, row).data[:, None] * model["profiles"][columns])


def _scale_rows(model: Mapping[str, NDArray[Any]], matrix: csr_array) -> csr_array:
    """Bring rows to unit length, with every relation at its scale."""
    idf, scale = model["idf"], model["scale"]
    rows = tfidf(matrix, idf) if len(idf) else csr_array(matrix.astype(np.float64))
    if len(scale) == 1:
        return unit_rows(rows)
    # a column equal to a stop is the first of the next relation, hence side="right"
    relation = np.searchsorted(model["stops"], rows.indices, side="right")
    factor = scale[relation]
    if len(idf):
        # tf-idf rows have unit length as a whole; here every relation of a row gets unit length
        owner = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr)) * len(scale) + relation
        factor = factor / np.sqrt(np.bincount(owner, np.square(rows.data))[owner])
    return unit_rows(csr_array((rows.data * factor, rows.indices, rows.indptr), shape=rows.shape))
