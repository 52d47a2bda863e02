import pytest

from colligate.entities.mentions.tokens import encode_tokens, list_patterns, load_common_words, tokenise_name


@pytest.mark.parametrize(
    "name", ["Apple", "NATO", "eBay", "Bill Gates", "data mining", "The Lord of the Rings", "White House"]
)
def test_names_that_are_looked_for(name):
    assert tokenise_name(name)


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
    assert tokenise_name(name) == []


def test_a_name_is_found_in_capitals_and_a_term_at_the_start_of_a_sentence():
    assert "".join(encode_tokens(["LORD", "OF", "FLIES"])) in list_patterns(["Lord", "of", "Flies"])
    assert "".join(encode_tokens(["lord", "of", "flies"])) not in list_patterns(["Lord", "of", "Flies"])
    assert "".join(encode_tokens(["Data", "mining"])) in list_patterns(["data", "mining"])


def test_everyday_words_are_everyday():
    assert {"the", "monday", "house", "good"} <= load_common_words()
    assert not {"apple", "israel", "microsoft", "clinton"} & load_common_words()
