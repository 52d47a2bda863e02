import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans

import colligate as cg
from colligate.methods.ckmeans import make_metric_objective, total_strength
from colligate.methods.link_metric import step_metric
from colligate.methods.loop import State
from colligate.methods.spherical import tfidf
from colligate.result.metrics import evaluate

from .linked_documents import all_labels, listed, problem_of, random_counts, random_links, textbook
from .planted_documents import blocks


@pytest.mark.parametrize("form", ["hmrf", "pck"])
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_objective_is_that_of_the_definition(form, seed):
    rng = np.random.default_rng(seed)
    counts = random_counts(rng)
    method, problem = problem_of(counts, random_links(rng), form=form, link_weight=0.6, stiffness=0.2)
    labels = rng.integers(0, 2, len(counts)).astype(np.int32)
    metric = np.ones(counts.shape[1]) if form == "pck" else np.exp(rng.normal(0, 0.3, counts.shape[1]))
    objective = method.objective(problem, State({"documents": labels}, {"metric": metric}))
    guidance, settings_of = (
        problem.guidance["documents"],
        {"weight": 0.6, "stiffness": problem.rho, "alike": form == "pck"},
    )
    assert objective == pytest.approx(
        textbook(counts, problem.idf, guidance, labels, metric, **settings_of), abs=1e-9
    )


@pytest.mark.parametrize("form", ["hmrf", "pck"])
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_no_sweep_raises_the_objective(form, seed):
    rng = np.random.default_rng(seed)
    method, problem = problem_of(random_counts(rng), random_links(rng), form=form)
    state = method.start(problem, rng)
    before = method.objective(problem, state)
    for _ in range(4):
        state = method.sweep(problem, state)
        after = method.objective(problem, state)
        assert after <= before + 1e-10
        before = after


