import numpy as np
import pytest
from scipy import sparse

from colligate.methods.mixture.features import Scale
from colligate.network import Network, ObjectType, Relation


def scale_of(relations, exponent=0.5, weights=None):
    types = {"documents": ObjectType("documents", range(4))}
    made = []
    for number, matrix in enumerate(relations):
        types[f"t{number}"] = ObjectType(f"t{number}", range(matrix.shape[1]))
        made.append(Relation("documents", f"t{number}", matrix))
    around = Network(types, made).neighbourhood("documents")
    return around.matrix, Scale.of(around, weights or [1.0] * len(made), exponent)


COUNTS = np.array([[4, 1, 0, 0], [0, 2, 2, 0], [1, 0, 0, 0], [0, 3, 0, 0]], dtype=float)


def test_a_document_counts_a_power_of_its_words():
    matrix, scale = scale_of([sparse.csr_array(COUNTS)], exponent=0.5)
    sums = np.asarray(scale.evidence(matrix).sum(axis=1)).ravel()
    np.testing.assert_allclose(sums, np.sqrt([5, 4, 1, 3]))


def test_entries_are_by_tf_idf_within_a_document():
    matrix, scale = scale_of([sparse.csr_array(COUNTS)])
    row = scale.evidence(matrix).toarray()[0]
    idf = np.log(5 / (1 + np.array([2, 3]))) + 1
    wanted = np.array([1 + np.log(4), 1.0]) * idf
    np.testing.assert_allclose(row[:2], np.sqrt(5) * wanted / wanted.sum())


def test_each_relation_has_a_sum_of_its_own():
    matrix, scale = scale_of([sparse.csr_array(COUNTS), sparse.csr_array(COUNTS[:, :2])], weights=[1.0, 3.0])
    found = scale.evidence(matrix).toarray()
    np.testing.assert_allclose(found[0, :4].sum(), np.sqrt(5))
    np.testing.assert_allclose(found[0, 4:].sum(), 3 * np.sqrt(5))
    np.testing.assert_allclose(found[1, 4:].sum(), 3 * np.sqrt(2))


def test_a_word_that_no_document_had_counts_nothing():
    _, scale = scale_of([sparse.csr_array(COUNTS)])
    new = sparse.csr_array(np.array([[1.0, 0, 0, 9.0]]))
    with_it, without = (
        scale.evidence(new).toarray(),
        scale.evidence(sparse.csr_array([[1.0, 0, 0, 0]])).toarray(),
    )
    np.testing.assert_allclose(with_it, without)


@pytest.mark.parametrize("factor", [1.0, 0.25])
def test_weights_below_one_are_taken_as_they_are(factor):
    matrix, scale = scale_of([sparse.csr_array(COUNTS * 0.1 * factor)])
    shares = scale.shares(matrix)[0].toarray()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
