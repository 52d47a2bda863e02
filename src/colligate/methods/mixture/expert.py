"""A classifier taught by the labels alone.

It sees what separates the groups, where the mixture sees what they hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

# the inverse of the ridge, for directions of unit length
FREEDOM = 10.0
STEPS = 100


@dataclass(frozen=True, eq=False)
class Expert:
    """Weights of the directions and an offset for every group with labels, of those inside.

    `faith` is what its nats count.
    """

    groups: Labels
    slope: Floats
    offset: Floats
    faith: float
    n_inside: int

    def nats(self, unit: NDArray[Any], n_groups: int) -> Floats:
        """The log-probability of groups over a guess, by what it counts.

        Between groups with labels and those without it has no say: these have the most of those. Groups of
        outsiders have a guess's.
        """
        scores = np.asarray(unit @ self.slope) + self.offset
        scores -= scores.max(axis=1, keepdims=True)
        scores -= np.log(np.exp(scores).sum(axis=1, keepdims=True))
        scores = self.faith * (scores + np.log(scores.shape[1]))
        found = np.zeros((len(scores), n_groups))
        found[:, : self.n_inside] = scores.max(axis=1, keepdims=True)
        found[:, self.groups] = scores
        return found


def taught(problem: MixtureProblem, firm: Labels, sure: Floats, faith: float) -> Expert | None:
    """Logistic regression on directions; None unless two groups have labels to learn from."""
    told = np.flatnonzero((firm >= 0) & problem.filled)
    groups = np.unique(firm[told])
    if len(groups) < 2:
        return None
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=FREEDOM, max_iter=STEPS)
    with warnings.catch_warnings():
        # where it stands after so many steps is good enough
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", UserWarning)
        model.fit(np.asarray(problem.views[0].directions.unit)[told], firm[told], sure[told])
    slope, offset = model.coef_.T, model.intercept_
    if len(groups) == 2:
        slope, offset = np.column_stack([-slope / 2, slope / 2]), np.append(-offset / 2, offset / 2)
    slope, offset = np.asarray(slope, np.float64), np.asarray(offset, np.float64)
    return Expert(groups, slope, offset, faith, problem.n_inside)
