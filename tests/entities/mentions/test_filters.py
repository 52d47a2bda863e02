import numpy as np
import pytest

from colligate.entities.kb import open_base
from colligate.entities.mentions.filters import filter_mentions, find_metonyms, find_unsupported_aliases
from colligate.entities.mentions.gazetteer import Gazetteer
from colligate.entities.mentions.search import MentionFinder, find_mentions


def kept(base, *texts):
    gazetteer = Gazetteer(base.names())
    mentions = filter_mentions(find_mentions(MentionFinder(gazetteer), texts, jobs=1), gazetteer, base)
    return [texts[row[0]][row[2] : row[3]] for row in mentions.hits.tolist()]


@pytest.fixture
def people(tiny):
    names = {
        f"p{number}": [f"David {chr(65 + number)}xton", f"{chr(65 + number)}nna Cooper"]
        for number in range(12)
    }
    schools = {f"u{number}": [f"University of {chr(65 + number % 26)}{'b' * number}"] for number in range(40)}
    single = {"d": ["David"], "c": ["Cooper"], "u": ["University"], "b": ["Boston"], "k": ["Kansas"]}
    kinds = {entity: ["Person"] for entity in names} | {entity: ["School"] for entity in schools}
    return tiny(names | schools | single, kinds)


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


TABLE = """entity,name,aliases,type
za,South Africa,RSA|Azania,Country
ms,Microsoft Corporation,Microsoft,Firm
cia,Central Intelligence Agency,CIA,Agency
"""


@pytest.fixture
def base(tmp_path):
    path = tmp_path / "base.csv"
    path.write_text(TABLE, encoding="utf-8")
    return open_base(path)


def dropped(base, *texts):
    gazetteer = Gazetteer(base.names())
    mentions = find_mentions(MentionFinder(gazetteer), texts, jobs=1)
    single = [number for number in sorted(set(mentions.name.tolist())) if gazetteer.words[number] == 1]
    return [gazetteer.names[number] for number in find_unsupported_aliases(mentions, single, gazetteer, base)]


def test_a_code_that_no_other_name_stands_beside(base):
    assert dropped(base, *["by RSA now"] * 5) == ["RSA"]
    assert dropped(base, *["by RSA now"] * 5, "in South Africa") == ["RSA"]
    assert dropped(base, *["by RSA now"] * 4, "to RSA, South Africa") == []


def test_a_word_of_the_label_and_its_initials_want_another_name_anywhere(base):
    assert dropped(base, *["by Microsoft, the CIA"] * 5) == ["CIA", "Microsoft"]
    texts = ["by Microsoft Corporation", "the Central Intelligence Agency"]
    assert dropped(base, *["by Microsoft, the CIA"] * 5, *texts) == []


def test_nothing_is_expected_of_few_documents(base):
    assert dropped(base, "by RSA", "by RSA") == []


def test_labels_and_aliases(base):
    (entity,) = base.named(["CIA"])["CIA"]
    assert base.labels([entity]) == {entity: ("Central Intelligence Agency",)}
    assert base.aliases([entity]) == {entity: ("CIA",)}


def test_labels_in_other_languages_are_left_out(tmp_path):
    path = tmp_path / "base.nt"
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    path.write_text(f'<urn:w> {label} "Wien"@de .\n<urn:w> {label} "Vienna"@en .\n', encoding="utf-8")
    assert open_base(path, languages=["en"]).labels(["urn:w"]) == {"urn:w": ("Vienna",)}
    assert open_base(path).labels(["urn:w"]) == {"urn:w": ("Vienna", "Wien")}


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
    called = {f"c{number}": [city] for number, city in enumerate([*CITIES, "Utica"])}
    called |= {f"t{number}": [f"{city} Wolves", f"Xwolves{number}"] for number, city in enumerate(CITIES)}
    kinds = {entity: ["city" if entity[0] == "c" else "team"] for entity in called}
    return tiny(called, kinds)


def doubtful(base, *texts):
    gazetteer = Gazetteer(base.names())
    mentions = find_mentions(MentionFinder(gazetteer), texts, jobs=1)
    places = zip(mentions.start.tolist(), mentions.end.tolist(), mentions.document.tolist(), strict=True)
    named = [texts[document][start:end] for start, end, document in places]
    return [name for name, out in zip(named, find_metonyms(mentions, gazetteer, base), strict=True) if out]


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
