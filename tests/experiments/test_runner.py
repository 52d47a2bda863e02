import json
from dataclasses import replace

import numpy as np
import pytest

from experiments.__main__ import main
from experiments.bundled import CELLS, EXPERIMENT
from experiments.runner.experiment import NAMES, Cell, Entry, Measurement, TableSpec, Task, load_experiment
from experiments.runner.run import Job, RunRequest, list_jobs, missing_files, run_jobs, run_once
from experiments.runner.store import RESULTS, StoredRuns
from experiments.runner.tables import describe_runs, format_markdown, list_missed_gains, paired_gains

KMEANS = CELLS["kmeans"].key


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """The quick part of the bundled experiment, two runs at a time."""
    folder = tmp_path_factory.mktemp("results")
    wanted, kept = RunRequest(folder, folder, quick=True, jobs=2), StoredRuns.of(EXPERIMENT, folder)
    arguments = []
    failed = run_jobs(
        list_jobs(EXPERIMENT, kept, wanted),
        {"bundled": kept},
        wanted,
        lambda one, what: arguments.append(one),
    )
    assert failed == 0
    assert len(arguments) == 2 * len(CELLS)
    return folder


def mean(folder, method, figure="nmi"):
    return np.mean(list(StoredRuns.of(EXPERIMENT, folder).values(CELLS[method].key, figure).values()))


@pytest.mark.slow
def test_the_order_of_the_methods(quick):
    assert mean(quick, "citcc") > mean(quick, "itcc")
    assert mean(quick, "ckmeans") > mean(quick, "kmeans")


@pytest.mark.slow
def test_runs_in_several_processes_are_those_of_one(quick):
    for seed in (0, 1):
        alone = run_once(CELLS["kmeans"], quick, seed)
        assert alone["nmi"] == StoredRuns.of(EXPERIMENT, quick).values(KMEANS, "nmi")[seed]


@pytest.mark.slow
def test_a_run_says_what_it_took_and_what_made_it(quick):
    for runs in json.loads((quick / "bundled.json").read_text(encoding="utf-8"))["cells"].values():
        assert [run["seed"] for run in runs] == [0, 1]
        assert all({"seconds", "peak_mib", "commit", "jobs", "ari"} <= set(run) for run in runs)


@pytest.mark.slow
def test_only_what_is_missing_is_computed(quick):
    kept = StoredRuns.of(EXPERIMENT, quick)
    assert list_jobs(EXPERIMENT, kept, RunRequest(quick, quick, quick=True)) == []
    more = list_jobs(EXPERIMENT, kept, RunRequest(quick, quick, only=("kmeans | 0",)))
    assert more == [Job("bundled", KMEANS, 2)]
    again = list_jobs(EXPERIMENT, kept, RunRequest(quick, quick, quick=True, again=True))
    assert len(again) == 2 * len(CELLS)


@pytest.mark.slow
def test_only_cells_that_the_present_code_changes_are_computed_anew(quick, tmp_path, monkeypatch, capsys):
    text = (quick / "bundled.json").read_text(encoding="utf-8")
    stored = json.loads(text)
    for run in stored["cells"][KMEANS]:
        run["nmi"] -= 0.1
    (tmp_path / "bundled.json").write_text(json.dumps(stored), encoding="utf-8")
    monkeypatch.setattr("experiments.__main__.RESULTS", tmp_path)
    main(["run", "bundled", "--changed", "--only", KMEANS, CELLS["citcc"].key])
    assert "1 of 2 cells have other figures" in capsys.readouterr().out
    for key in (KMEANS, CELLS["citcc"].key):
        values = StoredRuns("bundled", tmp_path).values(key, "nmi")
        assert values == pytest.approx(StoredRuns.of(EXPERIMENT, quick).values(key, "nmi"))


def test_a_cell_may_have_a_number_of_runs_of_its_own(tmp_path):
    few = replace(CELLS["kmeans"], seeds=1)
    experiment = replace(EXPERIMENT, cells=(few, CELLS["citcc"]))
    due = list_jobs(experiment, StoredRuns.of(experiment, tmp_path), RunRequest(tmp_path, tmp_path))
    assert [one.seed for one in due if one.key == KMEANS] == [0]
    assert [one.seed for one in due if one.key != KMEANS] == [0, 1, 2]


def test_seeds_may_finish_in_any_order(tmp_path):
    kept = StoredRuns("any", tmp_path)
    kept.add("cell", {"seed": 2, "nmi": 0.5, "commit": "a"})
    assert kept.missing("cell", 3) == [0, 1]
    kept.add("cell", {"seed": 0, "nmi": 0.3, "commit": "b"})
    assert StoredRuns("any", tmp_path).values("cell", "nmi") == {0: 0.3, 2: 0.5}
    assert StoredRuns("any", tmp_path).missing("cell", 3) == [1]


