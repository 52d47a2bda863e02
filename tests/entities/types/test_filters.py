import numpy as np
import pytest

from colligate.entities.types import FILTERS, filter_of
from colligate.entities.types.candidates import Reading
from colligate.entities.types.cases import Cases
from colligate.errors import ParameterError

FIRM, FRUIT = Reading("apple_inc", "Organisation", ("firm",)), Reading("apple", "Food", ("fruit",))
APPLE, IBM, BANANA, STRANGE = range(4)
READINGS = [
    (FRUIT, FIRM),
    (Reading("ibm", "Organisation", ("firm",)),),
    (Reading("banana", "Food", ("fruit",)),),
    (),
]


def cases(*rows, readings=READINGS, backed=None):
    document, name, count = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Cases(document, name, count, readings, backed or {})


def entities(given, choice):
    chosen = zip(given.name.tolist(), choice.reading.tolist(), strict=True)
    return [given.readings[name][at].entity if at >= 0 else None for name, at in chosen]


@pytest.mark.parametrize("name", FILTERS)
def test_every_filter(name):
    given = cases((0, APPLE, 2), (0, IBM, 1), (1, STRANGE, 1), backed={(0, 1): 3})
    first, again = filter_of(name).choose(given), filter_of(name).choose(given)
    assert entities(given, first) == ["apple_inc", "ibm", None]
    np.testing.assert_array_equal(first.reading, again.reading)
    assert ((first.confidence >= 0) & (first.confidence <= 1)).all()
    assert first.confidence[1] == 1
    assert first.confidence[2] == 0
    assert 0.5 < first.confidence[0] < 1


@pytest.mark.parametrize("name", FILTERS)
def test_nothing_to_decide(name):
    for given in (cases(), cases((0, STRANGE, 1))):
        assert filter_of(name).choose(given).reading.tolist() == [-1] * len(given)


def test_frequency_decides_each_document_by_itself():
    given = cases((0, APPLE, 1), (1, APPLE, 1), backed={(1, 1): 1})
    choice = filter_of("fbsf").choose(given)
    assert entities(given, choice) == ["apple", "apple_inc"]
    assert choice.confidence.tolist() == [0.5, 0.75]


def test_document_frequency_decides_each_name_once():
    given = cases((0, APPLE, 1), (1, APPLE, 1), (2, APPLE, 1), backed={(1, 1): 1})
    assert entities(given, filter_of("dfbsf").choose(given)) == ["apple_inc"] * 3


def test_types_are_voted_for_by_all_their_readings():
    people = [Reading("a", "Place"), Reading("b", "Person"), Reading("c", "Person")]
    choice = filter_of("fbsf").choose(cases((0, 0, 1), readings=[tuple(people)]))
    assert choice.reading.tolist() == [1]
    assert choice.confidence.tolist() == pytest.approx([2 / 3])


def test_an_entity_of_several_types_is_sure():
    both = (Reading("hanks", "Person"), Reading("hanks", "Award winner"))
    choice = filter_of("dfbsf").choose(cases((0, 0, 1), readings=[both]))
    assert choice.reading.tolist() == [0]
    assert choice.confidence.tolist() == [1.0]


def test_conceptualisation_sees_an_entity_as_its_first_type_everywhere():
    israel = (Reading("israel", "Place"), Reading("israel", "Army"))
    readings = [israel, (Reading("rome", "Place"),), (Reading("legion", "Army"),)]
    rows = [(document, name, 1) for document in range(8) for name in (0, 2)] + [(9, 0, 1), (9, 1, 1)]
    given = cases(*rows, readings=readings)
    assert given.name.tolist().count(0) == 9
    assert filter_of("cbsf").choose(given).reading[given.name == 0].tolist() == [0] * 9


def test_conceptualisation_goes_by_the_company():
    firms = [(document, name, 1) for document in range(5) for name in (APPLE, IBM)]
    fruits = [(document, name, 1) for document in range(5, 10) for name in (APPLE, BANANA)]
    given = cases(*firms, *fruits)
    choice = filter_of("cbsf").choose(given)
    assert entities(given, choice) == ["apple_inc", "ibm"] * 5 + ["apple", "banana"] * 5
    assert choice.confidence.min() > 0.6
    assert entities(given, filter_of("dfbsf").choose(given))[::2] == ["apple"] * 10


@pytest.mark.parametrize("name", FILTERS)
def test_a_name_of_secondary_readings_only_is_unsure_unless_backed(name):
    band = [(Reading("windows", "Organisation", secondary=True),), *READINGS[1:]]
    rows = [(0, 0, 1), (1, 0, 1), (1, IBM, 1)]
    unsure, sure, _ = filter_of(name).choose(cases(*rows, readings=band, backed={(1, 0): 1})).confidence
    assert unsure < 0.2
    assert sure == 1


def test_an_unknown_filter():
    with pytest.raises(ParameterError, match="fbsf, dfbsf, cbsf; got 'magic'"):
        filter_of("magic")
