import numpy as np
import pytest
from scipy import sparse

from colligate.methods.mixture.features import TemperedTfidf
from colligate.network import Network, ObjectType, Relation


def tempered(relations, eta=0.5, weights=None):
    types = {"documents": ObjectType("documents", range(4))}
    made = []
    for number, matrix in enumerate(relations):
        types[f"t{number}"] = ObjectType(f"t{number}", range(matrix.shape[1]))
        made.append(Relation("documents", f"t{number}", matrix))
    around = Network(types, made).neighbourhood("documents")
    return around.matrix, TemperedTfidf.of(around, weights or [1.0] * len(made), eta)


COUNTS = np.array([[4, 1, 0, 0], [0, 2, 2, 0], [1, 0, 0, 0], [0, 3, 0, 0]], dtype=float)


def test_y_of_a_document_sums_to_a_power_of_its_words():
    matrix, tfidf = tempered([sparse.csr_array(COUNTS)], eta=0.5)
    sums = np.asarray(tfidf.transform(matrix).sum(axis=1)).ravel()
    np.testing.assert_allclose(sums, np.sqrt([5, 4, 1, 3]))


def test_entries_are_by_tf_idf_within_a_document():
    matrix, tfidf = tempered([sparse.csr_array(COUNTS)])
    row = tfidf.transform(matrix).toarray()[0]
    idf = np.log(5 / (1 + np.array([2, 3]))) + 1
    expected = np.array([1 + np.log(4), 1.0]) * idf
    np.testing.assert_allclose(row[:2], np.sqrt(5) * expected / expected.sum())


def test_y_is_normalised_within_each_relation():
    matrix, tfidf = tempered([sparse.csr_array(COUNTS), sparse.csr_array(COUNTS[:, :2])], weights=[1.0, 3.0])
    y = tfidf.transform(matrix).toarray()
    np.testing.assert_allclose(y[0, :4].sum(), np.sqrt(5))
    np.testing.assert_allclose(y[0, 4:].sum(), 3 * np.sqrt(5))
    np.testing.assert_allclose(y[1, 4:].sum(), 3 * np.sqrt(2))


def test_a_word_that_no_document_had_counts_nothing():
    _, tfidf = tempered([sparse.csr_array(COUNTS)])
    new = sparse.csr_array(np.array([[1.0, 0, 0, 9.0]]))
    with_it, without = (
        tfidf.transform(new).toarray(),
        tfidf.transform(sparse.csr_array([[1.0, 0, 0, 0]])).toarray(),
    )
    np.testing.assert_allclose(with_it, without)


@pytest.mark.parametrize("factor", [1.0, 0.25])
def test_weights_below_one_are_taken_as_they_are(factor):
    matrix, tfidf = tempered([sparse.csr_array(COUNTS * 0.1 * factor)])
    shares = tfidf.shares(matrix)[0].toarray()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
