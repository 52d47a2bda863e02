import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.knowledge import Guidance
from colligate.methods.factorisation import metric
from colligate.methods.factorisation.pieces import Stretch
from colligate.network import Network

from .test_cstrinmf import mixed


def told(truth, every):
    labels = np.where(np.arange(len(truth)) % every == 0, truth, -1)
    return Guidance(len(truth), labels=labels, label_names=("a", "b", "c"))


def labelled(truth, every=2):
    own = told(truth, every)
    return own.with_groups(own.label_groups())


def test_a_stretch_is_the_product_it_stands_for():
    rng = np.random.default_rng(0)
    R, G, F = rng.random((8, 6)), rng.random((8, 3)), rng.random((6, 3))
    U = np.linalg.qr(rng.normal(size=(6, 2)))[0]
    whole = R @ (np.eye(6) + 1.5 * U @ U.T)
    stretch = Stretch.along(U, sparse.csr_array(R), 1.5)
    np.testing.assert_allclose(R @ F + stretch.added(F, transposed=False), whole @ F)
    np.testing.assert_allclose(R.T @ G + stretch.added(G, transposed=True), whole.T @ G)
    assert np.square(R).sum() + stretch.squared_norm == pytest.approx(np.square(whole).sum())


def test_scatters_are_sums_over_pairs():
    rng = np.random.default_rng(1)
    truth = np.arange(9) % 3
    Z = rng.normal(size=(9, 4))
    links = labelled(truth, 1)
    together, apart = metric._scatters(Z, links)
    expected = np.zeros((2, 4, 4))
    for i in range(9):
        for j in range(i):
            expected[int(truth[i] != truth[j])] += np.outer(Z[i] - Z[j], Z[i] - Z[j])
    np.testing.assert_allclose(together, expected[0])
    np.testing.assert_allclose(apart, expected[1])


def test_the_metric_brings_documents_of_one_label_closer():
    counts, truth = mixed(np.random.default_rng(2))
    method = cg.make("ssnmf", n_clusters=3)
    network = Network.from_matrix(sparse.csr_array(counts))
    problem = method.problem(network, {"documents": told(truth, 2)})
    piece = problem.pieces[0]
    plain = piece.matrix.toarray()
    learned = plain + piece.stretch.strength * piece.stretch.scores @ piece.stretch.directions.T

    def ratio(rows):
        centred = np.array([rows[truth == k].mean(axis=0) for k in range(3)])[truth]
        return np.square(centred - rows.mean(axis=0)).sum() / np.square(rows - centred).sum()

    assert ratio(learned) > 2 * ratio(plain)


def test_a_relation_that_tells_the_labels_counts_more_than_noise():
    rng = np.random.default_rng(3)
    truth = np.arange(60) % 3
    telling, noise = np.eye(3)[truth] + 0.1 * rng.random((60, 3)), rng.random((60, 3))
    weights = metric.importance([noise, telling], labelled(truth))
    assert weights[1] == 1.0
    assert weights[0] < 0.3


def test_links_help_documents_that_none_names_and_the_importance_is_in_the_model():
    counts, truth = mixed(np.random.default_rng(4))
    y = np.where(np.arange(90) % 2 == 0, truth, -1)
    alone = cg.make("ssnmf", n_clusters=3, random_state=0).fit(counts).result_
    guided = cg.make("ssnmf", n_clusters=3, random_state=0).fit(counts, y).result_
    assert guided.evaluate(truth)["nmi"] > alone.evaluate(truth)["nmi"] + 0.1
    assert guided.model["modality_importance"].tolist() == [1.0]
