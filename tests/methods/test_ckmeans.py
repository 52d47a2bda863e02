import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans

import colligate as cg
from colligate.methods.loop import State
from colligate.methods.spherical import tfidf
from colligate.result.metrics import evaluate

from .constrained.cases import all_labels, problem_of, random_counts, random_links, textbook
from .test_itcc import blocks


@pytest.mark.parametrize("form", ["hmrf", "pck"])
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_objective_is_that_of_the_definition(form, seed):
    rng = np.random.default_rng(seed)
    counts = random_counts(rng)
    method, problem = problem_of(counts, random_links(rng), form=form, link_weight=0.6, stiffness=0.2)
    labels = rng.integers(0, 2, len(counts)).astype(np.int32)
    metric = np.ones(counts.shape[1]) if form == "pck" else np.exp(rng.normal(0, 0.3, counts.shape[1]))
    found = method.objective(problem, State({"documents": labels}, {"metric": metric}))
    own, given = (
        problem.guidance["documents"],
        {"weight": 0.6, "stiffness": problem.rho, "alike": form == "pck"},
    )
    assert found == pytest.approx(textbook(counts, problem.idf, own, labels, metric, **given), abs=1e-9)


@pytest.mark.parametrize("form", ["hmrf", "pck"])
@settings(max_examples=30, deadline=None)
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
    for seed in range(5):
        rng = np.random.default_rng(seed)
        counts, said = random_counts(rng, (8, 6)), random_links(rng, 8)
        method, problem = problem_of(counts, said, form=form, stiffness=1e6, n_init=30)
        own = problem.guidance["documents"]
        every = (
            textbook(counts, problem.idf, own, labels, np.ones(6), alike=form == "pck")
            for labels in all_labels(8, 2)
        )
        found = method.fit(counts, knowledge=said).history_[-1]
        assert found == pytest.approx(min(every), rel=1e-3)


@pytest.mark.parametrize("form", ["hmrf", "pck"])
def test_implied_links_do_what_the_same_links_do_when_they_are_listed(form):
    counts, truth = blocks(np.random.default_rng(0))
    told = np.random.default_rng(1).permutation(len(truth))[:8].tolist()
    pairs = [(i, j) for at, i in enumerate(told) for j in told[at + 1 :]]
    listed = cg.Knowledge().together(documents=[(i, j) for i, j in pairs if truth[i] == truth[j]])
    listed = listed.apart(documents=[(i, j) for i, j in pairs if truth[i] != truth[j]])
    implied = cg.Knowledge().label({i: str(truth[i]) for i in told})
    one, other = (
        cg.make("ckmeans", n_clusters=3, form=form, random_state=0).fit(counts, knowledge=said)
        for said in (listed, implied)
    )
    np.testing.assert_array_equal(one.labels_, other.labels_)
    np.testing.assert_allclose(one.history_, other.history_)


@pytest.mark.parametrize("form", ["hmrf", "pck"])
def test_links_move_documents_against_their_words(form):
    counts, truth = blocks(np.random.default_rng(2))
    moved = np.flatnonzero(truth == 0)[:2].tolist()
    home = np.flatnonzero(truth == 1)[:6].tolist()
    said = cg.Knowledge().together(documents=[(i, j) for i in moved for j in home])
    model = cg.make("ckmeans", n_clusters=3, form=form, link_weight=3.0, random_state=0)
    bare, guided = model.fit(counts).labels_, model.fit(counts, knowledge=said).labels_
    assert len(set(bare[moved]) & set(bare[home])) == 0
    assert set(guided[moved]) == set(guided[home])
    assert model.result_.audit().counts()["kept"] == len(said)


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
    said = cg.Knowledge().together(documents=[(7, 9), (7, partner)])
    model = cg.make("ckmeans", n_clusters=3, random_state=0)
    assert model.fit(counts).labels_[7] == -1
    assert model.fit(counts, knowledge=said).labels_[7] == model.labels_[9]


def test_new_documents_are_seen_under_the_learned_metric():
    counts, truth = blocks(np.random.default_rng(5))
    said = cg.Knowledge().label({i: str(truth[i]) for i in range(0, 60, 4)})
    model = cg.make("ckmeans", n_clusters=3, random_state=0, stiffness=0.1)
    bare, guided = (
        model.fit(counts).result_.model["idf"],
        model.fit(counts, knowledge=said).result_.model["idf"],
    )
    assert np.ptp(guided / bare) > 0.01
    np.testing.assert_array_equal(model.predict(counts), model.labels_)
