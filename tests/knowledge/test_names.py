"""Unknown names: what was probably meant, and why a word may be missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from colligate.errors import KnowledgeError, UnknownNameError
from colligate.knowledge import Knowledge
from colligate.knowledge.names import misspells

if TYPE_CHECKING:
    from pathlib import Path

WORDS = {"documents": ["a", "b"], "words": ["bank", "loan", "driscoll", "irish"]}


@pytest.mark.parametrize(
    ("written", "meant", "is_slip"),
    [
        ("docments", "documents", True),
        ("documnets", "documents", True),
        ("wrods", "words", True),
        ("Words", "words", True),
        ("word", "words", True),
        ("works", "words", False),
        ("words", "words", False),
        ("people", "words", False),
    ],
)
def test_a_slip_is_told_from_another_word(written: str, meant: str, is_slip: bool) -> None:
    assert misspells(written, meant) is is_slip


def test_swapped_letters_of_a_short_word_get_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match=r"word 'bnak' .*; did you mean 'bank'"):
        Knowledge().category("money", words=["bnak"]).compile(WORDS)


def test_a_word_that_tokenisation_splits_is_not_blamed_on_stop_words() -> None:
    with pytest.raises(UnknownNameError) as caught:
        Knowledge().category("rugby", words=["o'driscoll"]).compile(WORDS)
    assert "the tokeniser splits it into driscoll; use 'driscoll'" in str(caught.value)
    assert "stop words" not in str(caught.value)


def test_a_missing_word_may_be_a_stop_word() -> None:
    with pytest.raises(UnknownNameError, match="stop words or too rare"):
        Knowledge().category("rugby", words=["the"]).compile(WORDS)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("documents:\n  must_link: [[a, b]]\n", ":2: unknown key 'must_link' .*did you mean 'together'"),
        ("documents:\n  cannot-link: [[a, b]]\n", "did you mean 'apart'"),
        ("must_link: [[a, b]]\n", "did you mean 'together' under a type, as in 'documents: {together"),
        ("documents:\n  universum: [a]\n", "did you mean 'outside'"),
        ("seeds:\n  space: [orbit]\n", "did you mean 'categories'"),
    ],
)
def test_words_of_the_field_lead_to_the_key(tmp_path: Path, text: str, match: str) -> None:
    path = tmp_path / "k.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KnowledgeError, match=match):
        Knowledge.read(path)


def test_words_of_the_field_lead_to_the_method() -> None:
    with pytest.raises(AttributeError, match="no attribute 'must_link'; did you mean 'together'"):
        _ = Knowledge().must_link
    assert not hasattr(Knowledge(), "nonsense")
