import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import colligate as cg
from colligate.methods.fit import RunOptions
from colligate.methods.margin.risks import margins
from colligate.network import Network
from tests.methods.margin.cases import topics


def fitted(counts, **parameters):
    return cg.make("m2dcu-0", **{"n_clusters": 3, "random_state": 0, "n_init": 2, **parameters}).fit(counts)


@pytest.mark.parametrize("dimensions", [None, 10])
@pytest.mark.parametrize("init", ["auto", "random"])
def test_groups_with_words_of_their_own_are_found(dimensions, init):
    counts, truth = topics(0)
    assert (
        adjusted_rand_score(truth, fitted(counts, dimensions=dimensions, init=init, n_init=5).labels_) > 0.9
    )


def test_every_sweep_lowers_the_objective_and_the_gap_is_what_was_asked():
    counts, _ = topics(0, noise=3.0)
    model = fitted(counts, precision=1e-3, init="random")
    assert len(model.history_) > 3
    assert np.all(np.diff(model.history_) <= 0)
    assert 0.0 <= model.result_.model["gap"] <= 1e-3 * model.history_[0]


def test_the_objective_is_that_of_equation_10():
    counts, _ = topics(1)
    model = cg.make("m2dcu-0", n_clusters=3, random_state=0, n_init=1)
    problem = model.problem(Network.from_matrix(counts), {})
    state = model.sweep(problem, model.start(problem, np.random.default_rng(0)))
    weights, labels = state.numbers["weights"], state.labels["documents"]
    scores = problem.features.scores(weights)
    lead = scores[np.arange(len(labels)), labels][:, None] - scores
    slack = np.maximum(0.0, 1.0 - lead)[labels[:, None] != np.arange(3)]
    expected = 0.5 * np.sum(weights**2) + 64.0 / (3 * len(labels)) * slack.sum()
    assert model.objective(problem, state) == pytest.approx(expected)


def test_the_scale_lets_half_the_documents_reach_their_margin():
    counts, _ = topics(0, noise=2.0)
    assert 0.8 <= np.median(fitted(counts).result_.model["target_margins"]) <= 2.0


def test_the_model_scores_documents_as_the_features_did():
    counts, _ = topics(0)
    result = fitted(counts, dimensions=10, balance=0.3).result_
    np.testing.assert_allclose(
        margins(cg.registry.find_method("m2dcu-0").predict_scores(result.model, result.network.counts) / 4.0),
        result.model["target_margins"],
        atol=1e-4,
    )


def test_mean_scores_are_equal_unless_the_balance_is_loosened():
    counts, _ = topics(0, sizes=(80, 20, 20))
    spread = {}
    for balance in (0.0, 0.2):
        result = fitted(counts, balance=balance).result_
        scores = cg.registry.find_method("m2dcu-0").predict_scores(result.model, result.network.counts) / 4.0
        spread[balance] = np.ptp(scores.mean(axis=0))
    assert spread[0.0] < 1e-5
    assert 1e-3 < spread[0.2] <= 0.21


def test_one_group_takes_all():
    counts, _ = topics(0)
    assert set(fitted(counts, n_clusters=1).labels_) == {0}


def test_one_document_is_not_enough_for_two_groups():
    with pytest.raises(cg.errors.ParameterError, match="only one sample is not empty"):
        fitted(np.array([[1.0, 2.0]]), n_clusters=2)


def test_a_start_of_the_users_own():
    counts, truth = topics(0)
    model = fitted(counts, init=truth, n_init=1)
    assert adjusted_rand_score(truth, model.labels_) > 0.9


def test_a_run_goes_on_from_its_checkpoint(tmp_path):
    counts, _ = topics(0, noise=3.0)
    stops = iter([False, False, True])
    options = RunOptions(checkpoint=tmp_path / "run.npz", cancelled=lambda: next(stops, False))
    model = cg.make("m2dcu-0", n_clusters=3, random_state=0, n_init=2, init="random")
    with pytest.raises(cg.errors.CancelledError):
        model.fit(counts, options=options)
    resumed = model.fit(counts, options=options)
    whole = fitted(counts, init="random")
    assert resumed.history_ == whole.history_
    np.testing.assert_array_equal(resumed.labels_, whole.labels_)
