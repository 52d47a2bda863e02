import numpy as np
import pytest

from colligate.entities.types.candidates import Candidate
from experiments.paper001_reasons import share_joined
from experiments.paper003_filters import count_errors, wilson_interval


def test_what_links_join():
    pairs = np.array([[0, 1], [1, 2], [4, 5]])
    assert share_joined(pairs, 8) == {"joined": 3 / 8, "free": 3 / 8}


def test_the_interval_of_a_share():
    assert wilson_interval(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson_interval(10, 10)[1] == pytest.approx(1.0)


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
