import json
from typing import ClassVar

import numpy as np
import pytest

import colligate as cg
from colligate._storage.array_schema import ArraySpec
from colligate.methods.checkpoint import Checkpoint
from colligate.methods.fit import RunOptions
from colligate.methods.loop import Problem, Progress, Run, Settings, State, optimise
from colligate.network import Network
from colligate.progress import report


class Falling:
    """A method whose objective falls along a given list, one entry a sweep."""

    name: ClassVar[str] = "falling"
    state_schema: ClassVar = {"sweep": ArraySpec(())}

    def __init__(self, *objectives):
        self.objectives = objectives
        self.starts = []

    def start(self, problem, rng):
        self.starts.append(rng.integers(1000))
        return self._state(0)

    def sweep(self, problem, state):
        return self._state(int(state.numbers["sweep"]) + 1)

    def objective(self, problem, state):
        return self.objectives[min(int(state.numbers["sweep"]), len(self.objectives) - 1)]

    def finish(self, problem, state):
        return state

    @staticmethod
    def check_state(problem, numbers):
        pass

    def _state(self, sweep):
        return State({"documents": np.array([0, 1], dtype=np.int32)}, {"sweep": np.array(float(sweep))})


PROBLEM = Problem(Network.from_matrix(np.eye(2)), None, {"documents": 2})


def run(method, **settings):
    return optimise(
        method, PROBLEM, Settings(**{"seed": 0, "n_init": 1, "max_iter": 50, "tol": 1e-3, **settings})
    )


def test_it_stops_when_the_objective_hardly_falls_against_the_previous_one():
    outcome = run(Falling(1000.0, 10.0, 5.0, 4.9999, 0.0))
    assert outcome.best.history == (1000.0, 10.0, 5.0, 4.9999)
    assert outcome.best.converged


def test_it_stops_at_the_most_sweeps_and_says_so():
    outcome = run(Falling(*np.arange(100.0, 0.0, -1.0)), max_iter=7)
    assert len(outcome.best.history) == 8
    assert not outcome.best.converged


def test_restarts_draw_independent_seeds_from_one():
    method, again = Falling(2.0, 1.0), Falling(2.0, 1.0)
    run(method, n_init=5)
    run(again, n_init=5)
    assert len(set(method.starts)) > 1
    assert method.starts == again.starts


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_an_objective_that_is_no_number_fails_loudly(bad):
    with pytest.raises(cg.errors.NumericalError, match=f"objective of falling is {bad}"):
        run(Falling(3.0, bad))


def test_progress_is_told():
    events = []
    run(Falling(3.0, 2.0, 1.0), n_init=2, listener=events.append)
    assert events[0].note == "restart 1 of 2, iteration 1, objective 2"
    assert events[-1].done == 1
    assert events[-1].total == 2


class SlowStart(Falling):
    """A method whose start reports its steps."""

    def start(self, problem, rng):
        for step in range(3):
            report("starting", step, 3)
        return super().start(problem, rng)


def test_the_start_of_a_method_reports_its_steps():
    events = []
    run(SlowStart(2.0, 1.0), listener=events.append)
    steps = [(event.done, event.total) for event in events if event.stage == "starting"]
    assert steps == [(0, 3), (1, 3), (2, 3)]
    report("starting", 0)
    assert len(events) == 3 + len([event for event in events if event.stage == "clustering"])


def test_a_run_can_be_cancelled_in_its_start(tmp_path):
    path = tmp_path / "checkpoint.npz"
    asked = iter([False, True])
    method = SlowStart(2.0, 1.0)
    with pytest.raises(cg.errors.CancelledError, match="is in its checkpoint"):
        run(method, checkpoint=Checkpoint(path, "x"), cancelled=lambda: next(asked))
    assert method.starts == []
    assert run(SlowStart(2.0, 1.0), checkpoint=Checkpoint(path, "x")).best.history == (2.0, 1.0, 1.0)


def test_a_cancelled_run_goes_on_from_its_checkpoint(tmp_path):
    objectives = (9.0, 8.0, 7.0, 6.0, 5.0, 5.0)
    asked = iter([False, False, True])
    path = tmp_path / "checkpoint.npz"
    with pytest.raises(cg.errors.CancelledError, match="is in its checkpoint"):
        run(Falling(*objectives), checkpoint=Checkpoint(path, "x"), cancelled=lambda: next(asked))
    method = Falling(*objectives)
    outcome = run(method, checkpoint=Checkpoint(path, "x"))
    assert outcome.best.history == (9.0, 8.0, 7.0, 6.0, 5.0, 5.0)
    assert method.starts == []


def test_the_checkpoint_of_another_problem_is_refused(tmp_path):
    path = tmp_path / "checkpoint.npz"
    run(Falling(2.0, 1.0), checkpoint=Checkpoint(path, "mine"))
    with pytest.raises(cg.errors.StoreError, match="belongs to a run with other documents"):
        run(Falling(2.0, 1.0), checkpoint=Checkpoint(path, "yours"))


@pytest.mark.parametrize(
    "damage", [lambda raw: raw[: len(raw) // 2], lambda _: b"not a checkpoint", lambda _: b""]
)
def test_a_damaged_checkpoint_is_named(tmp_path, damage):
    path = tmp_path / "checkpoint.npz"
    run(Falling(2.0, 1.0), checkpoint=Checkpoint(path, "x"))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(cg.errors.StoreError, match=r"checkpoint\.npz is damaged"):
        run(Falling(2.0, 1.0), checkpoint=Checkpoint(path, "x"))


def test_a_checkpoint_holds_plain_arrays_and_is_written_no_more_often_than_asked(tmp_path):
    checkpoint = Checkpoint(tmp_path / "checkpoint.npz", "x", interval=1000.0)
    state = State({"documents": np.array([0, 1], dtype=np.int32)})
    checkpoint.save(Progress(0, current=Run(state, (3.0,))))
    checkpoint.save(Progress(0, current=Run(state, (3.0, 2.0))))
    assert checkpoint.load().current.history == (3.0,)
    checkpoint.save(Progress(0, current=Run(state, (3.0, 2.0))), force=True)
    assert checkpoint.load().current.history == (3.0, 2.0)
    with np.load(checkpoint.path, allow_pickle=False) as stored:
        assert json.loads(stored["meta"].tobytes())["fingerprint"] == "x"
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.npz"]


@pytest.mark.parametrize("stop_after", [0, 1, 3, 7])
def test_a_real_run_gives_the_same_after_any_interruption(tmp_path, stop_after):
    counts = np.random.default_rng(0).poisson(0.5, (200, 60))
    counts[:, 0] += 1
    knowledge = cg.Knowledge().label({0: "a", 1: "b", 2: "a"})
    parameters = {"n_clusters": 5, "n_init": 3, "random_state": 2}
    whole = cg.make("citcc", **parameters).fit(counts, knowledge=knowledge)
    calls = iter(range(1000))
    interrupted = RunOptions(
        checkpoint=tmp_path / "c.npz", checkpoint_interval=0.0, cancelled=lambda: next(calls) >= stop_after
    )
    with pytest.raises(cg.errors.CancelledError):
        cg.make("citcc", **parameters).fit(counts, knowledge=knowledge, options=interrupted)
    resumed = cg.make("citcc", **parameters, n_jobs=1).fit(
        counts, knowledge=knowledge, options=RunOptions(checkpoint=tmp_path / "c.npz")
    )
    np.testing.assert_array_equal(resumed.labels_, whole.labels_)
    assert resumed.history_ == whole.history_
    assert resumed.result_.restarts == whole.result_.restarts
