"""Groups over time beside true shares: dates, the figures, and what the page says."""

import numpy as np
import pytest

from experiments.evaluation import over_time
from experiments.evaluation.over_time import (
    DAYS,
    MONTHS,
    OURS,
    compare_shares,
    compose_tables,
    count_over,
    find_date,
    find_majority,
    judge_intervals,
    judge_shares,
    label_period,
)

SUBJECTS = ("coffee beans harvest", "tin metal mine", "ship harbour strike")


@pytest.fixture
def stories(monkeypatch):
    """Stories of three subjects; one begins in the second of two months."""
    rng = np.random.default_rng(0)
    rows = []
    for number in range(120):
        month = 1 + 7 * (number // 60)
        subject = int(rng.integers(2 if month == 1 else 3))
        text = f"This is the news about the {' and the '.join(rng.choice(SUBJECTS[subject].split(), 6))}"
        rows.append((text, f"1987-{month:02d}-{1 + number % 28:02d}", f"class{subject}"))
    texts, dates, classes = zip(*rows, strict=True)
    monkeypatch.setattr(
        over_time, "read_stories", lambda periods, data: (list(texts), list(dates), np.asarray(classes))
    )
    monkeypatch.setattr(over_time, "N_CLASSES", 3)
    over_time.fit_stories.cache_clear()
    yield
    over_time.fit_stories.cache_clear()


def test_dates_of_reuters_are_read():
    assert find_date("26-FEB-1987 15:01:01.79") == "1987-02-26"
    assert find_date(" 1-MAR-1987 01:49:03.52") == "1987-03-01"
    assert [label_period(periods, "1987-03-01") for periods in (MONTHS, DAYS)] == ["1987-03", "1987-03-01"]


def test_right_shares_have_no_error_and_wrong_ones_their_distance():
    truth = np.array([[8.0, 2.0], [2.0, 8.0]])
    right = compare_shares(truth, truth / 2)
    assert right == {"error": 0.0, "error_without_time": pytest.approx(0.3), "correlation": pytest.approx(1)}
    constant = compare_shares(truth, np.full((2, 2), 5.0))
    assert constant["error"] == pytest.approx(0.3)
    assert constant["correlation"] == 0
    assert compare_shares(truth, truth[::-1])["correlation"] == pytest.approx(-1)


def test_a_group_stands_for_its_commonest_class():
    assert find_majority(np.array(["b", "a", "b"])) == "b"
    assert find_majority(np.array(["b", "a"])) == "a"


def test_groups_that_are_the_classes_have_the_true_shares(stories, tmp_path):
    groups, cells = count_over(MONTHS, 3, tmp_path, 0)
    assert sum(cells.values()) == len(groups) == 120
    figures = judge_shares(MONTHS, 3, OURS, tmp_path, 0)
    assert figures["error"] == pytest.approx(0, abs=1e-9)
    assert figures["error_without_time"] > 0.1
    assert figures["classes"] == 3
    assert 0.5 <= judge_intervals(MONTHS, tmp_path, 0)["coverage"] <= 1


def test_the_page_has_a_row_for_every_way(tmp_path):
    table, intervals, _ = compose_tables(tmp_path)
    assert len(table.splitlines()) == 2 + 3 * 2
    assert "95% intervals" in intervals