@pytest.mark.parametrize("form", ["hmrf", "pck"])
def test_the_best_of_many_restarts_is_the_best_there_is(form):
    """With a stiff metric the labels alone decide, and all of them can be tried."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        counts, knowledge = random_counts(rng, (8, 6)), random_links(rng, 8)
        method, problem = problem_of(counts, knowledge, form=form, stiffness=1e6, n_init=12)
        guidance = problem.guidance["documents"]
        every = (
            textbook(counts, problem.idf, guidance, labels, np.ones(6), alike=form == "pck")
            for labels in all_labels(8, 2)
        )
        objective = method.fit(counts, knowledge=knowledge).history_[-1]
        assert objective == pytest.approx(min(every), rel=1e-3)


@pytest.mark.parametrize("form", ["hmrf", "pck"])
def test_implied_links_do_what_the_same_links_do_when_they_are_listed(form):
    counts, truth = blocks(np.random.default_rng(0))
    labelled = np.random.default_rng(1).permutation(len(truth))[:8].tolist()
    pairs = [(i, j) for position, i in enumerate(labelled) for j in labelled[position + 1 :]]
    listed = cg.Knowledge().together(documents=[(i, j) for i, j in pairs if truth[i] == truth[j]])
    listed = listed.apart(documents=[(i, j) for i, j in pairs if truth[i] != truth[j]])
    implied = cg.Knowledge().label({i: str(truth[i]) for i in labelled})
    one, other = (
        cg.make("ckmeans", n_clusters=3, form=form, random_state=0).fit(counts, knowledge=knowledge)
        for knowledge in (listed, implied)
    )
    np.testing.assert_array_equal(one.labels_, other.labels_)
    np.testing.assert_allclose(one.history_, other.history_)


@pytest.mark.parametrize("form", ["hmrf", "pck"])
def test_links_move_documents_against_their_words(form):
    counts, truth = blocks(np.random.default_rng(2))
    moved = np.flatnonzero(truth == 0)[:2].tolist()
    home = np.flatnonzero(truth == 1)[:6].tolist()
    knowledge = cg.Knowledge().together(documents=[(i, j) for i in moved for j in home])
    model = cg.make("ckmeans", n_clusters=3, form=form, link_weight=3.0, random_state=0)
    bare, guided = model.fit(counts).labels_, model.fit(counts, knowledge=knowledge).labels_
    assert len(set(bare[moved]) & set(bare[home])) == 0
    assert set(guided[moved]) == set(guided[home])
    assert model.result_.audit().counts()["kept"] == len(knowledge)


def test_without_links_it_is_k_means_on_directions():
    counts, truth = blocks(np.random.default_rng(3))
    model = cg.make("ckmeans", n_clusters=3, random_state=0).fit(counts)
    peer = KMeans(3, n_init=10, random_state=0).fit(tfidf(model.result_.network.counts))
    assert evaluate(peer.labels_, model.labels_)["nmi"] == pytest.approx(1.0)
    assert model.result_.evaluate(truth)["nmi"] == pytest.approx(1.0)


def test_a_linked_document_without_words_goes_with_its_links():
    counts, truth = blocks(np.random.default_rng(4))
    counts[7] = 0
    partner = int(np.flatnonzero(truth == truth[9])[0])
    knowledge = cg.Knowledge().together(documents=[(7, 9), (7, partner)])
    model = cg.make("ckmeans", n_clusters=3, random_state=0)
    assert model.fit(counts).labels_[7] == -1
    assert model.fit(counts, knowledge=knowledge).labels_[7] == model.labels_[9]


def test_new_documents_are_seen_under_the_learned_metric():
    counts, truth = blocks(np.random.default_rng(5))
    knowledge = cg.Knowledge().label({i: str(truth[i]) for i in range(0, 60, 4)})
    model = cg.make("ckmeans", n_clusters=3, random_state=0, stiffness=0.1)
    bare, guided = (
        model.fit(counts).result_.model["idf"],
        model.fit(counts, knowledge=knowledge).result_.model["idf"],
    )
    assert np.ptp(guided / bare) > 0.01
    np.testing.assert_array_equal(model.predict(counts), model.labels_)


def sums_of(seed):
    rng = np.random.default_rng(seed)
    counts = random_counts(rng)
    _, problem = problem_of(counts, random_links(rng), link_weight=0.7, stiffness=0.3)
    labels = rng.integers(0, 2, len(counts)).astype(np.int32)
    metric = np.exp(rng.normal(0, 0.3, counts.shape[1]))
    return make_metric_objective(problem, problem.view(metric), labels), metric, (counts, problem, labels)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_slope_is_that_of_the_cost(seed):
    sums, metric, _ = sums_of(seed)
    slope, step = sums.slope(metric), 1e-5
    for w in range(len(metric)):
        nudge = np.exp(step * (np.arange(len(metric)) == w))
        expected = (sums.cost(metric * nudge) - sums.cost(metric / nudge)) / (2 * step)
        assert slope[w] == pytest.approx(expected, abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_cost_differs_from_the_objective_by_a_constant(seed):
    sums, metric, (counts, problem, labels) = sums_of(seed)
    guidance = problem.guidance["documents"]

    def objective(metric_at):
        return textbook(counts, problem.idf, guidance, labels, metric_at, weight=0.7, stiffness=problem.rho)

    other = np.exp(np.random.default_rng(seed + 1).normal(0, 0.3, len(metric)))
    expected = objective(metric) - objective(other)
    assert sums.cost(metric) - sums.cost(other) == pytest.approx(expected, abs=1e-10)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_step_lowers_the_cost_or_is_none(seed):
    sums, metric, _ = sums_of(seed)
    following = step_metric(sums, metric)
    assert following is metric or sums.cost(following) < sums.cost(metric)


def test_a_word_that_splits_a_link_loses_weight():
    """Words 0 and 1 tell the clusters apart against a link together; word 2 agrees with it."""
    counts = np.array([[4, 0, 2], [0, 4, 2], [4, 0, 0], [0, 4, 0]])
    _, problem = problem_of(counts, cg.Knowledge().together(documents=[(0, 1)]), link_weight=5.0)
    labels = np.array([0, 1, 0, 1], dtype=np.int32)
    metric = step_metric(make_metric_objective(problem, problem.view(np.ones(3)), labels), np.ones(3))
    assert metric[2] > 1 > metric[0] == pytest.approx(metric[1])


@pytest.mark.parametrize("seed", range(10))
def test_implied_links_count_as_if_they_were_listed(seed):
    rng = np.random.default_rng(seed)
    _, problem = problem_of(random_counts(rng), random_links(rng), link_weight=0.5, stiffness=3.0)
    guidance = problem.guidance["documents"]
    strength_sum = sum(strength for _, _, _, strength in listed(guidance))
    assert total_strength(guidance.with_groups(guidance.label_groups())) == pytest.approx(strength_sum)
    assert problem.rho == pytest.approx(3.0 * (1 + 0.5 * strength_sum / 9))
