"""The space in which documents speak for each other: the leading directions of all that describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from colligate.methods.directions import latent_directions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.network import Network

    SmallFloats = NDArray[np.float32]

SHARPNESS = 3
"""The power of the cosine: documents that are somewhat alike, as all are, say little of each other."""

# runs of one network share it, and it costs more than all questions about them
_found: WeakKeyDictionary[Network, SmallFloats] = WeakKeyDictionary()


def space_of(network: Network) -> SmallFloats:
    """Unit rows, one for each object of the centre; zero for one that nothing describes."""
    if network not in _found:
        documents, _ = latent_directions(network.around(network.centre).matrix)
        _found[network] = np.asarray(documents.unit, dtype=np.float32)
    return _found[network]


def likeness(some: SmallFloats, others: SmallFloats) -> SmallFloats:
    """How much documents speak for others, from 0 to 1: a power of their cosine."""
    return np.asarray(np.clip(some @ others.T, 0.0, 1.0) ** SHARPNESS)
