from __future__ import annotations

import numpy as np

import colligate as cg
from experiments import control, control_page
from experiments.__main__ import main
from experiments.runner.store import StoredRuns


def test_the_page_shows_what_is_stored():
    text = control_page.PAGE.read_text(encoding="utf-8")
    assert text == control_page.insert_tables(text), "run `python -m experiments.control_page`"


def test_the_commands_of_the_page_print_means_beside_goals(capsys):
    """Before, no command of the page printed a table, and the mean that the goal is for was not shown."""
    assert "`python -m experiments show control`" in control_page.PAGE.read_text(encoding="utf-8")
    assert main(["show", "control"]) == 0
    printed = capsys.readouterr().out
    for goal in ("≥ 0.950", "≤ 0.005"):
        rows = [line.split("│") for line in printed.splitlines() if goal in line]
        assert [row[1].strip() for row in rows] == [*control.ACTS, "mean"]
        assert all(0 <= float(row[-3]) <= 1 for row in rows)


def test_a_run_with_nothing_to_do_says_so_and_which_command_prints_the_tables(capsys, monkeypatch):
    monkeypatch.setattr("experiments.runner.commands.missing_files", lambda experiment, data: [])
    assert main(["run", "control", "--only", "no such cell"]) == 0
    printed = capsys.readouterr().out
    assert "nothing to compute; --again computes stored runs again" in printed
    assert "python -m experiments show control" in printed


def test_a_goal_is_missed_where_the_mean_is_below_it(tmp_path):
    kept = StoredRuns.of(control.EXPERIMENT, tmp_path)
    assert control.list_missed_goals(kept) == []


def test_figures_of_an_act_tell_followers_from_unrelated_documents():
    counts = np.kron(np.eye(2, dtype=int), np.ones((4, 5), dtype=int))
    result = cg.make("colligate", n_clusters=2, random_state=0).fit(counts).result_
    classes = np.repeat(["a", "b"], 4)
    user = control.User(result, classes, np.random.default_rng(0))
    groups = user.groups.copy()
    after = result.rename({0: "first"})
    user.groups = np.where(np.arange(8) < 3, 1 - groups, groups)
    followers = np.arange(8) == 0
    figures = control.measure(user, after, 0.5, np.arange(8) == 1, followers, "a")
    assert figures == {"control": 0.5, "unrelated": 1 / 8, "moved": 3, "right": 1.0}
