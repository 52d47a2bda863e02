import numpy as np
import pytest

import colligate as cg
from colligate.methods.factorisation.problem import normalise_memberships
from colligate.methods.factorisation.start import component_indicator, initialize_labels, soften_labels
from colligate.network import Network

# words 0 and 1 are of one kind and never in one document; so are 2 and 3; 4 is in all
COUNTS = np.array([[5, 0, 0, 0, 9], [0, 5, 0, 0, 9], [0, 0, 5, 0, 9], [0, 0, 0, 5, 9]] * 5)


def problem_of(knowledge, n_word_clusters=3):
    network = Network.from_matrix(COUNTS)
    method = cg.make("cp-links", n_clusters=2, n_word_clusters=n_word_clusters)
    return method.problem(network, knowledge.compile(network.names).guidance)


@pytest.mark.parametrize("n_clusters", [2, 20, 100])
def test_most_of_an_object_is_where_it_starts_however_many_groups_there_are(n_clusters):
    labels = np.arange(4 * n_clusters) % n_clusters
    shares = normalise_memberships(soften_labels(labels, n_clusters))[np.arange(len(labels)), labels]
    assert shares.min() > 0.7
    assert shares.max() < 0.9


def test_an_object_of_no_group_starts_next_to_nowhere():
    G = soften_labels(np.array([0, 1, -1]), 2)
    assert G[2].max() < 1e-20
    np.testing.assert_allclose(np.square(G).sum(axis=0), 1.0)


def test_documents_start_with_those_whose_words_are_tied():
    problem = problem_of(cg.Knowledge().together(words=[(0, 1), (2, 3)]).apart(words=[(0, 2)]))
    for seed in range(5):
        labels = initialize_labels(problem, "documents", "auto", np.random.default_rng(seed))
        assert labels[0] == labels[1] != labels[2] == labels[3]


def test_words_start_in_the_category_they_were_told_whatever_their_rows_say():
    problem = problem_of(cg.Knowledge().category("odd", words=[0, 2]).category("even", words=[1, 3]))
    for seed in range(5):
        labels = initialize_labels(problem, "words", "auto", np.random.default_rng(seed))
        assert labels[:4].tolist() == [0, 1, 0, 1]


def test_sets_are_of_several_objects_and_not_of_most_that_there_are():
    linked = cg.Knowledge().together(words=[(0, 1), (1, 2), (5, 6)])
    guidance = linked.compile({"words": range(8)}).guidance["words"]
    assert component_indicator(guidance, 4).toarray().T.tolist() == [
        [1, 1, 1, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 1, 0],
    ]
    assert component_indicator(guidance, 8).toarray().T.tolist() == [[0, 0, 0, 0, 0, 1, 1, 0]]
