"""What a GPU does: a sweep of ITCC, an iteration of EM, a sweep of a tri-factorisation, and a whole fit.

    python -m benchmarks.gpu [--only check,copy,sweep,em,factors,fit] [--documents 8000000] [--words 200000]

Needs an NVIDIA GPU and colligate[gpu]. The matrices are generated on the GPU: the words of a document are
drawn by the law of Zipf and Mandelbrot, p(rank) ~ 1 / (rank + 2.7), a third of them with the ranks of its
topic. First all results are checked at a small size against the CPU. Then every part prints its figures, and
stores them beside those of earlier calls in benchmarks/results/gpu.json. Times are medians of several runs,
by the clock of the host from the call to the end of all work. Bytes are those of the matrix in each pass: 8
for the value and the column of an entry, and, as `bytes_read`, the 4 of a packed entry, which the GPU reads.
The fit on the CPU is long: --fit-device runs one of the two, and the labels are compared when both are there.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from benchmarks.timing import make_parser
from colligate.kernels import SparseRows, make_kernels
from colligate.kernels.cuda import CudaKernels, placement
from colligate.methods.information.problem import InformationProblem, RelationView, TypeView
from colligate.methods.loop import State
from colligate.methods.mixture.constants import Constants
from colligate.methods.mixture.em import EMState, e_step, m_step
from colligate.methods.mixture.priors import Priors
from colligate.result.metrics import evaluate

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

RESULTS = Path(__file__).parent / "results" / "gpu.json"
PARTS = ("check", "copy", "sweep", "em", "factors", "fit")
TOPICS, GROUPS, WORD_GROUPS = 20, 20, 64
ZIPF_OFFSET = 2.7
ROWS_AT_A_TIME = 2**17
BYTES_PER_ENTRY, PACKED_BYTES_PER_ENTRY = 8, 4


def generate(n_documents: int, n_words: int, mean_length: int, seed: int = 0) -> tuple[SparseRows, Any]:
    """Draw counts of documents × words on the GPU; return them with the topic of every document."""
    import cupy as cp

    rng = cp.random.default_rng(seed)
    data, indices, lengths, topics = [], [], [], []
    width = int(1.55 * mean_length)
    for first in range(0, n_documents, ROWS_AT_A_TIME):
        n = min(ROWS_AT_A_TIME, n_documents - first)
        topic = rng.integers(0, TOPICS, (n, 1))
        draws = rng.random((n, width), dtype=cp.float32)
        rank = ZIPF_OFFSET * ((n_words + ZIPF_OFFSET) / ZIPF_OFFSET) ** draws - ZIPF_OFFSET
        shift = (rng.random((n, width), dtype=cp.float32) < 1 / 3) * topic * (n_words // TOPICS)
        word = (rank.astype(cp.int64) + shift) % n_words
        drawn = cp.arange(width)[None, :] < rng.integers(mean_length // 2, width + 1, (n, 1))
        keys = cp.unique((cp.arange(n)[:, None] * n_words + word)[drawn])
        row = keys // n_words
        indices.append((keys - row * n_words).astype(cp.int32))
        lengths.append(cp.bincount(row, minlength=n))
        data.append(1 + cp.floor(0.7 * rng.standard_exponential(len(keys), dtype=cp.float32)))
        topics.append(topic.ravel())
    indptr = cp.concatenate([cp.zeros(1, cp.int64), cp.cumsum(cp.concatenate(lengths))])
    return SparseRows(cp.concatenate(data), cp.concatenate(indices), indptr, n_words), cp.concatenate(topics)


def transpose(x: SparseRows) -> SparseRows:
    """Return the transposed matrix, on the GPU."""
    import cupy as cp

    order = cp.argsort(x.indices)
    rows = cp.empty(len(order), cp.int32)
    for start in range(0, len(order), 2**27):
        part = slice(start, start + 2**27)
        rows[part] = cp.searchsorted(x.indptr[1:], order[part], side="right")
    ends = cp.cumsum(cp.bincount(x.indices, minlength=x.n_columns))
    data = x.data[order]
    del order
    return SparseRows(data, rows, cp.concatenate([cp.zeros(1, cp.int64), ends]), len(x))


def measure(work: Callable[[], Any], repeats: int) -> float:
    """Return the median seconds of some runs, after one that is not counted."""
    import cupy as cp

    work()
    taken = []
    for _ in range(repeats):
        cp.cuda.Device().synchronize()
        start = time.perf_counter()
        work()
        cp.cuda.Device().synchronize()
        taken.append(time.perf_counter() - start)
    return float(np.median(taken))


def to_matrix(x: SparseRows) -> Any:
    """Return a generated matrix as one of SciPy."""
    from scipy.sparse import csr_array

    arrays = x.data.get(), x.indices.get(), x.indptr.get()
    return csr_array(arrays, shape=(len(x), x.n_columns))


def run_check(arguments: Namespace, stored: dict[str, Any]) -> dict[str, Any]:
    """Compare kernels and fits at a small size with the CPU."""
    x, _ = generate(30_000, 3_000, 60)
    host = SparseRows.of(to_matrix(x))
    on_gpu, plain, rng = CudaKernels(), make_kernels("reference"), np.random.default_rng(0)
    columns = rng.integers(0, WORD_GROUPS, 3_000).astype(np.int32)
    table = np.log(rng.dirichlet(np.ones(WORD_GROUPS), GROUPS)).T
    labels, sums = on_gpu.assign_and_sum(host, columns, table)
    wanted, _ = plain.assign_rows(host, columns, table)
    np.testing.assert_array_equal(labels, wanted)
    np.testing.assert_array_equal(sums, plain.block_sums(host, wanted, columns, GROUPS, WORD_GROUPS))
    left, right = rng.random((30_000, GROUPS)), rng.random((3_000, GROUPS))
    np.testing.assert_allclose(on_gpu.product(host, right), plain.product(host, right), rtol=1e-11)
    np.testing.assert_allclose(
        on_gpu.transposed_product(host, left), plain.transposed_product(host, left), rtol=1e-11
    )
    differing = {}
    for method in ("itcc", "tnmf", "colligate"):
        one, other = (
            cg.make(method, n_clusters=GROUPS, n_init=1, random_state=0, device=name)
            .fit(to_matrix(x))
            .labels_
            for name in ("cpu", "cuda")
        )
        differing[method] = int((one != other).sum())
    print(f"check: kernels equal the reference; labels of 30,000 documents that differ: {differing}")
    return {"documents": 30_000, "differing_labels": differing}


def run_copy(arguments: Namespace, stored: dict[str, Any]) -> dict[str, Any]:
    """Measure the copy bandwidth of the device: bytes read and written."""
    import cupy as cp

    source = cp.random.default_rng(0).random(2**28, dtype=cp.float32)
    target = cp.empty_like(source)
    seconds = measure(lambda: [cp.copyto(target, source) for _ in range(10)], arguments.repeats) / 10
    rate = 2 * source.nbytes / seconds
    print(f"copy: {rate / 1e12:.2f} TB/s")
    return {"bytes_per_second": rate}


def run_sweep(arguments: Namespace, stored: dict[str, Any]) -> dict[str, Any]:
    """Measure one sweep of ITCC with its objective: documents, then words."""
    import cupy as cp

    x, _ = generate(arguments.documents, arguments.words, arguments.length)
    n, n_words = len(x), x.n_columns
    flipped = transpose(x)
    cp.get_default_memory_pool().free_all_blocks()
    # a network of one entry has the types; the views are the generated matrix, which is on the GPU already
    network = cg.Network.from_matrix(np.ones((1, 1)))
    centre, terms = network.centre, network.terms
    assert terms is not None
    problem = InformationProblem(network, CudaKernels(), {centre: GROUPS, terms: WORD_GROUPS})
    scale, none = 1.0 / float(x.data.sum(dtype=cp.float64)), np.zeros(0)

    def view(kind: str, rows: SparseRows, other: str, *, is_flipped: bool) -> TypeView:
        relation = RelationView(0, other, is_flipped, scale)
        return TypeView(kind, rows, (relation,), (rows.n_columns,), (none,), none)

    views = {
        centre: view(centre, x, terms, is_flipped=False),
        terms: view(terms, flipped, centre, is_flipped=True),
    }
    # cached properties of the problem, which it would compute from a matrix of the host
    vars(problem).update(views=views, rows=[x], available=1.0)
    rng, method = np.random.default_rng(0), cg.make("itcc", n_clusters=GROUPS, n_word_clusters=WORD_GROUPS)
    labels = {
        centre: rng.integers(0, GROUPS, n).astype(np.int32),
        terms: rng.integers(0, WORD_GROUPS, n_words).astype(np.int32),
    }
    states = [State(labels, {"smoothing": np.array(0.0)})]

    def sweep() -> None:
        states.append(method.sweep(problem, states.pop()))
        method.objective(problem, states[-1])

    first = method.objective(problem, states[-1])
    seconds = measure(sweep, arguments.repeats)
    entries = len(x.data)
    last = method.objective(problem, states[-1])
    # the rows once, the columns once; the tables come with them
    rate = 2 * BYTES_PER_ENTRY * entries / seconds
    share = rate / stored["copy"]["bytes_per_second"]
    read = PACKED_BYTES_PER_ENTRY / BYTES_PER_ENTRY
    print(
        f"sweep: {n:,} x {n_words:,}, {entries:,} entries, K = {GROUPS}, L = {WORD_GROUPS}: "
        f"{1e3 * seconds:.2f} ms"
    )
    print(
        f"  {rate / 1e12:.2f} TB/s, {share:.2f} of the copy bandwidth, {read * share:.2f} by packed entries; "
        f"objective {first:.6f} to {last:.6f}"
    )
    figures = {
        "documents": n,
        "words": n_words,
        "entries": entries,
        "seconds": seconds,
        "bytes": rate * seconds,
        "bytes_read": read * rate * seconds,
    }
    return figures | {"share_of_copy": share, "share_of_copy_read": read * share}


def run_em(arguments: Namespace, stored: dict[str, Any]) -> dict[str, Any]:
    """Measure one iteration of EM of `colligate` on counts: the E-step, the M-step, the scores and F."""
    import cupy as cp

    x, _ = generate(arguments.documents, arguments.words, arguments.length)
    n, n_words = len(x), x.n_columns
    total = cp.bincount(x.indices, x.data, n_words).get()
    problem: Any = SimpleNamespace(
        kernels=CudaKernels(),
        y=x,
        m=total / total.sum(),
        tfidf=SimpleNamespace(bounds=np.array([0, n_words])),
        smoothing=1.0,
        n_groups=GROUPS,
        views=(),
        forbidden=None,
        size_bounds=None,
        constants=Constants(),
    )
    priors = Priors(np.full(n, -1, np.int32), np.ones(n), None, None, None, None, None, None)
    resp = placement.softmax(cp.random.default_rng(1).standard_normal((n, GROUPS), dtype=cp.float32))
    states: list[EMState] = [m_step(problem, priors, resp)]
    history = [states[-1].free_energy]

    def iterate() -> None:
        states.append(m_step(problem, priors, e_step(problem, priors, states.pop())))
        history.append(states[-1].free_energy)

    seconds = measure(iterate, arguments.repeats)
    print(
        f"em: {n:,} x {n_words:,}, {len(x.data):,} entries, K = {GROUPS}: {1e3 * seconds:.2f} ms an iteration"
    )
    assert np.all(np.diff(history) <= 1e-6 * abs(history[0])), "F must not rise"
    kernels, table = problem.kernels, states[-1].log_phi_ratio
    parts = {
        "scores": measure(lambda: kernels.product(x, table), arguments.repeats),
        "tables": measure(lambda: kernels.transposed_product(x, states[-1].resp), arguments.repeats),
    }
    print("  " + ", ".join(f"{name} {1e3 * taken:.2f} ms" for name, taken in parts.items()))
    return {"documents": n, "words": n_words, "entries": len(x.data), "seconds": seconds, **parts}


class LibraryKernels(CudaKernels):
    """The same kernels, but with the sparse products of the library, both layouts kept."""

    def __init__(self) -> None:
        super().__init__()
        self._layouts: dict[int, tuple[Any, Any]] = {}

    def _layout(self, x: SparseRows) -> tuple[Any, Any]:
        from cupyx.scipy.sparse import csr_matrix

        if id(x.data) not in self._layouts:
            _, rows = next(self._matrices.parts(x))
            arrays = rows.values.astype(np.float64), rows.columns, rows.starts.astype(np.int32)
            matrix = csr_matrix(arrays, shape=(len(x), x.n_columns))
            self._layouts[id(x.data)] = matrix, matrix.T.tocsr()
        return self._layouts[id(x.data)]

    def product(self, x: SparseRows, dense: Any) -> Any:
        """See `Kernels.product`."""
        return self._layout(x)[0] @ self.place(dense)

    def transposed_product(self, x: SparseRows, dense: Any) -> Any:
        """See `Kernels.transposed_product`."""
        return self._layout(x)[1] @ self.place(dense)


def run_factors(arguments: Namespace, stored: dict[str, Any]) -> dict[str, Any]:
    """Measure a sweep of tnmf with its own products, and with those of the library."""
    from dataclasses import replace

    x, _ = generate(arguments.factor_documents, 47_000, 75)
    network = cg.Network.from_matrix(to_matrix(x))
    method = cg.make("tnmf", n_clusters=GROUPS, init="random", word_init="random", device="cuda")
    problem = method.problem(network, {})
    start = method.start(problem, np.random.default_rng(0))
    seconds, objectives = {}, {}
    for name, kernels in {"own": problem.kernels, "library": LibraryKernels()}.items():
        variant = replace(problem, kernels=kernels, _cache=type(problem._cache)(), _products={})
        states = [start]

        def sweep(variant: Any = variant, states: list[Any] = states) -> None:
            states.append(method.sweep(variant, states.pop()))

        seconds[name] = measure(sweep, arguments.repeats)
        objectives[name] = method.objective(variant, states[-1])
    ratio = seconds["library"] / seconds["own"]
    print(f"factors: {x.indptr[-1]:,} entries: own {1e3 * seconds['own']:.1f} ms a sweep, with the library's "
          f"product {1e3 * seconds['library']:.1f} ms, {ratio:.2f} x; objectives {objectives}")  # fmt: skip
    return {"entries": len(x.data), "seconds": seconds, "ratio": ratio, "objectives": objectives}


def run_fit(arguments: Namespace, stored: dict[str, Any]) -> dict[str, Any]:
    """Fit `colligate` on both devices, from counts to the result, and compare the labels."""
    x, topics = generate(arguments.fit_documents, 20_000, 40)
    matrix, topics = to_matrix(x), topics.get()
    del x
    earlier = stored.get("fit", {})
    size = {"documents": matrix.shape[0], "entries": int(matrix.nnz)}
    figures = {**(earlier if earlier.get("documents") == size["documents"] else {}), **size}
    for device in (arguments.fit_device,) if arguments.fit_device else ("cuda", "cpu"):
        start = time.perf_counter()
        model = cg.make("colligate", n_clusters=TOPICS, n_init=1, random_state=0, device=device).fit(matrix)
        figures[f"seconds_{device}"] = taken = time.perf_counter() - start
        figures[f"nmi_{device}"] = nmi = evaluate(topics, model.labels_, np.ones(len(topics), bool))["nmi"]
        print(f"fit: {len(topics):,} documents on {device}: {taken:.1f} s, NMI {nmi:.4f}")
        np.save(_labels_file(arguments, device), model.labels_)
    files = [_labels_file(arguments, device) for device in ("cuda", "cpu")]
    if all(file.is_file() for file in files):
        one, other = (np.load(file) for file in files)
        if len(one) == len(other) == len(topics):
            figures["differing_labels"] = int((one != other).sum())
            print(f"  labels that differ: {figures['differing_labels']}")
    return figures


def _labels_file(arguments: Namespace, device: str) -> Path:
    return Path(arguments.out.with_name(f"labels-{device}.npy"))


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--only", default=",".join(PARTS), help="which parts, separated by commas")
    parser.add_argument("--documents", type=int, default=8_000_000)
    parser.add_argument("--words", type=int, default=200_000)
    parser.add_argument(
        "--length", type=int, default=134, help="the mean number of words drawn for a document"
    )
    parser.add_argument("--factor-documents", type=int, default=2_000_000)
    parser.add_argument("--fit-documents", type=int, default=1_000_000)
    parser.add_argument("--fit-device", choices=("cuda", "cpu"), help="fit on this device alone")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.set_defaults(repeats=9)
    arguments = parser.parse_args()
    import cupy as cp

    stored = json.loads(arguments.out.read_text()) if arguments.out.is_file() else {}
    stored["device"] = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    runs = {name: globals()[f"run_{name}"] for name in PARTS}
    for name in arguments.only.split(","):
        stored[name] = runs[name](arguments, stored)
        arguments.out.write_text(json.dumps(stored, indent=1) + "\n")
        cp.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
