import numpy as np
import pytest

import colligate as cg
from colligate.methods.information.start import seed_components, seed_labels
from colligate.network import Network

COUNTS = np.array(
    [
        [3, 0, 0, 1],  # votes for x
        [0, 2, 0, 1],  # votes for y
        [1, 1, 0, 1],  # undecided
        [0, 0, 5, 0],  # nothing to vote by
        [2, 1, 0, 0],  # labelled y, although its words say x
    ]
)


def seeds(knowledge, kind="documents", n_clusters=2):
    network = Network.from_matrix(COUNTS)
    method = cg.make("citcc", n_clusters=n_clusters, n_word_clusters=2)
    problem = method.problem(network, knowledge.compile(network.names).guidance)
    labels = seed_labels(problem, kind)
    return None if labels is None else labels.tolist()


@pytest.fixture
def categories():
    return cg.Knowledge().category("x", words=[0]).category("y", words=[1])


def test_documents_start_by_the_vote_of_their_words(categories):
    assert seeds(categories) == [0, 1, -1, -1, 0]


def test_a_label_goes_before_a_vote_and_shares_the_cluster_of_its_name(categories):
    labels = seeds(categories.label({4: "y", 3: "z"}), n_clusters=3)
    assert labels[4] == labels[1]
    assert labels[3] not in (labels[0], labels[1], -1)
    assert labels[2] == -1


def test_words_start_by_their_categories(categories):
    assert seeds(categories, kind="words") == [0, 1, -1, -1]


def test_of_more_names_than_clusters_the_most_frequent_start(categories):
    labels = seeds(categories.label({2: "y", 3: "z"}), n_clusters=2)
    assert sorted(set(labels)) == [-1, 0, 1]
    assert labels[3] == -1


def test_nothing_known_shapes_nothing():
    assert seeds(cg.Knowledge()) is None
    assert seeds(cg.Knowledge().apart(documents=[(0, 1)])) is None


def test_large_ties_start_in_clusters_of_their_own_the_ones_apart_first():
    counts = np.ones((30, 4), dtype=int)
    knowledge = (
        cg.Knowledge()
        .together(documents=[tuple(range(8)), tuple(range(8, 15)), tuple(range(15, 21))])
        .apart(documents=[(0, 15)])
    )
    network = Network.from_matrix(counts)
    method = cg.make("citcc", n_clusters=2, n_word_clusters=2)
    problem = method.problem(network, knowledge.compile(network.names).guidance)
    assert seed_labels(problem, "documents") is None
    labels = seed_components(problem, "documents")
    assert set(labels[:8]) == {0}
    assert set(labels[15:21]) == {1}
    assert set(labels[8:15]) == {-1}
