from __future__ import annotations

import numpy as np

import colligate as cg
from experiments import control, control_page
from experiments.runner.store import StoredRuns


def test_the_page_shows_what_is_stored():
    text = control_page.PAGE.read_text(encoding="utf-8")
    assert text == control_page.insert_tables(text), "run `python -m experiments.control_page`"


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
