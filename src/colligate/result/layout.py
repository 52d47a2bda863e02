"""The map: positions of documents in the unit square, deterministic for a result.

Each group is a disc with an area proportional to its size. Classical scaling of the Hellinger distances
between the groups' word distributions places the discs; then they are pushed apart until none overlap. Within
a disc, documents are spread evenly in the order of their two leading principal components, and each is
shifted towards its second-best group by its uncertainty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colligate.progress import report
from colligate.result.association import count_by_group

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
# A report with more dots is slow to open.
MAX_SHOWN = 20_000
# The share of a disc's radius that its documents fill, so that neighbouring groups stay apart.
DISC_FILL = 0.92
# A document with confidence 0 moves this share of the way to the centre of its second-best group.
DRAW_TO_RIVAL = 0.45
# The space between discs, as a share of their radii.
GAP = 0.06
MAX_PUSHES = 200
# Columns and steps of the power iteration; two columns are used.
BLOCK_SIZE = 4
ITERATIONS = 8


@dataclass(frozen=True, eq=False)
class Layout:
    """The documents shown, their places, and the discs of the groups."""

    documents: IntArray
    places: FloatArray
    centres: FloatArray
    radii: FloatArray
    total: int


def lay_out(
    labels: NDArray[np.integer[Any]],
    n_groups: int,
    counts: sparse.csr_array,
    confidence: FloatArray,
    runner_up: NDArray[np.integer[Any]],
    limit: int = MAX_SHOWN,
) -> Layout:
    """Place the documents, or an even sample of `limit` of them; documents in no group are left out."""
    sizes = np.bincount(labels[labels >= 0], minlength=n_groups)
    centres, radii = place_discs(count_by_group(labels, n_groups, counts), sizes)
    parts = sample_documents(labels, sizes, limit)
    shown = np.concatenate([np.zeros(0, dtype=np.int64), *parts])
    places = np.zeros((shown.size, 2))
    start = 0
    for number, members in enumerate(parts):
        report("drawing the map", number, len(parts))
        if members.size:
            inside = fill_disc(find_leading_directions(counts[members])) * (DISC_FILL * radii[number])
            places[start : start + members.size] = centres[number] + inside
        start += members.size
    report("drawing the map", len(parts), len(parts))
    places += _draw_to_rival(labels[shown], runner_up[shown], confidence[shown], centres)
    order = np.argsort(shown)
    return Layout(shown[order], np.clip(places[order], 0.0, 1.0), centres, radii, labels.size)


def sample_documents(labels: NDArray[np.integer[Any]], sizes: IntArray, limit: int) -> list[IntArray]:
    """Choose the documents of each group: all, or evenly spaced ones in proportion to its size."""
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(sizes.size + 1))
    share = min(1.0, limit / max(int(sizes.sum()), 1))
    samples = []
    # `starts` has one more entry than there are groups.
    for size, start in zip(sizes.tolist(), starts, strict=False):
        # However small a group is, it keeps a dot.
        quota = size if share == 1.0 else min(size, max(1, int(size * share)))
        samples.append(order[start + (np.arange(quota) * size) // max(quota, 1)])
    return samples


def place_discs(table: sparse.csr_array, sizes: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return centres and radii of the groups in the unit square; no two discs overlap."""
    radii = np.sqrt(sizes / max(float(sizes.sum()), 1.0))
    centres = np.full((sizes.size, 2), 0.5)
    filled = np.flatnonzero(sizes)
    if filled.size:
        spread = _scale_distances(table[filled])
        centres[filled], scale = _fit_into_square(push_apart(spread, radii[filled]), radii[filled])
        radii = radii * scale
    return centres, radii


