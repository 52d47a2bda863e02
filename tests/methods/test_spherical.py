import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer

from colligate.kernels import make_kernels
from colligate.methods.spherical import (
    Columns,
    draw_labels,
    make_latent_directions,
    make_tfidf_directions,
    spherical_kmeans,
    tfidf,
)


@pytest.fixture
def planted():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(3), 25)
    rates = np.full((3, 30), 0.02)
    for k in range(3):
        rates[k, 10 * k : 10 * (k + 1)] = 1.0
    counts = rng.poisson(rates[truth])
    counts[7] = 0
    return sparse.csr_array(counts.astype(np.float64)), truth


def test_tfidf_is_scikit_learns(planted):
    counts, _ = planted
    expected = TfidfTransformer(sublinear_tf=True).fit_transform(sparse.csr_matrix(counts))
    np.testing.assert_allclose(tfidf(counts).toarray(), expected.toarray(), atol=1e-12)


@pytest.mark.parametrize("make", [make_tfidf_directions, make_latent_directions])
def test_directions_find_planted_groups_of_documents_and_words(planted, make):
    counts, truth = planted
    documents, words = make(counts)
    # one draw of centres may miss a group; of ten, some find them all
    labels = [
        spherical_kmeans(make_kernels(), documents, 3, np.random.default_rng(seed)) for seed in range(10)
    ]
    assert all(labels[7] == -1 for labels in labels)
    exact = [len({(a, b) for a, b in zip(labels, truth, strict=True) if a >= 0}) == 3 for labels in labels]
    assert sum(exact) >= 3
    labels = [spherical_kmeans(make_kernels(), words, 3, np.random.default_rng(seed)) for seed in range(10)]
    assert sum(len(set(labels[:10])) == len(set(labels[10:20])) == 1 for labels in labels) >= 3


def test_seeds_decide_which_cluster_is_which(planted):
    counts, truth = planted
    documents, _ = make_latent_directions(counts)
    seeds = np.full(len(truth), -1, dtype=np.int32)
    seeds[[0, 30, 60]] = [2, 0, 1]
    labels = spherical_kmeans(make_kernels(), documents, 3, np.random.default_rng(0), seeds)
    assert [labels[k] for k in (1, 31, 61)] == [2, 0, 1]


def test_a_random_start_fills_every_cluster_and_leaves_empty_rows_out(planted):
    counts, _ = planted
    labels = draw_labels(counts, 4, np.random.default_rng(0))
    assert labels[7] == -1
    sizes = np.bincount(labels[labels >= 0])
    assert sizes.max() - sizes.min() <= 1


def test_columns_are_the_rows_of_the_matrix_turned_round(planted):
    counts, _ = planted
    dense = counts.toarray()
    dense[:, 4] = 0.0
    counts = sparse.csr_array(dense)
    columns, turned = Columns.of(tfidf(counts)), make_tfidf_directions(counts)[1]
    assert not columns.filled[4]
    assert columns.n_dimensions == turned.n_dimensions == 75
    np.testing.assert_array_equal(columns.filled, turned.filled)
    np.testing.assert_allclose(columns.direction(3), turned.direction(3))
    labels = np.where(turned.filled, np.arange(30) % 3, -1).astype(np.int32)
    centres = turned.means(labels, 4)
    np.testing.assert_allclose(columns.means(labels, 4), centres)
    np.testing.assert_allclose(
        columns.cosines(make_kernels(), centres), turned.cosines(make_kernels(), centres), atol=1e-15
    )
    labels = [
        spherical_kmeans(make_kernels(), each, 3, np.random.default_rng(0)) for each in (columns, turned)
    ]
    np.testing.assert_array_equal(*labels)
