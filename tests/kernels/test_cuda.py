"""Every kernel on the GPU against the reference."""

import numpy as np
import pytest
from scipy import sparse

from colligate.errors import DeviceError
from colligate.kernels import SparseRows, SplitGradient, make_kernels
from colligate.kernels.cuda import CudaKernels, matrix, placement
from colligate.kernels.cuda.device import allocate, has_device

pytestmark = pytest.mark.skipif(not has_device(), reason="no GPU, or CuPy is not installed")

REFERENCE = make_kernels("reference")
SHAPES = [(1, 1, 0.0), (7, 5, 0.5), (300, 40, 0.2), (5000, 700, 0.02), (9, 6000, 0.9), (600_000, 50, 0.02)]


def labels(rng, size, n_clusters):
    return rng.integers(-1, n_clusters, size).astype(np.int32)


def random_rows(shape, seed, *, whole=True, dtype=np.float32):
    n, m, density = shape
    rng = np.random.default_rng(seed)
    found = sparse.csr_array(
        sparse.random_array((n, m), density=density, rng=rng, format="csr", dtype=np.float64)
    )
    found.data = np.ceil(found.data * 5) if whole else found.data
    return SparseRows.of(found.astype(dtype))


@pytest.fixture(scope="module")
def cuda():
    return CudaKernels()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(("n_clusters", "n_columns"), [(1, 1), (3, 5), (20, 64), (40, 300)])
