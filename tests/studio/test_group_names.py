"""The names of groups: what the page shows, what the knowledge file has, and what a name means."""

from __future__ import annotations

import pytest

from colligate.studio.group_names import DisplayName, GroupNames
from colligate.studio.knowledge import ActionLog

WORDS = {0: "orbit, nasa", 1: "puck, goalie", 2: "oven, flour"}


@pytest.fixture
def make_names():
    def make(named=(), merged=(), claims=()):
        return GroupNames(ActionLog(named=dict(named), merged=dict(merged)), WORDS, dict(claims))

    return make


def test_a_group_shows_its_words_until_it_has_a_name(make_names):
    assert make_names().display(1) == DisplayName("puck, goalie", "puck, goalie")
    assert make_names(claims={"ice": 1}).display(1) == DisplayName("ice: puck, goalie", "ice")
    assert make_names(named={1: "Hockey"}, claims={"ice": 1}).display(1) == DisplayName("Hockey", "Hockey")
    assert make_names().display(7).name == "group 7"


def test_a_name_means_the_group_that_has_it_now(make_names):
    names = make_names(named={1: "Hockey"}, claims={"ice": 1, "kitchen": 2})
    assert names.find("Hockey") == names.find("ice") == 1
    assert names.find("kitchen") == names.find("kitchen: oven, flour") == 2
    assert names.find("orbit, nasa") == 0
    assert names.find("puck, goalie") is None
    assert names.find("nowhere") is None


def test_the_file_has_one_name_for_each_group(make_names):
    names = make_names(named={1: "orbit, nasa"}, claims={"kitchen": 2})
    assert [names.label(group) for group in (0, 1, 2, 7)] == [
        "orbit, nasa",
        "orbit, nasa (1)",
        "kitchen",
        "group 7",
    ]
    assert names.label("kitchen") == "kitchen"
    assert names.label("of nobody") == "of nobody"
    assert names.labels == {"orbit, nasa": 0, "orbit, nasa (1)": 1, "kitchen": 2}


def test_a_renamed_group_is_meant_by_its_name_in_the_users_file_too(make_names):
    names = make_names(named={1: "Hockey"}, claims={"ice": 1})
    assert names.label("ice") == "Hockey"
    assert names.labels["ice"] == names.labels["Hockey"] == 1


def test_a_group_that_no_run_has_had_is_bound_if_a_statement_is_about_it():
    names = GroupNames(ActionLog(labels={"a": (7, "")}, categories={"puck": (9, "")}), WORDS, {})
    assert (names.labels["group 7"], names.labels["group 9"]) == (7, 9)


def test_a_merged_group_is_the_one_it_was_merged_into(make_names):
    names = make_names(named={1: "Hockey"}, merged={1: 0, 0: 2}, claims={"ice": 1})
    assert names.resolve(1) == names.resolve(0) == names.resolve(2) == 2
    assert names.label(1) == names.label("ice") == "oven, flour"
    assert names.find("ice") == 2
    assert names.display(2).name == "oven, flour"
    assert names.labels == {"ice": 2, "oven, flour": 2}


def test_the_name_of_a_merged_group_is_free(make_names):
    names = make_names(named={1: "Hockey"}, merged={1: 0})
    assert names.find("Hockey") is None


def test_groups_that_are_merged_in_a_circle_end(make_names):
    """Undo and redo can leave such a log."""
    assert make_names(merged={0: 1, 1: 0}).resolve(0) in (0, 1)


def test_a_recorded_statement_shows_the_present_names_of_its_groups(make_names):
    """Before, sentences of the journal had names that no group had any more."""
    names = make_names(named={1: "Hockey"}, merged={2: 0})
    body = {"group": 1, "names": {"1": "puck, goalie", "2": "oven, flour", "9": "gone"}}
    assert names.update(body)["names"] == {"1": "Hockey", "2": "orbit, nasa", "9": "gone"}
    merge = {"groups": [0, 2], "names": {"0": "sky", "2": "food"}}
    assert names.update(merge)["names"] == {"0": "orbit, nasa", "2": "food"}
    assert names.update({"items": ["a", "b"]}) == {"items": ["a", "b"]}
