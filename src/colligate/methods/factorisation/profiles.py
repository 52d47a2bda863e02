"""What the factorisations share as methods: each group has a profile over the terms, new documents follow it.

A document with row x of unit length is explained by group k alone up to 1 − cos(x, b_k)², b_k being the
profile of the group; the cosines, sharpened, are the scores.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.sparse import csr_array

from colligate.kernels import Rows, kernels
from colligate.methods import domains
from colligate.methods.contract import Method
from colligate.methods.tfidf import inverse_frequency, tfidf, unit_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.methods.domains import Domain
    from colligate.methods.state import State

    Floats = NDArray[np.float64]

# cosines with profiles differ by tenths; memberships of new documents are read on that scale
SHARPNESS = 50.0


class Profiled(Method):
    """A method whose groups are profiles over the terms."""

    family: ClassVar[str] = "factorisation"
    domains: ClassVar[Mapping[str, Domain]] = {
        **Method.domains,
        "weighting": domains.Choice(("tfidf", "counts")),
    }

    weighting: str

    @abstractmethod
    def profiles(self, problem: Any, state: State) -> Floats:
        """Terms × groups."""

    def model(self, problem: Any, state: State) -> dict[str, NDArray[Any]]:
        """The profiles at unit length, and the idf of the terms (none for counts)."""
        found = self.profiles(problem, state)
        length = np.sqrt(np.square(found).sum(axis=0))
        counts = problem.network.counts
        idf = inverse_frequency(counts) if self.weighting == "tfidf" else np.zeros(0)
        return {"profiles": found / np.where(length > 0, length, 1.0), "idf": idf}

    @staticmethod
    def scores(model: Mapping[str, NDArray[Any]], matrix: Any) -> Floats:
        """See the module."""
        return SHARPNESS * kernels().product(Rows.of(_unit(model, matrix)), model["profiles"])

    @staticmethod
    def evidence(
        model: Mapping[str, NDArray[Any]], columns: NDArray[np.int64], counts: NDArray[Any]
    ) -> Floats:
        """The product of the document's entry and the profile's, sharpened."""
        one = csr_array((counts, columns, [0, len(columns)]), shape=(1, len(model["profiles"])))
        return np.asarray(SHARPNESS * _unit(model, one).data[:, None] * model["profiles"][columns])


def _unit(model: Mapping[str, NDArray[Any]], matrix: csr_array) -> csr_array:
    idf = model["idf"]
    return tfidf(matrix, idf) if len(idf) else unit_rows(csr_array(matrix.astype(np.float64)))