def test_sums_and_assignments_equal_the_reference(cuda, shape, whole, n_clusters, n_columns):
    x, rng = random_rows(shape, 0, whole=whole), np.random.default_rng(1)
    rows, columns = labels(rng, len(x), n_clusters), labels(rng, x.n_columns, n_columns)
    table = rng.normal(size=(n_columns, n_clusters))
    sums = REFERENCE.block_sums(x, rows, columns, n_clusters, n_columns)
    np.testing.assert_allclose(
        cuda.block_sums(x, rows, columns, n_clusters, n_columns), sums, rtol=1e-9, atol=1e-9
    )
    scores = REFERENCE.score_rows(x, columns, table)
    np.testing.assert_allclose(cuda.score_rows(x, columns, table), scores, rtol=1e-9, atol=1e-8)
    found, best = cuda.assign_rows(x, columns, table)
    is_filled = np.diff(x.indptr) > 0
    assert (found[~is_filled] == -1).all()
    # the scores of real numbers leave no ties but those of rows without a labelled column
    at = scores[np.arange(len(x))[is_filled], found[is_filled]]
    np.testing.assert_allclose(at, scores[is_filled].max(axis=1), rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(best, scores.max(axis=1), rtol=1e-9, atol=1e-8)
    again, table_of_again = cuda.assign_and_sum(x, columns, table)
    np.testing.assert_array_equal(again, found)
    np.testing.assert_allclose(
        table_of_again, REFERENCE.block_sums(x, found, columns, n_clusters, n_columns), rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("shape", [*SHAPES[:4], (20_000, 300_000, 0.0002)])
@pytest.mark.parametrize(("n_clusters", "n_columns"), [(1, 1), (20, 64), (32, 254), (33, 64)])
def test_counts_with_a_table_of_one_sign_equal_the_reference(cuda, shape, n_clusters, n_columns):
    x, rng = random_rows(shape, 0), np.random.default_rng(1)
    columns, table = labels(rng, x.n_columns, n_columns), -rng.random((n_columns, n_clusters))
    # two clusters that differ by less than the rounding of float
    table[:, -1] = table[:, 0] + 1e-9
    wanted, _ = REFERENCE.assign_rows(x, columns, table)
    found, sums = cuda.assign_and_sum(x, columns, table)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(sums, REFERENCE.block_sums(x, wanted, columns, n_clusters, n_columns))


@pytest.mark.parametrize("n_columns", [2, 20, 31, 32, 300])
@pytest.mark.parametrize("whole", [True, False])
def test_rows_with_many_entries_equal_the_reference(cuda, n_columns, whole):
    # more columns than a block of them, and an empty row
    x, rng = random_rows((40, 600_000, 0.02), 0, whole=whole), np.random.default_rng(1)
    starts = np.insert(x.indptr, 7, x.indptr[7])
    x = SparseRows(x.data, x.indices, starts, x.n_columns)
    columns, table = labels(rng, x.n_columns, n_columns), -rng.random((n_columns, 64))
    wanted, _ = REFERENCE.assign_rows(x, columns, table)
    found, sums = cuda.assign_and_sum(x, columns, table)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_allclose(sums, REFERENCE.block_sums(x, wanted, columns, 64, n_columns), rtol=1e-9)


@pytest.mark.parametrize("largest", [matrix.NARROW - 1, matrix.NARROW])
@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("shape", [(3000, 500, 0.05), (60, 600_000, 0.01)])
def test_the_largest_entries_of_32_bits_equal_the_reference(cuda, shape, signed, largest):
    x, rng = random_rows(shape, 16), np.random.default_rng(17)
    # up to the largest number that fits beside a column, and one more
    signs = rng.choice([-1, 1], len(x.data)) if signed else 1
    values = (signs * rng.choice([1, largest], len(x.data))).astype(np.float32)
    x = SparseRows(values, x.indices, x.indptr, x.n_columns)
    columns, table = labels(rng, x.n_columns, 20), -rng.random((20, 30))
    wanted, _ = REFERENCE.assign_rows(x, columns, table)
    found, sums = cuda.assign_and_sum(x, columns, table)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(sums, REFERENCE.block_sums(x, wanted, columns, 30, 20))


def test_labels_travel_to_the_host_in_parts(monkeypatch):
    import colligate.kernels.cuda as back_end

    x, rng = random_rows((10_007, 300, 0.05), 18), np.random.default_rng(19)
    columns, table = labels(rng, 300, 9), -rng.random((9, 6))
    wanted, sums = CudaKernels().assign_and_sum(x, columns, table)
    copied, copy = [], placement.HostCopy.copy

    def note_rows(self, rows):
        copied.append(rows)
        copy(self, rows)

    monkeypatch.setattr(back_end, "MIN_PART", 1000)
    monkeypatch.setattr(placement.HostCopy, "copy", note_rows)
    found, sums_of_found = CudaKernels().assign_and_sum(x, columns, table)
    assert len(copied) == back_end.COPIED_PARTS
    assert [rows.start for rows in copied] == [0, *(rows.stop for rows in copied[:-1])]
    assert copied[-1].stop == len(x)
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(sums_of_found, sums)


@pytest.mark.parametrize("n_clusters", [1, 2, 33])
def test_ties_go_to_the_lower_number(cuda, n_clusters):
    x = random_rows((50, 30, 0.3), 2)
    found, _ = cuda.assign_rows(x, np.zeros(30, np.int32), np.ones((1, n_clusters)))
    assert set(found.tolist()) <= {0, -1}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("width", [1, 3, 20, 130, 600])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_equal_the_reference(cuda, shape, width, dtype):
    if shape[0] * width > 30_000_000:
        pytest.skip("too large for the reference")
    x, rng = random_rows(shape, 3, whole=False, dtype=dtype), np.random.default_rng(4)
    right, left = rng.normal(size=(x.n_columns, width)), rng.normal(size=(len(x), width))
    np.testing.assert_allclose(cuda.product(x, right), REFERENCE.product(x, right), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(
        cuda.transposed_product(x, left), REFERENCE.transposed_product(x, left), rtol=1e-9, atol=1e-9
    )


def test_large_matrices_are_multiplied_in_single_precision(cuda, monkeypatch):
    monkeypatch.setattr(matrix, "SINGLE_PRECISION", 1000)
    x, rng = random_rows((5000, 700, 0.05), 5, dtype=np.float64), np.random.default_rng(6)
    right, left = rng.random((700, 20)), rng.random((5000, 20))
    product, transposed = cuda.product(x, right), cuda.transposed_product(x, left)
    assert product.dtype == np.float32
    assert transposed.dtype == np.float64
    np.testing.assert_allclose(product, REFERENCE.product(x, right), rtol=2e-6)
    np.testing.assert_allclose(transposed, REFERENCE.transposed_product(x, left), rtol=2e-6)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("width", [1, 7, 20, 170])
@pytest.mark.parametrize("size", [1e-30, 1.0, 1e20])
def test_products_in_single_precision_are_within_its_rounding(cuda, monkeypatch, shape, width, size):
    if shape[0] * width > 30_000_000:
        pytest.skip("too large for the reference")
    monkeypatch.setattr(matrix, "SINGLE_PRECISION", 0)
    x, rng = random_rows(shape, 14), np.random.default_rng(15)
    right, left = size * rng.normal(size=(x.n_columns, width)), size * rng.normal(size=(len(x), width))
    ones = np.ones((max(len(x), x.n_columns), width)) * size * 4.0
    bound = 1e-6 * REFERENCE.product(x, ones[: x.n_columns])
    assert (np.abs(cuda.product(x, right) - REFERENCE.product(x, right)) <= bound).all()
    bound = 1e-6 * REFERENCE.transposed_product(x, ones[: len(x)])
    assert (np.abs(cuda.transposed_product(x, left) - REFERENCE.transposed_product(x, left)) <= bound).all()


@pytest.mark.parametrize("whole", [True, False])
def test_a_matrix_that_does_not_fit_is_streamed(monkeypatch, whole):
    x, rng = random_rows((30_000, 500, 0.05), 7, whole=whole), np.random.default_rng(8)
    rows, columns, table = labels(rng, len(x), 6), labels(rng, 500, 9), -rng.random((9, 6))
    dense, left = rng.random((500, 7)), rng.random((len(x), 7))
    resident = CudaKernels()
    wanted = [
        resident.block_sums(x, rows, columns, 6, 9),
        *resident.assign_and_sum(x, columns, table),
        resident.product(x, dense),
        resident.transposed_product(x, left),
    ]
    streamed = CudaKernels()
    monkeypatch.setattr(matrix.device, "free_memory", lambda: 4_000_000)
    assert len(list(streamed._matrices.parts(x))) > 2
    made = [
        streamed.block_sums(x, rows, columns, 6, 9),
        *streamed.assign_and_sum(x, columns, table),
        streamed.product(x, dense),
        streamed.transposed_product(x, left),
    ]
    for one, other in zip(made[:4], wanted[:4], strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_allclose(made[4], wanted[4], rtol=1e-12)


def test_results_that_do_not_fit_are_refused():
    with pytest.raises(
        DeviceError, match=r"the scores: 80000\.0 GB are needed, but the GPU has \d.* GB free"
    ):
        allocate((10**12, 10), np.float64, "the scores")


def test_every_run_gives_the_same_bits(cuda):
    x, rng = random_rows((40_000, 900, 0.05), 9, whole=False), np.random.default_rng(10)
    columns, table = labels(rng, 900, 30), rng.normal(size=(30, 12))
    dense, left = rng.random((900, 20)), rng.random((len(x), 20))
    for call in (
        lambda: cuda.assign_and_sum(x, columns, table)[1],
        lambda: cuda.score_rows(x, columns, table),
        lambda: cuda.product(x, dense),
        lambda: cuda.transposed_product(x, left),
        lambda: cuda.overlap(left, left),
    ):
        first = call()
        for _ in range(3):
            np.testing.assert_array_equal(call(), first)


@pytest.mark.parametrize(("n", "width", "other"), [(1, 1, 1), (700, 5, 3), (300_000, 20, 20), (3000, 40, 60)])
def test_overlaps_equal_the_reference(cuda, n, width, other):
    rng = np.random.default_rng(11)
    left, right = rng.normal(size=(n, width)), rng.normal(size=(n, other))
    np.testing.assert_allclose(cuda.overlap(left, right), left.T @ right, rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize("root", [False, True])
@pytest.mark.parametrize("further", [False, True])
@pytest.mark.parametrize(("n", "width"), [(5, 1), (9000, 7), (3000, 300)])
def test_steps_equal_the_reference(cuda, root, further, n, width):
    rng = np.random.default_rng(12)
    G = rng.random((n, width)) + 0.01
    G /= np.linalg.norm(G, axis=0)
    left, right, Q = rng.random((n, 4)), rng.normal(size=(4, width)), rng.normal(size=(width, width))
    parts = (rng.random((n, width)), rng.random((n, width))) if further else (None, None)
    slope = SplitGradient(left, right, np.maximum(Q, 0), np.maximum(-Q, 0), np.zeros(width), *parts)
    wanted = REFERENCE.step(G, slope, 1e-9, 1e-30, root=root)
    np.testing.assert_allclose(cuda.step(G, slope, 1e-9, 1e-30, root=root), wanted, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("width", [1, 4, 20, 33, 1500])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_operations_on_rows_equal_numpy(width, dtype):
    import cupy
    from scipy.special import softmax, xlogy

    rng = np.random.default_rng(13)
    scores, weights = rng.normal(size=(3000, width)) * 5, rng.random(3000)
    shares = softmax(scores, axis=1)
    shares[0] = 0.0
    shares[0, 0] = 1.0
    tolerance = {"rtol": 1e-5, "atol": 1e-6} if dtype == np.float32 else {"rtol": 1e-11, "atol": 1e-13}
    s, q, w = cupy.asarray(scores, dtype), cupy.asarray(shares, dtype), cupy.asarray(weights)
    np.testing.assert_allclose(placement.softmax(s).get(), softmax(scores, axis=1), **tolerance)
    weighted, sums = placement.weigh_rows(q, w)
    np.testing.assert_allclose(weighted.get(), shares * weights[:, None], **tolerance)
    np.testing.assert_allclose(sums.get(), weights @ shares, **tolerance)
    np.testing.assert_allclose(placement.sum_columns(q).get(), shares.sum(axis=0), **tolerance)
    cost = weights @ (xlogy(shares, shares) - shares * scores).sum(axis=1)
    np.testing.assert_allclose(
        placement.sum_costs(q, s, w), cost, rtol=1e-5 if dtype == np.float32 else 1e-11
    )
