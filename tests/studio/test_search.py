"""Queries: what they mean, what they match, and which part of a text shows it."""

from __future__ import annotations

import numpy as np
import pytest

from colligate.corpus import Corpus
from colligate.network import Network
from colligate.studio.search import Filter, Query, TextSearch, make_snippet, match_groups, parse_query

TEXTS = [
    "The ice hockey team of the ice age.",
    "Hockey on ice; icebergs melt.",
    "That hat is hot. A price was paid.",
    "Schöne Grüße aus Zürich",
    "東京で会議が開かれた",
    "see http://example.org/a?b=1 (c++)",
    "",
]


@pytest.fixture(scope="module")
def search():
    return TextSearch(
        Network.from_corpus(Corpus.from_texts(TEXTS, ids=[f"id{n}" for n in range(len(TEXTS))]))
    )


def find(search, text):
    return search.find(parse_query(text), lambda part: np.zeros(len(TEXTS), dtype=bool)).tolist()


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("ice hockey", Query(("ice", "hockey"))),
        ('"ice  age" -team', Query(("ice age",), ("team",))),
        ('-"ice age" ice', Query(("ice",), ("ice age",))),
        ("group:3 ice", Query(("ice",), (), (Filter("group", "3", False),))),
        ('Group:"winter sport"', Query((), (), (Filter("group", "winter sport", False),))),
        ("-source:bbc", Query((), (), (Filter("Source", "bbc", True),))),
        ('"long name":x', Query((), (), (Filter("long name", "x", False),))),
        ("http://example.org", Query(("http://example.org",))),
        ("re: ice", Query(("re:", "ice"))),
        ('"not closed', Query(("not closed",))),
        ("- ice ice", Query(("ice",), ())),
        ('""', Query()),
    ],
)
def test_a_query_is_words_phrases_exclusions_and_filters(text, query):
    assert parse_query(text, ["Source", "long name"]) == query


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ice", [0, 1]),
        ("ICE hockey", [0, 1]),
        ('"ice hockey"', [0]),
        ("ice -icebergs", [0]),
        ("hat", [2]),
        ("grü", [3]),
        ("GRÜSSE", []),
        ("会議", [4]),
        ("http://example.org", [5]),
        ("c++", [5]),
        ("(c", [5]),
        ("id3", [3]),
        ("nothing", []),
    ],
)
def test_words_match_at_their_beginning_in_every_script(search, text, expected):
    assert sorted(find(search, text)) == expected


def test_more_occurrences_rank_higher_and_an_id_first():
    same = TextSearch(
        Network.from_corpus(Corpus.from_texts(["moon ice", "ice ice ice", "puck ice"], ids=["a", "b", "ice"]))
    )
    assert find_all(same, "ice") == [2, 1, 0]


def find_all(search, text):
    return search.find(parse_query(text), lambda part: np.zeros(3, dtype=bool)).tolist()


def test_a_filter_is_decided_by_the_caller(search):
    chosen = np.arange(len(TEXTS)) < 1
    assert search.find(parse_query("ice group:a"), lambda part: chosen).tolist() == [0]
    assert search.find(parse_query("ice -group:a"), lambda part: chosen).tolist() == [1]


def test_a_network_without_texts_is_searched_by_ids():
    counts = Corpus.from_counts(np.eye(3, dtype=int), ["a", "b", "c"], ids=["x1", "x2", "y1"])
    search = TextSearch(Network.from_corpus(counts))
    assert search.find(parse_query("x"), lambda part: np.ones(3, dtype=bool)).tolist() == [0, 1]


def test_a_snippet_shows_most_terms_and_marks_them():
    text = "far " * 100 + "the ice\nof the hockey team" + " near" * 100
    pieces = make_snippet(text, ["hockey", "ice"], 120)
    assert pieces[1::2] == ["ice", "hockey"]
    assert pieces[0].startswith("… ")
    assert pieces[-1].endswith(" …")
    assert "\n" not in "".join(pieces)
    assert len("".join(pieces)) < 140


def test_a_snippet_without_terms_is_the_beginning():
    assert make_snippet("  one\n two  three ", [], 9) == ["one two t"]
    assert make_snippet("", ["ice"], 50) == [""]


def test_groups_are_named_by_number_or_a_part_of_their_name():
    names = {0: "Winter sport", 1: "Baking", 12: "sport: 1, 2"}
    assert match_groups(names, "12") == [12]
    assert match_groups(names, "SPORT") == [0, 12]
    assert match_groups(names, "none") == [-1]
    assert match_groups(names, "7") == []
    assert match_groups(names, "") == []
