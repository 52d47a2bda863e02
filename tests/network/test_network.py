import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.network.matrix import checked_matrix


def test_a_matrix_becomes_a_network_of_two_types_named_by_position():
    network = cg.Network.from_matrix(np.array([[1, 0, 2], [0, 3, 0]]))
    assert network.names == {"documents": range(2), "words": range(3)}
    (relation,) = network.relations
    assert relation.name == "documents × words"
    assert relation.matrix.toarray().tolist() == [[1, 0, 2], [0, 3, 0]]


def test_a_corpus_becomes_a_network_with_its_names():
    corpus = cg.Corpus.from_texts(["red apple", "blue car"], ids=["a", "b"])
    network = cg.Network.from_corpus(corpus)
    assert list(network.names["documents"]) == ["a", "b"]
    assert list(network.names["words"]) == ["apple", "blue", "car", "red"]


def test_a_relation_must_fit_its_types():
    types = {name: cg.ObjectType(name, range(2)) for name in ("documents", "words")}
    wrong = cg.Relation("documents", "words", sparse.csr_array(np.ones((2, 3))))
    with pytest.raises(cg.errors.MatrixError, match="documents × words has 3 words, the network 2"):
        cg.Network(types, (wrong,))
    stray = cg.Relation("documents", "people", sparse.csr_array(np.ones((2, 2))))
    with pytest.raises(cg.errors.InputError, match="speaks of people, a type the network lacks"):
        cg.Network(types, (stray,))


def test_duplicates_are_added_and_zeros_dropped_in_a_copy():
    raw = sparse.csr_array(
        (np.array([1.0, 2.0, 0.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2)
    )
    found = checked_matrix(raw)
    assert found.toarray().tolist() == [[3.0, 0.0], [0.0, 0.0]]
    assert found.nnz == 1
    assert raw.nnz == 3


def test_counts_beyond_what_float32_holds_exactly_stay_exact():
    found = checked_matrix(sparse.csr_array(np.array([[2**24 + 1, 1]])))
    assert found.data.tolist() == [2**24 + 1, 1]
    assert checked_matrix(np.array([[1, 2]])).dtype == np.float32


def test_a_single_row_is_no_matrix():
    with pytest.raises(cg.errors.MatrixError, match="documents × words is needed"):
        checked_matrix(np.array([1, 2, 3]))
