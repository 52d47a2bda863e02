from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from colligate._array import softmax_rows
from colligate.errors import InputError
from colligate.knowledge import Knowledge
from colligate.knowledge.guidance import Guidance, Seeds
from colligate.network import Network, ObjectType, Relation
from colligate.result.association import count_by_group, tabulate_objects
from colligate.result.groups import (
    average_confidence,
    choose_representatives,
    elect_names,
    find_runner_up,
    measure_confidence,
    name_by_members,
    name_by_terms,
    name_object,
)
from tests.result.networks import LABELS, network, network_result


def test_the_centre_is_what_is_grouped_and_its_terms_describe_it():
    result = network_result()
    assert (result.centre, result.terms, result.n_groups()) == ("papers", "words", 2)
    assert result.counts.shape == (6, 5)
    assert result.group_names == ("ball, goal", "cell, gene, of")
    assert result.confidence.shape == (6,)


def test_top_objects_of_every_type_tell_the_groups_apart():
    result = network_result()
    assert result.top_objects("words", 3) == result.top_words(3)
    assert [[name for name, _ in top] for top in result.top_objects("people")] == [
        ["Ann", "Bo"],
        ["Cy", "Di"],
    ]
    assert [[name for name, _ in top] for top in result.top_objects("cities")] == [["Oslo"], ["Rome"]]
    assert [name for name, _ in result.top_objects("papers")[0]] == ["p0", "p1", "p2"]
    assert all(score > 0 for top in result.top_objects("people") for _, score in top)


def test_a_type_that_nothing_leads_to_tells_nothing():
    known = network()
    loose = Network({**known.types, "loose": ObjectType("loose", range(2))}, known.relations)
    result = network_result(loose, {**LABELS, "loose": [0, 1]})
    assert result.top_objects("loose") == [[], []]
    assert [group.goes_with for group in result.groups_of("loose")] == [(), ()]
    assert [group.name for group in result.groups_of("loose")] == ["loose 0", "loose 1"]


def test_groups_of_a_type_have_names_members_and_the_groups_they_go_with():
    left, right = network_result().groups_of("people")
    assert (left.number, left.size, left.name) == (0, 2, "Ann, Bo")
    assert [name for name, _ in left.members] == ["Ann", "Bo"]
    assert left.members[0][1] > left.members[1][1] > 0
    assert left.goes_with == ((0, 1.0),)
    assert right.goes_with == ((1, pytest.approx(3 / 4)),)


def test_a_sure_member_stands_before_one_that_says_as_much():
    known = network_result()
    memberships = dict(known.memberships)
    memberships["people"] = np.array([[0.1, 0.9], [1, 0], [0, 1], [0, 1]], dtype=np.float32)
    result = network_result(memberships=memberships)
    strength = dict(result.groups_of("people")[0].members)
    weights = result.object_tables["people"].weights
    assert strength == {"Ann": pytest.approx(0.1 * weights[0]), "Bo": pytest.approx(weights[1])}


def test_members_are_limited_and_groups_of_the_centre_can_be_listed():
    assert len(network_result().groups_of("people", limit=1)[0].members) == 1
    result = network_result()
    assert [group.name for group in result.groups_of("papers")] == list(result.group_names)


def test_names_of_any_type_are_unique():
    result = network_result(labels={**LABELS, "people": [0, 4, 1, 1]})
    assert result.names_of("people") == ("Ann", "Cy, Di", "empty", "empty (3)", "Bo")
    assert result.names_of("papers") == result.group_names
    assert result.names_of("words") == result.word_group_names


def test_a_type_that_was_not_grouped_has_no_groups():
    result = network_result(labels={"papers": LABELS["papers"]})
    assert result.names_of("people") == ()
    assert result.top_objects("people")[0]
    with pytest.raises(InputError, match="fake does not group people; it groups papers"):
        result.groups_of("people")
    with pytest.raises(InputError, match="fake does not group people"):
        result.evaluate([0, 0, 1, 1], kind="people")


@pytest.mark.parametrize("ask", ["names_of", "groups_of", "top_objects"])
def test_a_type_that_is_not_there_is_refused_with_those_that_are(ask):
    with pytest.raises(InputError, match="no type 'venues' in this result; the types are papers, words"):
        getattr(network_result(), ask)("venues")


def test_any_type_is_judged_against_known_labels():
    result = network_result()
    assert result.evaluate([0, 0, 1, 1], kind="people")["accuracy"] == 1.0
    assert result.evaluate([0, 1, 1, 1], kind="people", mask=[1, 2, 3])["accuracy"] == pytest.approx(2 / 3)
    assert result.evaluate([1, 1, 1, 0, 0, 2])["accuracy"] == 1.0


def test_categories_of_a_further_type_name_the_groups_of_the_centre():
    knowledge = Knowledge().category("sport", people=["Ann", "Bo"])
    result = network_result(compiled=knowledge.compile(network().names))
    assert result.group_names[0] == "sport: ball, goal"


