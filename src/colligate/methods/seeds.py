"""One whole number as the seed of everything, from whatever scikit-learn allows as `random_state`."""

from __future__ import annotations

from typing import Any

import numpy as np

from colligate.errors import ParameterError


def resolved_seed(random_state: Any) -> int:
    """The seed itself; a fresh one for None; the next number of a generator."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    if isinstance(random_state, int | np.integer) and random_state >= 0:
        return int(random_state)
    raise ParameterError(
        f"random_state must be None, a generator or a whole number from 0 on; got {random_state!r}."
    )
