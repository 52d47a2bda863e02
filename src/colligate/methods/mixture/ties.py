"""Links between words, or between other objects that documents have: they share what is learned of them.

A linked object o gets three further occurrences for each, divided among the groups as links want it:
ψ_ok ∝ r_ok·exp(Σ_j A_oj·ψ_jk), with r_ok the share of o's evidence in group k and A the links in nats.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from colligate.methods.mixture.terms import KNOWN
from colligate.network import parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.mixture.position import Position
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.network import Part

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

# nats for a link: odds of a hundred to one
SAID = float(np.log(100.0))
ROUNDS = 3
TURNS = 4
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Ties:
    """Further occurrences for some columns: `counts` is columns × groups."""

    columns: Ints
    counts: Floats


def linked_parts(problem: MixtureProblem) -> Iterator[tuple[Part, Guidance]]:
    """The relations of the documents whose other side has links, and these."""
    centre = problem.network.centre
    for part in parts_of(problem.network, centre):
        known = problem.guidance.get(part.other)
        if part.other != centre and known is not None and "links" in known.kinds:
            yield part, known


def make_ties(problem: MixtureProblem, at: Position) -> Ties:
    """What the links of other types than documents add, as things stand."""
    columns, counts = [np.zeros(0, dtype=np.int64)], [np.zeros((0, problem.n_groups))]
    evidence = np.bincount(problem.evidence.indices, problem.evidence.data, problem.evidence.n_columns)
    for part, known in linked_parts(problem):
        own = evidence[part.start : part.stop]
        where = np.flatnonzero(_linked(known) & (own > 0))
        shares = np.exp(at.lifts[part.start : part.stop] + at.log_share)
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), TINY)
        columns.append(part.start + where)
        counts.append(KNOWN * own[where, None] * _wanted(known, shares)[where])
    return Ties(np.concatenate(columns), np.concatenate(counts))


def _wanted(known: Guidance, shares: Floats) -> Floats:
    """The shares as links would have them."""
    strong = replace(
        known,
        pairs=replace(known.pairs, strength=SAID * known.pairs.strength),
        groups=tuple(
            replace(links, together=SAID * links.together, apart=SAID * links.apart) for links in known.groups
        ),
    )
    logarithm, found = np.log(np.maximum(shares, TINY)), shares.copy()
    turn = np.zeros(known.size, dtype=np.int64)
    where = np.flatnonzero(_linked(known))
    turn[where] = np.arange(len(where)) % TURNS
    for number in range(ROUNDS * TURNS):
        # not all at once, or two objects apart would both leave, and both come back
        own = where[turn[where] == number % TURNS]
        gain, loss = strong.split(found)
        wanted = logarithm[own] + gain[own] - loss[own]
        wanted -= wanted.max(axis=1, keepdims=True)
        np.exp(wanted, out=wanted)
        found[own] = wanted / wanted.sum(axis=1, keepdims=True)
    return found


def _linked(known: Guidance) -> NDArray[np.bool_]:
    found = np.zeros(known.size, dtype=bool)
    for side in (known.pairs.left, known.pairs.right, *(links.member for links in known.groups)):
        found[side] = True
    return found