def test_runs_of_older_files_have_their_place_for_a_seed(tmp_path):
    (tmp_path / "old.json").write_text(json.dumps({"cells": {"cell": [{"nmi": 0.1}, {"nmi": 0.2}]}}))
    kept = StoredRuns("old", tmp_path)
    assert kept.missing("cell", 3) == [2]
    assert kept.values("cell", "nmi") == {0: 0.1, 1: 0.2}


def test_one_failure_loses_no_other_run(tmp_path, monkeypatch):
    bad = Cell("bad", "no such method", CELLS["kmeans"].setting)
    broken = replace(EXPERIMENT, cells=(bad, CELLS["kmeans"]))
    monkeypatch.setattr("experiments.runner.run.load_experiment", lambda name: broken)
    kept, reports = StoredRuns.of(broken, tmp_path), []
    due = [Job("bundled", cell.key, 0) for cell in broken.cells]
    failed = run_jobs(
        due, {"bundled": kept}, RunRequest(tmp_path, tmp_path), lambda one, what: reports.append(what)
    )
    assert failed == 1
    assert "there is no method 'no such method'" in reports[0]
    assert list(kept.cells) == [KMEANS]


def test_a_missing_corpus_is_told_by_name(tmp_path, capsys):
    assert missing_files(load_experiment("foundation"), tmp_path) == ["20newsgroups.jsonl.gz"]
    assert main(["run", "foundation", "--data", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "20newsgroups.jsonl.gz" in printed
    assert "--data" in printed


def test_an_unknown_experiment_is_refused_with_the_nearest():
    with pytest.raises(SystemExit, match="Did you mean foundation"):
        main(["show", "fundation"])


@pytest.mark.parametrize("name", NAMES)
def test_every_table_shows_cells_that_are_declared_and_stored(name):
    experiment = load_experiment(name)
    assert len({cell.key for cell in experiment.cells}) == len(experiment.cells)
    kept = StoredRuns.of(experiment, RESULTS)
    for shown in experiment.tables:
        for row in shown.rows.values():
            assert {entry.key for entry in row.values()} <= {cell.key for cell in experiment.cells}
        assert format_markdown(shown, experiment, kept).count("\n") == len(shown.rows) + 1 + bool(shown.goal)


FEWER_SEEDS = {
    "evaluation.knowledge",
}
"""Experiments that are not complete so far; their tables show how many seeds there are."""


@pytest.mark.parametrize("name", NAMES)
def test_every_run_that_is_declared_is_stored_and_no_other(name):
    experiment = load_experiment(name)
    kept = StoredRuns.of(experiment, RESULTS)
    for cell in experiment.cells:
        n_runs = experiment.n_runs(cell)
        missing = kept.missing(cell.key, n_runs)
        if name in FEWER_SEEDS:
            # those that are there are the first, without a gap
            assert missing == list(range(n_runs - len(missing), n_runs)), cell.key
        else:
            assert missing == [], cell.key
    declared = {cell.key for cell in experiment.cells if experiment.n_runs(cell)}
    assert set(kept.cells) <= declared if name in FEWER_SEEDS else set(kept.cells) == declared


def test_no_experiment_is_called_incomplete_that_is_complete():
    incomplete = set()
    for name in FEWER_SEEDS:
        experiment = load_experiment(name)
        kept = StoredRuns.of(experiment, RESULTS)
        if any(kept.missing(cell.key, experiment.n_runs(cell)) for cell in experiment.cells):
            incomplete.add(name)
    assert incomplete == FEWER_SEEDS


class Half:
    """The bundled posts, of which only the first half is judged."""

    def task(self, data, seed):
        whole = CELLS["kmeans"].setting.task(data, seed)
        first = np.arange(len(whole.labels)) < len(whole.labels) // 2
        return Task(whole.data, whole.labels, None, whole.parameters, {"first": first}, judged=first)


def test_only_documents_that_are_judged_count(tmp_path):
    run = run_once(Cell("half", "kmeans", Half()), tmp_path, 0)
    assert run["nmi"] == run["first_nmi"]
    assert run["nmi"] != run_once(CELLS["kmeans"], tmp_path, 0)["nmi"]


def test_a_cell_need_not_be_a_fit(tmp_path):
    cell = Measurement("counted", lambda data, seed: {"links": 1_200 + seed}, {"links": 1_000})
    run = run_once(cell, tmp_path, 3)
    assert (run["links"], run["seed"]) == (1_203, 3)
    assert {"seconds", "processor_seconds"} <= set(run)
    experiment = replace(EXPERIMENT, cells=(cell,))
    kept = StoredRuns.of(experiment, tmp_path)
    kept.add("counted", {**run, "commit": "c"})
    shown = TableSpec("Links", "source", {"names": {"links": Entry("counted", "links")}})
    assert "| names | 1,203 [1,000] |" in format_markdown(shown, experiment, kept)


def test_a_figure_may_be_words(tmp_path):
    cell = Measurement("named", lambda data, seed: {"words": "orbit nasa"}, {"words": "moon"})
    experiment = replace(EXPERIMENT, cells=(cell,))
    shown = TableSpec("Words", "group", {"space": {"words": Entry("named", "words")}})
    kept = StoredRuns.of(experiment, tmp_path)
    assert "| space | – [moon] |" in format_markdown(shown, experiment, kept)
    kept.add("named", {**run_once(cell, tmp_path, 0), "commit": "c"})
    assert "| space | orbit nasa [moon] |" in format_markdown(shown, experiment, kept)


def test_one_run_has_no_deviation(tmp_path):
    kept = StoredRuns.of(EXPERIMENT, tmp_path)
    shown = TableSpec("NMI", "method", {"kmeans": {"NMI": Entry(KMEANS)}})
    kept.add(KMEANS, {"seed": 0, "nmi": 0.5, "commit": "c"})
    assert "| kmeans | 0.500 |" in format_markdown(shown, EXPERIMENT, kept)
    kept.add(KMEANS, {"seed": 1, "nmi": 0.7, "commit": "c"})
    assert "| kmeans | 0.600±0.100 |" in format_markdown(shown, EXPERIMENT, kept)


def test_means_stand_beside_their_goal(tmp_path):
    kept, citcc = StoredRuns.of(EXPERIMENT, tmp_path), CELLS["citcc"].key
    rows = {"first": {"a": Entry(KMEANS), "b": Entry(citcc)}, "second": {"a": Entry(citcc)}}
    shown = TableSpec("NMI", "act", rows, goal="≥ 0.950")
    assert "| mean | – | – | – | ≥ 0.950 |" in format_markdown(shown, EXPERIMENT, kept)
    for key, nmi in ((KMEANS, 0.5), (KMEANS, 0.7), (citcc, 0.9)):
        kept.add(key, {"seed": len(kept.cells.get(key, [])), "nmi": nmi, "commit": "c"})
    lines = format_markdown(shown, EXPERIMENT, kept).splitlines()
    assert lines[0] == "| act | a | b | mean | goal |"
    assert lines[2:] == [
        "| first | 0.600±0.100 | 0.900 | 0.750 | ≥ 0.950 |",
        "| second | 0.900 | – | 0.900 | ≥ 0.950 |",
        "| mean | 0.750 | 0.900 | 0.800 | ≥ 0.950 |",
    ]


def test_a_table_may_tell_how_often_one_cell_is_above_another(tmp_path):
    kept, citcc = StoredRuns.of(EXPERIMENT, tmp_path), CELLS["citcc"].key
    row = {"helped": Entry(citcc, over=KMEANS), "hurt": Entry(citcc, over=KMEANS, sign=-1)}
    shown = TableSpec("How often", "method", {"citcc": row})
    assert "| citcc | – | – |" in format_markdown(shown, EXPERIMENT, kept)
    for seed, (ours, theirs) in enumerate([(0.5, 0.4), (0.5, 0.6), (0.5, 0.5), (0.5, 0.1)]):
        kept.add(citcc, {"seed": seed, "nmi": ours, "commit": "c"})
        kept.add(KMEANS, {"seed": seed, "nmi": theirs, "commit": "c"})
    assert "| citcc | 50% | 25% |" in format_markdown(shown, EXPERIMENT, kept)


def test_cells_that_are_not_computed_have_no_seeds(tmp_path):
    kept, citcc = StoredRuns.of(EXPERIMENT, tmp_path), CELLS["citcc"].key
    kept.add(KMEANS, {"seed": 0, "nmi": 0.5, "commit": "c"})
    shown = TableSpec("NMI", "method", {"kmeans": {"NMI": Entry(KMEANS)}, "citcc": {"NMI": Entry(citcc)}})
    assert describe_runs(shown, EXPERIMENT, kept) == "seeds: 1; computed at c"


def test_goals_compare_seed_by_seed(tmp_path):
    kept = StoredRuns("any", tmp_path)
    for key, values in (("a", [0.5, 0.6, 0.9]), ("b", [0.6, 0.4]), ("c", [0.7, 0.8])):
        for seed, value in enumerate(values):
            kept.add(key, {"seed": seed, "nmi": value, "commit": "c"})
    assert paired_gains(kept.values("a", "nmi"), kept.values("b", "nmi")) == pytest.approx([-0.1, 0.2])
    missed = list_missed_gains(kept, "a", {"b": "b", "c": "c", "d": "none"}, "nmi")
    assert len(missed) == 2
    assert "above c: -0.200 ± 0.000, above at 0 of 2 seeds" in missed[0]
    assert "above d: not computed" in missed[1]
