import pytest

from colligate.entities.mentions.tokens import encoded, everyday, spellings, words_of


@pytest.mark.parametrize(
    "name", ["Apple", "NATO", "eBay", "Bill Gates", "data mining", "The Lord of the Rings", "White House"]
)
def test_names_that_are_looked_for(name):
    assert words_of(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "The",
        "March",
        "apple",
        "X",
        "42",
        "!!!",
        "in the",
        "word " * 20,
        "a\n\nb",
        "7 11",
        "Good people",
    ],
)
def test_names_that_are_not(name):
    assert words_of(name) == []


def test_a_name_is_found_in_capitals_and_a_term_at_the_start_of_a_sentence():
    assert "".join(encoded(["LORD", "OF", "FLIES"])) in spellings(["Lord", "of", "Flies"])
    assert "".join(encoded(["lord", "of", "flies"])) not in spellings(["Lord", "of", "Flies"])
    assert "".join(encoded(["Data", "mining"])) in spellings(["data", "mining"])


def test_everyday_words_are_everyday():
    assert {"the", "monday", "house", "good"} <= everyday()
    assert not {"apple", "israel", "microsoft", "clinton"} & everyday()
