"""What links teach a network: a metric and a weight for every relation of its centre."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.factorisation.metric import learned
from colligate.methods.weights import weighted

if TYPE_CHECKING:
    from collections.abc import Collection

    from colligate.knowledge import Guidance
    from colligate.methods.factorisation.pieces import Piece
    from colligate.network import Network


def taught(
    network: Network,
    pieces: tuple[Piece, ...],
    judged: Collection[str],
    links: Guidance,
    rank: int,
    mu: float,
) -> tuple[Network, tuple[Piece, ...]]:
    """The network with learned weights, and its relations with these and their metrics.

    Relations that are not `judged` say what the links say and cannot be judged by them; they count as much as
    the best of the others. Those that the centre has no part in stay as they are. The weights sum to 1.
    """
    own = [i for i, piece in enumerate(pieces) if piece.rows == network.centre and piece.name in judged]
    stretched, importance = learned([pieces[i] for i in own], links, rank, mu)
    found, factor = list(pieces), np.ones(len(pieces))
    for i, piece, weight in zip(own, stretched, importance, strict=True):
        found[i], factor[i] = replace(piece, weight=piece.weight * float(weight)), weight
    weights = factor * [float(relation.weight or 0.0) for relation in network.relations]
    return weighted(network, (weights / weights.sum()).tolist()), tuple(found)
