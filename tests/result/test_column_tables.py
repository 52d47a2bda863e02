"""Groups by a column: counts, shares with intervals, and words."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

import colligate as cg
from colligate.errors import InputError

TEXTS = ["goal team match", "bank money stock"] * 12
DATES = [f"{2020 + k // 8}-03-0{1 + k % 8}" for k in range(24)]


@pytest.fixture(scope="module")
def result() -> cg.Result:
    columns = {"date": DATES, "source": ["a", "b", "a"] * 8, "remark": [f"no date {k}" for k in range(24)]}
    texts = [f"{text} {'old' if k < 8 else 'new'}" for k, text in enumerate(TEXTS)]
    corpus = cg.Corpus.from_texts(texts, columns=columns, analyser=cg.Analyser(min_df=1))
    return cg.make("kmeans", n_clusters=2, random_state=0).fit(corpus).result_


def test_counts_and_shares_by_period_and_by_class(result):
    rows = result.over("date", time=True).to_arrow().to_pylist()
    assert sum(row["documents"] for row in rows) == 24
    assert {row["of"] for row in rows} <= {0, 8}
    sources = result.over("source").to_arrow().to_pylist()
    assert [(row["value"], row["documents"], row["of"]) for row in sources] == [
        *[("a", 8, 16)] * 2,
        *[("b", 4, 8)] * 2,
    ]


def test_intervals_are_those_of_wilson(result):
    for row in result.over("source").to_arrow().to_pylist():
        expected = binomtest(row["documents"], row["of"]).proportion_ci(method="wilson")
        assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high), abs=1e-4)


def test_words_are_those_of_the_group_and_few_documents_have_none(result):
    rows = result.over("source").to_arrow().to_pylist()
    for row in rows[:2]:
        subject = TEXTS[0] if "goal" in row["words"] else TEXTS[1]
        assert set(subject.split()) <= set(row["words"].split(", "))
    assert [row["words"] for row in rows[2:]] == [None, None]


def test_a_column_that_is_not_there_or_has_no_dates_is_one_clear_line(result):
    with pytest.raises(
        InputError, match=r"there is no column 'nothing'; the columns are: date, source, remark"
    ):
        result.over("nothing")
    message = r"the values of column 'remark' cannot be read as dates, such as 'no date 0'"
    with pytest.raises(InputError, match=message):
        result.over("remark", time=True)
