"""EM for the mixture, in the order and with the symbols of docs/methods/colligate.md.

`resp` is q, `log_phi_ratio` log(φ/m), `log_pi` log π, `mu` μ, `lam` λ, `u` the prior scores. The number of
an equation of the page stands beside the line that computes it.

Where the kernels compute on a GPU, `resp`, `scores` and `log_phi_ratio` are there; all other arrays are
small, or copied there once (`beside`). On a cluster, the rows of `resp` and `scores` are on the workers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from colligate._array import unit_columns
from colligate.kernels.arrays import (
    add_product,
    add_row,
    beside,
    cut_blocks,
    is_on_host,
    map_rows,
    put_rows,
    softmax,
    sum_columns,
    sum_costs,
    sum_ranges,
    to_host,
    weigh_rows,
)
from colligate.methods.sizes import fit_offsets

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import NDArray

    from colligate.kernels import Kernels
    from colligate.methods.mixture.priors import FeatureLinks, Priors
    from colligate.methods.mixture.problem import MixtureProblem
    from colligate.methods.sizes import SizeBounds
    from colligate.methods.spherical import Directions

    Floats = NDArray[np.float64]

TINY = 1e-300
# the score of a group that is closed to a document
FORBIDDEN = -1e30


@dataclass(frozen=True, eq=False)
class Estimate:
    """Responsibilities, and the parameters that the M-step finds for them.

    `log_phi_ratio` is features × groups; `mu` has, for each view, dimensions × groups.
    """

    resp: Floats
    log_phi_ratio: Floats
    mu: tuple[Floats, ...]
    log_pi: Floats

    def on_host(self) -> Self:
        """Return the estimate with all arrays on the host."""
        if is_on_host(self.resp):
            return self
        return replace(self, **{name: to_host(getattr(self, name)) for name in self.ELSEWHERE})

    # arrays that may be on a GPU or on workers
    ELSEWHERE: ClassVar[tuple[str, ...]] = ("resp", "log_phi_ratio")


@dataclass(frozen=True, eq=False)
class EMState(Estimate):
    """Adds the scores and F of an estimate."""

    scores: Floats
    free_energy: float

    ELSEWHERE: ClassVar[tuple[str, ...]] = (*Estimate.ELSEWHERE, "scores")


def free_energy(
    priors: Priors, resp: Floats, scores: Floats, log_prior: float = 0.0, kernels: Kernels | None = None
) -> float:
    """Compute F (eq. 1); `log_prior` is its second sum, which the E-step does not change."""
    value = sum_costs(resp, scores, priors.lam, kernels=kernels)
    if priors.links is not None:
        on_host = to_host(resp)
        # ½, because the sum over i and j has each link twice
        value -= 0.5 * float(priors.lam @ (on_host * priors.link_field(on_host)).sum(axis=1))
    return value - log_prior


def compute_scores(
    problem: MixtureProblem,
    priors: Priors,
    log_phi_ratio: Floats,
    mu: tuple[Floats, ...],
    log_pi: Floats,
    *,
    placed: bool = False,
) -> Floats:
    """Compute s (eq. 2), documents × groups; with `placed`, on the workers that have the documents."""
    scores = problem.kernels.product(problem.y, log_phi_ratio.astype(np.float32, copy=False), placed=placed)
    for view, centres in zip(problem.views, mu, strict=True):
        add_product(scores, view.kappa, np.asarray(view.directions.unit), centres, kernels=problem.kernels)
    add_row(scores, log_pi, problem.kernels)
    if priors.u is not None:
        scores += beside(priors.u, scores, keep=True)
    if problem.forbidden is not None:
        # finite, since a responsibility of 0 times -inf would make F undefined
        scores[beside(problem.forbidden, scores, keep=True)] = FORBIDDEN
    return scores


def e_step(
    problem: MixtureProblem, priors: Priors, state: EMState, bounds: SizeBounds | None = None
) -> Floats:
    """Return the responsibilities that minimise F for the parameters of a state (eq. 3).

    With bounds on the sizes of groups, those that minimise it among all within the bounds.
    """
    exponent = add_size_offsets(problem, priors, scores_with_links(priors, state), bounds)
    resp = clamp(priors, softmax(exponent, problem.kernels))  # eq. 3
    if priors.links is None:
        return resp
    # eq. 3 minimises a tangent of F: where it goes too far, the step is halved until F does not rise
    before = free_energy(priors, state.resp, state.scores)
    for _ in range(problem.constants.max_halvings):
        if free_energy(priors, resp, state.scores) <= before:
            return resp
        resp = (resp + state.resp) / 2.0
    return state.resp


def scores_with_links(priors: Priors, state: EMState) -> Floats:
    """Compute s + f, the exponent of eq. 3."""
    if priors.links is None:
        return state.scores
    field: Floats = beside(priors.link_field(to_host(state.resp)), state.scores)
    return state.scores + field


def add_size_offsets(
    problem: MixtureProblem, priors: Priors, scores: Floats, bounds: SizeBounds | None
) -> Floats:
    """Add b_k/λ_d to scores (eq. 17), so that the expected sizes of the groups are within their bounds."""
    if bounds is None:
        return scores
    free = problem.filled & (priors.clamped < 0)
    # labelled documents are clamped and already fill a part of every bound
    labelled = np.bincount(priors.clamped[priors.clamped >= 0], minlength=problem.n_groups)
    # a document that shapes no group has λ = 0, but counts in the sizes
    lam = np.maximum(priors.lam[free], problem.constants.lambda_min)
    on_host = to_host(scores)
    offsets = fit_offsets(on_host[free], bounds.without(labelled), lam)
    # a copy, because the scores of a state are cached
    shifted = on_host.copy()
    shifted[free] += offsets / lam[:, None]
    placed: Floats = beside(shifted, scores)
    return placed


def clamp(priors: Priors, resp: Floats) -> Floats:
    """Put every labelled document into the group of its label, in place; a frozen one only if it leaves."""
    clamped = priors.clamped
    if priors.frozen is not None:
        # a frozen document that stays by itself has the responsibilities of one without a label
        stays = priors.frozen & (to_host(resp.argmax(axis=1)) == clamped)
        clamped = np.where(stays, -1, clamped)
    if len(priors.labelled):
        put_rows(resp, clamped)
    return resp


def m_step(
    problem: MixtureProblem, priors: Priors, resp: Floats, feature_links: FeatureLinks | None = None
) -> EMState:
    """Return the parameters that minimise F for responsibilities (eqs. 4 to 6), with their scores and F."""
    new, log_prior = update_parameters(problem, priors, resp, feature_links)
    parameters, placed = (new.log_phi_ratio, new.mu, new.log_pi), not is_on_host(new.resp)
    scores = compute_scores(problem, priors, *parameters, placed=placed)  # eq. 2
    value = free_energy(priors, new.resp, scores, log_prior, problem.kernels)  # eq. 1
    return EMState(new.resp, new.log_phi_ratio, new.mu, new.log_pi, scores, value)


def update_parameters(
    problem: MixtureProblem, priors: Priors, resp: Floats, feature_links: FeatureLinks | None = None
) -> tuple[Estimate, float]:
    """Return the parameters that minimise F for responsibilities, and the second sum of eq. 1."""
    resp = _place_resp(problem, priors, resp)
    weighted, mass = weigh_rows(resp, priors.lam, kernels=problem.kernels)
    lam_resp = weighted.astype(np.float32, copy=False)
    log_phi_ratio, log_prior = update_phi(problem, lam_resp, feature_links)  # eq. 4
    # an empty group would have log 0
    pi = np.maximum(mass, TINY) / max(priors.total_weight, TINY)  # eq. 5
    mu = tuple(mean_directions(problem.kernels, view.directions, lam_resp) for view in problem.views)  # eq. 6
    return Estimate(resp, log_phi_ratio, mu, np.log(pi)), log_prior


def _place_resp(problem: MixtureProblem, priors: Priors, resp: Floats) -> Floats:
    """Put responsibilities where y is; links and bounds on sizes need those of all documents together."""
    if priors.links is None and problem.size_bounds is None:
        placed: Floats = problem.kernels.place_rows(resp, problem.y)
    else:
        placed = problem.kernels.place(resp)
    return placed


def update_phi(
    problem: MixtureProblem, lam_resp: NDArray[np.float32], feature_links: FeatureLinks | None
) -> tuple[Floats, float]:
    """Compute log(φ/m) by eq. 4, and the second sum of eq. 1."""
    bounds = problem.tfidf.bounds
    c = problem.kernels.transposed_product(problem.y, lam_resp)  # c_ko = Σ_d λ_d·q_dk·y_do
    m = beside(problem.m, c, keep=True)
    # α depends on documents alone, so the counts of linked features come after it
    mass = sum_ranges(c, bounds, problem.kernels)
    if feature_links is not None:
        linked, counts = (
            beside(part, c, keep=True) for part in (feature_links.columns, feature_links.counts)
        )
        c[linked] += counts
    alpha, sums = np.zeros_like(m), np.empty_like(m)
    for start, stop, total in zip(bounds[:-1].tolist(), bounds[1:].tolist(), mass, strict=True):
        rows = slice(start, stop)
        alpha[rows] = problem.smoothing * total / problem.n_groups * m[rows]
        # a view: c becomes log(φ/m) in place, relation by relation
        sums[rows] = take_log_ratios(c[rows], alpha[rows], m[rows], problem.kernels)
    log_phi_ratio, log_prior = c, float(alpha @ sums)
    if feature_links is not None:
        log_prior += float(np.vdot(counts, log_phi_ratio[linked]))
    return log_phi_ratio, log_prior


def take_log_ratios(phi: Floats, alpha: Floats, m: Floats, kernels: Kernels) -> Floats:
    """Turn the counts of a relation into log(φ/m) by eq. 4, in place; return the sum of every row."""
    log_m, sums, is_silent = np.log(np.where(m > 0, m, 1.0)), np.empty_like(m), m <= 0
    has_silent = bool(is_silent.any())

    def add_alpha(start: int, stop: int) -> None:
        part = phi[start:stop]
        part += alpha[start:stop, None]

    map_rows(add_alpha, phi, kernels)
    of_groups = np.maximum(sum_columns(phi), TINY)

    def take_logarithms(start: int, stop: int) -> None:
        for rows in cut_blocks(phi, start, stop):
            part = phi[rows]
            part /= of_groups  # eq. 4
            np.log(np.maximum(part, TINY, out=part), out=part)
            part -= log_m[rows, None]
            if has_silent:
                # features without entries say nothing
                np.copyto(part, 0.0, where=is_silent[rows, None])
            sums[rows] = part.sum(axis=1)

    map_rows(take_logarithms, phi, kernels)
    return sums


def mean_directions(kernels: Kernels, directions: Directions, weights: Floats) -> Floats:
    """Compute the unit mean direction of every group, as columns (eq. 6)."""
    unit = beside(np.asarray(directions.unit), weights, keep=True)
    return unit_columns(kernels.overlap(unit, weights.astype(np.float32, copy=False)))


def run_em(problem: MixtureProblem, priors: Priors, resp: Floats, max_iter: int, tol: float) -> EMState:
    """Iterate until F falls by less than `tol` of itself, or `max_iter` times; the state is on the host."""
    state = m_step(problem, priors, resp)
    for _ in range(max_iter):
        previous, resp = state.free_energy, e_step(problem, priors, state)
        # the last state is not needed any more, and is as large as the next one
        del state
        state = m_step(problem, priors, resp)
        if previous - state.free_energy <= tol * abs(previous):
            break
    return state.on_host()
