"""Reading labels: documents in groups of outsiders, and outsiders from elsewhere, are in no group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.methods.state import Labels, State


def told(state: State) -> Mapping[str, Labels]:
    """The labels of the user's own objects."""
    found = dict(state.labels)
    for kind, labels in state.labels.items():
        if f"inside/{kind}" in state.numbers:
            size, n_inside = state.numbers[f"inside/{kind}"].tolist()
            own = labels[:size]
            found[kind] = np.where(own < n_inside, own, -1).astype(np.int32)
    return found
