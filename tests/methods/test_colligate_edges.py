"""`colligate` on few, short, long, duplicate, uneven, bilingual and weighted documents."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import normalized_mutual_info_score as nmi
from sklearn.preprocessing import normalize

import colligate as cg
from colligate.errors import ParameterError


def texts(truth, length, topical=0.2, words=30, common=200, seed=0):
    """Counts of documents of `length` words: a share `topical` of words of their group, the rest common.

    Common words are as unequal as in a language: the n-th is n times as rare as the first.
    """
    rng = np.random.default_rng(seed)
    n_groups = truth.max() + 1
    rarity = 1 / np.arange(1, common + 1)
    rows = np.repeat(np.arange(len(truth)), length)
    special = truth[rows] * words + rng.integers(words, size=len(rows))
    usual = n_groups * words + rng.choice(common, size=len(rows), p=rarity / rarity.sum())
    columns = np.where(rng.random(len(rows)) < topical, special, usual)
    shape = (len(truth), n_groups * words + common)
    return sparse.csr_array(sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=shape))


def turns(n, n_groups):
    return np.arange(n) % n_groups


def fitted(counts, n_clusters, y=None, knowledge=None, **parameters):
    model = cg.make("colligate", n_clusters=n_clusters, **{"random_state": 0, **parameters})
    return model.fit(counts, y, knowledge=knowledge)


def labels(counts, n_clusters, y=None, **parameters):
    return fitted(counts, n_clusters, y, **parameters).labels_


@pytest.mark.parametrize("n_groups", [2, 4])
def test_twenty_documents(n_groups):
    truth = turns(20, n_groups)
    assert nmi(truth, labels(texts(truth, 80, topical=0.4), n_groups)) > 0.9


def test_two_clusters():
    truth = turns(400, 2)
    assert nmi(truth, labels(texts(truth, 60), 2)) > 0.9


def test_two_hundred_clusters():
    truth = turns(2000, 200)
    groups = labels(texts(truth, 60, words=15), 200, n_ensemble=2)
    assert nmi(truth, groups) > 0.9
    assert len(np.unique(groups)) == 200


def test_titles_of_six_words():
    truth = turns(600, 5)
    assert nmi(truth, labels(texts(truth, 6, topical=0.6), 5)) > 0.9


def test_documents_of_fifty_pages_with_few_topical_words():
    truth = turns(60, 3)
    assert nmi(truth, labels(texts(truth, 25_000, topical=0.01, words=200, common=3000), 3)) > 0.9


def test_some_books_among_titles_do_not_make_a_group():
    truth = turns(220, 4)
    counts = sparse.vstack([texts(truth[:200], 6, topical=0.6), texts(truth[200:], 5000, topical=0.3)])
    groups = labels(sparse.csr_array(counts), 4)
    assert nmi(truth, groups) > 0.9
    assert len(np.unique(groups[200:])) == 4


def test_one_group_of_95_percent_is_not_cut():
    truth = (np.arange(1000) >= 950).astype(int)
    assert nmi(truth, labels(texts(truth, 60, topical=0.15), 2)) > 0.9


def test_near_duplicates_end_together_and_make_no_groups():
    truth = turns(200, 4)
    once = texts(truth, 60)
    rng = np.random.default_rng(1)
    copies = sparse.lil_array(sparse.vstack([once] * 5))
    for row, columns in enumerate(copies.rows):
        copies[row, rng.choice(columns)] -= 1
        copies[row, rng.integers(once.shape[1])] += 1
    copies = sparse.csr_array(copies)
    copies.eliminate_zeros()
    groups = labels(copies, 4).reshape(5, 200)
    assert (groups == groups[0]).all(axis=0).mean() > 0.98
    assert nmi(truth, groups[0]) > 0.9


def two_languages():
    """Documents on four things in two languages that share no word, the thing and the language of each."""
    truth = turns(400, 4)
    language = np.arange(400) // 4 % 2
    counts = texts(truth, 60, topical=0.4)
    sides = [sparse.diags_array((language == side).astype(float)) @ counts for side in (0, 1)]
    return sparse.csr_array(sparse.hstack(sides)), truth, language


@pytest.mark.parametrize("n_clusters", [4, 8])
def test_groups_do_not_mix_languages_that_share_no_word(n_clusters):
    counts, truth, language = two_languages()
    groups = labels(counts, n_clusters)
    assert all(len(np.unique(language[groups == group])) == 1 for group in range(n_clusters))
    if n_clusters == 8:
        assert nmi(2 * truth + language, groups) > 0.9


@pytest.mark.parametrize("n_labels", [1, 2, 3])
def test_labels_in_both_languages_join_them(n_labels):
    counts, truth, _ = two_languages()
    y = np.where(np.arange(len(truth)) < 8 * n_labels, truth, -1)
    for seed in range(4):
        assert nmi(truth[y < 0], labels(counts, 4, y, random_state=seed)[y < 0]) > 0.9


def with_empty(n=10):
    truth = turns(100, 3)
    counts = texts(truth, 50)
    return sparse.csr_array(sparse.vstack([counts, sparse.csr_array((n, counts.shape[1]))])), truth


def test_documents_without_words_are_in_no_group_and_change_nothing():
    counts, truth = with_empty()
    model = fitted(counts, 3)
    assert (model.labels_[100:] == -1).all()
    assert nmi(truth, model.labels_[:100]) > 0.9
    assert (model.predict(counts[100:]) == -1).all()
    np.testing.assert_array_equal(model.labels_[:100], labels(counts[:100], 3))


def test_a_document_without_words_is_where_its_label_or_its_link_puts_it():
    counts, truth = with_empty()
    y = np.append(truth[:6], np.full(104, -1))
    y[100] = 2
    assert labels(counts, 3, y)[100] == 2
    groups = labels(counts, 3, knowledge=cg.Knowledge().together(documents=[(0, 100)]))
    assert groups[100] == groups[0]


def test_links_among_documents_without_words_put_them_in_no_group():
    counts, _ = with_empty()
    groups = labels(counts, 3, knowledge=cg.Knowledge().together(documents=[(100, 101)]))
    assert (groups[100:102] == -1).all()


def test_one_cluster_and_as_many_as_documents():
    counts = texts(turns(40, 4), 80)
    assert (labels(counts, 1) == 0).all()
    assert sorted(labels(counts, 40)) == list(range(40))
    with pytest.raises(ParameterError, match="41 groups"):
        labels(counts, 41)


def weights(kind, counts):
    made = {
        "tf-idf": lambda: TfidfTransformer().fit_transform(counts),
        "binary": lambda: (counts > 0).astype(float),
        "thousands": lambda: counts * 1000.0,
        "shares": lambda: normalize(counts, "l1"),
    }
    return sparse.csr_array(made[kind]())


@pytest.mark.parametrize("kind", ["tf-idf", "binary", "thousands", "shares"])
def test_weights_in_place_of_counts(kind):
    truth = turns(300, 5)
    counts = texts(truth, 60, topical=0.15)
    assert nmi(truth, labels(weights(kind, counts), 5)) > 0.9


def test_documents_of_one_word_each():
    truth = turns(60, 3)
    assert nmi(truth, labels(np.eye(3)[truth], 3)) == pytest.approx(1.0)


def test_one_word_in_all():
    counts = np.arange(1.0, 11.0)[:, None]
    assert (labels(counts, 1) == 0).all()
    result = fitted(counts, 2).result_
    assert set(result.labels["documents"]) <= {0, 1}
    np.testing.assert_allclose(result.memberships["documents"].sum(axis=1), 1.0)


@pytest.mark.parametrize("first", [3, 10])
def test_outsiders_are_in_no_group_however_many_they_are(first):
    counts = texts(turns(20, 4), 80, topical=0.4)
    groups = labels(counts, 3, knowledge=cg.Knowledge().outside(list(range(first, 20))))
    assert (groups[first:] == -1).all()


def test_embeddings_join_what_words_do_not():
    counts, truth, _ = two_languages()
    embeddings = np.eye(4)[truth]
    assert nmi(truth, labels(counts, 4, embeddings=embeddings)) > 0.9
    np.testing.assert_array_equal(embeddings, np.eye(4)[truth])


@pytest.mark.parametrize("same", [0.0, 1.0])
def test_constant_embeddings_do_no_harm(same):
    truth = turns(40, 4)
    groups = labels(texts(truth, 80, topical=0.4), 4, embeddings=np.full((40, 3), same))
    assert nmi(truth, groups) > 0.9


def test_embeddings_of_noise_change_nothing():
    truth = turns(120, 4)
    counts = texts(truth, 80, topical=0.4)
    embeddings = np.random.default_rng(0).normal(size=(120, 32))
    np.testing.assert_array_equal(labels(counts, 4, embeddings=embeddings), labels(counts, 4))


@pytest.mark.parametrize("embeddings", [np.ones((39, 3)), np.ones(40), np.full((40, 3), np.nan)])
def test_embeddings_of_a_wrong_shape_or_not_finite_are_refused(embeddings):
    with pytest.raises(ParameterError, match="embeddings must be"):
        labels(texts(turns(40, 4), 80), 4, embeddings=embeddings)


@pytest.mark.parametrize("embeddings", [[["a"]] * 40, sparse.csr_array(np.ones((40, 3)))])
def test_embeddings_that_are_no_array_of_numbers_are_refused(embeddings):
    with pytest.raises(ParameterError, match="embeddings must be"):
        labels(texts(turns(40, 4), 80), 4, embeddings=embeddings)


def test_right_labels_do_no_harm():
    truth = turns(400, 5)
    counts = texts(truth, 40, topical=0.12)
    y = np.where(np.arange(400) < 60, truth, -1)
    without, groups = labels(counts, 5), labels(counts, 5, y)
    assert nmi(truth[60:], groups[60:]) > nmi(truth[60:], without[60:]) - 0.01


@pytest.mark.parametrize("parameters", [{"smoothing": 1e308}, {"concentration": 1e308}])
def test_huge_parameters_are_refused(parameters):
    (name,) = parameters
    with pytest.raises(ParameterError, match=f"{name} must be a number of at least .* and at most 1000"):
        fitted(texts(turns(40, 2), 10), 2, **parameters)


def test_words_in_a_wrong_category_are_less_reliable():
    truth = turns(400, 5)
    known = cg.Knowledge()
    for group in range(5):
        right, wrong = 30 * group + np.arange(10), 30 * ((group + 1) % 5) + np.arange(15, 20)
        known = known.category(str(group), words=[*right.tolist(), *wrong.tolist()])
    model = fitted(texts(truth, 40, topical=0.12), 5, knowledge=known)
    trust = model.result_.model["trust"].reshape(5, 15)
    assert trust[:, 10:].mean() < 0.6 < 0.9 < trust[:, :10].mean()
