"""Where k-means with links starts: centres made of what is tied together, and ties placed as wholes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.directions import spherical_labels
from colligate.methods.information.tied import tied_labels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.methods.constrained.problem import LinkedRows, View
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

# fewer documents make a centre that is worse than one drawn by k-means++
SEED_SIZE = 5


def starting_labels(problem: LinkedRows, view: View, rng: np.random.Generator) -> Iterator[Labels]:
    """Spherical k-means from centres made of ties, and from drawn ones; each also with ties as wholes.

    Links that name wrong pairs can tie nearly everything together, and the largest ties can be of one kind:
    then other starts are better.
    """
    known = seeds(problem, view)
    for centres in [known] if known is None else [known, None]:
        plain = spherical_labels(problem.kernels, view.objects, problem.n_clusters, rng, centres)
        if view.links is None:
            yield plain
            return
        where = view.links.where
        # linked documents without words go where their links say, and wait in any cluster
        plain[where[plain[where] < 0]] = 0
        yield plain
        scores = view.cosines(problem.kernels, plain, problem.n_clusters)[where]
        tied = plain.copy()
        tied[where] = tied_labels(view.links, scores, problem.kernels)
        yield tied


def seeds(problem: LinkedRows, view: View) -> Labels | None:
    """Sets of documents tied together, at most one for each cluster; None if none is large enough.

    The largest comes first; then, each time, the one whose size times its distance to the nearest of those
    before is greatest (weighted farthest first).
    """
    if view.links is None:
        return None
    component = problem.guidance[problem.network.centre].components()
    size = np.bincount(component).astype(np.float64)
    large = np.flatnonzero(size >= SEED_SIZE)
    if not len(large):
        return None
    means = _means(view, component, large)
    chosen = [int(size[large].argmax())]
    while len(chosen) < min(problem.n_clusters, len(large)):
        nearest = (means @ means[chosen].T).max(axis=1)
        merit = size[large] * (1.0 - nearest).clip(min=0.0)
        merit[chosen] = -1.0
        chosen.append(int(merit.argmax()))
    found = np.full(len(component), -1, dtype=np.int32)
    for cluster, at in enumerate(chosen):
        found[component == large[at]] = cluster
    return found


def _means(view: View, component: NDArray[np.int64], large: NDArray[np.int64]) -> Floats:
    """The directions of some components, one in a row."""
    place = np.full(int(component.max()) + 1, -1)
    place[large] = np.arange(len(large))
    labels = place[component].astype(np.int32)
    return np.ascontiguousarray(view.objects.means(labels, len(large)).T)
