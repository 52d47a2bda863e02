"""What a run makes of categories: broken ones cost something, and their strength weighs."""

from __future__ import annotations

import numpy as np
import pytest

import colligate as cg

WORDS = ["orbit", "nasa", "moon", "puck", "goal", "ice"]
SPACE = np.array([[4, 3, 3, 0, 0, 0]] * 8)
HOCKEY = np.array([[0, 0, 0, 3, 4, 3]] * 8)
CORPUS = cg.Corpus.from_counts(np.vstack([SPACE, HOCKEY]), WORDS)


def fitted(knowledge: cg.Knowledge, weight: float = 1e-3) -> cg.Result:
    model = cg.make("citcc", n_clusters=2, n_word_clusters=2, word_link_weight=weight, random_state=0)
    return model.fit(CORPUS, knowledge=knowledge).result_


def audited(result: cg.Result) -> list[tuple[str, bool]]:
    audit = result.audit()
    rows = [audit.statement(number) for number in range(len(audit))]
    return [(row.status, row.cost > 0) for row in rows]


def test_a_word_away_from_its_category_is_broken_and_costs() -> None:
    found = fitted(cg.Knowledge().category("space", words=["orbit", "nasa", "puck"]))
    assert audited(found) == [("kept", True), ("kept", True), ("broken", True)]
    cost = found.statement_costs
    assert cost[2] == pytest.approx(cost[0] + cost[1])


def test_a_category_that_is_kept_costs_nothing() -> None:
    found = fitted(
        cg.Knowledge().category("space", words=["orbit", "nasa"]).category("hockey", words=["ice"])
    )
    assert audited(found) == [("kept", False)] * 3


def test_a_word_of_two_categories_is_judged_in_each() -> None:
    knowledge = cg.Knowledge().category("space", words=["orbit", "nasa", "ice"])
    knowledge.category("hockey", words=["puck", "goal", "ice"])
    statuses = [status for status, _ in audited(fitted(knowledge))]
    assert statuses == ["kept", "kept", "broken", "kept", "kept", "kept"]


def test_the_strength_of_a_category_weighs_what_it_costs() -> None:
    one, other = (
        fitted(cg.Knowledge().category("space", words=["orbit", "puck"], strength=strength))
        for strength in (1.0, 5.0)
    )
    assert other.statement_costs == pytest.approx(5.0 * one.statement_costs)
    assert one.statement_costs.max() > 0
    assert other.history[-1] > one.history[-1]


def test_a_strong_category_is_kept_where_a_weak_one_is_broken() -> None:
    weak, strong = (
        fitted(cg.Knowledge().category("both", words=["orbit", "puck"], strength=strength), weight=1.0)
        for strength in (1e-6, 1e6)
    )
    assert sorted(status for status, _ in audited(weak)) == ["broken", "kept"]
    assert audited(strong) == [("kept", False), ("kept", False)]


def test_an_apart_link_against_a_category_is_shown_as_broken_or_kept() -> None:
    knowledge = cg.Knowledge().category("space", words=["orbit", "nasa", "moon"])
    knowledge.apart(words=[("orbit", "nasa")])
    assert [status for status, _ in audited(fitted(knowledge))] == ["kept", "kept", "kept", "broken"]
