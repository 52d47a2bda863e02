import numpy as np

from colligate.methods.margin.cutting_planes import Planes
from colligate.methods.margin.risks import make_target_plane
from tests.methods.margin.cases import cloud


def test_planes_turned_by_the_documents_that_moved_are_those_drawn_anew():
    features, groups = cloud(0)
    rng = np.random.default_rng(0)
    planes = Planes.none(groups, (3, features.width))
    for _ in range(3):
        planes = planes.add(features, rng.random((len(groups), 3)) < 0.5)
    others = np.where(np.arange(len(groups)) % 5 == 0, (groups + 1) % 3, groups).astype(np.int32)
    turned = planes.regroup(features, others)
    anew = [make_target_plane(features, choice, others) for choice in planes.unpack_choices()]
    np.testing.assert_allclose(turned.slopes, [slope for slope, _ in anew], atol=1e-12)
    np.testing.assert_allclose(turned.offsets, [offset for _, offset in anew])
    assert np.abs(turned.slopes - planes.slopes).max() > 1e-3
