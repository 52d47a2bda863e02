import numpy as np
import pytest

from colligate.methods.margin.risks import BalanceRisk, OutsiderRisk, TargetRisk, margins
from tests.methods.margin.cases import beside, cloud


def risks(seed):
    features, groups = cloud(seed)
    features = features.scaled(0.7, 1.0)
    return [
        TargetRisk(features, groups, 1.0),
        OutsiderRisk(beside(features, seed), 0.5, 1.0),
        BalanceRisk(features, 0.1, 1.0),
    ]


def drawn(rng):
    return rng.normal(size=(3, 6)) * 10.0 ** rng.uniform(-1, 1)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("which", range(3))
def test_a_cut_touches_the_risk_and_lies_below_it_elsewhere(seed, which):
    rng = np.random.default_rng(seed)
    risk = risks(seed)[which]
    W = drawn(rng)
    slope, offset, _ = risk.cut(risk.scores(W))
    touched = max(0.0, offset + np.vdot(slope, W))
    assert touched == pytest.approx(risk.value(risk.scores(W)), abs=1e-9)
    for there in (drawn(rng) for _ in range(20)):
        assert offset + np.vdot(slope, there) <= risk.value(risk.scores(there)) + 1e-9


@pytest.mark.parametrize("which", range(3))
def test_a_line_gives_the_risk_on_the_way_from_one_w_to_another(which):
    rng = np.random.default_rng(0)
    risk = risks(0)[which]
    start, there = risk.scores(drawn(rng)), risk.scores(drawn(rng))
    line = risk.along(start, there)
    for share in (0.0, 0.3, 1.0):
        assert line(share) == pytest.approx(risk.value((1.0 - share) * start + share * there))


def test_the_risk_of_documents_is_the_sum_of_the_papers_slacks():
    features, groups = cloud(0)
    weights = np.random.default_rng(1).normal(size=(3, 6))
    scores = features.scores(weights)
    slacks = [
        max(0.0, 1.0 - scores[d, groups[d]] + scores[d, r])
        for d in range(len(groups))
        for r in range(3)
        if r != groups[d]
    ]
    risk = TargetRisk(features, groups, 1.0)
    assert risk.value(risk.scores(weights)) == pytest.approx(sum(slacks) / (3 * len(groups)))


def test_the_margin_is_the_lead_over_the_mean_of_the_others():
    scores = np.array([[3.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
    np.testing.assert_allclose(margins(scores), [2.5, 0.0])


def test_all_planes_of_the_balance_together_are_the_balance():
    risk = risks(0)[2]
    weights = np.random.default_rng(2).normal(size=(3, 6))
    highest = max(offset + np.vdot(slope, weights) for slope, offset in risk.planes(3))
    assert max(0.0, highest) == pytest.approx(risk.value(risk.scores(weights)))
