import numpy as np
import pytest
from scipy.special import xlogy

import colligate as cg
from colligate.methods.guidance import compile_for
from colligate.methods.mixture.calibration import USUAL_FAITH
from colligate.methods.mixture.em import evaluated, improved
from colligate.methods.mixture.ensemble import first_labels, softened
from colligate.methods.mixture.priors import make_terms, make_ties

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
    return method.problem(network, compile_for(method, network, None, knowledge).guidance)


def begun(knowledge, counts):
    problem = problem_of(knowledge, counts)
    terms = make_terms(problem, np.ones(problem.n_statements), USUAL_FAITH)
    labels = first_labels(problem, np.random.default_rng(0), None)
    return problem, terms, softened(problem, terms, labels)


def dense_objective(problem, terms, q):
    """F by the formula, with dense arrays and loops over groups."""
    y = np.zeros((problem.n_documents, problem.evidence.n_columns))
    rows = np.repeat(np.arange(len(problem.evidence)), np.diff(problem.evidence.indptr))
    y[rows, problem.evidence.indices] = problem.evidence.data
    m = y.sum(axis=0) / y.sum()
    used, weight = m > 0, terms.weight
    tables = y.T @ (weight[:, None] * q)
    alpha = problem.smoothing * tables.sum() / q.shape[1] * m
    phi = tables + alpha[:, None]
    phi /= phi.sum(axis=0)
    lifts = np.zeros_like(phi)
    lifts[used] = np.log(phi[used] / m[used, None])
    e = np.asarray(problem.views[0].directions.unit, dtype=np.float64)
    mu = e.T @ (weight[:, None] * q)
    mu /= np.linalg.norm(mu, axis=0)
    pi = (weight[:, None] * q).sum(axis=0) / weight.sum()
    scores = y @ lifts + problem.views[0].concentration * e @ mu + np.log(pi)
    if terms.pull is not None:
        scores += terms.pull
    value = (weight[:, None] * (xlogy(q, q) - q * scores)).sum() - (alpha[:, None] * lifts).sum()
    if terms.links is not None:
        for i, j, sign, strength in zip(
            terms.links.pairs.left, terms.links.pairs.right, terms.links.pairs.sign,
            terms.links.pairs.strength, strict=True,
        ):  # fmt: skip
            value -= sign * strength * np.sqrt(weight[i] * weight[j]) * (q[i] @ q[j])
    return value


@pytest.mark.parametrize("kind", ["none", "labels", "links", "categories"])
def test_the_objective_is_the_formula(kind):
    problem, terms, q = begun(KNOWLEDGE[kind], planted()[0])
    np.testing.assert_allclose(
        evaluated(problem, terms, q).value, dense_objective(problem, terms, q), rtol=1e-6
    )


@pytest.mark.parametrize("kind", sorted(KNOWLEDGE))
def test_every_sweep_lowers_the_objective(kind):
    problem, terms, q = begun(KNOWLEDGE[kind], planted(noise=0.1, strong=0.15)[0])
    ties = make_ties(problem, evaluated(problem, terms, q))
    at, values = evaluated(problem, terms, q, ties), []
    for _ in range(15):
        values.append(at.value)
        at = evaluated(problem, terms, improved(problem, terms, at), ties)
    assert np.all(np.diff(values) <= 1e-9 * np.abs(values[0]))
    assert values[-1] < values[0]


def test_memberships_are_where_the_objective_is_lowest_for_the_tables():
    """No step from a document's memberships towards another group lowers F at fixed tables."""
    problem, terms, q = begun(KNOWLEDGE["none"], planted(noise=0.1)[0])
    at = evaluated(problem, terms, q)
    best = improved(problem, terms, at)

    def value(memberships):
        return float((xlogy(memberships, memberships) - memberships * at.scores).sum())

    for group in range(4):
        towards = 0.99 * best
        towards[:, group] += 0.01
        assert value(best) <= value(towards)


def test_documents_with_a_label_and_outsiders_stay_where_they_belong():
    counts = planted()[0]
    knowledge = KNOWLEDGE["labels"] + KNOWLEDGE["outside"]
    problem, terms, q = begun(knowledge, counts)
    for _ in range(5):
        q = improved(problem, terms, evaluated(problem, terms, q))
    assert q[[0, 4]].argmax(axis=1).tolist() == [0, 0]
    assert q[1].argmax() == 1
    assert (q[[3, 7, 11], :4] == 0).all()
    assert (q[[0, 1, 4], 4:] == 0).all()
