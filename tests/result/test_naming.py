from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from colligate.knowledge.guidance import Guidance, Seeds
from colligate.network import ObjectType
from colligate.result.association import count_by_group, tabulate_objects
from colligate.result.groups import elect_names, name_by_members, name_by_terms, name_object

WORDS = ["ball", "cell", "goal", "gene", "of"]
COUNTS = sparse.csr_array(np.array([[3, 0, 2, 0, 1], [2, 0, 3, 0, 1], [0, 3, 0, 2, 1], [0, 2, 0, 3, 2]]))
LABELS = np.array([0, 0, 1, 1], dtype=np.int32)
TERMS = ObjectType("words", WORDS)


def seeds_of(rows: dict[int, int], size: int, *names: str) -> Seeds:
    table = np.zeros((size, len(names)))
    for row, category in rows.items():
        table[row, category] = 1.0
    matrix = sparse.csr_array(table)
    return Seeds(matrix, names, np.arange(matrix.nnz))


def names_of(scores, **more):
    scores = sparse.csr_array(scores)
    return name_by_terms(LABELS, scores, TERMS, counts=sparse.csr_array(scores.shape), **more)


def claims(guidance, labels=LABELS, n_groups=2):
    others = {kind: own for kind, own in guidance.items() if kind != "documents"}
    tables = {"words": count_by_group(labels, n_groups, COUNTS)}
    return elect_names(labels, n_groups, tables, guidance.get("documents"), others)


def test_groups_are_named_by_their_top_words():
    assert names_of([[0.5, 0, 0.7, 0, 0.1], [0, 0.4, 0, 0.3, -1]]) == ("goal, ball, of", "cell, gene")


def test_a_claimed_name_comes_first():
    assert names_of([[0.5, 0, 0.7, 0, 0], [0, 0.4, 0, 0.3, 0]], claims={1: "life"})[1] == "life: cell, gene"


def test_names_are_unique_and_empty_groups_are_named():
    found = names_of([[1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0] * 5, [0] * 5])
    assert found == ("ball", "ball (1)", "empty", "empty (3)")


def test_words_known_by_position_are_named_by_it():
    assert name_object(range(9), "words", 4) == "word 4"
    scores = sparse.csr_array([[0, 1.0]])
    assert name_by_terms(LABELS * 0, scores, ObjectType("words", range(2)), counts=scores) == ("word 1",)


def test_labels_name_the_group_where_most_of_their_documents_sit():
    known = Guidance(4, labels=np.array([1, -1, 0, 0]), label_names=("science", "sport"))
    assert claims({"documents": known}) == {0: "sport", 1: "science"}


def test_a_label_split_in_half_names_nothing():
    known = Guidance(4, labels=np.array([0, -1, -1, 0]), label_names=("mixed",))
    assert claims({"documents": known}) == {}


def test_categories_of_words_name_the_group_that_uses_them():
    words = Guidance(5, seeds=seeds_of({0: 0, 2: 0, 1: 1}, 5, "sport", "science"))
    assert claims({"words": words}) == {0: "sport", 1: "science"}


def labelled(labels: list[int], *names: str) -> Guidance:
    return Guidance(4, labels=np.array(labels), label_names=names)


def categories(rows: dict[int, int], *names: str) -> Guidance:
    return Guidance(5, seeds=seeds_of(rows, 5, *names))


def claimed(documents: Guidance, words: Guidance) -> dict[int, str]:
    return claims({"documents": documents, "words": words})


def test_one_label_does_not_rename_a_group_against_the_category_of_its_name():
    words = categories({0: 0, 2: 0}, "sport")
    assert claimed(labelled([-1, -1, 0, -1], "sport"), words) == {0: "sport"}


def test_many_labels_outvote_the_category_of_their_name():
    assert claimed(labelled([-1, -1, 0, 0], "sport"), categories({0: 0}, "sport")) == {1: "sport"}


def test_a_name_whose_voters_are_divided_names_nothing():
    words = categories({0: 0, 2: 1, 1: 2}, "sport", "games", "science")
    assert claimed(labelled([-1, -1, 0, -1], "sport"), words) == {0: "games", 1: "science"}


def test_half_of_the_voters_are_enough_where_the_others_are_divided():
    labels = np.array([0, 0, 1, 2], dtype=np.int32)
    documents = labelled([0, 0, 0, 0], "sport")
    assert claims({"documents": documents}, labels, 3) == {0: "sport"}


def test_a_single_label_names_its_group_unless_a_category_does():
    documents = labelled([0, -1, -1, -1], "match of the day")
    assert claimed(documents, categories({1: 0}, "science")) == {0: "match of the day", 1: "science"}
    assert claimed(documents, categories({0: 0, 2: 0}, "sport")) == {0: "sport"}


def test_two_labels_come_before_a_category():
    assert claimed(labelled([0, 0, -1, -1], "games"), categories({0: 0, 2: 0}, "sport")) == {0: "games"}


def test_strengths_do_not_multiply_votes():
    strong = seeds_of({0: 0}, 5, "sport")
    heavy = Seeds(1e6 * strong.matrix, strong.categories, strong.statement)
    assert claimed(labelled([-1, -1, 0, 0], "sport"), Guidance(5, seeds=heavy)) == {1: "sport"}


def test_categories_of_documents_name_groups_too():
    documents = Guidance(4, seeds=seeds_of({0: 0, 1: 0}, 4, "sport"))
    assert claims({"documents": documents}) == {0: "sport"}


def test_word_groups_are_named_by_their_weightiest_words():
    found = name_by_members(np.array([0, 1, 0, 1, 0]), 3, np.array([0.1, 0.2, 0.3, 0.1, 0.0]), TERMS)
    assert found == ("goal, ball, of", "cell, gene", "empty")


@pytest.mark.parametrize("guidance", [{}, {"documents": Guidance(4)}, {"words": Guidance(5)}])
def test_without_names_in_the_knowledge_nothing_is_claimed(guidance):
    assert claims(guidance) == {}


def test_a_single_group_of_all_documents_is_named_by_its_most_frequent_words():
    counts = sparse.csr_array(COUNTS.toarray() + np.array([0, 0, 1, 0, 4]))
    labels = np.zeros(4, dtype=np.int32)
    reach = tabulate_objects(labels, 1, counts)
    assert name_by_terms(labels, reach.scores, TERMS, counts=reach.counts) == ("of, goal, ball",)