def push_apart(start: FloatArray, radii: FloatArray) -> FloatArray:
    """Move overlapping discs apart along the line between them.

    A small disc moves more than a large one. After the first quarter of the iterations everything is widened
    a little in each iteration, to free discs that are stuck. At the end, one common scale removes overlaps.
    """
    centres = np.asarray(_spread_out(start) * np.sqrt(np.sum(radii**2)), dtype=np.float64)
    for sweep in range(MAX_PUSHES):
        left, right, step, distance, wanted = _find_close_pairs(centres, radii)
        short = np.maximum(wanted - distance, 0.0)
        if not short.any():
            return centres
        push = step * (short / distance)[:, None]
        yields = (radii[right] ** 2 / (radii[left] ** 2 + radii[right] ** 2))[:, None]
        for axis in (0, 1):
            centres[:, axis] += np.bincount(left, (push * yields)[:, axis], radii.size)
            centres[:, axis] -= np.bincount(right, (push * (1 - yields))[:, axis], radii.size)
        centres *= 1.0 if sweep < MAX_PUSHES // 4 else 1.02
    *_, distance, wanted = _find_close_pairs(centres, radii)
    return np.asarray(centres * max(1.0, float((wanted / distance).max(initial=1.0))), dtype=np.float64)


def fill_disc(points: FloatArray) -> FloatArray:
    """Spread points evenly over the unit disc; roughly keep their order across and upwards."""
    count = len(points)
    if count == 1:
        return np.zeros((1, 2))
    strips = max(1, int(np.sqrt(count)))
    across = np.argsort(points[:, 0], kind="stable")
    strip = np.empty(count, dtype=np.int64)
    strip[across] = (np.arange(count) * strips) // count
    square = np.empty((count, 2))
    square[across, 0] = (np.arange(count) + 0.5) / count
    within = np.lexsort((points[:, 1], strip))
    sizes = np.bincount(strip, minlength=strips)
    place = np.arange(count) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    square[within, 1] = (place + 0.5) / np.repeat(sizes, sizes)
    return _square_to_disc(2 * square - 1)


def _find_close_pairs(
    centres: FloatArray, radii: FloatArray
) -> tuple[IntArray, IntArray, FloatArray, FloatArray, FloatArray]:
    """Return pairs of discs that may overlap: both, their difference, its length, and the length it needs."""
    from scipy.spatial import cKDTree

    # Only pairs within reach of the two largest discs, not all pairs.
    pairs = cKDTree(centres).query_pairs(2 * (1 + GAP) * float(radii.max()), output_type="ndarray")
    left, right = pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.int64)
    step = centres[left] - centres[right]
    # Discs with the same centre have no direction; the push is then zero, not undefined.
    distance = np.maximum(np.sqrt(np.sum(step**2, axis=1)), 1e-9)
    return left, right, step, distance, (radii[left] + radii[right]) * (1 + GAP)


def _draw_to_rival(
    labels: NDArray[np.integer[Any]],
    runner_up: NDArray[np.integer[Any]],
    confidence: FloatArray,
    centres: FloatArray,
) -> FloatArray:
    way = centres[np.maximum(runner_up, 0)] - centres[labels]
    return np.asarray(
        np.where(runner_up >= 0, DRAW_TO_RIVAL * (1 - confidence), 0.0)[:, None] * way, dtype=np.float64
    )


def _scale_distances(table: sparse.csr_array) -> FloatArray:
    """Scale the Hellinger distances between the rows classically, in two dimensions."""
    sizes = np.repeat(np.asarray(table.sum(axis=1)), np.diff(table.indptr))
    root = sparse.csr_array((np.sqrt(table.data / sizes), table.indices, table.indptr), table.shape)
    # The squared Hellinger distance of groups × groups; rounding can make it negative.
    squared = np.maximum(1.0 - (root @ root.T).toarray(), 0.0)
    np.fill_diagonal(squared, 0.0)
    # Double centring turns squared distances into inner products (Torgerson's classical scaling).
    middle = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    values, vectors = np.linalg.eigh(-0.5 * middle)
    if len(values) < 2:
        return np.zeros((len(values), 2))
    return fix_signs(vectors[:, [-1, -2]] * np.sqrt(np.maximum(values[[-1, -2]], 0.0)))


