"""Start files: the groups that a run begins from."""

from __future__ import annotations

import numpy as np
import pytest

import colligate as cg
from colligate import registry
from colligate.errors import InputError, StoreError
from colligate.methods.start_file import read_start, start_parameters, write_start

HEAD = '{"format": "colligate-start", "format_version": 1, '


def test_a_start_file_reads_back_in_the_order_of_the_objects(tmp_path):
    corpus = cg.Corpus.from_texts(["a cat", "a dog", "a cat dog"], ids=["x", "y", "z"])
    network = cg.Network.from_corpus(corpus)
    path = tmp_path / "start.json"
    write_start(path, network, {"documents": np.array([1, -1, 0]), "words": np.array([0, 1])})
    labels = read_start(path, network)
    assert labels["documents"].tolist() == [1, -1, 0]
    assert sorted(start_parameters(labels, network, registry.find_method("citcc"))) == ["init", "word_init"]
    with pytest.raises(InputError, match="kmeans cannot start from given groups"):
        start_parameters(labels, network, registry.find_method("kmeans"))


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("{", "is damaged and cannot be read"),
        ("[]", "is not a start file"),
        ('{"format": "colligate-start", "format_version": 2}', "is not a start file"),
        (HEAD + '"groups": {"birds": {}}}', "has groups of 'birds'"),
        (HEAD + '"groups": {"words": {"owl": 0}}}', "has 'owl'"),
        (HEAD + '"groups": {"words": {"cat": "0"}}}', "whole numbers"),
        (HEAD + '"groups": []}', "do not map each type to its groups"),
    ],
)
def test_a_start_file_with_a_slip_is_refused(tmp_path, text, match):
    network = cg.Network.from_corpus(cg.Corpus.from_texts(["a cat", "a dog", "cat dog"]))
    (tmp_path / "start.json").write_text(text, encoding="utf-8")
    with pytest.raises((InputError, StoreError), match=match):
        read_start(tmp_path / "start.json", network)
