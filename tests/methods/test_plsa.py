import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

import colligate as cg
from colligate.methods.plsa import Topics
from tests.methods.margin.cases import topics


@pytest.mark.parametrize("weighting", ["tfidf", "counts"])
@pytest.mark.parametrize("init", ["auto", "random"])
def test_groups_with_words_of_their_own_are_found(weighting, init):
    counts, truth = topics(0)
    parameters = {"weighting": weighting, "init": init, "random_state": 0, "n_init": 5}
    model = cg.make("plsa", n_clusters=3, **parameters).fit(counts)
    assert adjusted_rand_score(truth, model.labels_) > 0.9
    assert adjusted_rand_score(truth, model.predict(counts)) > 0.9


def textbook_step(n, shares, words):
    """E and M steps with the whole documents × words × groups table."""
    joint = shares[:, None, :] * words.T[None]
    joint *= (n / joint.sum(axis=2))[:, :, None]
    tables = joint.sum(axis=1), joint.sum(axis=0).T
    return tuple(table / table.sum(axis=1, keepdims=True) for table in tables)


def test_a_step_is_that_of_the_textbook_and_lowers_the_objective():
    rng = np.random.default_rng(0)
    counts = rng.poisson(1.0, (8, 6)) + np.eye(8, 6)
    entries = sparse.csr_array(counts)
    now = Topics.of(entries, rng.dirichlet(np.ones(3), size=8))
    for _ in range(5):
        following = now.step_em(entries)
        shares, words = textbook_step(counts, now.shares, now.words)
        np.testing.assert_allclose(following.shares, shares)
        np.testing.assert_allclose(following.words, words)
        assert following.negative_log_likelihood(entries) < now.negative_log_likelihood(entries)
        now = following


def test_the_objective_is_the_negative_log_likelihood_of_an_occurrence():
    counts = np.array([[2.0, 1.0], [0.0, 3.0]])
    topic = Topics(np.array([[0.5, 0.5], [0.2, 0.8]]), np.array([[0.9, 0.1], [0.3, 0.7]]))
    expected = -np.sum(counts * np.log(topic.shares @ topic.words)) / counts.sum()
    assert topic.negative_log_likelihood(sparse.csr_array(counts)) == pytest.approx(expected)


def test_memberships_are_the_shares_of_the_groups():
    counts, _ = topics(0)
    result = cg.make("plsa", n_clusters=3, random_state=0).fit(counts).result_
    np.testing.assert_array_equal(result.memberships["documents"].argmax(axis=1), result.labels["documents"])
