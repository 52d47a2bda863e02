"""How changes end: kept, broken or nothing to do, and which documents moved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import colligate as cg
from colligate.methods.change_outcomes import judge_changes
from colligate.methods.change_plan import ChangePlan
from colligate.result.update_summary import Flow, list_flows
from tests.methods.test_revision import draw_texts


@pytest.fixture(scope="module")
def result():
    """Twenty documents of each of four topics, numbered from 0 in their order; the groups are the topics."""
    corpus = cg.Corpus.from_texts(draw_texts())
    fitted = cg.make("colligate", n_clusters=4, random_state=0).fit(corpus).result_
    order = [int(fitted.labels["documents"][20 * k]) for k in range(4)]
    assert sorted(order) == [0, 1, 2, 3]
    return replace(fitted, group_numbers=tuple(order.index(group) for group in range(4)))


SPACE, HOCKEY, FOOD, CARS = range(4)


def ids(result, *rows):
    return [str(result.network.types["documents"].names[row]) for row in rows]


def judge(result, knowledge, after=None):
    plan = ChangePlan(result, knowledge)
    return [(o.verdict, o.reason) for o in judge_changes(plan.carried_out, after or plan.fit())]


def test_changes_are_kept(result):
    knowledge = (
        cg.Knowledge()
        .change("rename", SPACE, name="Sky")
        .change("merge", "Sky", HOCKEY)
        .change("split", FOOD)
        .change("move", "Motors", documents=ids(result, 60, 61))
        .change("seed", SPACE, word="orbit")
    )
    assert judge(result, knowledge) == [("kept", "")] * 5


def test_a_change_that_is_so_already_has_nothing_to_do(result):
    named = result.rename({SPACE: "Sky"})
    knowledge = cg.Knowledge().change("rename", SPACE, name="Sky")
    knowledge.change("move", "Sky", documents=ids(result, 0, 1))
    assert judge(named, knowledge) == [("nothing to do", "it is so already")] * 2


def test_changes_that_the_groups_do_not_have_are_broken(result):
    """Judged by the groups as they were before."""
    knowledge = (
        cg.Knowledge()
        .change("merge", SPACE, HOCKEY)
        .change("split", FOOD)
        .change("move", SPACE, documents=ids(result, 60))
        .change("seed", CARS, word="orbit")
        .change("rename", FOOD, name="Meals")
    )
    (merge, split, move, seed, rename) = judge(result, knowledge, result)
    name = dict(zip(result.group_numbers, result.group_names, strict=True))
    assert merge == ("broken", f"20 of 40 documents are in group 0, {name[SPACE]}")
    assert split[0] == "broken"
    assert move == ("broken", f"0 of 1 document are in group 0, {name[SPACE]}")
    assert seed == ("broken", f"it is typical of group 0, {name[SPACE]}")
    assert rename == ("kept", "")


def test_later_changes_count(result):
    """A merged group is part of the other, and a document that is moved again is judged by the last move."""
    knowledge = cg.Knowledge().change("move", HOCKEY, documents=ids(result, 0))
    knowledge.change("move", FOOD, documents=ids(result, 0)).change("merge", CARS, FOOD)
    first, second, merge = judge(result, knowledge)
    assert first == ("nothing to do", "later changes overrule it")
    assert second == merge == ("kept", "")


def test_flows_count_documents_by_group(result):
    labels = result.labels["documents"].copy()
    position = {number: k for k, number in enumerate(result.group_numbers)}
    labels[[0, 1, 2]], labels[[3, 21]] = position[FOOD], position[CARS]
    labels[79] = -1
    after = replace(result, labels={**result.labels, "documents": labels})
    assert list_flows(result, after) == [
        Flow(SPACE, FOOD, 3),
        Flow(SPACE, CARS, 1),
        Flow(HOCKEY, CARS, 1),
        Flow(CARS, -1, 1),
    ]
    assert list_flows(result, result) == []


def test_names_are_described_before_the_run(result):
    names = dict(zip(result.group_numbers, result.group_names, strict=True))
    knowledge = cg.Knowledge().change("new", "Rockets").change("rename", FOOD, name="Meals")
    knowledge.label(dict(zip(ids(result, 0, 1, 2), ("Rockets", "Meals", "group 3"), strict=True)))
    assert ChangePlan(result, knowledge).describe_names() == [
        "group 4 is new: Rockets",
        f"the name Meals means group 2, which is called {names[FOOD]}",
        f"the name group 3 means group 3, which is called {names[CARS]}",
    ]
    assert np.array_equal(
        ChangePlan(result, knowledge).groups.before, result.numbers_of(result.labels["documents"])
    )


def test_many_changes_share_the_groups_that_they_leave_as_they_are(result):
    """Each once kept two arrays of all groups, and was compared with every later one."""
    knowledge = cg.Knowledge()
    for k in range(300):
        knowledge.change("rename", SPACE, name=f"Sky {k}")
    knowledge.change("merge", SPACE, HOCKEY)
    plan = ChangePlan(result, knowledge)
    arrays = {id(array) for step in plan.carried_out for array in (step.before, step.after)}
    assert len(arrays) == 2
    outcomes = judge_changes(plan.carried_out, plan.fit())
    assert [(o.change.name, o.verdict) for o in outcomes[:2]] == [("Sky 0", "kept"), ("Sky 1", "kept")]
    assert len(outcomes) == 301
