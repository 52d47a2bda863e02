from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from colligate.corpus import Texts
from colligate.corpus import texts as module
from colligate.corpus.texts import replace_surrogates


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8"))))
def test_texts_behave_like_the_list_they_hold(listed):
    texts = Texts.of(iter(listed))
    assert list(texts) == listed
    assert len(texts) == len(listed)
    assert [texts[at] for at in range(len(listed))] == listed
    assert [texts[at] for at in range(-len(listed), 0)] == listed
    assert list(texts[1:3]) == listed[1:3]


def test_texts_span_several_blocks(monkeypatch):
    monkeypatch.setattr(module, "BLOCK_CHARACTERS", 10)
    texts = Texts.of(f"text {number}" for number in range(50))
    assert texts.column.num_chunks > 5
    assert texts[49] == "text 49"
    assert list(texts[20:22]) == ["text 20", "text 21"]


def test_an_index_outside_is_refused():
    with pytest.raises(IndexError, match="there is no text 2"):
        Texts.of(["a", "b"])[2]


def test_compact_texts_are_shared_and_travel_between_processes():
    texts = Texts.of(["a", "é"])
    assert Texts.of(texts) is texts
    assert list(pickle.loads(pickle.dumps(texts))) == ["a", "é"]
    assert repr(texts).startswith("Texts(2 texts")


def test_halves_of_surrogate_pairs_are_replaced():
    assert replace_surrogates("a\ud800b") == "a\ufffdb"
    assert replace_surrogates("\ud83d\ude00") == "\U0001f600"
    assert list(Texts.of(["\udcff"])) == ["\ufffd"]
