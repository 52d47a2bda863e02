from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from colligate.errors import InputError
from colligate.result import fields as result
from colligate.version import __version__


def test_a_result_cannot_be_changed(result):
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.method = "other"
    with pytest.raises(ValueError, match="read-only"):
        result.labels["documents"][0] = 1
    with pytest.raises(ValueError, match="read-only"):
        result.confidence[0] = 1
    with pytest.raises(TypeError):
        result.labels["documents"] = np.zeros(11)
    with pytest.raises(TypeError):
        result.parameters["tol"] = 1


def test_a_result_is_shown_in_one_line(result):
    assert repr(result) == "Result(method='fake', 11 documents in 2 groups, 12 words in 2 groups, seed=7)"


def test_labels_that_do_not_fit_the_network_are_refused(make_result):
    with pytest.raises(InputError, match="documents do not fit the network"):
        make_result(before={"documents": np.zeros(3, dtype=np.int32)})


def test_labels_beyond_the_groups_are_refused(make_result):
    with pytest.raises(InputError, match="is not one of the 2 groups"):
        make_result(before={"documents": np.full(11, 2, dtype=np.int32)})


def test_top_words_and_names_tell_the_groups_apart(result):
    space, hockey = result.top_words(3)
    assert {word for word, _ in space} <= {"orbit", "nasa", "launch", "moon", "shuttle", "rocket"}
    assert {word for word, _ in hockey} <= {"goal", "team", "puck", "hockey", "ice", "season"}
    assert result.group_names[1] == "hockey, puck, team"
    assert len(result.word_group_names) == 2


def test_a_method_that_groups_no_words_has_no_word_groups(make_result):
    assert make_result().word_group_names == ()


def test_representatives_show_no_text_twice(result):
    assert not {0, 4} <= set(result.representatives()[0].tolist())


def test_coherence_of_clear_groups_is_positive(result):
    assert (result.coherence(4) > 0).all()


def test_changes_need_a_run_without_knowledge(result, make_result):
    assert result.changes() is None
    before = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 0, -1], dtype=np.int32)
    found = make_result(before={"documents": before}).changes()
    assert np.flatnonzero(found.moved).tolist() == [9]


def test_a_result_is_judged_against_known_labels(result):
    assert result.evaluate([0] * 5 + [1] * 5 + [2])["accuracy"] == 1.0


def test_without_knowledge_there_are_no_links_to_satisfy(result):
    assert result.link_satisfaction() == {}


def test_the_versions_of_the_parts_are_told():
    found = result.collect_versions()
    assert found["colligate"] == __version__
    assert found["numpy"][0].isdigit()


def test_a_part_that_is_not_there_is_told_as_such(monkeypatch):
    monkeypatch.setattr(result, "DEPENDENCIES", ("no-such-part",))
    assert result.collect_versions()["no-such-part"] == "not installed"


def test_the_number_of_a_group_is_its_label_until_it_has_another(make_result):
    result = make_result()
    assert result.group_numbers == (0, 1)
    assert result.given_names == ("", "")
    numbered = make_result(group_numbers=[7, 2])
    assert numbered.numbers_of(np.array([1, 0, -1])).tolist() == [2, 7, -1]


def test_a_name_of_the_user_stands_in_place_of_the_words(make_result):
    plain = make_result().group_names
    assert make_result(given_names=["", "On ice"]).group_names == (plain[0], "On ice")


def test_a_group_whose_words_another_has_as_its_name_shows_its_number_too(make_result):
    plain = make_result().group_names
    named = make_result(group_numbers=(7, 2), given_names=["", plain[0]])
    assert named.group_names == (f"{plain[0]} (7)", plain[0])


@pytest.mark.parametrize("numbers", [(0,), (3, 3), (0, 1, 2), (-1, 0)])
def test_numbers_that_do_not_fit_the_groups_are_refused(make_result, numbers):
    with pytest.raises(InputError, match="numbers of the 2 groups must be different and not negative"):
        make_result(group_numbers=numbers)


@pytest.mark.parametrize("names", [("ice",), ("ice", "ice"), ("a", "b", "c")])
def test_names_that_do_not_fit_the_groups_are_refused(make_result, names):
    with pytest.raises(InputError, match="names of the 2 groups must be different"):
        make_result(given_names=names)
