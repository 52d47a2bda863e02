"""The figures of speed as ratios in one run, with the limits of the machine beside them.

    python -m benchmarks.speed [--parts kernels compilation report] [--baseline SRC] [--rcv 0.1]
        [--data FOLDER] [--store FILE] [--repeats 3]

Kernels: how fast one thread reads memory and multiplies dense matrices. Then, on 20 Newsgroups, and with
`--rcv` on a share of the rows of a generated matrix of the shape of RCV1 (800,000 × 47,000, 60 million
entries, a power law over the columns):

- a sweep of ITCC on one thread against the same in SciPy, and against its floor: the sums over clusters and
  the dense products, which a sweep cannot do without (`benchmarks.threads` measures more threads);
- its start in sweeps, and 20 sweeps with the start against 20 multiplicative iterations of NMF;
- one EM iteration of `colligate` against one iteration of KMeans;
- products of the sparse matrix with 20 columns against SciPy.

Then the compilation of the default path, cold and from the cache, and `colligate cluster` of 20 Newsgroups
from file to report; with `--baseline`, the `src` folder of another version, as a ratio to that version. One
thread is measured in seconds that it computed, which other programs on the machine change less than seconds
that passed. `--store` writes the figures as JSON, with the command.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF
from threadpoolctl import threadpool_limits

import colligate as cg
from benchmarks.timing import CLUSTERS, WORD_CLUSTERS, make_parser, measure_process, store_figures
from colligate._array import one_hot
from colligate.kernels import SparseRows, make_kernels
from colligate.kernels.numba.aggregate import BLOCK, aggregate
from colligate.methods.kmeans import use_int32_indices
from colligate.methods.mixture.em import e_step, m_step
from colligate.methods.mixture.priors import without_knowledge
from colligate.methods.spherical import tfidf
from experiments.corpora.newsgroups import read_newsgroups

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

ITERATIONS = 20
SMALL_TEXTS = tuple(f"{word} {other} and words" for word in ("sun", "moon", "sea") for other in range(20))
RCV_SHAPE, RCV_ENTRIES = (800_000, 47_000), 60_000_000


def measure(work: Callable[[], Any], repeats: int, clock: Callable[[], float] = time.process_time) -> float:
    """Return the seconds of the shortest of several runs, after one that compiles."""
    work()
    taken = []
    for _ in range(repeats):
        began = clock()
        work()
        taken.append(clock() - began)
    return min(taken)


def measure_machine(repeats: int) -> dict[str, float]:
    """Return gigabytes read and dense operations (10⁹) per second of one thread."""
    block, square = np.ones(2**26), np.ones((1024, 1024))
    single = square.astype(np.float32)
    return {
        "read_gb_per_s": block.nbytes / measure(block.sum, repeats) / 1e9,
        "gemm_gflops_double": 2 * 1024**3 / measure(lambda: square @ square, repeats) / 1e9,
        "gemm_gflops_single": 2 * 1024**3 / measure(lambda: single @ single, repeats) / 1e9,
    }


def generate_rcv(share_of_rows: float, rng: np.random.Generator) -> sparse.csr_array:
    """Return counts of the shape of RCV1, with columns drawn by a power law."""
    n_rows, n_columns = int(share_of_rows * RCV_SHAPE[0]), RCV_SHAPE[1]
    n_entries = int(share_of_rows * RCV_ENTRIES)
    share = 1.0 / (np.arange(n_columns) + 20.0)
    columns = np.searchsorted(np.cumsum(share / share.sum()), rng.random(n_entries)).astype(np.int32)
    starts = np.linspace(0, n_entries, n_rows + 1).astype(np.int64)
    counts = sparse.csr_array(
        (np.ones(n_entries, dtype=np.int32), np.minimum(columns, n_columns - 1), starts),
        shape=(n_rows, n_columns),
    )
    counts.sum_duplicates()
    return counts


def scipy_sweep(by_rows: Any, by_columns: Any, rows: Any, columns: Any) -> None:
    """Update the rows, then the columns, by the same sums as ITCC, in SciPy."""
    n_rows, n_columns = CLUSTERS, WORD_CLUSTERS
    for matrix, mine, other, sizes in (
        (by_rows, rows, columns, (n_rows, n_columns)),
        (by_columns, columns, rows, (n_columns, n_rows)),
    ):
        sums = np.asarray((matrix @ one_hot(other, sizes[1])).todense())
        table = np.asarray(one_hot(mine, sizes[0]).T @ sums)
        share = table / np.maximum(table.sum(axis=1, keepdims=True), 1e-300)
        (sums @ np.log(np.maximum(share, 1e-300)).T).argmax(axis=1)


def floor_sweep(sides: list[tuple[SparseRows, Any, int, int]]) -> None:
    """Do what an update cannot do without: sum blocks of rows over the clusters, and multiply the sums."""
    for x, other, width, n_clusters in sides:
        block, table = np.empty((BLOCK, width)), np.ones((width, n_clusters))
        for first in range(0, len(x), BLOCK):
            last = min(first + BLOCK, len(x))
            aggregate(x.data, x.indices, x.indptr, other, first, last, block)
            np.dot(block, table)


def measure_itcc(counts: sparse.csr_array, repeats: int) -> dict[str, float]:
    """Return the seconds of sweeps and of the start, and their ratios."""
    network = cg.Network.from_matrix(counts)
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        method = cg.make("itcc", n_clusters=CLUSTERS, n_word_clusters=WORD_CLUSTERS, n_jobs=1, device="cpu")
        problem = method.problem(network, {})
        state = method.sweep(problem, method.start(problem, np.random.default_rng(0)))
        sweep = measure(lambda: method.sweep(problem, state), repeats)
        start_seconds = measure(
            lambda: method.start(method.problem(network, {}), np.random.default_rng(0)), 1
        )
        rng = np.random.default_rng(0)
        rows, columns = (
            rng.integers(CLUSTERS, size=counts.shape[0]),
            rng.integers(WORD_CLUSTERS, size=counts.shape[1]),
        )
        single = counts.astype(np.float32)
        by_columns = sparse.csr_array(single.T.tocsr())
        plain = measure(lambda: scipy_sweep(single, by_columns, rows, columns), repeats)
        sides = [
            (SparseRows.of(single), columns.astype(np.int32), WORD_CLUSTERS, CLUSTERS),
            (SparseRows.of(by_columns), rows.astype(np.int32), CLUSTERS, WORD_CLUSTERS),
        ]
        least = measure(lambda: floor_sweep(sides), repeats)
        nmf = NMF(CLUSTERS, init="random", solver="mu", max_iter=ITERATIONS, tol=0.0, random_state=0)
        began = time.process_time()
        nmf.fit(counts.astype(np.float64))
        peer = time.process_time() - began
    return {
        "sweep_ms": 1000 * sweep,
        "scipy_by_sweep": plain / sweep,
        "floor_by_sweep": least / sweep,
        "start_in_sweeps": start_seconds / sweep,
        "start_and_20_sweeps_by_20_nmf": (start_seconds + ITERATIONS * sweep) / peer,
    }


def measure_em(counts: sparse.csr_array, repeats: int) -> dict[str, float]:
    """Return the seconds of an EM iteration, and its ratio to an iteration of KMeans, on one thread."""
    method = cg.make("colligate", n_clusters=CLUSTERS, n_jobs=1, random_state=0, device="cpu")
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem = method.problem(cg.Network.from_matrix(counts), {})
        priors = without_knowledge(problem)
        resp = np.full((problem.n_documents, problem.n_groups), 1.0 / problem.n_groups)
        resp += np.random.default_rng(0).random(resp.shape)
        state = m_step(problem, priors, resp / resp.sum(axis=1, keepdims=True))
        ours = measure(lambda: m_step(problem, priors, e_step(problem, priors, state)), repeats)
        rows = use_int32_indices(tfidf(counts))
        kmeans = KMeans(CLUSTERS, init="random", n_init=1, max_iter=ITERATIONS, tol=0.0, random_state=0)
        kmeans.fit(rows)
        peer = measure(lambda: kmeans.fit(rows), 1) / kmeans.n_iter_
    return {"em_iteration_ms": 1000 * ours, "em_by_kmeans_iteration": ours / peer}


def measure_products(counts: sparse.csr_array, repeats: int) -> dict[str, float]:
    """Return SciPy's time for both products with 20 columns by ours, in double and in single precision."""
    rng, kernels = np.random.default_rng(0), make_kernels("fast", n_jobs=1)
    figures = {}
    for name, dtype in (("double", np.float64), ("single", np.float32)):
        matrix = sparse.csr_array(counts.astype(dtype))
        x = SparseRows.of(matrix).with_blocks()
        right, left = (rng.random((size, 20)).astype(dtype) for size in reversed(matrix.shape))
        transposed = matrix.T
        figures[f"scipy_by_product_{name}"] = measure(lambda m=matrix, r=right: m @ r, repeats) / measure(
            lambda x=x, r=right: kernels.product(x, r), repeats
        )
        figures[f"scipy_by_transposed_product_{name}"] = measure(
            lambda t=transposed, f=left: t @ f, repeats
        ) / measure(lambda x=x, f=left: kernels.transposed_product(x, f), repeats)
    return figures


