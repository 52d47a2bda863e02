"""One sweep of TNMF against an iteration of scikit-learn's NMF, its memory, and the residual of a fit.

    python -m benchmarks.factorisation [--data FOLDER] [--repeats 3]

Goals: a sweep takes no longer than an iteration of NMF (solver "mu"), and the memory of a fit, beyond the
matrix that is factorised, is at most twice that of the matrix. On the bundled corpus, the Kuhn-Tucker
residual of `tnmf` and `cp` (the largest membership times slope, relative to the largest membership times
loss) is printed at convergence and after many further sweeps.
"""

from __future__ import annotations

import tracemalloc
import warnings
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.decomposition import non_negative_factorization
from threadpoolctl import threadpool_limits

import colligate as cg
from benchmarks.timing import CLUSTERS, SWEEPS, PreparedRun, make_parser, measure_seconds
from colligate.methods.factorisation.trifactorisation import unpack_factors
from colligate.methods.factorisation.update import evaluate, kkt_residual
from experiments.corpora.newsgroups import read_newsgroups

if TYPE_CHECKING:
    from scipy.sparse import csr_array

GROUPS, FURTHER = 6, (200, 2000)


def prepare_start(network: cg.Network, n_jobs: int | None = None) -> PreparedRun:
    method = cg.make("tnmf", n_clusters=CLUSTERS, n_jobs=n_jobs)
    problem = method.problem(network, {})
    state = method.start(problem, np.random.default_rng(0))
    return PreparedRun(method, problem, method.sweep(problem, state))


def run_nmf(rows: csr_array) -> None:
    """As many iterations of scikit-learn's NMF as `Prepared` has sweeps, from factors that are given."""
    rng = np.random.default_rng(0)
    W, H = (rng.random(shape) / 10 for shape in ((rows.shape[0], CLUSTERS), (CLUSTERS, rows.shape[1])))
    non_negative_factorization(rows, W, H, CLUSTERS, init="custom", solver="mu", max_iter=SWEEPS, tol=0.0)


def measure_speed(network: cg.Network, repeats: int) -> None:
    """All measured in turn, so that a busy moment of the machine meets them alike; medians of ratios."""
    runs = [prepare_start(network), prepare_start(network, 1)]
    rows, size = runs[0].problem.relations[0].matrix, runs[0].problem.n_clusters_by_type["words"]
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        works = [*(run.sweeps for run in runs), lambda: run_nmf(rows)]
        taken = np.array([[measure_seconds(work, 1) for work in works] for _ in range(repeats)]) / SWEEPS
    for name, column in zip(("on all cores", "on one thread"), taken.T, strict=False):
        ratio = np.median(column / taken[:, -1])
        print(f"one sweep of tnmf, K = {CLUSTERS}, L = {size}, {name}: {1000 * column.min():.1f} ms", end="")
        print(f", ratio {ratio:.2f} (goal: at most 1)")
    print(f"one iteration of NMF (mu), K = {CLUSTERS}: {1000 * taken[:, -1].min():.1f} ms")


def measure_memory(network: cg.Network) -> None:
    """All that a fit of one restart allocates; where the entries of the matrix are, the network keeps."""
    model = cg.make("tnmf", n_clusters=CLUSTERS, n_init=1, max_iter=SWEEPS, random_state=0)
    tracemalloc.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(network)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    matrix = model.problem(network, {}).relations[0].matrix
    entries, whole = matrix.data.nbytes, matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes
    beside = peak - entries
    print(f"matrix {whole / 1e6:.0f} MB; a fit of one restart takes {beside / 1e6:.0f} MB beside it", end="")
    print(f", ratio {beside / whole:.2f} (goal: at most 2)")


def compute_residual(problem: Any, state: Any) -> float:
    """The largest Kuhn-Tucker residual of the memberships of any type, relative to the gradient's parts."""
    factors = unpack_factors(problem, state)
    residuals = []
    for kind, penalty in problem.penalties.items():
        C, Q, parts = problem.coefficients(kind, factors)
        G = factors.memberships[kind]
        evaluation = evaluate(G, C, Q, penalty.extend(parts), problem.overlap)
        residuals.append(kkt_residual(G, evaluation.gradient))
    return max(residuals)


def rest(name: str, guided: bool) -> None:
    with as_file(files("colligate") / "demo") as data:
        network = cg.Network.from_corpus(cg.Corpus.read(data / "articles.jsonl.gz"))
        knowledge = cg.Knowledge.read(data / "knowledge.yaml")
    guidance = {"words": knowledge.compile(network.names).guidance["words"]} if guided else {}
    method = cg.make(name, n_clusters=GROUPS)
    problem = method.problem(network, guidance)
    state = method.start(problem, np.random.default_rng(0))
    before, n_sweeps = compute_residual(problem, state), 0
    while not state.settled:
        state, n_sweeps = method.sweep(problem, state), n_sweeps + 1
    print(
        f"{name}: Kuhn-Tucker residual {before:.1e} at the start, {compute_residual(problem, state):.1e} ",
        end="",
    )
    print(f"when it settles after {n_sweeps} sweeps", end="")
    for further in FURTHER:
        for _ in range(further):
            state = method.sweep(problem, state)
        print(f", {compute_residual(problem, state):.1e} after {further:,} more", end="")
    print()


def main() -> None:
    arguments = make_parser(__doc__).parse_args()
    rest("tnmf", guided=False)
    rest("cp", guided=True)
    corpus, _ = read_newsgroups(arguments.data, None, 5)
    network = cg.Network.from_corpus(corpus)
    print(f"{len(corpus):,} documents, {len(corpus.words):,} words, {corpus.counts.nnz:,} entries")
    measure_memory(network)
    measure_speed(network, arguments.repeats)


if __name__ == "__main__":
    main()
