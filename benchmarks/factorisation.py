"""One sweep of TNMF against an iteration of scikit-learn's NMF, its memory, and how still a fit comes to be.

    python -m benchmarks.factorisation [--data FOLDER] [--repeats 3]

Goals: a sweep takes no longer than an iteration of NMF (solver "mu"), and the memory beyond the matrix is at
most twice that of the matrix. On the bundled corpus, the Kuhn-Tucker residual of `tnmf` and `cp` is printed
where a fit settles and after many further sweeps.
"""

from __future__ import annotations

import tracemalloc
import warnings
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.decomposition import NMF
from threadpoolctl import threadpool_limits

import colligate as cg
from benchmarks.timing import CLUSTERS, SWEEPS, Prepared, options, seconds
from colligate.methods.factorisation.factors import from_state
from colligate.methods.factorisation.update import complementarity, terms
from experiments.data import newsgroups

if TYPE_CHECKING:
    from scipy.sparse import csr_array

GROUPS, FURTHER = 6, 200


def started(network: cg.Network) -> Prepared:
    method = cg.make("tnmf", n_clusters=CLUSTERS)
    problem = method.problem(network, {})
    state = method.start(problem, np.random.default_rng(0))
    return Prepared(method, problem, method.sweep(problem, state))


def speed(network: cg.Network, repeats: int) -> None:
    run = started(network)
    rows = run.problem.pieces[0].matrix
    peer = NMF(CLUSTERS, solver="mu", init="random", max_iter=SWEEPS, tol=0.0)
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        taken = np.array(
            [[seconds(run.sweeps, 1), seconds(lambda: peer.fit(rows), 1)] for _ in range(repeats)]
        )
    sweep, iteration = taken.min(axis=0) / SWEEPS
    print(f"one sweep of tnmf, K = {CLUSTERS}, L = {run.problem.sizes['words']}: {1000 * sweep:.1f} ms")
    print(f"one iteration of NMF (mu), K = {CLUSTERS}: {1000 * iteration:.1f} ms")
    print(f"ratio {sweep / iteration:.2f} (goal: at most 1)")


def memory(network: cg.Network) -> None:
    tracemalloc.start()
    run = started(network)
    run.sweeps()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    held = size(run.problem.pieces[0].matrix)
    print(
        f"matrix {held / 1e6:.0f} MB, peak beyond what was there {peak / 1e6:.0f} MB, with the matrix itself"
    )
    print(f"ratio of the rest to the matrix {(peak - held) / held:.2f} (goal: at most 2)")


def size(matrix: csr_array) -> int:
    return int(matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes)


def residual(problem: Any, state: Any) -> float:
    """The largest Kuhn-Tucker residual of the memberships of any type, relative to the gradient's parts."""
    factors = from_state(problem, state)
    found = []
    for kind, penalty in problem.penalties.items():
        C, Q, parts = problem.seen_from(kind, factors)
        G = factors.memberships[kind]
        found.append(complementarity(G, terms(G, C, Q, penalty.and_for(parts))))
    return max(found)


def rest(name: str, guided: bool) -> None:
    with as_file(files("colligate") / "demo") as data:
        network = cg.Network.from_corpus(cg.Corpus.read(data / "newsgroups.jsonl.gz"))
        knowledge = cg.Knowledge.read(data / "knowledge.yaml")
    told = {"words": knowledge.compile(network.names).guidance["words"]} if guided else {}
    method = cg.make(name, n_clusters=GROUPS)
    problem = method.problem(network, told)
    state = method.start(problem, np.random.default_rng(0))
    before, n_sweeps = residual(problem, state), 0
    while not state.settled:
        state, n_sweeps = method.sweep(problem, state), n_sweeps + 1
    settled = residual(problem, state)
    for _ in range(FURTHER):
        state = method.sweep(problem, state)
    print(
        f"{name}: Kuhn-Tucker residual {before:.1e} at the start, {settled:.1e} when it settles after "
        f"{n_sweeps} sweeps, {residual(problem, state):.1e} after {FURTHER:,} more"
    )


def main() -> None:
    given = options(__doc__).parse_args()
    corpus, _ = newsgroups(given.data, None, 5)
    network = cg.Network.from_corpus(corpus)
    print(f"{len(corpus):,} documents, {len(corpus.words):,} words, {corpus.counts.nnz:,} entries")
    speed(network, given.repeats)
    memory(network)
    rest("tnmf", guided=False)
    rest("cp", guided=True)


if __name__ == "__main__":
    main()
