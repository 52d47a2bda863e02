"""Constrained clustering of heterogeneous information networks (docs: chinc)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from colligate.methods import parameters
from colligate.methods.information.coclustering import (
    NETWORK_DOMAINS,
    LinkedCoClustering,
    NetworkCoClustering,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.methods.parameters import Domain


class CHINC(NetworkCoClustering, LinkedCoClustering):
    """Network clustering guided by links, labels and categories on any type.

    min Σ_r w_r·(I(P_r;Q_r) − I(P̂_r;Q̂_r)) + Σ_P (w_P/n_P)·Σ_links on P σ·V

    The first sum is as in `hinc`; n_P is the number of objects of type P, w_P the weight of its links in
    units of 1/√n_P, σ the strength of a link and V its cost as in `citcc`, over all relations of the type,
    with a D_max per type. Sub-types are groups: their links are implied and never listed. With the one
    relation documents × words it is `citcc`. Equation 6 of the world-knowledge paper, the indicator of its
    equation 5 read as "labels are equal".

    Parameters
    ----------
    n_clusters, n_word_clusters, n_entity_clusters, relation_weights
        As in `hinc`.
    link_weight, word_link_weight : float
        As in `citcc`, for the centre and its terms.
    entity_link_weight : float or mapping of types to float
        The weight of links on the further types; types that a mapping leaves out have `link_weight`.
    reading : {"objective", "printed"}
        `printed` drops the mass of an object in the label step, as in `citcc`, and gives every relation the
        weight 1, as in `hinc`.
    n_outside_clusters, init, word_init, polish, n_init, max_iter, tol, random_state, n_jobs, device
        As in `citcc`.

    Attributes
    ----------
    labels_, word_labels_, history_, n_iter_, result_
        As in `Estimator`.
    """

    name: ClassVar[str] = "chinc"
    paper: ClassVar[str] = "Wang et al. 2015"
    takes: ClassVar[tuple[str, ...]] = (
        "links:documents",
        "links:words",
        "links:*",
        "labels:documents",
        "labels:words",
        "labels:*",
        "categories:words",
        "categories:*",
        "outside:documents",
    )
    domains: ClassVar[Mapping[str, Domain]] = {
        **LinkedCoClustering.domains,
        **NETWORK_DOMAINS,
        "entity_link_weight": parameters.ByName(parameters.Real(0.0), "types", parameters.Real(0.0)),
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_word_clusters: int | None = None,
        n_entity_clusters: int | Mapping[str, int] | None = None,
        relation_weights: str | Mapping[str, float] = "share",
        link_weight: float = 10.0,
        word_link_weight: float = 1.0,
        entity_link_weight: float | Mapping[str, float] = 10.0,
        n_outside_clusters: int | None = None,
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
