import numpy as np
import pytest

import colligate as cg
from experiments.corpora.newsgroups import GROUPS
from experiments.evaluation.hierarchy import (
    OURS,
    OVERLAP,
    ROWS,
    WAYS,
    compose_verdict,
    cut_joins,
    find_subject,
    join_by_memberships,
    join_by_overlap,
    key,
    measure_purity,
    write_words,
)
from experiments.runner.store import StoredRuns


def list_pairs(joins, counts):
    """The purity by its definition: for each pair of documents of one class, the smallest branch of both."""
    n_groups = len(counts)
    leaves = [{k} for k in range(n_groups)]
    for first, second in joins:
        leaves.append(leaves[first] | leaves[second])
    documents = [(k, c) for k, row in enumerate(counts) for c, n in enumerate(row) for _ in range(int(n))]
    purities = []
    for i, (group, label) in enumerate(documents):
        for other, other_label in documents[:i]:
            if label == other_label:
                branch = min((one for one in leaves if {group, other} <= one), key=len)
                inside = [c for k, c in documents if k in branch]
                purities.append(inside.count(label) / len(inside))
    return np.mean(purities)


def test_the_purity_is_that_of_its_definition():
    counts = np.array([[3, 1], [2, 0], [0, 4], [1, 3]])
    for joins in ([(0, 1), (2, 3), (4, 5)], [(0, 2), (4, 1), (5, 3)]):
        assert measure_purity(joins, counts) == pytest.approx(list_pairs(joins, counts))


def test_a_cut_undoes_the_last_joins():
    joins = [(0, 1), (2, 3), (4, 5)]
    assert cut_joins(joins, 4).tolist() == [0, 1, 2, 3]
    assert cut_joins(joins, 2).tolist() == [0, 0, 2, 2]
    assert cut_joins(joins, 1).tolist() == [0, 0, 0, 0]


def test_newsgroups_have_six_subjects():
    subjects = [find_subject(group) for group in GROUPS]
    assert sorted(map(subjects.count, set(subjects))) == [1, 3, 3, 4, 4, 5]


def test_every_way_joins_all_groups():
    texts = ["puck ice team", "puck ice game", "bat base team", "bat base game", "oven flour", "oven dough"]
    result = cg.make("kmeans", n_clusters=3, random_state=0).fit(texts * 4).result_
    for way in (join_by_memberships, join_by_overlap):
        groups, joins = way(result)
        assert (len(groups), len(joins)) == (24, 2)
    words = write_words(result.counts, 0).split()
    assert len(words) == 3


def test_the_verdict_counts_rows(tmp_path):
    stored = StoredRuns("none", tmp_path)
    stored.cells = {
        key(corpus, method, way): [{"purity": 0.8 if way == OURS else 0.7, "seed": 0}]
        for corpus, method in ROWS
        for way in WAYS
        if way in (OURS, OVERLAP)
    }
    verdict = compose_verdict(stored)
    assert f"than {OVERLAP} in 7 of 7" in verdict
    assert "BERTopic: –" in verdict
