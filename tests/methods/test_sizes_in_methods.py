"""Bounds on the sizes of groups in the methods that take them: they change labels, hold, and are judged."""

from __future__ import annotations

import numpy as np
import pytest

import colligate as cg
from colligate.errors import ContradictionError, KnowledgeWarning, RefusedKnowledgeError

TAKERS = ("kmeans", "ckmeans", "colligate")
TRUTH = np.repeat([0, 1, 2], [60, 20, 10])


@pytest.fixture(scope="module")
def counts() -> np.ndarray:
    """Three groups of 60, 20 and 10 documents, with ten words each and ten in common."""
    rates = np.full((3, 40), 0.1)
    for group in range(3):
        rates[group, 10 * group : 10 * (group + 1)] = 1.0
    rates[:, 30:] = 0.5
    counts = np.random.default_rng(0).poisson(rates[TRUTH])
    counts[:, 39] += 1
    return counts


def fit(method: str, counts: np.ndarray, knowledge: cg.Knowledge | None, **more):
    return cg.make(method, n_clusters=3, random_state=0, n_init=2, **more).fit(counts, knowledge=knowledge)


def sizes_of(model) -> list[int]:
    return sorted(np.bincount(model.labels_, minlength=3).tolist())


@pytest.mark.parametrize("method", TAKERS)
def test_a_bound_on_every_group_changes_labels_and_holds(method: str, counts: np.ndarray) -> None:
    free = fit(method, counts, None)
    bounded = fit(method, counts, cg.Knowledge().group_size("*", at_least=25, at_most=40))
    assert min(sizes_of(free)) < 25
    assert 25 <= min(sizes_of(bounded)) <= max(sizes_of(bounded)) <= 40
    audit = bounded.result_.audit()
    assert audit.counts()["kept"] == 1
    assert "the smallest group has" in audit.statement(0).note


@pytest.mark.parametrize("method", TAKERS)
def test_a_bound_that_holds_anyway_changes_nothing(method: str, counts: np.ndarray) -> None:
    free = fit(method, counts, None)
    smallest = min(sizes_of(free))
    bounded = fit(method, counts, cg.Knowledge().group_size("*", at_least=min(smallest, 3)))
    assert sizes_of(bounded)[0] >= min(smallest, 3)
    if method != "kmeans":
        np.testing.assert_array_equal(free.labels_, bounded.labels_)


@pytest.mark.parametrize("method", TAKERS)
def test_labels_are_the_same_again_and_the_objective_never_rises(method: str, counts: np.ndarray) -> None:
    knowledge = cg.Knowledge().group_size("*", at_least=25, at_most=40)
    first, second = (fit(method, counts, knowledge) for _ in range(2))
    np.testing.assert_array_equal(first.labels_, second.labels_)
    history = np.array(first.history_)
    assert (np.diff(history) <= 1e-6 * np.abs(history[:-1])).all()


@pytest.mark.parametrize("method", ["ckmeans", "colligate"])
def test_a_named_group_keeps_its_bound(method: str, counts: np.ndarray) -> None:
    labels = {0: "large", 1: "large", 61: "middle", 62: "middle", 81: "small", 82: "small"}
    model = fit(method, counts, cg.Knowledge().label(labels).group_size("large", at_most=40))
    group = model.result_.named_groups["large"]
    assert group == model.labels_[0]
    assert np.bincount(model.labels_)[group] == 40
    audit = model.result_.audit()
    assert audit.statement(6).text == "group large has at most 40 documents"
    assert (audit.statement(6).status, audit.statement(6).note) == ("kept", "it has 40 documents")


def test_a_group_is_named_by_its_category(counts: np.ndarray) -> None:
    knowledge = cg.Knowledge().category("small", words=[20, 21, 22]).group_size("small", at_least=30)
    model = fit("colligate", counts, knowledge)
    assert np.bincount(model.labels_)[model.result_.named_groups["small"]] >= 30


def test_outsiders_do_not_count(counts: np.ndarray) -> None:
    knowledge = cg.Knowledge().outside(list(range(55, 60))).group_size("*", at_least=25)
    model = fit("colligate", counts, knowledge)
    assert (model.labels_[55:60] == -1).all()
    assert min(np.bincount(model.labels_[model.labels_ >= 0], minlength=3)) >= 25


@pytest.mark.parametrize("method", TAKERS)
def test_bounds_that_cannot_hold_stop_the_run_or_are_reported_broken(method: str, counts: np.ndarray) -> None:
    with pytest.raises(
        ContradictionError, match="the 3 groups need at least 120 documents in all, but there are 90"
    ):
        fit(method, counts, cg.Knowledge().group_size("*", at_least=40))
    knowledge = cg.Knowledge(contradictions="report").group_size("*", at_least=40)
    with pytest.warns(KnowledgeWarning, match="need at least 120 documents"):
        model = fit(method, counts, knowledge)
    statement = model.result_.audit().statement(0)
    assert (statement.status, statement.note.split(";")[0]) == ("contradicted", "broken")
    assert sizes_of(model) == [30, 30, 30]


def test_new_documents_are_predicted_without_bounds(counts: np.ndarray) -> None:
    model = fit("colligate", counts, cg.Knowledge().group_size("*", at_most=40))
    assert max(np.bincount(model.predict(counts[:60]), minlength=3)) > 40


def test_named_groups_are_refused_with_the_labels_that_name_them(counts: np.ndarray) -> None:
    knowledge = cg.Knowledge().label({0: "large"}).group_size("large", at_most=40)
    with pytest.raises(RefusedKnowledgeError, match="kmeans does not accept labels on documents"):
        fit("kmeans", counts, knowledge)
    with pytest.raises(RefusedKnowledgeError, match=r"itcc does not accept sizes on documents.*colligate"):
        fit("itcc", counts, cg.Knowledge().group_size("*", at_most=40))
