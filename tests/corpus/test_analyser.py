from __future__ import annotations

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer

from colligate.corpus import Analyser, Corpus
from colligate.errors import InputError, ParameterError


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_df": 0}, "min_df must be a number of documents .* got 0"),
        ({"min_df": 1.5}, "min_df must be .* got 1.5"),
        ({"min_df": True}, "min_df must be .* got True"),
        ({"max_df": -0.1}, "max_df must be .* in Analyser; got -0.1"),
        ({"max_df": None}, "max_df must be"),
        ({"max_df": float("nan")}, "max_df must be"),
        ({"ngrams": (2, 1)}, r"ngrams must be two whole numbers .* got \(2, 1\)"),
        ({"ngrams": (0, 1)}, "ngrams must be"),
        ({"ngrams": "12"}, "ngrams must be"),
        ({"min_length": 0}, "min_length must be a whole number of at least 1"),
        ({"max_words": 0}, "max_words must be a whole number of at least 1"),
        (
            {"stop_words": "klingon"},
            "stop_words must be a language or a file .*'klingon'",
        ),
        ({"stop_words": 3}, "stop_words must be"),
        ({"stop_words": ["a", 1]}, "stop_words must be a list of str"),
        ({"pattern": "["}, "pattern must be a regular expression"),
        ({"pattern": "(a)(b)"}, "at most one group"),
        ({"lowercase": "yes"}, "lowercase must be True or False"),
        ({"tokens": "split"}, "tokens must be a function"),
        ({"vectorizer": HashingVectorizer()}, "vectorizer HashingVectorizer has no method"),
        ({"vectorizer": CountVectorizer(), "min_df": 3}, "min_df has no effect together with vectorizer"),
        (
            {"vectorizer": CountVectorizer(), "tokens": str.split},
            "tokens has no effect together with vectorizer",
        ),
        ({"tokens": str.split, "lowercase": False}, "lowercase has no effect together with tokens"),
    ],
)
def test_options_outside_their_domain_are_refused_by_name(options, message):
    with pytest.raises(ParameterError, match=message):
        Analyser(**options)


def test_a_refused_option_is_not_shown_at_any_length():
    with pytest.raises(ParameterError) as caught:
        Analyser(stop_words=["a"] * 10_000 + [3])
    assert len(str(caught.value)) < 200


def test_options_survive_json():
    analyser = Analyser(
        stop_words=["the", "a", "the"],
        min_df=np.int64(3),
        max_df=np.float32(0.5),
        ngrams=[1, 2],
        min_length=3,
        pattern=r"\w+",
        lowercase=False,
        max_words=10,
    )
    assert Analyser.from_dict(analyser.to_dict()) == analyser
    assert Analyser.from_dict(Analyser().to_dict()) == Analyser()
    assert analyser.stop_words == ("a", "the")
    assert analyser.ngrams == (1, 2)


@pytest.mark.parametrize("options", [{"tokens": str.split}, {"vectorizer": CountVectorizer()}])
def test_what_cannot_be_stored_leaves_a_note(options):
    loaded = Analyser.from_dict(Analyser(**options).to_dict())
    assert Analyser.from_dict(loaded.to_dict()) == loaded
    (name,) = options
    with pytest.raises(InputError, match=f"made with {name}=.*not stored.*pass an analyser"):
        Corpus.from_texts(["a text"], analyser=loaded)


@pytest.mark.parametrize("options", [[], {}, {"min_df": 0}, None, Analyser().to_dict() | {"ngrams": 1}])
def test_broken_options_are_refused(options):
    with pytest.raises(InputError, match="options of the analyser are not valid"):
        Analyser.from_dict(options)


@pytest.mark.parametrize(("documents", "least"), [(1, 1), (99, 1), (100, 2), (1999, 2), (2000, 5)])
def test_the_least_number_of_documents_grows_with_the_corpus(documents, least):
    assert Analyser().min_documents(documents) == least


def test_shares_and_numbers_of_documents():
    assert Analyser(min_df=0.07).min_documents(100) == 7
    analyser = Analyser(min_df=0.1, max_df=0.5)
    assert analyser.min_documents(200) == pytest.approx(20)
    assert analyser.max_documents(200) == pytest.approx(100)
    assert Analyser(min_df=7, max_df=9).min_documents(200) == 7
    assert Analyser(min_df=7, max_df=9).max_documents(200) == 9
