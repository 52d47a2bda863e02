import sys
from functools import cache

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import colligate as cg
from colligate.kernels import make_kernels

TRI_FACTORISATIONS = ("tnmf", "cp", "cp-links", "strinmf", "cstrinmf", "ssnmf", "nmf-triplet")
ANY_NETWORK = ("colligate", "hinc", "chinc", "src", *TRI_FACTORISATIONS)


def fitted(method, counts, **parameters):
    return cg.make(method, **{"n_clusters": 3, "random_state": 7, "n_init": 2, **parameters}).fit(counts)


@pytest.fixture(scope="module")
def fitted_once(counts):
    """Fit a method once for all tests that only look at the outcome."""

    @cache
    def fit(method, n_documents=90, **parameters):
        return fitted(method, counts[:n_documents], **parameters)

    return fit


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [2, 3, None])
def test_the_same_labels_on_any_number_of_threads(method, counts, fitted_once, n_jobs):
    one, many = fitted_once(method, len(counts), n_jobs=1), fitted(method, counts, n_jobs=n_jobs)
    for kind, labels in one.result_.labels.items():
        np.testing.assert_array_equal(labels, many.result_.labels[kind])
    assert one.history_ == many.history_


def test_a_refit_equals_a_fresh_fit(method, small, counts, fitted_once):
    model = cg.make(method, n_clusters=3, random_state=7, n_init=2).fit(counts[90:200])
    model.fit(small)
    fresh = fitted_once(method)
    np.testing.assert_array_equal(model.labels_, fresh.labels_)
    assert model.history_ == fresh.history_


def test_the_input_is_left_as_it_was(method, small):
    before = small.copy()
    fitted(method, small)
    np.testing.assert_array_equal(small, before)


def test_the_same_after_save_and_load(method, counts, fitted_once, tmp_path):
    model = fitted_once(method)
    model.result_.save(tmp_path / "run")
    loaded = cg.Result.load(tmp_path / "run")
    np.testing.assert_array_equal(loaded.labels["documents"], model.labels_)
    new = counts[200:300]
    np.testing.assert_array_equal(loaded.predict(new), model.predict(new))
    np.testing.assert_array_equal(loaded.predict_memberships(new), model.result_.predict_memberships(new))


def test_the_objective_never_rises(method, fitted_once):
    history = np.array(fitted_once(method).history_)
    assert np.all(np.diff(history) <= 1e-9 * np.abs(history[:-1]) + 1e-12)


def test_the_lowest_objective_of_the_restarts_wins(method, small):
    result = fitted(method, small, n_init=4).result_
    assert len(result.restarts) == 4
    assert result.history[-1] == min(result.restarts) == result.restarts[result.chosen]


def test_memberships_are_shares(method, fitted_once):
    result = fitted_once(method).result_
    for kind, memberships in result.memberships.items():
        sums = memberships.sum(axis=1)
        np.testing.assert_allclose(sums[result.labels[kind] >= 0], 1.0, atol=1e-5)


@pytest.mark.slow
def test_the_reference_back_end_gives_the_same_groups(method, small, fitted_once, monkeypatch):
    expected, used = fitted_once(method), []

    def reference_kernels(*_):
        used.append(method)
        return make_kernels("reference")

    for module in [module for name, module in sys.modules.items() if name.startswith("colligate.methods.")]:
        if getattr(module, "make_kernels", None) is make_kernels:
            monkeypatch.setattr(module, "make_kernels", reference_kernels)
    labels = fitted(method, small).labels_
    # numbers may differ: where all runs agree, rounding decides which group the consensus finds first
    assert adjusted_rand_score(expected.labels_, labels) == 1.0
    assert used


def test_a_fit_on_a_corpus_forgets_the_columns_of_a_matrix(method, small):
    model = cg.make(method, n_clusters=2, random_state=0, n_init=1).fit(small)
    corpus = cg.Corpus.from_texts(["red apple pie", "apple tart red", "fast blue car", "blue car engine"])
    model.fit(corpus)
    assert model.n_features_in_ == len(corpus.words)
    assert model.predict(corpus.counts).shape == (4,)


def test_a_network_of_two_other_types_is_a_matrix_under_other_names(method, small):
    types = {name: cg.ObjectType(name, range(90)) for name in ("people", "places")}
    model = cg.make(method, n_clusters=3, random_state=0, n_init=1)
    alike = model.fit(small).labels_
    for relation in (cg.Relation("people", "places", small), cg.Relation("places", "people", small.T)):
        assert np.array_equal(alike, model.fit(cg.Network(types, [relation])).labels_)


def test_a_network_of_more_relations_is_clustered_or_refused_by_name(method, small):
    types = {name: cg.ObjectType(name, range(90)) for name in ("documents", "words", "people")}
    relations = [cg.Relation("documents", other, small) for other in ("words", "people")]
    model = cg.make(method, n_clusters=3, random_state=0, n_init=1)
    if method in ANY_NETWORK:
        assert set(model.fit(cg.Network(types, relations)).result_.labels) == set(types)
        return
    with pytest.raises(cg.errors.InputError, match=f"{method} accepts one relation between two types"):
        model.fit(cg.Network(types, relations))


@pytest.mark.slow
def test_every_cluster_has_a_member_on_small_random_data(method):
    for seed in range(10):
        counts = np.random.default_rng(seed).poisson(0.8, (12, 4)) + np.eye(12, 4, dtype=int)
        counts[:, 0] += 1
        distinct = len({tuple(row / row.sum()) for row in counts})
        model = cg.make(method, n_clusters=4, random_state=0, n_init=1, max_iter=200).fit(counts)
        assert len(set(model.labels_)) == min(4, distinct)


def test_a_document_of_words_that_no_document_had_is_in_no_group(method, small):
    counts = small.copy()
    counts[:, 5] = 0
    model = cg.make(method, n_clusters=3, random_state=0, n_init=1).fit(counts)
    new = np.zeros((2, counts.shape[1]))
    new[0, 5] = 3
    new[1, [5, 7]] = [9, 1]
    predicted = model.predict(new)
    assert predicted[0] == -1
    new[1, 5] = 0
    assert predicted[1] == model.predict(new)[1] >= 0


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_numbers_beyond_all_measure_are_refused(method, small, scale):
    with pytest.raises(cg.errors.MatrixError, match=r"Numbers (above|below) 1e-?100 in data"):
        cg.make(method, n_clusters=3).fit(small * scale)
