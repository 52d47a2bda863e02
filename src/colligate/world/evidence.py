"""From finds, readings and facts to the cases that a filter decides."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from colligate.world.filters.cases import Cases

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from colligate.world.filters.readings import Reading
    from colligate.world.mentions.found import Found, IntArray
    from colligate.world.parsing.facts import Facts
    from colligate.world.parsing.pairs import Pair


def cases_of(
    found: Found, readings: Sequence[tuple[Reading, ...]], pairs: Iterable[Pair], facts: Facts
) -> tuple[Cases, IntArray]:
    """One case for each name in each document, and the case of every find."""
    width = max(len(readings), 1)
    keys, case, count = np.unique(
        found.document * width + found.name, return_inverse=True, return_counts=True
    )
    backed = _backed(found, case, readings, pairs, facts)
    return Cases(keys // width, keys % width, count.astype(np.int64), readings, backed), case.astype(np.int64)


def _backed(
    found: Found,
    case: IntArray,
    readings: Sequence[tuple[Reading, ...]],
    pairs: Iterable[Pair],
    facts: Facts,
) -> Counter[tuple[int, int]]:
    """In how many sentences each reading of each case is backed."""
    backed: Counter[tuple[int, int]] = Counter()
    for pair in pairs:
        left, right = int(found.name[pair.left]), int(found.name[pair.right])
        met = list(facts.between(left, right))
        for at, name, side in ((pair.left, left, 0), (pair.right, right, 1)):
            entities = {(one, other)[side] for one, other, _ in met}
            backed.update((int(case[at]), number) for number in _among(readings[name], entities))
    return backed


def _among(readings: tuple[Reading, ...], entities: set[str]) -> list[int]:
    return [number for number, reading in enumerate(readings) if reading.entity in entities]
