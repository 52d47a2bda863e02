"""`fc` and `fe`: the baselines that need categories of words."""

import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.methods.fit import RunOptions
from colligate.methods.word_categories import category_basis

BOTH = ("fc", "fe")


def themes(rng, n=90):
    """Documents of three groups, each with its own of many rare words, and common words."""
    truth = np.arange(n) % 3
    rates = np.full((3, 100), 0.02)
    for k in range(3):
        rates[k, 30 * k : 30 * (k + 1)] = 0.1
    rates[:, 90:] = 0.02
    counts = rng.poisson(rates[truth])
    counts[:, 95] += 1
    knowledge = cg.Knowledge()
    for k in range(3):
        knowledge = knowledge.category("abc"[k], words=range(30 * k, 30 * (k + 1)))
    return counts, truth, knowledge


def made(name, **parameters):
    return cg.make(name, **{"n_clusters": 3, "random_state": 0, **parameters})


def test_a_word_is_replaced_by_the_centroid_of_its_category():
    X = np.random.default_rng(0).random((5, 6))
    classes = np.array([0, 1, 0, -1, 1, 0])
    A = category_basis(classes).toarray()
    expected = X.copy()
    for number in (0, 1):
        expected[:, classes == number] = X[:, classes == number].mean(axis=1, keepdims=True)
    np.testing.assert_allclose(X @ A @ A.T, expected)
    np.testing.assert_allclose(A.T @ A, np.eye(3))


def test_centroids_find_groups_that_single_words_do_not():
    counts, truth, knowledge = themes(np.random.default_rng(1))
    alone = made("kmeans").fit(counts).result_.evaluate(truth)["nmi"]
    guided = made("fc").fit(counts, knowledge=knowledge).result_.evaluate(truth)["nmi"]
    assert guided > alone + 0.3


def test_the_ensemble_agrees_with_partitions_that_agree():
    rng = np.random.default_rng(2)
    truth = np.arange(60) % 3
    rates = np.full((3, 18), 0.05)
    for k in range(3):
        rates[k, k::3] = 2.0
    counts = rng.poisson(rates[truth]) + (np.arange(18) == 0)
    knowledge = cg.Knowledge().category("a", words=range(9)).category("b", words=range(9, 18))
    result = made("fe").fit(counts, knowledge=knowledge).result_
    assert result.evaluate(truth)["nmi"] > 0.95
    assert result.predict(counts).shape == (60,)
    assert result.evaluate(truth)["nmi"] == pytest.approx(
        cg.result.metrics.evaluate(truth, result.predict(counts))["nmi"], abs=0.1
    )


@pytest.mark.parametrize("name", BOTH)
def test_without_categories_the_error_says_what_to_do(name):
    counts, _, _ = themes(np.random.default_rng(3))
    with pytest.raises(
        cg.errors.KnowledgeError, match=f"{name} needs categories of words, but the knowledge has none"
    ):
        made(name).fit(counts)


@pytest.mark.parametrize("name", BOTH)
def test_the_contract_holds_with_categories(name, tmp_path):
    counts, _, knowledge = themes(np.random.default_rng(4))
    counts[7] = 0
    one = made(name, n_jobs=1).fit(counts, knowledge=knowledge)
    two = made(name, n_jobs=2).fit(counts, knowledge=knowledge)
    np.testing.assert_array_equal(one.labels_, two.labels_)
    assert one.labels_[7] == -1
    assert set(one.labels_[counts.any(axis=1)]) == {0, 1, 2}
    history = np.array(one.history_)
    assert np.all(np.diff(history) <= 1e-9 * history[0])
    shares = one.result_.memberships["documents"]
    np.testing.assert_allclose(np.delete(shares, 7, axis=0).sum(axis=1), 1.0, atol=1e-5)
    assert one.transform(counts).shape == (90, 3)
    one.result_.save(tmp_path / "run")
    loaded = cg.Result.load(tmp_path / "run")
    np.testing.assert_array_equal(loaded.predict(counts), one.predict(counts))


@pytest.mark.parametrize("name", BOTH)
def test_a_run_without_knowledge_to_compare_with_is_not_made(name):
    counts, _, knowledge = themes(np.random.default_rng(5))
    result = made(name).fit(counts, knowledge=knowledge, options=RunOptions(compare=True)).result_
    assert result.changes() is None


@pytest.mark.parametrize("name", BOTH)
def test_the_evidence_of_all_words_is_the_score(name):
    counts, _, knowledge = themes(np.random.default_rng(6))
    method = made(name).fit(counts, knowledge=knowledge)
    matrix = sparse.csr_array(counts[:6].astype(np.float32))
    scores = method.predict_scores(method.result_.model, matrix)
    for row, (a, b) in enumerate(zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)):
        evidence = method.evidence(
            method.result_.model, matrix.indices[a:b].astype(np.int64), matrix.data[a:b]
        )
        left = scores[row] - evidence.sum(axis=0)
        if row == 0:
            first = left - left[0]
        np.testing.assert_allclose(left - left[0], first, atol=1e-8)
