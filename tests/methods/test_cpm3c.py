import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import colligate as cg
from colligate.methods.fit import RunOptions
from tests.methods.margin.cases import topics


def fitted(counts, **parameters):
    return cg.make("cpm3c", **{"n_clusters": 3, "random_state": 0, "n_init": 2, **parameters}).fit(counts)


def test_groups_with_words_of_their_own_are_found():
    counts, truth = topics(0)
    assert adjusted_rand_score(truth, fitted(counts).labels_) > 0.9


def test_the_objective_of_the_best_weights_falls_with_every_sweep():
    counts, _ = topics(0, noise=3.0)
    history = fitted(counts, init="random").history_
    assert len(history) > 3
    assert np.all(np.diff(history) <= 0)


def test_where_groups_stand_still_it_finds_what_the_convex_problem_has():
    counts, truth = topics(0)
    best = cg.make("m2dcu-0", n_clusters=3, random_state=0, n_init=1, init=truth, precision=1e-4).fit(counts)
    cuts = fitted(counts, init=truth, n_init=1, precision=1e-4)
    np.testing.assert_array_equal(cuts.labels_, best.labels_)
    assert cuts.history_[-1] == pytest.approx(best.history_[-1], rel=0.01)


def test_the_balance_bounds_the_mean_scores():
    counts, _ = topics(0, sizes=(80, 20, 20))
    result = fitted(counts, balance=0.2).result_
    scores = cg.registry.find_method("cpm3c").predict_scores(result.model, result.network.counts) / 4.0
    assert 1e-3 < np.ptp(scores.mean(axis=0)) <= 0.21


def test_a_run_goes_on_from_its_checkpoint(tmp_path):
    counts, _ = topics(0, noise=3.0)
    stops = iter([False, False, True])
    options = RunOptions(checkpoint=tmp_path / "run.npz", cancelled=lambda: next(stops, False))
    model = cg.make("cpm3c", n_clusters=3, random_state=0, n_init=2, init="random")
    with pytest.raises(cg.errors.CancelledError):
        model.fit(counts, options=options)
    assert model.fit(counts, options=options).history_ == fitted(counts, init="random").history_
