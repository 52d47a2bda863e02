import numpy as np
import pytest
from scipy.special import xlogy

import colligate as cg
from colligate.knowledge.statements import FROZEN_SUFFIX
from colligate.methods.guidance import compile_for
from colligate.methods.mixture.em import e_step, m_step
from colligate.methods.mixture.ensemble import first_labels, smooth_labels
from colligate.methods.mixture.implied_links import ImpliedLinks
from colligate.methods.mixture.priors import make_priors, smooth_linked_features

from ..planted_documents import planted

KNOWLEDGE = {
    "none": cg.Knowledge(),
    "labels": cg.Knowledge().label({0: "a", 1: "b", 4: "a"}),
    "links": cg.Knowledge().together(documents=[(0, 4), (1, 5), (2, 7)]).apart(documents=[(0, 1), (2, 3)]),
    "categories": cg.Knowledge().category("a", words=[0, 1, 2]).category("b", words=[31, 32]),
    "words": cg.Knowledge().together(words=[(0, 1), (2, 40)]).apart(words=[(0, 35)]),
    "outside": cg.Knowledge().outside([3, 7, 11]),
}


def problem_of(knowledge, counts, groups=4):
    method = cg.make("colligate", n_clusters=groups, random_state=0, n_jobs=1)
    network = cg.Network.from_matrix(counts)
    return method.problem(network, compile_for(method, network, knowledge).guidance)


def initialized(knowledge, counts):
    problem = problem_of(knowledge, counts)
    priors = make_priors(problem, np.ones(problem.n_statements), 0.5)
    labels = first_labels(problem, np.random.default_rng(0), None)
    return problem, priors, smooth_labels(problem, priors, labels)


def dense_free_energy(problem, priors, q):
    """F by eqs. 1, 2 and 4 to 6, with dense arrays."""
    y = np.zeros((problem.n_documents, problem.y.n_columns))
    rows = np.repeat(np.arange(len(problem.y)), np.diff(problem.y.indptr))
    y[rows, problem.y.indices] = problem.y.data
    m = y.sum(axis=0) / y.sum()
    used, lam = m > 0, priors.lam
    c = y.T @ (lam[:, None] * q)
    alpha = problem.smoothing * c.sum() / q.shape[1] * m
    phi = c + alpha[:, None]
    phi /= phi.sum(axis=0)
    log_phi_ratio = np.zeros_like(phi)
    log_phi_ratio[used] = np.log(phi[used] / m[used, None])
    pi = (lam[:, None] * q).sum(axis=0) / lam.sum()
    e = np.asarray(problem.views[0].directions.unit, dtype=np.float64)
    mu = e.T @ (lam[:, None] * q)
    mu /= np.linalg.norm(mu, axis=0)
    s = y @ log_phi_ratio + problem.views[0].kappa * e @ mu + np.log(pi)
    if priors.u is not None:
        s += priors.u
    F = (lam[:, None] * (xlogy(q, q) - q * s)).sum() - (alpha[:, None] * log_phi_ratio).sum()
    if priors.links is not None:
        pairs = priors.links.pairs
        A = pairs.sign * pairs.strength * np.sqrt(lam[pairs.left] * lam[pairs.right])
        F -= (A * (q[pairs.left] * q[pairs.right]).sum(axis=1)).sum()
    return F


@pytest.mark.parametrize("kind", ["none", "labels", "links", "categories"])
def test_free_energy_is_the_formula(kind):
    problem, priors, resp = initialized(KNOWLEDGE[kind], planted()[0])
    expected = dense_free_energy(problem, priors, resp)
    np.testing.assert_allclose(m_step(problem, priors, resp).free_energy, expected, rtol=1e-6)


@pytest.mark.parametrize("kind", sorted(KNOWLEDGE))
def test_every_iteration_lowers_the_free_energy(kind):
    problem, priors, resp = initialized(KNOWLEDGE[kind], planted(noise=0.1, strong=0.15)[0])
    links = smooth_linked_features(problem, m_step(problem, priors, resp), ImpliedLinks())
    state, values = m_step(problem, priors, resp, links), []
    for _ in range(15):
        values.append(state.free_energy)
        state = m_step(problem, priors, e_step(problem, priors, state), links)
    assert np.all(np.diff(values) <= 1e-9 * np.abs(values[0]))
    assert values[-1] < values[0]


def test_the_e_step_minimises_the_free_energy_for_fixed_parameters():
    """No step of a document towards another group lowers F."""
    problem, priors, resp = initialized(KNOWLEDGE["none"], planted(noise=0.1)[0])
    state = m_step(problem, priors, resp)
    best = e_step(problem, priors, state)

    def value(q):
        return float((xlogy(q, q) - q * state.scores).sum())

    for group in range(4):
        towards = 0.99 * best
        towards[:, group] += 0.01
        assert value(best) <= value(towards)


def test_labelled_documents_and_outsiders_stay_where_they_belong():
    problem, priors, resp = initialized(KNOWLEDGE["labels"] + KNOWLEDGE["outside"], planted()[0])
    for _ in range(5):
        resp = e_step(problem, priors, m_step(problem, priors, resp))
    assert resp[[0, 4]].argmax(axis=1).tolist() == [0, 0]
    assert resp[1].argmax() == 1
    assert (resp[[3, 7, 11], :4] == 0).all()
    assert (resp[[0, 1, 4], 4:] == 0).all()


def test_freezing_a_group_that_keeps_its_documents_changes_no_confidence():
    """Documents stay only weakly, so that a clamped document would count more than a free one."""
    counts, _ = planted(noise=0.1, strong=0.2)
    labels = cg.make("colligate", n_clusters=4, random_state=0).fit(counts).result_.labels["documents"]
    start = {"init": labels, "init_names": {"first": 0}, "init_weight": 0.1, "temperature": 1.0}
    ids = np.flatnonzero(labels == 0).tolist()
    frozen = cg.Knowledge().label(dict.fromkeys(ids, "first"), source=f"studio {FROZEN_SUFFIX}")
    free, kept = (
        cg.make("colligate", n_clusters=4, random_state=0, **start).fit(counts, knowledge=knowledge).result_
        for knowledge in (None, frozen)
    )
    assert np.array_equal(free.labels["documents"], kept.labels["documents"])
    assert free.confidence[labels == 0].min() < 0.99
    assert np.abs(free.confidence - kept.confidence).max() < 1e-6
