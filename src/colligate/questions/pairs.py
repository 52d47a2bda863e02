"""With whom a document is asked about: somebody known of the group that it most likely belongs to.

A document is settled once it belongs together with another. It is asked about with one group after another,
the likeliest first; how many questions that takes on average divides what settling it is worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from colligate.questions.question import PAIR, Question

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.questions.coverage import Chosen
    from colligate.questions.known import Known
    from colligate.result import Result

    Floats = NDArray[np.float64]
    Positions = NDArray[np.int64]

FEWEST = 1e-6


def pair_questions(
    result: Result, known: Known, space: NDArray[np.float32], chosen: Chosen
) -> list[Question]:
    """A question for each chosen document that is not apart from everybody already."""
    hoods = _hoods(result, known)
    means = np.array([_memberships(result, hood).mean(axis=0) for hood in hoods]).T
    found = []
    for document, gain in zip(chosen.documents.tolist(), chosen.gains.tolist(), strict=True):
        open_to = [at for at, hood in enumerate(hoods) if _is_open(known, document, hood)]
        if not open_to:
            continue
        near = np.array([float((space[hoods[at]] @ space[document]).max()) for at in open_to])
        shares = _shares(_memberships(result, [document])[0] @ means[:, open_to], near)
        best = open_to[int(shares.argmax())]
        other = int(hoods[best][int((space[hoods[best]] @ space[document]).argmax())])
        groups = tuple(result.labels[result.centre][[document, other]].tolist())
        found.append(Question(PAIR, (document, other), groups, gain / _expected_number(shares)))
    return found


def _hoods(result: Result, known: Known) -> list[Positions]:
    """The documents that stand for each group: those bound together, and else the one most typical of it."""
    places = np.flatnonzero(known.anchored)
    _, own = np.unique(known.component[places], return_inverse=True)
    hoods = [places[own == number] for number in range(int(own.max(initial=-1)) + 1)]
    stood_for = {int(_memberships(result, hood).mean(axis=0).argmax()) for hood in hoods}
    for group, typical in enumerate(result.representatives(1)):
        if group not in stood_for and len(typical):
            hoods.append(np.asarray(typical[:1], dtype=np.int64))
    return hoods


def _is_open(known: Known, document: int, hood: Positions) -> bool:
    one = int(hood[0])
    return known.component[document] != known.component[one] and not known.are_apart(document, one)


def _memberships(result: Result, documents: Positions | list[int]) -> Floats:
    return np.asarray(result.memberships[result.centre][documents], dtype=np.float64)


def _shares(likely: Floats, near: Floats) -> Floats:
    """How likely each of the open groups is; the nearer one of equals."""
    found = likely + FEWEST * (1.0 + near)
    return np.asarray(found / found.sum())


def _expected_number(shares: Floats) -> float:
    """How many questions until the right one, asked in the order of the shares."""
    return float(np.sort(shares)[::-1] @ np.arange(1, len(shares) + 1))
