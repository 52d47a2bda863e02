import numpy as np
import pytest

from colligate.entities.types import FILTERS, resolve_filter
from colligate.entities.types.candidates import Candidate
from colligate.entities.types.cases import Cases
from colligate.errors import ParameterError

FIRM, FRUIT = Candidate("apple_inc", "Organisation", ("firm",)), Candidate("apple", "Food", ("fruit",))
APPLE, IBM, BANANA, STRANGE = range(4)
READINGS = [
    (FRUIT, FIRM),
    (Candidate("ibm", "Organisation", ("firm",)),),
    (Candidate("banana", "Food", ("fruit",)),),
    (),
]


def cases(*rows, candidates=READINGS, backing=None):
    document, name, count = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Cases(document, name, count, candidates, backing or {})


def entities(sample, choice):
    chosen = zip(sample.name.tolist(), choice.candidate.tolist(), strict=True)
    return [
        sample.candidates[name][chosen_index].entity if chosen_index >= 0 else None
        for name, chosen_index in chosen
    ]


@pytest.mark.parametrize("name", FILTERS)
def test_every_filter(name):
    sample = cases((0, APPLE, 2), (0, IBM, 1), (1, STRANGE, 1), backing={(0, 1): 3})
    first, again = resolve_filter(name).choose(sample), resolve_filter(name).choose(sample)
    assert entities(sample, first) == ["apple_inc", "ibm", None]
    np.testing.assert_array_equal(first.candidate, again.candidate)
    assert ((first.confidence >= 0) & (first.confidence <= 1)).all()
    assert first.confidence[1] == 1
    assert first.confidence[2] == 0
    assert 0.5 < first.confidence[0] < 1


@pytest.mark.parametrize("name", FILTERS)
def test_nothing_to_decide(name):
    for sample in (cases(), cases((0, STRANGE, 1))):
        assert resolve_filter(name).choose(sample).candidate.tolist() == [-1] * len(sample)


def test_frequency_decides_each_document_by_itself():
    sample = cases((0, APPLE, 1), (1, APPLE, 1), backing={(1, 1): 1})
    choice = resolve_filter("fbsf").choose(sample)
    assert entities(sample, choice) == ["apple", "apple_inc"]
    assert choice.confidence.tolist() == [0.5, 0.75]


def test_document_frequency_decides_each_name_once():
    sample = cases((0, APPLE, 1), (1, APPLE, 1), (2, APPLE, 1), backing={(1, 1): 1})
    assert entities(sample, resolve_filter("dfbsf").choose(sample)) == ["apple_inc"] * 3


def test_types_are_voted_for_by_all_their_readings():
    people = [Candidate("a", "Place"), Candidate("b", "Person"), Candidate("c", "Person")]
    choice = resolve_filter("fbsf").choose(cases((0, 0, 1), candidates=[tuple(people)]))
    assert choice.candidate.tolist() == [1]
    assert choice.confidence.tolist() == pytest.approx([2 / 3])


def test_an_entity_of_several_types_is_sure():
    both = (Candidate("hanks", "Person"), Candidate("hanks", "Award winner"))
    choice = resolve_filter("dfbsf").choose(cases((0, 0, 1), candidates=[both]))
    assert choice.candidate.tolist() == [0]
    assert choice.confidence.tolist() == [1.0]


def test_conceptualisation_sees_an_entity_as_its_first_type_everywhere():
    israel = (Candidate("israel", "Place"), Candidate("israel", "Army"))
    candidates = [israel, (Candidate("rome", "Place"),), (Candidate("legion", "Army"),)]
    rows = [(document, name, 1) for document in range(8) for name in (0, 2)] + [(9, 0, 1), (9, 1, 1)]
    sample = cases(*rows, candidates=candidates)
    assert sample.name.tolist().count(0) == 9
    assert resolve_filter("cbsf").choose(sample).candidate[sample.name == 0].tolist() == [0] * 9


def test_conceptualisation_goes_by_the_company():
    firms = [(document, name, 1) for document in range(5) for name in (APPLE, IBM)]
    fruits = [(document, name, 1) for document in range(5, 10) for name in (APPLE, BANANA)]
    sample = cases(*firms, *fruits)
    choice = resolve_filter("cbsf").choose(sample)
    assert entities(sample, choice) == ["apple_inc", "ibm"] * 5 + ["apple", "banana"] * 5
    assert choice.confidence.min() > 0.6
    assert entities(sample, resolve_filter("dfbsf").choose(sample))[::2] == ["apple"] * 10


@pytest.mark.parametrize("name", FILTERS)
def test_a_name_of_secondary_readings_only_is_unsure_unless_backed(name):
    band = [(Candidate("windows", "Organisation", secondary=True),), *READINGS[1:]]
    rows = [(0, 0, 1), (1, 0, 1), (1, IBM, 1)]
    unsure, sure, _ = (
        resolve_filter(name).choose(cases(*rows, candidates=band, backing={(1, 0): 1})).confidence
    )
    assert unsure < 0.2
    assert sure == 1


def test_an_unknown_filter():
    with pytest.raises(ParameterError, match="fbsf, dfbsf, cbsf; got 'magic'"):
        resolve_filter("magic")
