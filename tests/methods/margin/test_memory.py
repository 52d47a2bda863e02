import numpy as np
import pytest

from colligate.methods.margin.bundle import Point, empty_working_set, minimise
from colligate.methods.margin.clustering import pack_cuts, restore_cuts, restore_point
from colligate.methods.margin.risks import OutsiderRisk, TargetRisk
from tests.methods.margin.cases import beside, cloud


def solved():
    """A problem with outsiders, its cuts and its solution, and the problem after some documents moved."""
    features, groups = cloud(0, n=60, spread=2.0)
    outsiders = OutsiderRisk(beside(features, 0), 0.3, 8.0)
    risks = [TargetRisk(features, groups, 32.0), outsiders]
    cuts = empty_working_set(risks)
    found = minimise(risks, Point.of(np.zeros((3, features.width)), risks), 1e-3, cuts=cuts)
    moved = np.where(np.arange(60) % 10 == 0, (groups + 1) % 3, groups).astype(np.int32)
    return features, groups, cuts, found, [TargetRisk(features, moved, 32.0), outsiders]


def test_cuts_that_are_recalled_lie_below_the_risks_of_the_new_groups():
    features, groups, cuts, found, after = solved()
    known = restore_cuts(pack_cuts(cuts, groups, found), features, after[0].groups, after)
    assert {cut.owner for cut in known.cuts} == {0, 1}
    rng = np.random.default_rng(0)
    for weights in (rng.normal(size=(3, features.width)) for _ in range(20)):
        for cut in known.cuts:
            risk = after[cut.owner]
            height = cut.offset + np.vdot(cut.slope, weights)
            assert height <= risk.value(risk.scores(weights)) + 1e-9


def test_with_recalled_cuts_the_same_objective_is_found():
    features, groups, cuts, found, after = solved()
    known = restore_cuts(pack_cuts(cuts, groups, found), features, after[0].groups, after)
    begin = Point.of(found.W, after)
    again = minimise(after, begin, 1e-6, cuts=known)
    anew = minimise(after, begin, 1e-6)
    assert again.objective == pytest.approx(anew.objective, rel=1e-5)
    assert again.gap <= 1e-6 * again.objective


def test_a_state_without_memory_knows_no_cuts_and_sees_its_scores_anew():
    features, _, cuts, found, after = solved()
    numbers = {"weights": found.W}
    assert len(restore_cuts(numbers, features, after[0].groups, after)) == 0
    seen = restore_point(numbers, after)
    np.testing.assert_allclose(seen.scores[0], features.scores(found.W))
    assert len(cuts) > 2