def _spread_out(points: FloatArray) -> FloatArray:
    """Scale points to unit spread, and add a small spiral that separates coinciding ones."""
    count = len(points)
    # The golden angle: no two points of the spiral lie in one direction.
    turn = np.arange(count) * np.pi * (3 - np.sqrt(5))
    radius = np.sqrt((np.arange(count) + 0.5) / count)
    spiral = radius[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
    size = float(np.abs(points).max(initial=0.0))
    return np.asarray((points / size if size > 0 else points) + 0.01 * spiral, dtype=np.float64)


def _fit_into_square(centres: FloatArray, radii: FloatArray) -> tuple[FloatArray, float]:
    low = (centres - radii[:, None]).min(axis=0)
    high = (centres + radii[:, None]).max(axis=0)
    scale = 0.98 / float((high - low).max())
    return 0.5 + (centres - (low + high) / 2) * scale, scale


def _square_to_disc(square: FloatArray) -> FloatArray:
    """Map the square onto the disc concentrically: equal areas stay equal."""
    x, y = square[:, 0], square[:, 1]
    # The concentric map of Shirley and Chiu, by the larger coordinate.
    flat = np.abs(x) > np.abs(y)
    radius = np.where(flat, x, y)
    ratio = np.where(flat, y, x) / np.where(radius == 0, 1.0, radius)
    angle = np.where(flat, np.pi / 4 * ratio, np.pi / 2 - np.pi / 4 * ratio)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def find_leading_directions(counts: sparse.csr_array) -> FloatArray:
    """Return each document's coordinates along the two leading principal components.

    A fixed number of block power iterations from a fixed start always gives the same places. Documents are
    compared by the square roots of their word shares.
    """
    rows = _take_share_roots(counts)
    count = rows.shape[0]
    if count < 3:
        return np.column_stack([np.arange(count, dtype=np.float64), np.zeros(count)])
    block = _make_start(count)
    for _ in range(ITERATIONS):
        # Without QR, all columns would turn towards the first component.
        block = np.linalg.qr(_multiply_centred_gram(rows, block))[0]
    values, vectors = np.linalg.eigh(block.T @ _multiply_centred_gram(rows, block))
    leading = [-1, -2] if len(values) > 1 else [-1, -1]
    return fix_signs(block @ vectors[:, leading])


def fix_signs(points: FloatArray) -> FloatArray:
    """Flip each column so that its entry of largest absolute value is positive."""
    # Rounded: the last digits differ between machines and must not decide a sign.
    largest = np.abs(np.round(points, 9)).argmax(axis=0)
    return points * np.where(points[largest, np.arange(points.shape[1])] < 0, -1.0, 1.0)


def _take_share_roots(counts: sparse.csr_array) -> sparse.csr_array:
    columns, indices = np.unique(counts.indices, return_inverse=True)
    lengths = np.repeat(np.asarray(counts.sum(axis=1, dtype=np.float64)), np.diff(counts.indptr))
    return sparse.csr_array(
        (np.sqrt(counts.data / lengths), indices.astype(np.int64), counts.indptr),
        shape=(counts.shape[0], max(columns.size, 1)),
    )


def _make_start(count: int) -> FloatArray:
    # Multiples of different square roots: a fixed start whose columns are independent.
    steps = np.outer(np.arange(1, count + 1), np.sqrt([2.0, 3.0, 5.0, 7.0])[: min(BLOCK_SIZE, count - 1)])
    return steps % 1.0 - 0.5


def _multiply_centred_gram(rows: sparse.csr_array, block: FloatArray) -> FloatArray:
    # Centred on both sides of the product, since centred rows would not be sparse.
    product = rows @ (rows.T @ (block - block.mean(axis=0)))
    return np.asarray(product - product.mean(axis=0), dtype=np.float64)
