import numpy as np
import pytest

from colligate.entities.types.candidates import Candidate
from experiments.paper001_reasons import share_joined
from experiments.paper003_filters import TRIES, count_errors


def test_what_links_join():
    pairs = np.array([[0, 1], [1, 2], [4, 5]])
    assert share_joined(pairs, 8) == {"joined": 3 / 8, "free": 3 / 8}


def test_stricter_rules_for_a_decision():
    kinds = {"fbsf": "people", "dfbsf": "people", "cbsf": "location"}
    rules = {name: rule(kinds, 0.8, "New York") for name, rule in TRIES.items()}
    assert rules == {
        "cbsf, confidence ≥ 0.7": True,
        "cbsf, confidence ≥ 0.9": False,
        "cbsf, names of several words": True,
        "all three filters agree": False,
        "all three agree, confidence ≥ 0.9": False,
    }


def test_errors_by_their_kind():
    mentions = [
        {"right": ["people"], "team": False, "error": "disambiguation"},
        {"right": ["organization"], "team": True, "error": "disambiguation"},
        {"right": [], "team": False, "error": "recognition"},
        {"right": ["location"], "team": False, "error": "recognition"},
    ]
    errors = count_errors([(one, Candidate("any", "location")) for one in mentions])
    assert (errors["recognition"], errors["disambiguation"], errors["teams"]) == (1, 2, 1)
    assert errors["share of disambiguation"] == pytest.approx(2 / 3)
