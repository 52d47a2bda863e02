"""K-means on category centroids in place of words."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.methods.kmeans import KMeans, UnitRows, use_int32_indices
from colligate.methods.word_categories import assign_word_categories, category_basis

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.knowledge import Guidance
    from colligate.methods.loop import State
    from colligate.network import Network


@dataclass(frozen=True, eq=False)
class _Replaced(UnitRows):
    """Adds the matrix that takes words to the centroids of their categories."""

    centroids: csr_array | None = None


class FC(KMeans):
    """Feature centroids: k-means on tf-idf with each word replaced by the centroid of its category.

    min Σ_d ‖x_d·A − μ_k(d)‖²

    x_d is a document's tf-idf row; A has an orthonormal column for each category, over its words, and one for
    each word in none, which stays as it is. A word of several categories counts for the one it leans to most.
    A baseline of the word-space paper. It needs categories.

    Parameters
    ----------
    n_clusters, n_init, max_iter, tol, random_state, n_jobs
        As in `kmeans`.
    """

    name: ClassVar[str] = "fc"
    paper: ClassVar[str] = "baseline of Li et al. 2008"
    takes: ClassVar[tuple[str, ...]] = ("categories:words",)
    needs: ClassVar[tuple[str, ...]] = ("categories:words",)

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _Replaced:
        """Replace the words."""
        A = category_basis(assign_word_categories(self.name, network, guidance))
        plain = super().problem(network, guidance)
        assert plain.rows is not None
        kept = {field.name: getattr(plain, field.name) for field in fields(plain)}
        return _Replaced(**{**kept, "rows": use_int32_indices(plain.rows @ A)}, centroids=A)

    def model(self, problem: Any, state: State) -> dict[str, NDArray[Any]]:
        """The centres over words, and the idf."""
        return {"centres": np.asarray(state.numbers["centres"] @ problem.centroids.T), "idf": problem.idf}
