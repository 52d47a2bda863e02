"""How probable the name of a statement is, by what other statements call the groups of its member.

Groups are not always the subjects that people have in mind: a group may hold two of them, or a subject be cut
in two. Then a name is not wrong because runs put its member elsewhere, if others give that name to members of
the same group. So member i, of group j by the share q_ij, is called k with the probability Σ_j q_ij·C_jk, and
C_jk is how often the other statements, each as far as it is trusted, call members of j by the name k. Before
any is seen, some statements are taken to call the group as it is named, and a few to call it anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

AS_NAMED, ANYTHING = 20.0, 0.5


def called_so(shares: Floats, said: Ints, trust: Floats) -> Floats:
    """For each statement, how probable what it says is by all the others.

    `shares` are those of its member in each group, to runs without the statement; `said` is the group whose
    name it gives; `trust` is how probable it was to be right so far.
    """
    rows, n_groups = np.arange(len(said)), shares.shape[1]
    own = trust[:, None] * shares
    calls = np.zeros((n_groups, n_groups))
    np.add.at(calls, said, own)
    of_others = calls[said] - own + ANYTHING / n_groups
    of_others[rows, said] += AS_NAMED
    all_of_others = own.sum(axis=0) - own + AS_NAMED + ANYTHING
    return np.asarray((shares * of_others / all_of_others).sum(axis=1))
