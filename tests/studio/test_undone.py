"""Undoing after a run: merged groups are two again, the parts of a split one, and names stay."""

from __future__ import annotations

from itertools import pairwise

import pytest

from colligate.studio.group_names import display_names
from colligate.studio.project import Project
from tests.studio.helpers import Watched, copy_project
from tests.studio.test_session import home

pytestmark = pytest.mark.slow


@pytest.fixture
def watched(finished, tmp_path):
    made = Watched(Project(copy_project(finished, tmp_path)))
    yield made
    made.session.close()


def again(watched, **request):
    assert watched.run(**request)["status"] == "done"
    return watched.session.view()


def test_an_undone_merge_gives_the_group_back_with_its_number(watched):
    before = watched.session.view()
    space, hockey = home(before, "s0"), home(before, "h0")
    watched.session.record("merge", {"groups": [space, hockey]})
    assert again(watched).result.n_groups() == 3
    watched.session.undo()
    after = again(watched)
    assert after.result.n_groups() == 4
    assert (home(after, "s5"), home(after, "h5")) == (space, hockey)
    watched.session.redo()
    assert again(watched).result.n_groups() == 3


def test_an_undone_split_gives_one_group_again(watched):
    before = watched.session.view()
    cars = home(before, "c0")
    watched.session.record("split", {"group": cars, "into": 3})
    assert again(watched).result.n_groups() == 6
    assert again(watched).result.n_groups() == 6
    watched.session.undo()
    after = again(watched)
    assert after.result.n_groups() == 4
    assert {home(after, f"c{number}") for number in range(30)} == {cars}
    assert again(watched).result.n_groups() == 4


def test_what_was_undone_before_a_run_changes_nothing(watched):
    before = watched.session.view()
    watched.session.record("merge", {"groups": [home(before, "s0"), home(before, "h0")]})
    watched.session.undo()
    assert again(watched).result.n_groups() == 4


def test_a_method_that_begins_anew_has_as_many_groups(watched):
    watched.session.record("merge", {"groups": [0, 1]})
    assert again(watched, fresh=True).result.n_groups() == 3


def test_a_group_keeps_its_words_as_a_name_after_a_label(watched):
    before = watched.session.view()
    there = home(before, "h1")
    name = display_names(watched.session.project, before)[there].name
    entry = watched.session.record("label", {"document": "s1", "group": there})
    assert entry.body["names"][str(there)] == name
    names = [display_names(watched.session.project, again(watched)) for _ in range(3)]
    assert names[0][there].name == name
    assert all(one == other for one, other in pairwise(names))


def test_a_name_that_was_given_stays_above_all(watched):
    view = watched.session.view()
    there = home(view, "h1")
    watched.session.record("label", {"document": "s1", "group": there})
    watched.session.record("name", {"group": there, "name": "On the ice"})
    assert display_names(watched.session.project, again(watched))[there].name == "On the ice"
