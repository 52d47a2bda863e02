"""The example of the word-space paper (Figure 1), and categories in general."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

import colligate as cg
from colligate.methods.fit import RunOptions

from .planted_documents import blocks

# Clustering, Classification, Illumination, Texture, Webpage, Hyperlink
TITLES = np.array(
    [
        [1, 0, 0, 0, 0, 1],
        [0, 1, 0, 0, 1, 0],
        [1, 0, 0, 1, 0, 0],
        [0, 1, 1, 0, 0, 0],
    ]
)
F0 = np.repeat(np.eye(3), 2, axis=0) / np.sqrt(2)


def categories():
    return (
        cg.Knowledge()
        .category("Learning", words=[0, 1])
        .category("Graphics", words=[2, 3])
        .category("Web", words=[4, 5])
    )


def test_the_similarities_with_and_without_categories_are_the_printed_ones():
    """The matrices beside equations 6 and 7."""
    without = [[2, 0, 1, 0], [0, 2, 0, 1], [1, 0, 2, 0], [0, 1, 0, 2]]
    with_them = [[1, 1, 0.5, 0.5], [1, 1, 0.5, 0.5], [0.5, 0.5, 1, 1], [0.5, 0.5, 1, 1]]
    np.testing.assert_array_equal(TITLES @ TITLES.T, without)
    np.testing.assert_allclose(TITLES @ F0 @ F0.T @ TITLES.T, with_them)
    np.testing.assert_allclose(F0.T @ F0, np.eye(3))


def test_with_the_categories_certain_the_best_groups_maximise_the_trace():
    """Theorem 1: ‖X − F0·S·Gᵀ‖² at the best S is ‖X‖² − tr Gᵀ·Xᵀ·F0·F0ᵀ·X·G."""
    rng = np.random.default_rng(0)
    G, _ = np.linalg.qr(rng.normal(size=(4, 2)))
    S = G.T @ TITLES @ F0
    unexplained = np.square(TITLES - G @ S @ F0.T).sum()
    assert unexplained == pytest.approx(
        np.square(TITLES).sum() - np.trace(G.T @ TITLES @ F0 @ F0.T @ TITLES.T @ G)
    )


@pytest.mark.parametrize("seed", range(5))
def test_k_means_and_random_starts_split_the_titles_wrongly(seed):
    by_means = KMeans(2, n_init=10, random_state=seed).fit_predict(TITLES)
    assert by_means[0] == by_means[2] != by_means[1] == by_means[3]
    model = cg.make(
        "tnmf",
        n_clusters=2,
        n_word_clusters=3,
        weighting="counts",
        init="random",
        word_init="random",
        random_state=seed,
    )
    labels = model.fit(TITLES).labels_
    assert not labels[0] == labels[1] != labels[2] == labels[3]


@pytest.mark.parametrize("seed", range(3))
def test_categories_split_the_titles_as_printed(seed):
    model = cg.make(
        "cp", n_clusters=2, weighting="counts", random_state=seed, tol=1e-9, max_iter=2000, n_init=1
    )
    labels = model.fit(TITLES, knowledge=categories()).labels_
    assert labels[0] == labels[1] != labels[2] == labels[3]
    assert model.word_labels_.tolist() == [0, 0, 1, 1, 2, 2]
    S = model.result_.model["association"].T
    vision, web = int(labels[2]), int(labels[0])
    np.testing.assert_allclose(S[:, [vision, web]], [[1, 1], [1, 0], [0, 1]], atol=0.05)


def test_the_categories_are_kept_where_the_words_alone_say_otherwise():
    counts, _ = blocks(np.random.default_rng(0))
    words = cg.Knowledge().category("odd", words=[0, 12, 24]).category("even", words=[1, 13])
    model = cg.make("cp", n_clusters=3, n_word_clusters=4, category_weight=5.0, random_state=0)
    result = model.fit(counts, knowledge=words).result_
    assert result.audit().counts()["kept"] == 5


def test_words_in_no_category_are_free():
    counts, truth = blocks(np.random.default_rng(1))
    words = cg.Knowledge().category("first", words=[0, 1]).category("second", words=[12, 13])
    model = cg.make("cp", n_clusters=3, random_state=0).fit(counts, knowledge=words)
    assert model.result_.evaluate(truth)["nmi"] == pytest.approx(1.0)
    assert model.word_labels_[:12].tolist() == [0] * 12
    assert model.word_labels_[12:24].tolist() == [1] * 12
    assert set(model.word_labels_[24:36]) == {2}


def test_more_categories_than_groups_and_overlapping_ones():
    counts, truth = blocks(np.random.default_rng(2))
    knowledge = cg.Knowledge()
    for number in range(6):
        knowledge = knowledge.category(f"c{number}", words=list(range(6 * number, 6 * number + 7)))
    model = cg.make("cp", n_clusters=3, random_state=0).fit(counts, knowledge=knowledge)
    assert model.result_.evaluate(truth)["nmi"] == pytest.approx(1.0)
    assert model.result_.n_groups("words") == 6


@pytest.mark.parametrize("name", ["cp", "cp-links"])
def test_more_categories_than_word_groups_there_would_be_without_them(name):
    counts, _ = blocks(np.random.default_rng(4))
    knowledge = cg.Knowledge()
    for number in range(18):
        knowledge = knowledge.category(f"c{number}", words=[2 * number, 2 * number + 1])
    result = cg.make(name, n_clusters=3, random_state=0).fit(counts, knowledge=knowledge).result_
    assert result.n_groups("words") == result.memberships["words"].shape[1] == 18
    assert set(result.labels["words"]) == set(range(18))


@pytest.mark.parametrize("name", ["cp", "cp-links"])
def test_a_run_is_compared_with_one_that_has_other_word_groups(name, tmp_path):
    """Without categories there are 16 groups of words, with them as many as categories."""
    counts, _ = blocks(np.random.default_rng(5))
    knowledge = cg.Knowledge().category("first", words=[0, 1]).category("second", words=[12, 13])
    model = cg.make(name, n_clusters=3, random_state=0)
    result = model.fit(counts, knowledge=knowledge, options=RunOptions(compare=True)).result_
    assert result.before["words"].max() >= result.n_groups("words") == 3
    result.save(tmp_path / "stored")
    np.testing.assert_array_equal(cg.Result.load(tmp_path / "stored").before["words"], result.before["words"])


def test_fewer_word_groups_than_categories_are_refused():
    with pytest.raises(
        cg.errors.ParameterError,
        match=r"n_word_clusters is 2, but there are 3 categories, and CP needs",
    ):
        cg.make("cp", n_clusters=2, n_word_clusters=2).fit(TITLES, knowledge=categories())


def test_a_category_of_words_that_no_document_has():
    counts, truth = blocks(np.random.default_rng(3))
    counts[:, [0, 1]] = 0
    knowledge = cg.Knowledge().category("unused", words=[0, 1]).category("used", words=[13, 14])
    model = cg.make("cp", n_clusters=3, random_state=0).fit(counts, knowledge=knowledge)
    assert model.word_labels_[:2].tolist() == [-1, -1]
    assert model.result_.evaluate(truth)["nmi"] > 0.9