def print_first_fit() -> None:
    """Print what the first fit of this process computes more than the second one."""
    model = cg.make("colligate", n_clusters=2, random_state=0, n_jobs=1, device="cpu")
    seconds = []
    for _ in range(2):
        began = time.process_time()
        model.fit(list(SMALL_TEXTS))
        seconds.append(time.process_time() - began)
    print(json.dumps(seconds[0] - seconds[1]))


def measure_loading() -> float:
    """Return what the first fit of a process computes more than the second, with compiled kernels stored."""
    command = [sys.executable, "-c", f"from {__spec__.name} import print_first_fit; print_first_fit()"]
    # the first process compiles
    _, loading = (
        float(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
        for _ in range(2)
    )
    return loading


def measure_compilation(path: Path) -> dict[str, float]:
    """Return what compiling adds to a run, what loading adds to a fit, and what a second run computes."""
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = cache
        cold, warm = (
            measure_process(["cluster", path, "-k", 2, "--out", Path(folder) / name])["cpu_seconds"]
            for name in ("cold", "warm")
        )
        loading = measure_loading()
        del os.environ["NUMBA_CACHE_DIR"]
    return {
        "cold_cpu_seconds": cold - warm,
        "loading_cpu_seconds": loading,
        "small_run_cpu_seconds": warm,
    }


def measure_end_to_end(path: Path, baseline: Path | None, repeats: int) -> dict[str, Any]:
    """Return the figures of `colligate cluster`, in turn with those of the baseline."""
    words = ["cluster", path, "-k", CLUSTERS, "--text", "text", "--seed", 0, "--out"]
    runs: dict[str, list[dict[str, float]]] = {"now": []} | ({} if baseline is None else {"baseline": []})
    with tempfile.TemporaryDirectory() as folder:
        small = write_small(Path(folder) / "small.jsonl")
        for version in runs:
            # what compiles once is compiled first
            source = baseline if version == "baseline" else None
            measure_process(["cluster", small, "-k", 2, "--out", Path(folder) / version], source)
        for number in range(repeats):
            for version, taken in runs.items():
                source = baseline if version == "baseline" else None
                taken.append(measure_process([*words, Path(folder) / f"{version}{number}"], source))
    best = {name: {key: min(run[key] for run in taken) for key in taken[0]} for name, taken in runs.items()}
    if baseline is not None:
        best["ratio"] = {key: best["now"][key] / best["baseline"][key] for key in best["now"]}
        git = ["git", "-C", str(baseline), "rev-parse", "--short", "HEAD"]
        best["baseline_commit"] = subprocess.run(
            git, check=True, stdout=subprocess.PIPE, text=True
        ).stdout.strip()
    return best


def write_small(path: Path) -> Path:
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in SMALL_TEXTS))
    return path


