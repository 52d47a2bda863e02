import pytest

from colligate.entities.mentions.tokens import (
    GAP,
    encode_name,
    encode_tokens,
    list_patterns,
    load_common_words,
    normalise,
    tokenise,
    tokenise_name,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Clinton's plan", ["Clinton", "'", "s", "plan"]),
        ("_Annals_ of AT&T", ["Annals", "of", "AT", "&", "T"]),
        ("Saddam\nHussein", ["Saddam", "Hussein"]),
        ("> > Saddam\n> > Hussein", ["Saddam", "Hussein"]),
        ("JM> Saddam\nJM> Hussein", ["Saddam", "Hussein"]),
        ("a | b > c", ["a", "|", "b", ">", "c"]),
        ("Paris\n\nHilton", ["Paris", GAP, "Hilton"]),
        ("> Paris\n>\n> Hilton", ["Paris", GAP, "Hilton"]),
        ("New\u200b \u202eYork\x00", ["New", "York"]),
        ("", []),
    ],
)
def test_words(text, words):
    assert tokenise(text).words == words


def test_places_lead_back_to_the_text():
    text = "> Über  die\n> Gauß'sche Zahl"
    tokens = tokenise(text)
    assert [text[start : tokens.end(index)] for index, start in enumerate(tokens.starts)] == tokens.words


def test_case_is_a_sign_before_the_same_letters():
    capital, small = encode_tokens(["Bush", "bush"])
    assert capital != small
    assert capital[2:] == small[2:]
    assert encode_name(["of"], capital=True) == encode_tokens(["Of"])[0]
    assert encode_name(["7"], capital=True) == encode_tokens(["7"])[0]


def test_tokens_are_wrapped_so_that_no_name_ends_within_a_word():
    assert "".join(encode_tokens(["Newton"])).find("".join(encode_tokens(["New"]))) == -1


@pytest.mark.parametrize(("word", "same"), [("’", "'"), ("`", "'"), ("Ｂｕｓｈ", "bush"), ("ÉTÉ", "été")])
def test_plain(word, same):
    assert normalise(word) == same


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
