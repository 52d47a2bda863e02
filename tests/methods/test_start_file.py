"""Start files: the groups that a run begins from, their numbers and names."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import colligate as cg
from colligate import registry
from colligate.errors import InputError, StoreError
from colligate.methods.start_file import StartGroups, binds_names, read_start, supports_start, write_start

HEAD = '{"format": "colligate-start", "format_version": 2, '
DOCUMENTS = '"groups": {"documents": {"x": 0, "y": 1}}, '


@pytest.fixture(scope="module")
def network():
    corpus = cg.Corpus.from_texts(["a cat", "a dog", "a cat dog"], ids=["x", "y", "z"])
    return cg.Network.from_corpus(corpus)


@pytest.fixture
def start():
    return StartGroups(
        {"documents": np.array([1, -1, 0]), "words": np.array([0, 1])},
        numbers=(4, 2),
        names=("", "Cats"),
        labels={"felines": 1},
        temperature=7.5,
        weight=3.0,
    )


def test_a_start_reads_back_in_the_order_of_the_objects_with_its_numbers_and_names(tmp_path, network, start):
    path = tmp_path / "start.json"
    write_start(path, network, start)
    read = read_start(path, network)
    assert {kind: labels.tolist() for kind, labels in read.groups.items()} == {
        "documents": [1, -1, 0],
        "words": [0, 1],
    }
    assert replace(read, groups={}).__dict__ == replace(start, groups={}).__dict__


def test_a_start_that_was_written_by_hand_needs_groups_alone(tmp_path, network):
    path = tmp_path / "start.json"
    path.write_text(HEAD + '"groups": {"documents": {"x": 0, "z": 2}}}', encoding="utf-8")
    read = read_start(path, network)
    assert read.groups["documents"].tolist() == [0, -1, 2]
    assert (read.numbers, read.names, read.labels, read.temperature, read.weight) == ((), (), {}, None, 0.0)
    assert read.count("documents") == 3


def test_a_method_gets_the_parameters_that_it_has(network, start):
    citcc = start.parameters(network, registry.find_method("citcc"))
    assert sorted(citcc) == ["init", "n_clusters", "n_init", "n_word_clusters", "word_init"]
    colligate = start.parameters(network, registry.find_method("colligate"))
    assert sorted(colligate) == ["init", "init_names", "init_weight", "n_clusters", "n_init", "temperature"]
    assert (colligate["init_names"], colligate["init_weight"], colligate["temperature"]) == (
        {"felines": 1},
        3.0,
        7.5,
    )
    with pytest.raises(InputError, match="kmeans cannot start from given groups"):
        start.parameters(network, registry.find_method("kmeans"))


def test_an_empty_group_is_counted(network):
    start = StartGroups({"documents": np.array([0, 0, 0])}, numbers=(0, 1), names=("", ""))
    assert start.parameters(network, registry.find_method("colligate"))["n_clusters"] == 2


def test_colligate_alone_can_be_told_the_group_of_a_name():
    methods = list(registry.load_methods().values())
    assert [method.name for method in methods if binds_names(method)] == ["colligate"]
    assert {"citcc", "colligate"} <= {method.name for method in methods if supports_start(method)}


@pytest.fixture(scope="module")
def planted():
    counts = np.kron(np.eye(3), np.ones((5, 4))) * 3
    return cg.make("colligate", n_clusters=3, random_state=0).fit(counts).result_


def test_groups_keep_their_numbers_and_names_and_a_new_one_gets_an_unused_number(planted):
    labels = planted.labels["documents"]
    before = np.where(labels == 2, 0, labels)
    start = StartGroups({"documents": before}, numbers=(8, 5), names=("", "Cats"))
    numbered = start.number_groups(planted)
    assert sorted(numbered.group_numbers) == [5, 8, 9]
    assert numbered.group_numbers[1] == 5
    assert numbered.given_names == ("", "Cats", "")
    assert StartGroups({"documents": before}).number_groups(planted) is planted


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("{", "is damaged and cannot be read"),
        ("[]", "is not a start file"),
        ('{"format": "colligate-start", "format_version": 1}', "is not a start file"),
        (HEAD + '"groups": {"birds": {}}}', "has groups of 'birds'"),
        (HEAD + '"groups": {"words": {"owl": 0}}}', "has 'owl'"),
        (HEAD + '"groups": {"words": {"cat": "0"}}}', "whole numbers"),
        (HEAD + '"groups": []}', "do not map each type to its groups"),
        (HEAD + DOCUMENTS + '"numbers": [3, 3]}', "a different number"),
        (HEAD + DOCUMENTS + '"numbers": [3]}', "a different number"),
        (HEAD + DOCUMENTS + '"numbers": [3, "4"]}', "numbers"),
        (HEAD + DOCUMENTS + '"names": ["Cats"]}', "must fit the 2 groups"),
        (HEAD + DOCUMENTS + '"labels": {"felines": 2}}', "must fit the 2 groups"),
        (HEAD + DOCUMENTS + '"weight": "much"}', "weight"),
        (HEAD + DOCUMENTS + '"temperature": "hot"}', "temperature"),
    ],
)
def test_a_start_file_with_a_slip_is_refused(tmp_path, network, text, match):
    (tmp_path / "start.json").write_text(text, encoding="utf-8")
    with pytest.raises((InputError, StoreError), match=match):
        read_start(tmp_path / "start.json", network)


def test_a_start_file_is_json_that_people_can_write(tmp_path, network, start):
    write_start(tmp_path / "start.json", network, start)
    content = json.loads((tmp_path / "start.json").read_text(encoding="utf-8"))
    assert content["groups"] == {"documents": {"x": 1, "z": 0}, "words": {"cat": 0, "dog": 1}}
    assert content["labels"] == {"felines": 1}
