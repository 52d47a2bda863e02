"""All types of a network as directions in one space: that of the centre's relations to what is around it.

The centre and the types it is related to come from one decomposition; types further off take the mean
direction of what they are related to; a part of the network that is not connected has a space of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from colligate.methods.directions import Directions, dense_directions, latent_directions, word_directions
from colligate.methods.schema import related
from colligate.methods.tfidf import unit_rows
from colligate.network import by_rows, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from colligate.network import Neighbourhood, Network


def latent_space(network: Network) -> dict[str, Directions]:
    """Directions in the leading singular vectors of tf-idf."""
    return _space(network, latent_directions)


def worded_space(network: Network) -> dict[str, Directions]:
    """Directions of tf-idf itself."""
    return _space(network, word_directions)


def _space(network: Network, make: Callable[..., tuple[Directions, Directions]]) -> dict[str, Directions]:
    found: dict[str, Directions] = {}
    kinds = sorted(related(network), key=lambda kind: kind != network.centre)
    while left := [kind for kind in kinds if kind not in found]:
        found |= _around(network, left[0], make)
        while reached := _next(network, left, found):
            found[reached] = _projected(network, reached, found)
    return found


def _around(
    network: Network, root: str, make: Callable[..., tuple[Directions, Directions]]
) -> dict[str, Directions]:
    """The directions of one type and of the types next to it."""
    around = network.around(root)
    rows, columns = make(around.matrix, _column_scale(network, around))
    found = {root: rows}
    for other in dict.fromkeys(part.other for part in around.parts if part.other != root):
        slices = [
            Directions(columns.unit[part.start : part.stop], columns.filled[part.start : part.stop])
            for part in around.parts
            if part.other == other
        ]
        found[other] = slices[0] if len(slices) == 1 else _summed([piece.unit for piece in slices])
    return found


def _column_scale(network: Network, around: Neighbourhood) -> NDArray[np.float64] | None:
    """The root of what an occurrence in each column counts, 1 for the relation where it counts most."""
    if len(around.parts) == 1:
        return None
    each = np.array([network.relations[part.relation].per_occurrence for part in around.parts])
    scale = np.sqrt(each / max(each.max(), 1e-300))
    return np.repeat(scale, [part.stop - part.start for part in around.parts])


def _next(network: Network, left: list[str], found: dict[str, Directions]) -> str | None:
    """A type without directions that is related to one with them."""
    for kind in left:
        if kind not in found and any(part.other in found for part in parts_of(network, kind)):
            return kind
    return None


def _projected(network: Network, kind: str, found: dict[str, Directions]) -> Directions:
    known = [part for part in parts_of(network, kind) if part.other in found]
    return _summed([by_rows(network, part) @ found[part.other].unit for part in known])


def _summed(blocks: list[Any]) -> Directions:
    """The directions of sums of rows, dense or sparse."""
    if isinstance(blocks[0], np.ndarray):
        total = np.sum(blocks, axis=0)
        return dense_directions(total, (total != 0).any(axis=1))
    unit = unit_rows(sparse.csr_array(sum(blocks[1:], start=blocks[0])))
    return Directions(unit, np.diff(unit.indptr) > 0)
