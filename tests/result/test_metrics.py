from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics as sk

from colligate.errors import InputError
from colligate.knowledge.guidance import GroupLinks, Guidance, PairLinks
from colligate.result.metrics import coherence, evaluate, measure_link_satisfaction

LABELS = st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 5)), min_size=1, max_size=40)


@given(LABELS)
@settings(max_examples=80, deadline=None)
def test_scores_equal_scikit_learn(pairs):
    true, found = np.array(pairs).T
    scores = evaluate(true, found)
    assert scores["nmi"] == pytest.approx(
        sk.normalized_mutual_info_score(true, found, average_method="geometric"), abs=1e-12
    )
    assert scores["ari"] == pytest.approx(sk.adjusted_rand_score(true, found), abs=1e-12)
    assert scores["rand"] == pytest.approx(sk.rand_score(true, found), abs=1e-12)
    table = sk.cluster.contingency_matrix(true, found)
    assert scores["purity"] == pytest.approx(table.max(axis=0).sum() / table.sum())


@given(LABELS)
@settings(max_examples=30, deadline=None)
def test_accuracy_is_the_best_matching(pairs):
    true, found = np.array(pairs).T
    names, goals = np.unique(found), list(np.unique(true)) + [99] * 6
    best = max(
        np.mean(np.array([dict(zip(names, order, strict=True))[label] for label in found]) == true)
        for order in set(itertools.permutations(goals[: max(len(names), len(np.unique(true)))], len(names)))
    )
    assert evaluate(true, found)["accuracy"] == pytest.approx(best)


def test_a_perfect_grouping_under_other_names_scores_one():
    assert set(evaluate(["a", "a", "b", "c"], [2, 2, 0, 1]).values()) == {1.0}


def test_documents_in_no_group_count_as_one_group():
    assert evaluate([0, 0, 1, 1], [-1, -1, 3, 3])["nmi"] == pytest.approx(1.0)


def test_a_mask_leaves_documents_out():
    assert evaluate([0, 0, 1, 1], [0, 1, 1, 1], mask=[True, False, True, True])["accuracy"] == 1.0


def test_a_mask_that_does_not_fit_is_refused():
    for mask in ([True], [5]):
        with pytest.raises(InputError, match="the mask does not fit the 2 labels"):
            evaluate([0, 1], [0, 1], mask=mask)


@pytest.mark.parametrize(
    ("true", "found", "message"),
    [
        ([0, 1], [0], "same length"),
        ([], [], "no document to compare"),
        (["space", None], [0, 1], "labels must all be numbers or all be text"),
    ],
)
def test_labels_that_cannot_be_compared_are_refused(true, found, message):
    with pytest.raises(InputError, match=message):
        evaluate(true, found)


def test_coherence_of_words_always_never_and_independently_together():
    counts = sparse.csr_array(
        np.array([[2, 1, 0, 1, 0], [1, 3, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 4, 0, 0]], dtype=np.int32)
    )
    found = coherence(counts, [np.array([0, 1]), np.array([0, 2]), np.array([0, 3]), np.array([0])])
    assert found[:3] == pytest.approx([1.0, -1.0, 0.0])
    assert np.isnan(found[3])
    assert counts.data.max() == 4


def test_coherence_is_one_for_words_in_every_document():
    assert coherence(sparse.csr_array(np.ones((3, 2))), [np.array([0, 1])]) == pytest.approx([1.0])


@given(
    st.lists(st.integers(-1, 3), min_size=2, max_size=12),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 3)), max_size=20, unique=True),
)
@settings(max_examples=80, deadline=None)
def test_pairs_implied_by_groups_are_counted_as_if_listed(labels, entries):
    labels = np.array(labels)
    entries = [(member, group) for member, group in entries if member < labels.size]
    member, group = np.array(entries, dtype=np.int64).reshape(-1, 2).T
    links = GroupLinks(member, group, ("a", "b", "c", "d"), np.zeros(len(entries), dtype=np.int64), 1.0, 1.0)
    expected = {"together": [], "apart": []}
    for (i, g), (j, h) in itertools.combinations(entries, 2):
        if i != j:
            joined = labels[i] == labels[j] and labels[i] >= 0
            expected["together" if g == h else "apart"].append(joined if g == h else not joined)
    found = measure_link_satisfaction(labels, Guidance(labels.size, groups=(links,)))
    assert found == pytest.approx({sign: np.mean(kept) for sign, kept in expected.items() if kept})


def test_listed_and_implied_links_add_up():
    pairs = PairLinks(
        np.array([0, 0, 1]),
        np.array([1, 2, 3]),
        np.array([1, 1, -1], dtype=np.int8),
        np.ones(3),
        np.arange(3),
    )
    groups = GroupLinks(np.array([2, 3]), np.array([0, 0]), ("g",), np.array([3, 4]))
    found = measure_link_satisfaction(np.array([0, 0, 1, 1]), Guidance(4, pairs, (groups,)))
    assert found == {"together": pytest.approx(2 / 3), "apart": 1.0}
