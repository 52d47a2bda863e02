"""K-means on category centroids in place of words (docs: fc)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from colligate.methods.kmeans import KMeans, TfidfProblem, use_int32_indices
from colligate.methods.word_categories import assign_word_categories, category_basis

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from colligate.knowledge import Guidance
    from colligate.methods.loop import State
    from colligate.network import Network


@dataclass(frozen=True, eq=False)
class _CentroidProblem(TfidfProblem):
    """A problem with the matrix A that maps words to the centroids of their categories."""

    A: csr_array | None = None


class FC(KMeans):
    """Feature centroids: k-means on tf-idf with each word replaced by the centroid of its category.

    min Σ_d ‖x_d·A − μ_k(d)‖²

    x_d is a document's tf-idf row; A has an orthonormal column for each category, over its words, and one for
    each free word; k(d) is the cluster of a document and μ_k the mean of cluster k. A word of several
    categories counts for the strongest one. A baseline of the word-space paper. It needs categories.

    Parameters
    ----------
    n_clusters, n_init, max_iter, tol, random_state, n_jobs, device
        As in `kmeans`.

    Attributes
    ----------
    labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "fc"
    paper: ClassVar[str] = "baseline of Li et al. 2008"
    takes: ClassVar[tuple[str, ...]] = ("categories:words",)
    needs: ClassVar[tuple[str, ...]] = ("categories:words",)

    def problem(self, network: Network, guidance: Mapping[str, Guidance]) -> _CentroidProblem:
        """Replace the words by centroids."""
        A = category_basis(assign_word_categories(self.name, network, guidance))
        base = super().problem(network, guidance)
        assert base.rows is not None
        fields_of_base = {field.name: getattr(base, field.name) for field in fields(base)}
        return _CentroidProblem(**{**fields_of_base, "rows": use_int32_indices(base.rows @ A)}, A=A)

    def model(self, problem: Any, state: State) -> dict[str, NDArray[Any]]:
        """Return the centres over words, and the idf."""
        return {"centres": np.asarray(state.numbers["centres"] @ problem.A.T), "idf": problem.idf}
