"""Scores and cuts that are kept from sweep to sweep, as arrays of a state.

Cuts of the documents are turned when documents move; those of the other risks hold for any groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.methods.margin.bundle import Point, no_cuts
from colligate.methods.margin.planes import Planes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from colligate.methods.margin.bundle import Solution
    from colligate.methods.margin.features import Features
    from colligate.methods.margin.risks import Risk
    from colligate.methods.margin.working_set import KnownCut, WorkingSet
    from colligate.methods.state import Labels

    Arrays = dict[str, NDArray[Any]]

PLANES = ("groups", "choices", "slopes", "offsets")
# a cut that so many answers at the end of a sweep did without is not kept
FORGOTTEN = 3


def recalled(
    numbers: Mapping[str, NDArray[Any]], features: Features, groups: Labels, risks: Sequence[Risk]
) -> WorkingSet:
    """The cuts of a state, for the groups there are now; none if it keeps none."""
    cuts = no_cuts(risks)
    if "choices" not in numbers:
        return cuts
    planes = Planes(**{name: numbers[name] for name in PLANES}).regrouped(features, groups)
    for choice, slope, offset in zip(planes.unpacked(), planes.slopes, planes.offsets.tolist(), strict=True):
        cuts.add(0, slope, offset, choice)
    others = (numbers[name] for name in ("other_owners", "other_slopes", "other_offsets"))
    for owner, slope, offset in zip(*others, strict=True):
        cuts.add(int(owner), slope, float(offset))
    return cuts


def point(numbers: Mapping[str, NDArray[Any]], risks: Sequence[Risk]) -> Point:
    """The weights of a state, and what each risk sees of them, which it may keep."""
    weights = numbers["weights"]
    seen = ((risk, numbers.get(_seen(place))) for place, risk in enumerate(risks))
    return Point(weights, tuple(risk.scores(weights) if own is None else own for risk, own in seen))


def _seen(risk: int) -> str:
    """What a state calls the scores that a risk sees."""
    return f"scores_{risk}"


def kept(cuts: WorkingSet, groups: Labels, found: Solution) -> Arrays:
    """What a state keeps of the scores, and of the cuts that were of use; `groups` are those they are for."""
    shape = found.weights.shape
    useful = [cut for cut in cuts.cuts if cut.idle < FORGOTTEN]
    own = [cut for cut in useful if cut.choice is not None]
    others = [cut for cut in useful if cut.choice is None]
    bits = [np.packbits(cut.choice.ravel()) for cut in own if cut.choice is not None]
    none = Planes.none(groups, shape)
    return {
        **{_seen(place): scores for place, scores in enumerate(found.scores)},
        "groups": groups,
        "choices": np.array(bits, dtype=np.uint8).reshape(-1, none.choices.shape[1]),
        "slopes": _slopes(own, shape),
        "offsets": np.array([cut.offset for cut in own]),
        "other_owners": np.array([cut.owner for cut in others], dtype=np.int64),
        "other_slopes": _slopes(others, shape),
        "other_offsets": np.array([cut.offset for cut in others]),
    }


def _slopes(cuts: Sequence[KnownCut], shape: tuple[int, ...]) -> NDArray[np.float64]:
    return np.array([cut.slope for cut in cuts]).reshape(-1, *shape)
