import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.network import Network

from .factorisation import dense
from .planted_documents import blocks


@pytest.mark.parametrize("name", ["nmf", "snmf", "csnmf", "strinmf", "nmf-triplet", "src", "ssnmf"])
def test_planted_groups_are_found(name):
    counts, truth = blocks(np.random.default_rng(0))
    result = cg.make(name, n_clusters=3, random_state=0).fit(counts).result_
    assert result.evaluate(truth)["nmi"] == pytest.approx(1.0)


def test_the_objective_equals_the_textbook_one():
    counts, _ = blocks(np.random.default_rng(1))
    method = cg.make("snmf", n_clusters=3, weighting="counts")
    problem = method.problem(Network.from_matrix(sparse.csr_array(counts)), {})
    state = method.start(problem, np.random.default_rng(0))
    for _ in range(3):
        state = method.sweep(problem, state)
    G = state.numbers["memberships"]
    P = np.linalg.lstsq(G, counts, rcond=None)[0]
    rho = problem.penalties["documents"].rho
    expected = np.square(counts - G @ P).sum() + rho * dense.orthogonality(G)
    assert method.objective(problem, state) == pytest.approx(expected)
    np.testing.assert_allclose(method.profiles(problem, state)[0], P.T, atol=1e-8)


def test_nmf_leaves_as_much_as_scikit_learn_says():
    counts, _ = blocks(np.random.default_rng(2))
    method = cg.make("nmf", n_clusters=3, weighting="counts")
    problem = method.problem(Network.from_matrix(sparse.csr_array(counts)), {})
    state = method.sweep(problem, method.start(problem, np.random.default_rng(0)))
    G, P = state.numbers["memberships"], state.numbers["profiles"]
    assert method.objective(problem, state) == pytest.approx(np.square(counts - G @ P.T).sum())
    assert min(G.min(), P.min()) >= 0
