"""A mixture of Gaussians as arrays: shares, means, and precisions (the inverses of the covariances)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import logsumexp

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from colligate.methods.state import Labels

    Floats = NDArray[np.float64]

# the least variance in any direction, as a share of the mean one; groups of few documents have none
LEAST_VARIANCE = 1e-3


@dataclass(frozen=True, eq=False)
class Gaussians:
    """`shares` of K groups, `means` K × dimensions, `precisions` K × dimensions × dimensions."""

    shares: Floats
    means: Floats
    precisions: Floats

    def log_joint(self, rows: Floats) -> Floats:
        """Rows × groups: the log of a group's share times its density."""
        constant = np.log(np.maximum(self.shares, 1e-300)) + 0.5 * np.linalg.slogdet(self.precisions)[1]
        constant = constant - 0.5 * rows.shape[1] * np.log(2.0 * np.pi)
        found = np.empty((len(rows), len(self.shares)))
        for group, (mean, precision) in enumerate(zip(self.means, self.precisions, strict=True)):
            away = rows - mean
            found[:, group] = constant[group] - 0.5 * ((away @ precision) * away).sum(axis=1)
        return found

    def surprise(self, rows: Floats) -> float:
        """Minus the mean log-likelihood of rows."""
        return -float(np.mean(logsumexp(self.log_joint(rows), axis=1)))

    def pulls(self, row: Floats) -> Floats:
        """P_k·(μ_k − x/2) of one row x for every group: times x it is the score, but for constants."""
        return np.asarray(np.einsum("kij,kj->ki", self.precisions, self.means - 0.5 * row))


def of_groups(rows: Floats, groups: Labels, n_groups: int, covariance: str) -> Gaussians:
    """The Gaussians of groups of rows, none of them empty; `covariance` is "full" or "diag"."""
    members = [rows[groups == group] for group in range(n_groups)]
    return Gaussians(
        np.array([len(own) for own in members]) / len(rows),
        np.array([own.mean(axis=0) for own in members]),
        np.array([_precision(own, _least(rows), covariance) for own in members]),
    )


def improved(
    now: Gaussians, rows: Floats, covariance: str, max_iter: int, tol: float
) -> tuple[Gaussians, bool]:
    """What scikit-learn's EM makes of the Gaussians, and whether it came to its end; it asks for two rows."""
    if len(rows) < 2:
        return now, True
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    full = covariance == "full"
    mixture = GaussianMixture(
        len(now.shares),
        covariance_type=covariance,
        weights_init=now.shares,
        means_init=now.means,
        precisions_init=now.precisions if full else np.diagonal(now.precisions, axis1=1, axis2=2),
        reg_covar=_least(rows),
        max_iter=max_iter,
        tol=tol,
        init_params="random_from_data",
        random_state=0,
    )
    with warnings.catch_warnings():
        # the caller is told by the second value
        warnings.simplefilter("ignore", ConvergenceWarning)
        mixture.fit(rows)
    precisions = mixture.precisions_ if full else np.array([np.diag(own) for own in mixture.precisions_])
    return Gaussians(mixture.weights_, mixture.means_, precisions), bool(mixture.converged_)


def _least(rows: Floats) -> float:
    return LEAST_VARIANCE * max(float(rows.var(axis=0).mean()), 1e-9)


def _precision(rows: Floats, least: float, covariance: str) -> Floats:
    """The inverse of the covariance of one group, with the least variance added."""
    if covariance == "diag":
        return np.diag(1.0 / (rows.var(axis=0) + least))
    away = rows - rows.mean(axis=0)
    spread = away.T @ away / len(rows)
    return np.asarray(np.linalg.inv(spread + least * np.eye(rows.shape[1])))
