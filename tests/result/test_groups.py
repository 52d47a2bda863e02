from __future__ import annotations

import numpy as np
import pytest

from colligate.errors import InputError
from colligate.knowledge import Knowledge
from colligate.network import Network, ObjectType, Relation
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
    assert [group.goes_with for group in result.groups("loose")] == [(), ()]
    assert [group.name for group in result.groups("loose")] == ["loose 0", "loose 1"]


def test_groups_of_a_type_have_names_members_and_the_groups_they_go_with():
    left, right = network_result().groups("people")
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
    strength = dict(result.groups("people")[0].members)
    weights = result.object_tables["people"].weights
    assert strength == {"Ann": pytest.approx(0.1 * weights[0]), "Bo": pytest.approx(weights[1])}


def test_members_are_limited_and_groups_of_the_centre_can_be_listed():
    assert len(network_result().groups("people", limit=1)[0].members) == 1
    assert [group.name for group in network_result().groups("papers")] == list(network_result().group_names)


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
        result.groups("people")
    with pytest.raises(InputError, match="fake does not group people"):
        result.evaluate([0, 0, 1, 1], kind="people")


@pytest.mark.parametrize("ask", ["names_of", "groups", "top_objects"])
def test_a_type_that_is_not_there_is_refused_with_those_that_are(ask):
    with pytest.raises(InputError, match="no type 'venues' in this result; there are papers, words"):
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
