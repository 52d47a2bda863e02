import random

import pytest

from colligate.entities.mentions.gazetteer import Gazetteer, Owner
from colligate.entities.mentions.tokens import normalise, tokenise, tokenise_name
from colligate.errors import InputError


def find_names(names, text):
    gazetteer = Gazetteer(sorted((f"e{start}", name) for start, name in enumerate(names)))
    return [text[hit.start : hit.end] for hit in gazetteer.find(text) if not hit.lowercase]


@pytest.mark.parametrize(
    ("names", "text", "finds"),
    [
        (
            ["Saddam Hussein"],
            "that SADDAM HUSSEIN, and Saddam Hussein's men",
            ["SADDAM HUSSEIN", "Saddam Hussein"],
        ),
        (["Saddam Hussein"], "saddam hussein", []),
        (["Saddam Hussein"], "> of Saddam\n> Hussein", ["Saddam\n> Hussein"]),
        (["York", "New York", "New York City"], "in New York City today", ["New York City"]),
        (["New York City", "York"], "in New York today", ["York"]),
        (["Paris Hilton", "Paris"], "in Paris. Hilton said", ["Paris"]),
        (["Paris Hilton"], "Paris\n\nHilton", []),
        (["McDonald's"], "at McDonald’s now", ["McDonald’s"]),
        (["AIDS"], "Aids and AIDS", ["AIDS"]),
        (["DoS"], "DOS and DoS", ["DoS"]),
        (["Cal"], "CAL and Cal", ["Cal"]),
        (["Lord of the Flies"], "THE LORD OF THE FLIES", ["LORD OF THE FLIES"]),
        (["data mining"], "Data mining. On data mining", ["Data mining", "data mining"]),
        (["Bill Said", "Clinton Said", "Clinton"], "Clinton said", ["Clinton"]),
    ],
)
def test_finds(names, text, finds):
    assert find_names(names, text) == finds


def test_a_name_has_all_its_owners_and_a_number():
    gazetteer = Gazetteer([("a", "Apple"), ("a", "Apple Computer"), ("b", "Apple"), ("b", "APPLE")])
    (hit,) = gazetteer.find("the Apple")
    assert gazetteer.names[hit.name] == "Apple"
    assert gazetteer.owners(hit.name) == (Owner("a", "Apple"), Owner("b", "Apple"))


def test_brackets_tell_of_another_meaning():
    names = [
        ("kb/Windows_(band)", "Windows"),
        ("kb/2", "Windows (film)"),
        ("kb/3", "Windows"),
        ("kb/3", "Windows (x)"),
    ]
    gazetteer = Gazetteer(names)
    (hit,) = gazetteer.find("for Windows")
    assert gazetteer.owners(hit.name) == (
        Owner("kb/Windows_(band)", "Windows", True),
        Owner("kb/2", "Windows", True),
        Owner("kb/3", "Windows"),
    )


def test_what_the_place_of_a_hit_tells():
    gazetteer = Gazetteer([("a", "Jordan"), ("b", "Michael Schenker")])
    hits = gazetteer.find("Jordan won. In Jordan, by Michael Jordan; jordan. The Jordan River")
    assert [(hit.mid_sentence, hit.standalone, hit.lowercase) for hit in hits] == [
        (False, True, False),
        (True, True, False),
        (True, False, False),
        (True, True, True),
        (True, False, False),
    ]


def test_a_capital_word_of_another_name_does_not_count():
    gazetteer = Gazetteer([("a", "Boston Bruins"), ("b", "Cam Neely")])
    assert [hit.standalone for hit in gazetteer.find("and Boston Bruins Cam Neely here")] == [True, True]


def test_no_names_at_all():
    with pytest.raises(InputError, match="have no names"):
        Gazetteer([])


def test_names_that_cannot_be_searched_for_are_told_from_none():
    with pytest.raises(InputError, match=r"none of the 2 names .* needs a capital letter"):
        Gazetteer([("a", "the"), ("b", "moon")])


def _slow(names, text):
    """The longest name at each place, by hand."""
    words = tokenise(text)
    token_names = {tuple(tokenise_name(name)) for name in names}
    start, finds = 0, []
    while start < len(words.words):
        most = min(6, len(words.words) - start)
        lengths = [n for n in range(most, 0, -1) if tuple(words.words[start : start + n]) in token_names]
        if lengths:
            finds.append(text[words.starts[start] : words.end(start + lengths[0] - 1)])
        start += lengths[0] if lengths else 1
    return finds


def test_like_a_slow_search():
    rng = random.Random(0)
    vocabulary = ["Anna", "Brno", "Cork", "Delft", "Essen"]
    for _ in range(200):
        names = {" ".join(rng.choices(vocabulary, k=rng.randint(1, 4))) for _ in range(6)}
        text = " ".join(rng.choices([*vocabulary, ".", "xyzzy"], k=20))
        assert find_names(sorted(names), text) == _slow(names, text)


@pytest.mark.parametrize(
    "name", ['"} DROP ALL {', "\x01A\x02", "’; SELECT ?s", "Robert'); --", "\u202eevil Name"]
)
def test_hostile_names_and_texts(name):
    assert find_names([name, "Apple"], f"{name} or Apple {normalise(name)}")[-1:] in (
        ["Apple"],
        [name],
        [normalise(name)],
    )


def test_one_long_line():
    text = "Apple pie " * 50_000
    assert len(find_names(["Apple"], text)) == 50_000