def print_figures(name: str, figures: dict[str, Any]) -> None:
    print(name)
    for key, value in figures.items():
        if isinstance(value, dict):
            text = "   ".join(f"{part} {number:.2f}" for part, number in value.items())
        else:
            text = value if isinstance(value, str) else f"{value:.2f}"
        print(f"  {key:40} {text}", flush=True)


def round_figures(figures: Any) -> Any:
    if isinstance(figures, dict):
        return {key: round_figures(value) for key, value in figures.items()}
    return figures if isinstance(figures, str) else round(figures, 3)


def measure_matrices(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of the kernels, with the limits of the machine."""
    with threadpool_limits(1):
        figures: dict[str, Any] = {"machine": {"cores": os.cpu_count()} | measure_machine(arguments.repeats)}
    matrices = {"20 Newsgroups": read_newsgroups(arguments.data, None, 5)[0].counts}
    if arguments.rcv:
        matrices["RCV1's shape"] = generate_rcv(arguments.rcv, np.random.default_rng(0))
    for name, counts in matrices.items():
        figures[name] = {"documents": counts.shape[0], "entries": int(counts.nnz)}
        for part in (measure_products, measure_itcc, measure_em):
            figures[name] |= part(counts, arguments.repeats)
    return figures


def measure_compilation_of_small(_: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        return measure_compilation(write_small(Path(folder) / "small.jsonl"))


def measure_report(arguments: argparse.Namespace) -> dict[str, Any]:
    source = arguments.data / "20newsgroups.jsonl.gz"
    return measure_end_to_end(source, arguments.baseline, arguments.repeats)


PARTS = {"kernels": measure_matrices, "compilation": measure_compilation_of_small, "report": measure_report}


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--baseline", type=Path, help="the src folder of another version")
    parser.add_argument("--rcv", type=float, default=0.0, help="this share of a matrix of RCV1's shape")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--store", type=Path)
    arguments = parser.parse_args()
    for name in arguments.parts:
        figures = round_figures(PARTS[name](arguments))
        print_figures(name, figures)
        if arguments.store is not None:
            store_figures(arguments.store, name, "speed", figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
