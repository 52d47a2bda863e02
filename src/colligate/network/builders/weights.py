"""Weights of edges and counts of mentions: finite numbers, none of them negative."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from colligate.errors import InputError

if TYPE_CHECKING:
    from colligate.network.builders.place import Place

Weights = NDArray[np.int64] | NDArray[np.float32] | NDArray[np.float64]


def checked_weights(values: Any, name: str, place: Place) -> Weights:
    """Return weights that can be added up, or say which of them is wrong.

    They are looked at one by one before they are added up, so that a negative one cannot hide in a sum.
    """
    found = np.asarray(values)
    if found.ndim != 1 or found.dtype.kind not in "biuf":
        raise InputError(f"{name!r} of {place.what} must be a list of numbers; got {found.dtype}")
    bad = ~(np.isfinite(found) & (found >= 0))
    if bad.any():
        at = int(np.flatnonzero(bad)[0])
        raise InputError(
            f"{place.at(at)}: {name!r} must be finite and not negative; got {found[at]} "
            f"({int(bad.sum())} such {place.unit}s)"
        )
    if found.dtype.kind in "bi":
        return found.astype(np.int64, copy=False)
    if found.dtype == np.float32:
        return found
    return found.astype(np.float64, copy=False)
