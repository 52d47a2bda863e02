from __future__ import annotations

import pytest

import colligate as cg
from colligate.cli.inputs import make_method, parse_parameters
from colligate.errors import ParameterError


def test_values_are_json_or_text():
    given = ["link_weight=20", "tol=1e-3", "polish=true", "init=random", "other=a=b", "none=null"]
    assert parse_parameters(given) == {
        "link_weight": 20,
        "tol": 1e-3,
        "polish": True,
        "init": "random",
        "other": "a=b",
        "none": None,
    }


def test_options_that_were_not_given_keep_the_method_s_defaults():
    made = make_method("citcc", {"n_clusters": 4, "n_init": None, "link_weight": 3.0})
    assert (made.n_clusters, made.link_weight) == (4, 3.0)
    assert made.n_init == cg.make("citcc").n_init


def test_unknown_parameters_are_refused_by_name():
    with pytest.raises(
        ParameterError, match=r"citcc has no parameter link_wieght; did you mean link_weight\?"
    ):
        make_method("citcc", {"link_wieght": 1})
    with pytest.raises(ParameterError, match="kmeans has no parameter n_word_clusters; omit --word-clusters"):
        make_method("kmeans", {"n_word_clusters": 4})
