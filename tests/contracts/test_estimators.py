import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import adjusted_rand_score, make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import colligate as cg

# scikit-learn standardises the data of this check, which makes half of it negative, whatever the tag
# `positive_only` says; counts cannot be negative, and every method refuses them by name
EXPECTED_FAILURES = {"check_clustering": "hands negative numbers to an estimator tagged positive_only"}
# what is checked does not depend on the number of restarts, sweeps and members; the time it takes does
BRIEF = {"n_init": 1, "max_iter": 10, "n_ensemble": 2}


@pytest.mark.slow
def test_scikit_learns_own_checks(method):
    with warnings.catch_warnings():
        # the checks hand labels and few sweeps to every estimator; what that brings is tested elsewhere
        warnings.simplefilter("ignore")
        model = cg.make(method)
        outcomes = check_estimator(
            model.set_params(**{name: value for name, value in BRIEF.items() if name in model.get_params()}),
            expected_failed_checks=EXPECTED_FAILURES,
            on_fail=None,
            on_skip=None,
        )
    failed = [f"{o['check_name']}: {o['exception']!r}" for o in outcomes if o["status"] == "failed"]
    assert not failed, "\n".join(failed)
    assert sum(o["status"] == "passed" for o in outcomes) > 30


def test_a_clone_fits_alike(method, small):
    model = cg.make(method, n_clusters=3, random_state=4, n_init=2)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    np.testing.assert_array_equal(copy.fit(small).labels_, model.fit(small).labels_)


def test_at_the_end_of_a_pipeline(method):
    texts = ["red apple pie", "apple tart red", "fast blue car", "blue car engine", "apple pie", "car engine"]
    pipeline = make_pipeline(CountVectorizer(), cg.make(method, n_clusters=2, random_state=0))
    labels = pipeline.fit(texts).predict(texts)
    assert set(labels) == {0, 1}
    assert labels[0] == labels[1] != labels[2]


def test_in_the_middle_of_a_pipeline(method, small):
    """`transform` gives the memberships of new documents, by which the next step may work."""
    model = cg.make(method, n_clusters=3, random_state=0, n_init=1)
    memberships = model.fit_transform(small)
    assert memberships.shape == (90, 3)
    np.testing.assert_array_equal(memberships, model.result_.predict_memberships(small))
    np.testing.assert_array_equal(memberships.argmax(axis=1), model.predict(small))
    assert [name[-1] for name in model.get_feature_names_out()] == ["0", "1", "2"]


@pytest.mark.slow
def test_in_a_grid_search(method, small):
    truth = np.arange(len(small)) % 3
    search = GridSearchCV(
        cg.make(method, random_state=0, n_init=1),
        {"n_clusters": [2, 3]},
        scoring=make_scorer(adjusted_rand_score),
        cv=2,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cg.errors.KnowledgeWarning)
        search.fit(small, truth)
    assert search.best_params_ == {"n_clusters": 3}
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("value", [0, -3, 2.5, "two"])
def test_the_number_of_clusters_is_checked_by_name(method, small, value):
    cls = type(cg.make(method)).__name__
    with pytest.raises(
        cg.errors.ParameterError,
        match=f"n_clusters must be a whole number of at least 1 or 'auto' in {cls}; got {value!r}",
    ):
        cg.make(method, n_clusters=value).fit(small)


def test_more_clusters_than_documents(method, small):
    with pytest.raises(
        cg.errors.ParameterError, match="91 groups of documents, because only 90 documents are not empty"
    ):
        cg.make(method, n_clusters=91).fit(small)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.nan, "NaN in data: row 2, column 1"),
        (np.inf, "Infinity .* in data: row 2, column 1"),
        (-1.0, r"Negative values in data: row 2, column 1 of documents × words \(1 such entries in all\)"),
    ],
)
def test_entries_that_are_no_counts_are_refused_with_their_place(method, small, bad, message):
    spoilt = small.astype(float)
    spoilt[2, 1] = bad
    with pytest.raises(cg.errors.MatrixError, match=message):
        cg.make(method, n_clusters=2).fit(spoilt)
