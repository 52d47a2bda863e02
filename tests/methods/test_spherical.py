import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer

import colligate as cg
from colligate.kernels import make_kernels
from colligate.methods.spherical import (
    Columns,
    draw_kmeans,
    draw_labels,
    make_latent_directions,
    make_start_directions,
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


@pytest.fixture(scope="module")
def many():
    """Documents enough for a sample, of four groups with words of their own; one is empty."""
    rng = np.random.default_rng(1)
    n, n_words, length = 9000, 800, 12
    truth = rng.integers(0, 4, n)
    special = rng.random((n, length)) < 0.6
    words = np.where(special, truth[:, None] * 200, 0) + rng.integers(0, np.where(special, 200, n_words))
    counts = sparse.csr_array(
        (np.ones(n * length), (np.repeat(np.arange(n), length), words.ravel())), shape=(n, n_words)
    ).tolil()
    counts[7] = 0
    return sparse.csr_array(counts.tocsr()), truth


def test_directions_and_centres_of_a_sample_find_planted_groups(many):
    counts, truth = many
    documents, words = make_start_directions(counts)
    assert documents.unit.shape[1] == words.unit.shape[1] == 40
    assert not documents.filled[7]
    assert words.filled.all()
    for objects, groups in ((documents, truth), (words, np.arange(800) // 200)):
        runs = [
            spherical_kmeans(make_kernels(), objects, 4, np.random.default_rng(seed), sampled=True)
            for seed in range(3)
        ]
        purity = [max_share(labels[objects.filled], groups[objects.filled]) for labels in runs]
        assert max(purity) > 0.95


def max_share(labels, groups):
    """Return the share of the objects that are in the largest group of their cluster."""
    table = np.zeros((labels.max() + 1, groups.max() + 1))
    np.add.at(table, (labels, groups), 1)
    return table.max(axis=1).sum() / len(labels)


def test_a_sample_starts_many_documents_without_knowledge_alone(many):
    counts, truth = many
    network, method = cg.Network.from_matrix(counts), cg.make("citcc", n_clusters=4)
    known = cg.Knowledge().label({i: str(truth[i]) for i in range(0, 90, 10)}).compile(network.names).guidance
    assert method.problem(network, {}).starts_from_sample
    assert not method.problem(network, known).starts_from_sample
    few = cg.Network.from_matrix(sparse.csr_array(counts[:1000]))
    assert not method.problem(few, {}).starts_from_sample


def test_the_start_does_not_depend_on_the_threads(many):
    network = cg.Network.from_matrix(many[0])
    starts = []
    for n_jobs in (1, 3):
        method = cg.make("itcc", n_clusters=4, n_jobs=n_jobs)
        starts.append(method.start(method.problem(network, {}), np.random.default_rng(0)))
    for kind, labels in starts[0].labels.items():
        np.testing.assert_array_equal(labels, starts[1].labels[kind])


def test_labels_do_not_depend_on_when_a_drawn_run_is_made(planted):
    counts, _ = planted
    documents, _ = make_latent_directions(counts)
    kernels, first, second = make_kernels(), np.random.default_rng(3), np.random.default_rng(3)
    expected = [spherical_kmeans(kernels, documents, 6, first) for _ in range(3)]
    tasks = [draw_kmeans(kernels, documents, 6, second) for _ in range(3)]
    assert not np.array_equal(expected[0], expected[1])
    for labels, task in reversed(list(zip(expected, tasks, strict=True))):
        np.testing.assert_array_equal(task(), labels)


def test_the_number_of_threads_does_not_change_directions():
    counts = sparse.random_array((6000, 1500), density=0.01, rng=np.random.default_rng(0), format="csr")
    one, many = (make_latent_directions(counts, None, make_kernels("fast", n)) for n in (1, 5))
    for first, second in zip(one, many, strict=True):
        np.testing.assert_array_equal(first.unit, second.unit)
