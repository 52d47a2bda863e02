"""EM runs side by side: the same fit, events and errors as one after the other."""

import threading

import numpy as np
import pytest

import colligate as cg
from colligate.errors import CancelledError
from colligate.methods.fit import RunOptions
from colligate.methods.mixture import ensemble, problem

from ..planted_documents import planted

KNOWLEDGE = {
    "none": None,
    "labels": {"label": {number: f"g{number % 4}" for number in range(48)}},
    "links": {"together": [[number, number + 4] for number in range(0, 40, 2)]},
    "seed words": {
        "category": {f"g{group}": [30 * group, 30 * group + 1, 30 * group + 2] for group in range(2)}
    },
}


def make_knowledge(name):
    knowledge, statements = cg.Knowledge(), KNOWLEDGE[name] or {}
    if "label" in statements:
        knowledge.label(statements["label"])
    if "together" in statements:
        knowledge.together(documents=statements["together"])
    for category, words in statements.get("category", {}).items():
        knowledge.category(category, words=words)
    return knowledge


def fit(n_jobs, knowledge="none", **options):
    counts, _ = planted(strong=0.12, seed=1)
    method = cg.make("colligate", n_clusters=4, random_state=0, n_jobs=n_jobs, device="cpu")
    return method.fit(counts, knowledge=make_knowledge(knowledge), options=RunOptions(**options))


@pytest.mark.parametrize("knowledge", KNOWLEDGE)
def test_fits_are_equal_to_the_bit(knowledge):
    alone = fit(1, knowledge).result_
    for n_jobs in (2, 5):
        beside = fit(n_jobs, knowledge).result_
        assert beside.history == alone.history
        np.testing.assert_array_equal(beside.memberships["documents"], alone.memberships["documents"])
        for name, array in alone.model.items():
            np.testing.assert_array_equal(beside.model[name], array)


def test_events_are_the_same_and_come_from_the_thread_of_the_caller():
    events = {}
    for n_jobs in (1, 4):
        heard, threads = [], set()

        def listen(event, heard=heard, threads=threads):
            heard.append(event)
            threads.add(threading.current_thread())

        fit(n_jobs, listener=listen)
        assert threads == {threading.current_thread()}
        events[n_jobs] = heard
    assert events[1] == events[4]


@pytest.mark.parametrize("stop_after", [1, 3, 6])
def test_stopping_ends_all_runs(stop_after):
    starting = []

    def listen(event):
        if event.stage == "starting":
            starting.append(event)

    with pytest.raises(CancelledError):
        fit(4, listener=listen, cancelled=lambda: len(starting) >= stop_after)
    assert len(starting) == stop_after
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("colligate-task")]


def test_an_interrupt_while_runs_go_on_ends_them():
    def listen(event):
        if event.stage == "starting" and event.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit(3, listener=listen)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("colligate-task")]


def test_large_runs_follow_each_other(monkeypatch):
    counts, _ = planted()
    method = cg.make("colligate", n_clusters=4, random_state=0, n_jobs=8, device="cpu")
    prepared = method.problem(cg.Network.from_matrix(counts), {})
    assert prepared.max_running > 8
    monkeypatch.setattr(problem, "MAX_RUN_BYTES", 1)
    assert prepared.max_running == 1
    one_by_one = method.fit(counts).labels_
    monkeypatch.undo()
    np.testing.assert_array_equal(method.fit(counts).labels_, one_by_one)


def test_many_responsibilities_are_kept_in_single_precision(monkeypatch):
    exact = fit(2, "labels")
    monkeypatch.setattr(ensemble, "MAX_DOUBLE", 1)
    kept = fit(2, "labels")
    np.testing.assert_array_equal(kept.labels_, exact.labels_)
    memberships = (model.result_.memberships["documents"] for model in (kept, exact))
    np.testing.assert_allclose(*memberships, atol=1e-4)
