import numpy as np
import pytest

import colligate as cg
from colligate.methods.checkpoint import compute_fingerprint
from colligate.methods.guidance import compile_for

COUNTS = np.random.default_rng(0).poisson(1.0, (12, 8)) + 1


def of(knowledge=None, counts=COUNTS, **parameters):
    network = cg.Network.from_matrix(counts)
    method = cg.make("citcc", **{"n_clusters": 2, **parameters})
    return compute_fingerprint(method, network, compile_for(method, network, knowledge))


def test_the_same_problem_has_the_same_fingerprint_on_any_number_of_threads():
    assert of(cg.Knowledge().label({0: "a"})) == of(cg.Knowledge().label({0: "a"}), n_jobs=3)


def groups(apart):
    return cg.Knowledge().groups(documents={"g": [0, 1], "h": [2, 3]}, apart=apart)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (None, cg.Knowledge().label({0: "a"})),
        (cg.Knowledge().label({0: "a"}), cg.Knowledge().label({1: "a"})),
        (cg.Knowledge().together(documents=[(0, 1)]), cg.Knowledge().apart(documents=[(0, 1)])),
        (
            cg.Knowledge().together(documents=[(0, 1)]),
            cg.Knowledge().together(documents=[(0, 1)], strength=2.0),
        ),
        (groups(0.5), groups(50.0)),
        (cg.Knowledge().category("a", words=[1, 2]), cg.Knowledge().category("a", words=[1, 3])),
    ],
)
def test_other_knowledge_has_another(one, other):
    assert of(one) != of(other)


def test_other_counts_or_parameters_have_another():
    assert of() != of(counts=COUNTS + 1)
    assert of() != of(n_clusters=3)
    assert of(init=np.zeros(12, dtype=int)) != of(init=np.ones(12, dtype=int))
