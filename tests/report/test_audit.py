from __future__ import annotations

import math

import pytest

from colligate.report.render import (
    describe_audit,
    describe_changes,
    describe_run,
    sort_by_urgency,
    tabulate_audit,
)
from colligate.report.view import AuditView, ChangeView, StatementView, TraceView
from tests.report.make_view import make_audit


def audit(**counts: int) -> AuditView:
    return AuditView(sum(counts.values()), {"apart": counts}, (), ())


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (audit(), "There are no statements."),
        (audit(kept=1), "The one statement was kept."),
        (audit(kept=3), "All 3 statements were kept."),
        (audit(kept=37, broken=3), "37 of 40 statements were kept; 3 were broken."),
        (audit(kept=1, broken=1), "1 of 2 statements was kept; 1 was broken."),
        (
            audit(kept=5, broken=2, contradicted=1, unknown=2),
            "5 of 10 statements were kept; 2 were broken, 1 is contradicted by others"
            " and 2 name unknown objects.",
        ),
        (audit(kept=1, odd=1), "1 of 2 statements was kept."),
    ],
)
def test_the_account_in_one_sentence(given: AuditView, sentence: str) -> None:
    assert describe_audit(given) == sentence


def test_the_table_adds_up() -> None:
    table = tabulate_audit(make_audit())
    assert list(table.statuses) == ["kept", "unknown", "contradicted", "broken"]
    assert list(table.sums) == [37, 1, 1, 1]
    assert ("together", [10, 0, 0, 1]) in list(table.rows)


def test_a_status_of_its_own_is_not_lost() -> None:
    assert list(tabulate_audit(audit(kept=1, odd=2)).statuses) == ["kept", "odd"]


def test_broken_statements_come_first_and_the_costly_before_the_cheap() -> None:
    def statement(number: int, status: str, cost: float) -> StatementView:
        return StatementView(number, "", "apart", "", status, cost, "")

    given = [
        statement(1, "kept", 0),
        statement(2, "odd", 9),
        statement(3, "contradicted", 1),
        statement(4, "broken", math.nan),
        statement(5, "broken", 1),
        statement(6, "broken", 2),
    ]
    assert [each.number for each in sort_by_urgency(given)] == [6, 5, 4, 3, 1, 2]


@pytest.mark.parametrize(
    ("trace", "sentence"),
    [
        (TraceView([2.0, 1.0], [1.0], 0, True), "The run converged after 1 iteration."),
        (
            TraceView([3.0, 2.5, 2.0], [2.5, 2.0], 1, False),
            "The best of 2 restarts (number 2) did not converge within 2 iterations.",
        ),
    ],
)
def test_how_the_run_went(trace: TraceView, sentence: str) -> None:
    assert describe_run(trace) == sentence


def test_what_the_knowledge_moved() -> None:
    def moved(number: int, total: int) -> str:
        return describe_changes(ChangeView(number, total, 1.0, (), (), (), ()))

    assert moved(0, 9) == "No document changed its group because of the knowledge."
    assert moved(1, 4).endswith("1 of 4 documents (25 %) is in another group than without it.")
    assert moved(1000, 2000).endswith("1,000 of 2,000 documents (50 %) are in another group than without it.")
