import numpy as np

import colligate as cg
from colligate.methods.mixture.calibration import temperature

from ..planted_documents import planted


def test_memberships_become_as_sure_as_the_runs_agree():
    rng = np.random.default_rng(0)
    scores = 20.0 * rng.normal(size=(500, 4))
    at = temperature(scores, np.full(500, 0.7, dtype=np.float32))
    shares = np.exp((scores - scores.max(axis=1, keepdims=True)) / at)
    np.testing.assert_allclose((shares.max(axis=1) / shares.sum(axis=1)).mean(), 0.7, atol=1e-3)


def test_what_is_not_too_sure_stays_as_it_is():
    assert temperature(np.zeros((10, 4)), np.ones(10, dtype=np.float32)) == 1.0
    assert temperature(np.zeros((0, 4)), np.ones(0, dtype=np.float32)) == 1.0


def test_the_confidence_of_a_result_is_its_stability_on_the_mean():
    counts, _ = planted(noise=0.1, strong=0.16)
    result = cg.make("colligate", n_clusters=4, random_state=0).fit(counts).result_
    assert result.model["temperature"] > 1
    np.testing.assert_allclose(result.confidence.mean(), result.stability.mean(), atol=0.02)
