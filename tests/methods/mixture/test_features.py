import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import normalized_mutual_info_score as nmi

import colligate as cg
from colligate.methods.mixture.features import TemperedTfidf
from colligate.network import Network, ObjectType, Relation

from ..planted_documents import planted


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


def mentioned(entities):
    """Weak words of four groups, and entities that were counted in the same texts."""
    counts, truth = planted(strong=0.12)
    types = {
        "documents": ObjectType("documents", range(len(truth))),
        "words": ObjectType("words", range(counts.shape[1])),
        "people": ObjectType("people", range(entities.shape[1])),
    }
    mentions = Relation("documents", "people", sparse.csr_array(entities), in_text=True)
    return Network(types, [Relation("documents", "words", counts), mentions]), counts, truth


def fitted(data, **parameters):
    return cg.make("colligate", n_clusters=4, random_state=0, **parameters).fit(data).result_


def test_entities_that_add_nothing_leave_the_groups_of_the_words():
    noise = np.random.default_rng(1).poisson(0.2, size=(240, 30)).astype(float)
    network, counts, _ = mentioned(noise)
    words = fitted(counts).labels["documents"]
    np.testing.assert_array_equal(fitted(network).labels["documents"], words)
    # a weight of the user is not estimated
    weighted = fitted(network, relation_weights={"documents × people": 1.0}).labels["documents"]
    assert nmi(words, weighted) < 1.0


def test_entities_that_tell_the_groups_count():
    rng, truth = np.random.default_rng(1), np.arange(240) % 4
    network, counts, _ = mentioned(rng.poisson(np.repeat(np.eye(4), 8, axis=1)[truth] + 0.02).astype(float))
    gain = nmi(truth, fitted(network).labels["documents"]) - nmi(truth, fitted(counts).labels["documents"])
    assert gain > 0.05
