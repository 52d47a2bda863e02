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
from colligate.result.groups import name_groups_by_words

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
        words=("felines",),
        temperature=7.5,
        doubt=0.25,
        calibration_clusters=7,
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


def test_a_start_of_an_earlier_version_has_a_temperature_and_no_doubt(network, start):
    earlier = replace(start, doubt=None).parameters(network, registry.find_method("colligate"))
    assert (earlier["temperature"], earlier["doubt"]) == (7.5, 0.0)
    by_hand = replace(start, temperature=None, doubt=None)
    parameters = by_hand.parameters(network, registry.find_method("colligate"))
    assert not parameters.keys() & {"temperature", "doubt"}


def test_a_method_gets_the_parameters_that_it_has(network, start):
    citcc = start.parameters(network, registry.find_method("citcc"))
    assert sorted(citcc) == ["init", "n_clusters", "n_init", "n_word_clusters", "word_init"]
    colligate = start.parameters(network, registry.find_method("colligate"))
    expected = {"calibration_clusters", "init", "init_names", "init_weight", "n_clusters", "n_init"}
    assert colligate.keys() == expected | {"temperature", "doubt"}
    assert colligate["calibration_clusters"] == 7
    assert (colligate["init_names"], colligate["init_weight"], colligate["temperature"]) == (
        {"felines": 1},
        3.0,
        7.5,
    )
    assert colligate["doubt"] == 0.25
    with pytest.raises(InputError, match="kmeans cannot start from existing groups"):
        start.parameters(network, registry.find_method("kmeans"))


def test_an_empty_group_is_counted(network):
    start = StartGroups({"documents": np.array([0, 0, 0])}, numbers=(0, 1), names=("", ""))
    assert start.parameters(network, registry.find_method("colligate"))["n_clusters"] == 2


def test_colligate_alone_can_be_told_the_group_of_a_name():
    methods = list(registry.load_methods().values())
    assert [method.name for method in methods if binds_names(method)] == ["colligate"]
    assert {"citcc", "colligate"} <= {method.name for method in methods if supports_start(method)}


@pytest.fixture(scope="module")
def halves():
    """Two groups of twenty documents; eight of the first are labelled as a third, which takes them all."""
    rng = np.random.default_rng(0)
    counts = rng.poisson(np.kron(np.eye(2), np.full((20, 8), 2.0)) + 0.1)
    return cg.Network.from_corpus(cg.Corpus.from_counts(counts, [f"w{k}" for k in range(16)]))


def test_groups_keep_their_numbers_and_names_wherever_their_documents_go(halves):
    groups = np.repeat([2, 0, 1], [8, 12, 20])
    start = StartGroups(
        {"documents": groups}, numbers=(8, 5, 9), names=("", "Cats", "Kittens"), labels={"young": 2}
    )
    model = cg.make(
        "colligate", random_state=0, **start.parameters(halves, registry.find_method("colligate"))
    )
    ids = halves.types["documents"].names
    knowledge = cg.Knowledge().label({ids[row]: "young" for row in range(8)})
    numbered = start.number_groups(model.fit(halves, knowledge=knowledge).result_)
    numbers = numbered.numbers_of(numbered.labels["documents"])
    assert set(numbers[:8]) == {9}
    assert np.mean(numbers[:20] == 9) > 0.5
    assert np.mean(numbers[20:] == 5) > 0.9
    assert (numbered.group_numbers, numbered.given_names) == ((8, 5, 9), ("", "Cats", "Kittens"))


@pytest.mark.parametrize(
    ("words", "start_of_name"), [((), "w1, w2: "), (("w1, w2",), "")], ids=["a name", "only words"]
)
def test_words_that_the_knowledge_calls_a_group_by_do_not_become_its_name(halves, words, start_of_name):
    start = StartGroups(
        {"documents": np.repeat([0, 1], 20)}, numbers=(3, 7), labels={"w1, w2": 0}, words=words
    )
    model = cg.make(
        "colligate", random_state=0, **start.parameters(halves, registry.find_method("colligate"))
    )
    ids = halves.types["documents"].names
    knowledge = cg.Knowledge().label({ids[row]: "w1, w2" for row in range(8)})
    numbered = start.number_groups(model.fit(halves, knowledge=knowledge).result_)
    assert numbered.group_names[0] == start_of_name + name_groups_by_words(numbered)[0]
    assert numbered.given_names == ("", "")
    later = numbered.apply(cg.Knowledge().outside([ids[0]]))
    assert later.group_names[0] == start_of_name + name_groups_by_words(later)[0]


def test_a_start_without_numbers_leaves_the_numbers_of_the_result(halves):
    result = cg.make("colligate", n_clusters=2, random_state=0).fit(halves).result_
    assert StartGroups({"documents": np.repeat([1, 0], 20)}).number_groups(result) is result


@pytest.mark.parametrize("method", ["citcc", "colligate", "chinc", "nmf", "tnmf"])
def test_groups_of_a_run_keep_the_order_of_its_start(halves, method):
    start = StartGroups({"documents": np.repeat([1, 0], 20), "words": np.repeat([1, 0], 8)}, numbers=(3, 7))
    found = cg.make(method, random_state=0, **start.parameters(halves, registry.find_method(method)))
    assert found.fit(halves).result_.labels["documents"].tolist() == np.repeat([1, 0], 20).tolist()


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("{", "is damaged and cannot be read"),
        ("[]", "is not a start file"),
        ('{"format": "colligate-start", "format_version": 1}', "is not a start file"),
        (HEAD + '"groups": {"birds": {}}}', "has groups of 'birds'"),
        (HEAD + '"groups": {"words": {"owl": 0}}}', "has 'owl'"),
        (HEAD + '"groups": {"words": {"cat": "0"}}}', "whole numbers"),
        (HEAD + '"groups": []}', "do not have the right form"),
        (HEAD + DOCUMENTS + '"numbers": [3, 3]}', "a different number"),
        (HEAD + DOCUMENTS + '"numbers": [3]}', "a different number"),
        (HEAD + DOCUMENTS + '"numbers": [3, "4"]}', "numbers"),
        (HEAD + DOCUMENTS + '"names": ["Cats"]}', "for another number of groups"),
        (HEAD + DOCUMENTS + '"labels": {"felines": 2}}', "for another number of groups"),
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
