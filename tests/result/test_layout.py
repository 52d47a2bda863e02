from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from colligate.result.layout import (
    fill_disc,
    find_leading_directions,
    lay_out,
    place_discs,
    push_apart,
    sample_documents,
)


def corpus(n_documents: int, n_groups: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(-1, n_groups, n_documents).astype(np.int32)
    counts = sparse.random_array((n_documents, 60), density=0.2, rng=rng, format="csr")
    counts.data = np.ceil(counts.data * 5)
    return labels, counts, rng.random(n_documents), rng.integers(-1, n_groups, n_documents)


def test_places_lie_in_the_unit_square_and_are_the_same_every_time():
    labels, counts, sure, second = corpus(400, 5)
    one, two = (lay_out(labels, 5, counts, sure, second) for _ in range(2))
    assert np.array_equal(one.places, two.places)
    assert one.places.min() >= 0
    assert one.places.max() <= 1
    assert one.documents.tolist() == np.flatnonzero(labels >= 0).tolist()
    assert one.total == 400


@given(st.lists(st.integers(0, 500), min_size=1, max_size=15), st.integers(0, 5))
@settings(max_examples=40, deadline=None)
def test_discs_do_not_overlap_and_follow_the_sizes(sizes, seed):
    sizes = np.array(sizes)
    table = sparse.csr_array(np.random.default_rng(seed).integers(0, 4, (sizes.size, 20)).astype(float))
    centres, radii = place_discs(table, sizes)
    some = np.flatnonzero(sizes)
    gaps = np.linalg.norm(centres[some][:, None] - centres[some], axis=2) - (
        radii[some][:, None] + radii[some]
    )
    assert (gaps[~np.eye(some.size, dtype=bool)] > -1e-9).all()
    if some.size:
        areas = radii[some] ** 2
        assert areas / areas.sum() == pytest.approx(sizes[some] / sizes.sum())
        assert (centres[some] - radii[some][:, None] > -1e-9).all()
        assert (centres[some] + radii[some][:, None] < 1 + 1e-9).all()


def test_coinciding_centres_are_pushed_apart():
    centres = push_apart(np.zeros((4, 2)), np.full(4, 0.5))
    distance = np.linalg.norm(centres[:, None] - centres, axis=2)
    assert distance[~np.eye(4, dtype=bool)].min() >= 1.0


@pytest.mark.parametrize("count", [1, 2, 3, 10, 1000])
def test_a_disc_is_filled_evenly(count):
    places = fill_disc(np.random.default_rng(1).normal(size=(count, 2)) ** 3)
    radius = np.linalg.norm(places, axis=1)
    assert radius.max() <= 1 + 1e-9
    assert len(np.unique(places.round(9), axis=0)) == count
    if count == 1000:
        assert np.mean(radius < np.sqrt(0.5)) == pytest.approx(0.5, abs=0.05)


def test_unsure_documents_are_drawn_towards_the_runner_up():
    labels, counts, _, _ = corpus(100, 2)
    second = np.where(labels == 0, 1, 0)
    sure = lay_out(labels, 2, counts, np.ones(100), second)
    unsure = lay_out(labels, 2, counts, np.zeros(100), second)
    goal = sure.centres[second[sure.documents]]
    near = np.linalg.norm(unsure.places - goal, axis=1)
    assert near.mean() < np.linalg.norm(sure.places - goal, axis=1).mean()


def test_many_documents_are_sampled_evenly_over_groups():
    labels = np.repeat([0, 1, 2], [900, 90, 1]).astype(np.int32)
    parts = sample_documents(labels, np.bincount(labels), 100)
    assert [part.size for part in parts] == [90, 9, 1]
    assert all(np.all(labels[part] == number) for number, part in enumerate(parts))
    assert np.unique(np.concatenate(parts)).size == 100


def test_leading_directions_are_those_of_the_singular_value_decomposition():
    rng = np.random.default_rng(3)
    topics = rng.dirichlet(np.full(30, 0.1), 3)
    counts = np.vstack([rng.multinomial(80, topics[row % 3]) for row in range(60)])
    found = find_leading_directions(sparse.csr_array(counts))
    roots = np.sqrt(counts / counts.sum(axis=1, keepdims=True))
    left = np.linalg.svd(roots - roots.mean(axis=0), full_matrices=False)[0][:, :2]
    assert np.abs(np.sum(found * left, axis=0)) == pytest.approx([1.0, 1.0], abs=1e-3)
    assert (found[np.abs(found).argmax(axis=0), [0, 1]] > 0).all()


def test_equal_documents_still_get_places():
    found = lay_out(
        np.zeros(5, dtype=np.int32), 1, sparse.csr_array(np.ones((5, 2))), np.ones(5), np.full(5, -1)
    )
    assert np.isfinite(found.places).all()
