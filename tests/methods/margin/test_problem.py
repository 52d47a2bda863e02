import numpy as np

from colligate.kernels import make_kernels
from colligate.methods.margin.bundle import Point, minimise
from colligate.methods.margin.features import centre_rows
from colligate.methods.margin.groups import initialize_groups
from colligate.methods.margin.problem import SCALES, choose_scale
from colligate.methods.margin.risks import TargetRisk, margins
from tests.methods.margin.cases import cloud


def median_margin(features, groups, scale):
    rows = features.scaled(scale / features.length(), 0.0)
    risks = [TargetRisk(rows, groups, 64.0)]
    weights = minimise(risks, Point.of(np.zeros((3, rows.width)), risks), 1e-3).W
    return np.median(margins(rows.scores(weights)))


def test_half_the_documents_reach_their_margin_and_at_half_the_scale_they_do_not():
    features, _ = cloud(0, n=300, width=10, spread=3.0)
    groups = initialize_groups(make_kernels(), features, 3, np.random.default_rng(0))
    scale = choose_scale(make_kernels(), features, 3, 64.0)
    assert SCALES[0] < scale < SCALES[-1]
    assert median_margin(features, groups, scale) >= 0.95
    assert median_margin(features, groups, scale / 2) < 0.95


def test_the_unit_of_the_rows_does_not_matter():
    features, _ = cloud(0, n=300, width=10, spread=3.0)
    larger = centre_rows(features.rows * 1000.0)
    assert choose_scale(make_kernels(), features, 3, 64.0) == choose_scale(make_kernels(), larger, 3, 64.0)


def test_equal_rows_have_no_scale():
    assert choose_scale(make_kernels(), centre_rows(np.ones((6, 2))), 2, 64.0) == 1.0
