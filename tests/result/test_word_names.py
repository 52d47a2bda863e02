"""Names of words: readable, different, phrases where words come in phrases, and unique over groups."""

from __future__ import annotations

import numpy as np
import pytest

import colligate as cg
from colligate.result.association import tabulate_objects
from colligate.result.groups import name_groups_by_words
from colligate.result.word_names import (
    choose_forms,
    choose_parts,
    find_phrases,
    has_same_stem,
    is_readable,
    rank_terms,
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("player", "players"),
        ("car", "cars"),
        ("ride", "riding"),
        ("israel", "israeli"),
        ("japan", "japanese"),
        ("city", "cities"),
        ("run", "running"),
        ("rate", "rates"),
    ],
)
def test_forms_of_one_word_have_the_same_stem(first, second):
    assert has_same_stem(first, second)
    assert has_same_stem(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [("car", "card"), ("bus", "bush"), ("moon", "money"), ("as", "ass"), ("gas", "gases2")],
)
def test_different_words_have_different_stems(first, second):
    assert not has_same_stem(first, second)


def test_words_with_more_digits_than_letters_are_not_readable():
    assert [word for word in ("39", "x11", "3d", "mp3", "b8f", "9v", "été", "月面") if is_readable(word)] == [
        "mp3",
        "b8f",
        "été",
        "月面",
    ]


def test_names_leave_out_forms_and_numbers():
    assert choose_parts(["39", "player", "players", "season", "game"], {}, 3) == ["player", "season", "game"]


def test_a_group_of_numbers_is_named_by_them():
    assert choose_parts(["39", "40"], {}, 3) == ["39", "40"]


def test_a_phrase_takes_the_place_of_its_word():
    phrases = {"shuttle": ("space", "shuttle")}
    assert choose_parts(["space", "moon", "shuttle", "orbit"], phrases, 3) == [
        "space shuttle",
        "moon",
        "orbit",
    ]
    assert choose_parts(["shuttle", "space", "moon"], phrases, 3) == ["space shuttle", "moon"]


TEXTS = [
    *(f"the space shuttle flew, word{k} moon" for k in range(6)),
    *(f"an ice rink and a goalie said: word{k}. Ice, melts" for k in range(6)),
]
LABELS = np.repeat([0, 1], 6)


def test_phrases_are_neighbours_without_stop_words_or_punctuation():
    corpus = cg.Corpus.from_texts(TEXTS)
    first, second = find_phrases(corpus, LABELS, [["shuttle", "moon"], ["goalie", "ice", "rink"]])
    assert first == {"shuttle": ("space", "shuttle", "flew")}
    assert second == {"ice": ("ice", "rink"), "rink": ("ice", "rink"), "goalie": ("goalie", "said")}


def test_common_words_make_no_phrases():
    corpus = cg.Corpus.from_texts([f"{text} said" for text in TEXTS])
    assert "goalie" not in find_phrases(corpus, LABELS, [[], ["goalie"]])[1]


def test_without_texts_or_with_functions_of_the_user_there_are_no_phrases():
    counts = cg.Corpus.from_counts(np.eye(2, dtype=int), ["a", "b"])
    split = cg.Corpus.from_texts(TEXTS, analyser=cg.Analyser(tokens=str.split))
    assert find_phrases(None, LABELS, [["a"]]) == [{}]
    assert find_phrases(counts, np.array([0, 1]), [["a"], ["b"]]) == [{}, {}]
    assert find_phrases(split, LABELS, [["shuttle"]]) == [{}]


def test_one_long_document_does_not_name_its_group():
    texts = ["faq " * 200 + "moon", *["moon orbit"] * 20, *["ice goalie"] * 20]
    corpus, labels = cg.Corpus.from_texts(texts), np.array([0] * 21 + [1] * 20, dtype=np.int32)
    table = tabulate_objects(labels, 2, corpus.counts)
    order = np.argsort(-rank_terms(table, labels, corpus.counts)[[0]].toarray()[0], kind="stable")
    assert corpus.words[int(table.scores[[0]].toarray()[0].argmax())] == "faq"
    assert [corpus.words[k] for k in order[:2]] == ["moon", "orbit"]


def test_names_of_a_loaded_result_are_the_same(tmp_path):
    result = cg.make("colligate", n_clusters=2, random_state=0).fit(cg.Corpus.from_texts(TEXTS)).result_
    result.save(tmp_path / "run")
    assert cg.Result.load(tmp_path / "run").group_names == result.group_names == name_groups_by_words(result)
    assert sorted(result.group_names)[1].startswith("space shuttle flew")


@pytest.mark.parametrize(
    ("language", "alike", "different"),
    [
        ("de", ("haus", "häuser"), ("ball", "ballett")),
        ("es", ("banco", "bancos"), ("ciudad", "cielo")),
        ("ko", ("은행", "은행"), ("bank", "banks")),
        ("en", ("player", "players"), ("bank", "river")),
        (None, ("player", "players"), ("bank", "river")),
    ],
)
def test_forms_of_one_word_are_told_by_the_rules_of_the_language(language, alike, different):
    is_form = choose_forms(language)
    assert is_form(*alike)
    assert not is_form(*different)


def test_names_of_german_groups_keep_words_that_english_rules_would_join():
    texts = ["die Wand und die Wanderung sind nicht das, was der Wanderer in der Stadt sieht"] * 3
    texts += ["die Kasse und das Kassier sind nicht in der Bank, und sie ist zu"] * 3
    corpus = cg.Corpus.from_texts(texts, analyser=cg.Analyser(stop_words="de"))
    result = cg.make("kmeans", n_clusters=2, random_state=0).fit(corpus).result_
    assert has_same_stem("wand", "wander")
    assert sorted(part for name in result.group_names for part in name.split(", "))[0] == "bank"
    assert any("wand" in name.split(", ") and "wanderung" in name for name in result.group_names)
