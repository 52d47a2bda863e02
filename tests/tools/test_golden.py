"""A small slice of the golden files, so that they stay in step with the code; `check` computes them all."""

import pytest

from tools.golden.comparing import Difference, Rules, compare_items
from tools.golden.computing import compute_item, matches
from tools.golden.files import FOLDER, format_file, read_items, write_items

# single precision of word vectors: on a processor with other instructions objectives differ by about 1e-8
ELSEWHERE = Rules(tolerance=1e-7, wording=False, rounded=False)
SLICE = (
    "planted/kmeans/without/0",
    "planted/colligate/with/0",
    "planted/citcc/with/1",
    "planted/itcc/without/0",
    "subjects/colligate/without/2",
    "uneven/csnmf/with/0",
    "network/hinc/without/0",
    pytest.param("studio/project", marks=pytest.mark.slow),
)


@pytest.fixture(scope="module")
def recorded():
    return read_items(FOLDER)


@pytest.mark.parametrize("name", SLICE)
def test_a_slice_is_as_recorded(recorded, name):
    assert list(compare_items({name: recorded[name]}, {name: compute_item(name)}, ELSEWHERE)) == []


def test_labels_must_be_equal_and_objectives_within_the_tolerance():
    old = {"a": {"labels": {"hash": "x"}, "objective": "1.0", "csv": {"words.csv": "p"}}}
    new = {"a": {"labels": {"hash": "y"}, "objective": "1.0000000000001", "csv": {"words.csv": "q"}}}
    labels = Difference("a", "labels.hash", "x", "y")
    assert [one.what for one in compare_items(old, new, Rules())] == [
        "csv.words.csv",
        "labels.hash",
        "objective",
    ]
    assert list(compare_items(old, new, Rules(1e-12, wording=False))) == [labels]


def test_items_that_are_missing_or_new_differ():
    found = list(compare_items({"a": {}}, {"b": {}}, Rules()))
    assert [(one.item, one.recorded, one.now) for one in found] == [
        ("a", "recorded", "(absent)"),
        ("b", "(absent)", "computed"),
    ]


def test_an_item_that_fails_is_one_difference():
    found = list(compare_items({"a": {"n": 1, "m": 2}}, {"a": {"failed": "ValueError: no"}}, Rules()))
    assert found == [Difference("a", "failed", "computed", "ValueError: no")]


def test_items_that_are_recorded_again_replace_themselves_alone(tmp_path):
    write_items(tmp_path, {"a/x": {"n": 1}, "a/y": {"n": 2}}, {"numpy": "1"})
    write_items(tmp_path, {"a/y": {"n": 3}, "b/z": {"n": 4}}, {"numpy": "1"})
    assert read_items(tmp_path) == {"a/x": {"n": 1}, "a/y": {"n": 3}, "b/z": {"n": 4}}
    assert (tmp_path / "b.json").read_text() == format_file({"b/z": {"n": 4}}, {"numpy": "1"})


def test_patterns_match_parts_or_with_wildcards_the_whole():
    assert matches("demo/colligate/with/0", "colligate")
    assert matches("demo/colligate/with/0", "demo/*/with/0")
    assert not matches("demo/colligate/with/0", "*/without/*")
    assert matches("demo/colligate/with/0", None)
