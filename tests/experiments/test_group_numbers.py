import numpy as np
import pytest
from scipy.sparse import csr_array

from experiments.evaluation import group_numbers_tables
from experiments.evaluation.corpora import CORPORA
from experiments.evaluation.description_length import co_clusters, every_word, words_in_use
from experiments.evaluation.group_numbers import LIMITS, OURS, WAYS, find_minimum, key
from experiments.runner.store import StoredRuns

SIZE, GROUPS = 60, 3
TRUE = np.arange(GROUPS).repeat(SIZE)
WORD_GROUPS = np.arange(GROUPS).repeat(10)


@pytest.fixture(scope="module")
def counts():
    """Three groups of documents, each with ten words of its own, and now and then another."""
    rng = np.random.default_rng(0)
    means = np.where(TRUE[:, None] == WORD_GROUPS[None, :], 3.0, 0.1)
    return csr_array(rng.poisson(means).astype(np.float64))


LENGTHS = [every_word, words_in_use, lambda counts, groups: co_clusters(counts, groups, WORD_GROUPS)]


@pytest.mark.parametrize("length", LENGTHS)
def test_the_groups_there_are_cost_least(counts, length):
    halves = 2 * TRUE + np.arange(len(TRUE)) % 2
    merged, mixed = np.minimum(TRUE, 1), np.random.default_rng(1).permutation(TRUE)
    assert length(counts, TRUE) < min(length(counts, other) for other in (halves, merged, mixed))


def test_a_length_is_what_the_formula_says():
    counts, groups = csr_array(np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 4.0]])), np.array([0, 0, 1])
    choosing = 2 * np.log(3 / 2) + np.log(3)
    words = 3 * np.log(4 / 3) + np.log(4)
    assert every_word(counts, groups) == pytest.approx(choosing + words + 3 / 2 * np.log(3))
    assert words_in_use(counts, groups) == pytest.approx(choosing + words + 2 / 2 * np.log(8))
    joint = np.array([[3, 1], [0, 4]]) / 8
    seen = joint > 0
    both = (joint * np.log(np.where(seen, joint, 1) / np.outer(joint.sum(axis=1), joint.sum(axis=0)))).sum()
    length = co_clusters(counts, groups, np.array([0, 1]))
    assert length == pytest.approx(choosing + 2 * np.log(2) - 8 * both + 0)


def test_a_group_without_documents_costs_nothing(counts):
    assert every_word(counts, 2 * TRUE) == pytest.approx(every_word(counts, TRUE))


def test_the_least_length_is_sought_up_to_each_limit():
    curve = [(4, 3.0), (32, 2.0), (40, 1.0)]
    assert [find_minimum(curve, most) for most in (10, *LIMITS)] == [4, 32, 40]


def kept_in(folder, ours, others):
    kept = StoredRuns("evaluation.group_numbers", folder)
    for corpus in list(CORPORA)[:4]:
        for way in WAYS:
            number = ours if way == OURS else others
            run = {"seed": 0, "classes": 4, "commit": "c", **dict.fromkeys(LIMITS.values(), number)}
            kept.add(key(corpus, way), run)
    return kept


def test_too_many_and_too_few_count_alike(tmp_path):
    kept = kept_in(tmp_path, 2, 8)
    assert group_numbers_tables.compute_factors(kept, OURS, "groups").tolist() == [2.0] * 4
    assert {tuple(row[2:]) for row in group_numbers_tables.compose_scores(kept)[:-1]} == {
        ("2.00", "4 of 4", "0 of 4")
    }
    assert group_numbers_tables.compose_rows(kept)[0][1:4] == ["4", "2 / 2", "8 / 8"]


def test_the_page_says_whether_a_suggestion_is_clear(tmp_path):
    kept = StoredRuns("evaluation.group_numbers", tmp_path)
    run = {
        "seed": 0,
        "classes": 4,
        "groups": 5,
        "groups_of_more": 5,
        "is_clear": False,
        "plausible": [3, 5, 9],
    }
    kept.add(key("CSTR", OURS), {**run, "nmi": 0.71234, "nmi_of_classes": 0.7, "commit": "c"})
    assert group_numbers_tables.compose_suggestions(kept) == [
        ["CSTR", "4", "5", "no", "3, 5, 9", "0.712", "0.700"]
    ]


def test_the_page_says_on_how_many_corpora_the_suggestion_is_nearer(tmp_path):
    assert "nearer on 4 corpora, further on 0" in group_numbers_tables.compose_verdict(
        kept_in(tmp_path, 4, 8)
    )
    assert "nearer on 0 corpora, further on 4" in group_numbers_tables.compose_verdict(
        kept_in(tmp_path, 16, 8)
    )


@pytest.mark.parametrize(("ours", "verdict"), [(4, "met"), (8, "missed"), (16, "missed")])
def test_the_goal_is_to_be_nearer_than_all_others(tmp_path, ours, verdict):
    kept_in(tmp_path, ours, 2)
    assert {row[-1] for row in group_numbers_tables.goal_rows(tmp_path)} == {verdict}


def test_what_is_not_computed_is_not_judged(tmp_path):
    assert {row[1:] for row in group_numbers_tables.goal_rows(tmp_path)} == {("–", "–", "not computed")}
