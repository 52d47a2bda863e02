"""Clustering of heterogeneous information networks (docs: hinc)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.methods import parameters
from colligate.methods.information.coclustering import NetworkCoClustering

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.methods.parameters import Domain


class HINC(NetworkCoClustering):
    """Heterogeneous information network clustering: all types of a network at once, no knowledge.

    min Σ_r w_r·(I(P_r;Q_r) − I(P̂_r;Q̂_r))

    Relation r of weight w_r joins objects of two types P and Q (or of one with itself); P̂ and Q̂ are their
    clusters, I is the mutual information. An object's label sums over all relations it is in. With the one
    relation documents × words it is `itcc`. Equation 3 of the world-knowledge paper (2015), each relation
    counted once.

    Parameters
    ----------
    n_clusters : int
        Number of clusters of the centre: of documents, or of the first type if there are none.
    n_word_clusters : int or None
        Number of clusters of its terms (words); None means max(16, 6·n_clusters).
    n_entity_clusters : int, mapping of types to int, or None
        Number of clusters of every further type; None means 2·n_clusters.
    relation_weights : {"share", "learned"} or mapping of relations to weights
        The weights w_r: the share of all occurrences, learned from how well the relations agree on the
        documents (see `docs/methods/hinc.md`), or the mapping's. A relation made with a weight keeps it
        unless the mapping names it.
    reading : {"objective", "printed"}
        `printed` gives every relation the weight 1, as the paper does, unless a mapping or the relation has
        another.
    init, word_init, polish, n_init, max_iter, tol, random_state, n_jobs, device
        As in `itcc`; further types start from the directions of what they are related to.

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "hinc"
    paper: ClassVar[str] = "Wang et al. 2015"
    domains: ClassVar[Mapping[str, Domain]] = {**NetworkCoClustering.domains, "reading": parameters.READING}

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        n_entity_clusters: int | Mapping[str, int] | None = None,
        relation_weights: str | Mapping[str, float] = "share",
        reading: str = "objective",
        init: Any = "auto",
        word_init: Any = "auto",
        polish: bool = False,
        n_init: int = 5,
        max_iter: int = 100,
        tol: float = 1e-6,
        random_state: Any = None,
        n_jobs: int | None = None,
        device: str = "auto",
    ) -> None:
        self._store_parameters(locals())
