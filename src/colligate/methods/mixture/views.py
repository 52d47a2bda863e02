"""Embeddings as a further view of the documents: the user's own array, or a model from a package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError, ParameterError
from colligate.methods.directions import dense_directions

if TYPE_CHECKING:
    from colligate.methods.directions import Directions
    from colligate.network import Network

# the concentration at which embeddings count as much as directions of words where runs start
USUAL_CONCENTRATION = 5.0


@dataclass(frozen=True, eq=False)
class View:
    """Documents as directions, and how many nats it is worth to point where a group points."""

    directions: Directions
    concentration: float


def embedded_views(network: Network, embeddings: Any, extra: int) -> tuple[View, ...]:
    """The view of embeddings, if there are any; `extra` outsiders from elsewhere have none."""
    if embeddings is None:
        return ()
    given = _vectors(network, embeddings) if isinstance(embeddings, str) else _numbers(embeddings)
    n = len(network.types[network.centre])
    if given.ndim != 2 or len(given) != n:
        raise ParameterError(
            f"embeddings must be an array with a row for each of the {n} {network.centre}; "
            f"got the shape {given.shape}"
        )
    if not np.isfinite(given).all():
        raise ParameterError("embeddings must be finite numbers; some are not")
    filled = np.abs(given).sum(axis=1) > 0
    given = given - np.where(filled[:, None], given[filled].mean(axis=0) if filled.any() else 0.0, given)
    rows = np.vstack([given, np.zeros((extra, given.shape[1]))])
    return (
        View(dense_directions(rows, np.append(filled, np.zeros(extra, dtype=bool))), USUAL_CONCENTRATION),
    )


def _numbers(given: Any) -> np.ndarray[Any, Any]:
    try:
        return np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError(
            f"embeddings must be an array of numbers with a row for each document; got {type(given).__name__}"
        ) from None


def _vectors(network: Network, name: str) -> np.ndarray[Any, Any]:
    from colligate.corpus.embeddings import embedded

    if network.corpus is None or network.corpus.texts is None:
        raise InputError(
            f"embeddings={name!r} reads the texts of the documents, and there are none here; fit on a corpus "
            "that has its texts, or give an array with a row for each document"
        )
    found: np.ndarray[Any, Any] = embedded(network.corpus.texts, name)
    return found
