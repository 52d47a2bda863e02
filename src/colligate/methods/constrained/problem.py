"""Documents and their links under a metric: a weight for every word."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.kernels import Rows
from colligate.methods.constrained.distances import all_alike, by_cosine
from colligate.methods.constrained.strength import total_strength
from colligate.methods.directions import Directions
from colligate.methods.information.energies import link_cost
from colligate.methods.information.links import compiled_links
from colligate.methods.problem import Problem
from colligate.methods.tfidf import tfidf

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

    from colligate.kernels import Kernels
    from colligate.methods.information.links import SideLinks
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class View:
    """The documents as one metric shows them: rows of unit length, and what breaking their links costs."""

    metric: Floats
    rows: sparse.csr_array
    links: SideLinks | None

    @property
    def objects(self) -> Directions:
        """The rows as directions."""
        return Directions(self.rows, np.diff(self.rows.indptr) > 0)

    def cosines(self, kernels: Kernels, labels: Labels, n_clusters: int) -> Floats:
        """Documents × clusters; 0 to an empty cluster."""
        return kernels.product(Rows.of(self.rows), self.objects.means(labels, n_clusters))

    def cost(self, kernels: Kernels, labels: Labels, n_clusters: int) -> float:
        """Σ (1 − cos) to the centre of each document's cluster, and what the broken links cost."""
        found = self.cosines(kernels, labels, n_clusters)
        placed = np.flatnonzero(labels >= 0)
        spread = float((1.0 - found[placed, labels[placed]]).sum())
        return spread if self.links is None else spread + link_cost(self.links, labels[self.links.where])


@dataclass(frozen=True, eq=False)
class LinkedRows(Problem):
    """Adds the idf, what a broken link costs, whether all cost the same, and the views made last.

    `stiffness` holds the metric at 1. It grows with what all links together may cost a document, so that many
    links do not loosen what few would hold.
    """

    idf: Floats | None = None
    link_weight: float = 1.0
    alike: bool = False
    stiffness: float = 1.0
    _views: deque[View] = field(default_factory=lambda: deque(maxlen=2), repr=False)

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return self.sizes[self.network.centre]

    @cached_property
    def hold(self) -> float:
        """The stiffness times one for a document's centre and the mean strength of its links."""
        own = self.guidance.get(self.network.centre)
        said = 0.0 if own is None else total_strength(own.with_groups(own.label_groups()))
        return self.stiffness * (1.0 + self.link_weight * said / self.network.counts.shape[0])

    def view(self, metric: NDArray[Any]) -> View:
        """The documents under a metric; the last two views are remembered."""
        for known in self._views:
            if np.array_equal(known.metric, metric):
                return known
        assert self.idf is not None
        rows = tfidf(self.network.counts, self.idf * np.sqrt(metric))
        view = View(metric, rows, self._links(rows))
        self._views.append(view)
        return view

    def _links(self, rows: sparse.csr_array) -> SideLinks | None:
        centre = self.network.centre
        own = self.guidance.get(centre)
        if own is None:
            return None
        objects = all_alike if self.alike else partial(by_cosine, rows)
        linked = own.with_groups(own.label_groups())
        return compiled_links(centre, rows, linked, self.link_weight, self.kernels, objects)
