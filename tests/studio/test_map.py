"""The layout of the map."""

from __future__ import annotations

import numpy as np
import pytest

import colligate as cg
from colligate.studio.map import MapLayout, make_layout


@pytest.fixture(scope="module")
def result():
    rng = np.random.default_rng(1)
    blocks = [np.r_[np.full(8, 0.3), np.full(24, 0.02)][(np.arange(32) - 8 * k) % 32] for k in range(4)]
    counts = np.vstack([rng.poisson(blocks[k], (25, 32)) for k in range(4)])
    return (
        cg.make("itcc", n_clusters=4, n_init=1, random_state=0)
        .fit(counts + (counts.sum(1) == 0)[:, None])
        .result_
    )


def test_the_map_stays_when_the_groups_do(result):
    first = make_layout(result, (0, 1, 2, 3))
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    turned = MapLayout(first.documents, first.identities, 0.5 + (first.centres - 0.5) @ turn, first.radii)
    second = make_layout(result, (0, 1, 2, 3), turned)
    assert np.allclose(second.centres, turned.centres)
    assert np.allclose(second.documents, 0.5 + (first.documents - 0.5) @ turn, atol=1e-5)


def test_every_document_has_a_place_and_places_are_stored(result, tmp_path):
    places = make_layout(result, (0, 1, 2, 3))
    assert places.documents.shape == (100, 2)
    assert len(np.unique(places.documents, axis=0)) == 100
    places.save(tmp_path / "1.npz")
    assert np.array_equal(MapLayout.load(tmp_path / "1.npz").documents, places.documents)
