import pytest

from colligate.entities.mentions.gazetteer import Gazetteer

NAMES = [
    "Reno",
    "Denver",
    "Delaware",
    "Ford",
    "Lowell",
    "Israel",
    "Cyprus",
    "Virginia",
    "Christ",
    "Jews",
    "Europe",
]
GAZETTEER = Gazetteer(
    sorted((name, name) for name in [*NAMES, "University of New York", "University of Texas", "U.S."])
)


def hits(text):
    return [hit for hit in GAZETTEER.find(text) if not hit.lowercase]


@pytest.mark.parametrize(
    "text",
    [
        "read the Denver Post",
        "at the Univ. of Delaware",
        "the Earl of Delaware",
        "EARL OF DELAWARE",
        "the Bellman-Ford algorithm",
        "at UMass/Lowell, now",
        "the code Ford-1",
        "from x@Virginia.EDU",
        "===Ford===",
        "between Christ-\nians",
        "the non-Jews here",
        "in Central Europe now",
        "State University of New York",
        "the University of Texas at Austin",
        "see 18 U.S.C. 922",
    ],
)
def test_parts_of_something_longer(text):
    assert [hit.standalone for hit in hits(text)] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "in Denver, they",
        "Most of Europe is",
        "Israel-Cyprus",
        "the Israel/Cyprus case",
        "an Israel-backed force",
        "Denver In May",
        "Denver\nPost",
        "Denver Denver",
        "the (Denver) one",
    ],
)
def test_names_of_their_own(text):
    assert all(hit.standalone for hit in hits(text))
    assert hits(text)


@pytest.mark.parametrize(("text", "led"), [("Janet Reno", True), ("Dr. Reno", True), ("J. Reno", True)])
def test_what_leads_a_family_name(text, led):
    assert [hit.preceded for hit in hits(f"by {text}")] == [led]


@pytest.mark.parametrize("text", ["The Reno", "in Reno", "the NHL. Reno won", "the U.S. Reno", "Janet\nReno"])
def test_what_leads_none(text):
    assert not hits(text)[-1].preceded


def test_what_something_is_in():
    assert [hit.locative for hit in hits("in Reno, and Reno")] == [True, False]
