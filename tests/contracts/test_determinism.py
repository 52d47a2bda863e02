import sys

import numpy as np
import pytest

import colligate as cg
from colligate.kernels import kernels


def fitted(method, counts, **parameters):
    return cg.make(method, **{"n_clusters": 3, "random_state": 7, "n_init": 2, **parameters}).fit(counts)


@pytest.mark.parametrize("n_jobs", [2, 3, None])
def test_the_same_labels_on_any_number_of_threads(method, counts, n_jobs):
    one, many = fitted(method, counts, n_jobs=1), fitted(method, counts, n_jobs=n_jobs)
    for kind, labels in one.result_.labels.items():
        np.testing.assert_array_equal(labels, many.result_.labels[kind])
    assert one.history_ == many.history_


def test_a_refit_equals_a_fresh_fit(method, small, counts):
    model = cg.make(method, n_clusters=3, random_state=7, n_init=2).fit(counts[90:200])
    model.fit(small)
    fresh = fitted(method, small)
    np.testing.assert_array_equal(model.labels_, fresh.labels_)
    assert model.history_ == fresh.history_


def test_the_input_is_left_as_it_was(method, small):
    before = small.copy()
    fitted(method, small)
    np.testing.assert_array_equal(small, before)


def test_the_same_after_save_and_load(method, small, counts, tmp_path):
    model = fitted(method, small)
    model.result_.save(tmp_path / "run")
    loaded = cg.Result.load(tmp_path / "run")
    np.testing.assert_array_equal(loaded.labels["documents"], model.labels_)
    new = counts[200:300]
    np.testing.assert_array_equal(loaded.predict(new), model.predict(new))
    np.testing.assert_array_equal(loaded.predict_memberships(new), model.result_.predict_memberships(new))


def test_the_objective_never_rises(method, small):
    history = np.array(fitted(method, small).history_)
    assert np.all(np.diff(history) <= 1e-9 * np.abs(history[:-1]) + 1e-12)


def test_the_lowest_objective_of_the_restarts_wins(method, small):
    result = fitted(method, small, n_init=4).result_
    assert len(result.restarts) == 4
    assert result.history[-1] == min(result.restarts) == result.restarts[result.chosen]


def test_memberships_are_shares(method, small):
    result = fitted(method, small).result_
    for kind, memberships in result.memberships.items():
        sums = memberships.sum(axis=1)
        np.testing.assert_allclose(sums[result.labels[kind] >= 0], 1.0, atol=1e-5)


def test_the_reference_back_end_gives_the_same_labels(method, small, monkeypatch):
    expected = fitted(method, small)
    for module in [module for name, module in sys.modules.items() if name.startswith("colligate.methods.")]:
        if getattr(module, "kernels", None) is kernels:
            monkeypatch.setattr(module, "kernels", lambda *_: kernels("reference"))
    np.testing.assert_array_equal(fitted(method, small).labels_, expected.labels_)
