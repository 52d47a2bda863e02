import pytest

from colligate.entities.mentions.filters import filter_mentions
from colligate.entities.mentions.gazetteer import Gazetteer
from colligate.entities.mentions.search import MentionFinder, find_mentions


def kept(base, *texts):
    gazetteer = Gazetteer(base.names())
    found = filter_mentions(find_mentions(MentionFinder(gazetteer), texts, jobs=1), gazetteer, base)
    return [texts[row[0]][row[2] : row[3]] for row in found.hits.tolist()]


@pytest.fixture
def people(tiny):
    names = {f"p{at}": [f"David {chr(65 + at)}xton", f"{chr(65 + at)}nna Cooper"] for at in range(12)}
    schools = {f"u{at}": [f"University of {chr(65 + at % 26)}{'b' * at}"] for at in range(40)}
    other = {"d": ["David"], "c": ["Cooper"], "u": ["University"], "b": ["Boston"], "k": ["Kansas"]}
    kinds = {entity: ["Person"] for entity in names} | {entity: ["School"] for entity in schools}
    return tiny(names | schools | other, kinds)


def test_given_names_family_names_and_common_nouns_are_no_names(people):
    assert kept(people, "We saw David, and Cooper; a University in Boston") == ["Boston"]
    assert kept(people, "We saw David Axton, and Anna Cooper, of University of Bb") == [
        "David Axton",
        "Anna Cooper",
        "University of Bb",
    ]


def test_a_word_must_be_capital_in_most_places(people):
    assert kept(people, "in Kansas") == ["Kansas"]
    assert kept(people, "in Kansas", "a kansas, the kansas, my kansas") == []


def test_the_start_of_a_sentence_tells_nothing(people):
    assert kept(people, "Kansas. Kansas! Kansas? My kansas") == []


def test_a_part_of_a_longer_name_is_no_name(people):
    text = "the Boston Wanderers, the North-Boston, and Boston. In Boston, by Boston"
    assert kept(people, text) == ["Boston"] * 3


def test_a_word_that_others_lead_is_a_family_name_everywhere(people):
    assert kept(people, "in Boston, at Boston, of Boston", "by Janet Boston, of Boston") == []


def test_a_word_that_others_lead_now_and_then_is_a_family_name_there(people):
    texts = [
        "in Boston, at Boston, to Boston, on Boston, by Boston, for Boston",
        "Janet Boston. We saw Boston",
    ]
    assert kept(people, *texts) == ["Boston"] * 6


def test_a_name_that_mostly_is_a_part_is_none(people):
    assert kept(people, "the Boston Wanderers, the Boston Cup, and Boston") == []