def test_a_lone_relation_of_a_type_with_itself_describes_itself():
    types = {"pages": ObjectType("pages", ["a", "b", "c", "d"])}
    links = np.array([[0, 2, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 2, 0]])
    result = network_result(Network(types, (Relation("pages", "pages", links),)), {"pages": [0, 0, 1, 1]})
    assert (result.centre, result.terms) == ("pages", "pages")
    assert [[name for name, _ in top] for top in result.top_words()] == [["b", "a"], ["c", "d"]]
    assert len(result.contributions()) == 1


WORDS = ["ball", "cell", "goal", "gene", "of"]
COUNTS = sparse.csr_array(np.array([[3, 0, 2, 0, 1], [2, 0, 3, 0, 1], [0, 3, 0, 2, 1], [0, 2, 0, 3, 2]]))
FOUR_LABELS = np.array([0, 0, 1, 1], dtype=np.int32)
TERMS = ObjectType("words", WORDS)


def seeds_of(rows: dict[int, int], size: int, *names: str) -> Seeds:
    table = np.zeros((size, len(names)))
    for row, category in rows.items():
        table[row, category] = 1.0
    matrix = sparse.csr_array(table)
    return Seeds(matrix, names, np.arange(matrix.nnz))


def names_of(scores, **more):
    scores = sparse.csr_array(scores)
    return name_by_terms(FOUR_LABELS, scores, TERMS, counts=sparse.csr_array(scores.shape), **more)


def claims(guidance, labels=FOUR_LABELS, n_groups=2):
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
    assert name_by_terms(FOUR_LABELS * 0, scores, ObjectType("words", range(2)), counts=scores) == ("word 1",)


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


def rows(*parts):
    return sparse.csr_array(np.array(parts, dtype=np.int32))


def test_the_surest_come_first():
    counts = rows([5, 0, 1], [1, 5, 0], [0, 1, 5], [9, 9, 9])
    found = choose_representatives(np.array([0, 0, 0, -1]), 1, np.array([0.5, 0.9, 0.7, 0.0]), counts)
    assert found[0].tolist() == [1, 2, 0]


def test_the_same_text_is_not_shown_twice():
    counts = rows([5, 1], [1, 5], [3, 3])
    texts = ["one  text", "another", "one\ntext"]
    found = choose_representatives(np.zeros(3, dtype=int), 1, np.array([0.9, 0.8, 0.7]), counts, texts)
    assert found[0].tolist() == [0, 1]


def test_near_duplicates_are_passed_over():
    counts = rows([5, 5, 0], [5, 6, 0], [0, 1, 9])
    found = choose_representatives(np.zeros(3, dtype=int), 1, np.array([0.9, 0.8, 0.1]), counts)
    assert found[0].tolist() == [0, 2]


def test_documents_with_enough_words_come_before_short_ones():
    counts = rows([1, 0, 0], [0, 20, 9], [9, 0, 30])
    found = choose_representatives(np.zeros(3, dtype=int), 1, np.array([1.0, 0.6, 0.5]), counts)
    assert found[0].tolist()[-1] == 0


def test_of_equally_sure_documents_the_one_nearest_the_middle_of_its_group_comes_first():
    counts = rows([30, 30, 0, 0], [30, 0, 30, 0], [30, 20, 20, 0], [0, 0, 0, 30], [0, 0, 0, 20])
    found = choose_representatives(np.array([0, 0, 0, 1, 1]), 2, np.ones(5), counts)
    assert found[0].tolist()[0] == 2


def test_an_empty_group_has_no_representatives():
    found = choose_representatives(np.array([1]), 2, np.array([1.0]), rows([1, 2]))
    assert [part.tolist() for part in found] == [[], [0]]


MEMBER_LABELS = np.array([0, 2, -1, 1], dtype=np.int32)
MEMBERSHIPS = np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0, 0, 0], [0, 1, 0]], dtype=np.float32)


def test_confidence_is_the_membership_of_the_own_group():
    assert measure_confidence(MEMBER_LABELS, MEMBERSHIPS) == pytest.approx([0.6, 0.5, 0.0, 1.0])


def test_the_runner_up_has_the_next_membership_or_is_none():
    assert find_runner_up(MEMBER_LABELS, MEMBERSHIPS).tolist() == [1, 1, -1, -1]


def test_a_single_group_has_no_runner_up():
    assert find_runner_up(np.zeros(2, dtype=np.int32), np.ones((2, 1), dtype=np.float32)).tolist() == [-1, -1]


def test_softmax_rows_sum_to_one_for_any_size_of_score():
    found = softmax_rows(np.array([[-1e6, -1e6 - 1, -2e6], [3.0, 3.0, 3.0]]))
    assert found.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert found[0, 0] == pytest.approx(1 / (1 + np.exp(-1)))


def test_group_confidence_is_a_mean_over_members():
    assert average_confidence(np.array([0, 0, -1]), 2, np.array([0.5, 1.0, 9.0])) == pytest.approx(
        [0.75, 0.0]
    )
