import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import colligate as cg
from colligate.methods.clgr import CLGR
from colligate.methods.graph_clustering import find_neighbours
from tests.methods.margin.cases import topics


@pytest.mark.parametrize("smoothness", [0.0, 0.1, 10.0])
def test_groups_with_words_of_their_own_are_found(smoothness):
    counts, truth = topics(0)
    model = cg.make("clgr", n_clusters=3, smoothness=smoothness, random_state=0).fit(counts)
    assert adjusted_rand_score(truth, model.labels_) > 0.9


def test_the_operator_is_that_of_the_paper():
    rows = np.random.default_rng(0).normal(size=(40, 5))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    neighbours = find_neighbours(rows, 6)
    predicted = np.zeros((40, 40))
    for i, around in enumerate(neighbours.index):
        alike = rows[around] @ rows[around].T + 0.3 * np.eye(6)
        predicted[i, around] = rows[i] @ rows[around].T @ np.linalg.inv(alike)
    local = (predicted - np.eye(40)).T @ (predicted - np.eye(40))
    laplacian = np.eye(40) - neighbours.normalised_affinity().toarray()
    operator = CLGR(n_clusters=2, ridge=0.3, smoothness=0.7).operator(rows, neighbours)
    np.testing.assert_allclose(operator @ np.eye(40), -local - 0.7 * laplacian, atol=1e-10)
