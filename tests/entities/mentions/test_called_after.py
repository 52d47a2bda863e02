import numpy as np
import pytest

from colligate.entities.mentions.filters import find_metonyms
from colligate.entities.mentions.gazetteer import Gazetteer
from colligate.entities.mentions.search import MentionFinder, find_mentions

CITIES = [
    "Boston",
    "Dallas",
    "Denver",
    "Quebec",
    "Toronto",
    "Calgary",
    "Detroit",
    "Ottawa",
    "Hartford",
    "Tampa",
]


@pytest.fixture
def sports(tiny):
    called = {f"c{at}": [city] for at, city in enumerate([*CITIES, "Utica"])}
    called |= {f"t{at}": [f"{city} Wolves", f"Xwolves{at}"] for at, city in enumerate(CITIES)}
    kinds = {entity: ["city" if entity[0] == "c" else "team"] for entity in called}
    return tiny(called, kinds)


def doubtful(base, *texts):
    gazetteer = Gazetteer(base.names())
    found = find_mentions(MentionFinder(gazetteer), texts, jobs=1)
    places = zip(found.start.tolist(), found.end.tolist(), found.document.tolist(), strict=True)
    named = [texts[document][start:end] for start, end, document in places]
    return [name for name, out in zip(named, find_metonyms(found, gazetteer, base), strict=True) if out]


LONG = "to " + ", ".join(f"{city}" for city in CITIES)


def test_a_place_where_the_talk_is_of_teams(sports):
    assert doubtful(sports, "so Boston beat Xwolves1", LONG) == ["Boston"]
    assert doubtful(sports, "to Boston by train", LONG) == []


def test_a_place_without_a_team_is_one_of_the_kind(sports):
    assert doubtful(sports, "so Utica beat Xwolves1", LONG) == ["Utica"]


def test_nothing_where_no_class_is_called_after_anything(tiny):
    base = tiny({"a": ["Boston"], "b": ["Boston Harbour"]}, {"a": ["city"], "b": ["port"]})
    assert doubtful(base, "in Boston, of Boston Harbour") == []
    assert np.zeros(0).tolist() == doubtful(base, "nothing")
