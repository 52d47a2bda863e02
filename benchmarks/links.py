"""Implied and listed links on 20 Newsgroups: seconds per sweep against the sweep without links, and memory.

    python -m benchmarks.links [--data FOLDER] [--repeats 3] [--labelled 10001] [--pairs 10000000]

Implied: labels of some documents, equal labels together and different labels apart. Listed: random pairs of
all documents by their labels. *Disturbed* moves a tenth of the linked documents before every sweep, since
kept links need little work. Memory is that of the compiled links, and the rise of the peak of ten sweeps over
that without links. Exits with 1 if a goal is missed: a ratio of 2 (implied) or 10 (listed), 200 MB (implied).
"""

from __future__ import annotations

import resource
import sys
import time
import tracemalloc
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import colligate as cg
from benchmarks.timing import CLUSTERS, PreparedRun, make_parser, measure_seconds, measure_sweep, prepare_run
from colligate.methods.loop import State
from colligate.network import DOCUMENTS
from experiments.corpora.newsgroups import read_newsgroups

if TYPE_CHECKING:
    from collections.abc import Callable

MB = 2**20
RATIOS = {"implied": 2.0, "listed": 10.0}
MEGABYTES = {"implied": 200.0, "listed": np.inf}
HEADINGS = (
    "links",
    "none ms",
    "ms",
    "ratio",
    "disturbed",
    "held MB",
    "sweep MB",
    "know s",
    "links s",
)
DISTURBED = 0.1


class LinkedRun(NamedTuple):
    """A problem with links, and what it took to make."""

    n_links: int
    run: PreparedRun
    knowledge_s: float
    links_s: float
    held: float


def make_label_knowledge(corpus: cg.Corpus, labels: np.ndarray, named: np.ndarray) -> cg.Knowledge:
    """Labels of some documents."""
    return cg.Knowledge().label({corpus.ids[i]: labels[i] for i in named})


def make_pair_knowledge(labels: np.ndarray, pairs: np.ndarray) -> cg.Knowledge:
    """Pairs, each listed: together where the labels are equal, else apart."""
    same = labels[pairs[:, 0]] == labels[pairs[:, 1]]
    return cg.Knowledge().together(documents=pairs[same]).apart(documents=pairs[~same])


def draw_pairs(size: int, n_pairs: int, rng: np.random.Generator) -> np.ndarray:
    """Distinct pairs of different positions, by position."""
    left, right = np.sort(rng.integers(0, size, (2, n_pairs + n_pairs // 4)), axis=0)
    keys = np.unique((left * size + right)[left < right])
    chosen = np.sort(rng.permutation(keys)[:n_pairs])
    return np.stack([chosen // size, chosen % size], axis=1)


def trace_memory(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """What work returns, the memory that is left of it, and its peak, in MB."""
    tracemalloc.start()
    result = work()
    left, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return result, left / MB, peak / MB


def prepare_linked(network: cg.Network, n_links: int, state: Callable[[], cg.Knowledge]) -> LinkedRun:
    """State knowledge, compile it, and start; knowledge and links are timed on their own."""
    began = time.perf_counter()
    guidance = state().compile(network.names).guidance
    knowledge_s = time.perf_counter() - began
    method = cg.make("citcc", n_clusters=CLUSTERS)
    links_s = measure_seconds(lambda: method.problem(network, guidance), 1)
    _, held, _ = trace_memory(lambda: method.problem(network, guidance))
    _, bare, _ = trace_memory(lambda: method.problem(network, {}))
    return LinkedRun(n_links, prepare_run(network, guidance), knowledge_s, links_s, held - bare)


def measure_disturbed_sweep(run: PreparedRun, rng: np.random.Generator) -> float:
    """The time of a sweep after some linked documents were put elsewhere."""
    where = run.problem.links[DOCUMENTS].where
    labels = run.state.labels[DOCUMENTS].copy()
    moved = rng.permutation(where)[: int(DISTURBED * len(where))]
    labels[moved] = rng.integers(0, labels.max() + 1, len(moved))
    state = State({**run.state.labels, DOCUMENTS: labels}, run.state.numbers)
    return measure_seconds(lambda: run.method.sweep(run.problem, state), 1)


def measure_links(case: LinkedRun, plain: PreparedRun, repeats: int) -> tuple[float, float, float, float]:
    """Seconds of a sweep without links, with them, and with them disturbed; MB that ten sweeps add."""
    rng = np.random.default_rng(1)
    sweep, taken = measure_sweep([plain, case.run], repeats)
    restless = min(measure_disturbed_sweep(case.run, rng) for _ in range(repeats))
    peaks = [trace_memory(run.sweeps)[2] for run in (case.run, plain)]
    return sweep, taken, restless, max(peaks[0] - peaks[1], 0.0)


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--labelled", type=int, default=10_001, help="documents whose labels imply links")
    parser.add_argument("--pairs", type=int, default=10_000_000, help="listed links")
    arguments = parser.parse_args()
    corpus, labels = read_newsgroups(arguments.data, None, 5)
    network, rng = cg.Network.from_corpus(corpus), np.random.default_rng(0)
    plain = prepare_run(network, {})
    named = rng.permutation(len(labels))[: arguments.labelled]
    pairs = draw_pairs(len(labels), arguments.pairs, rng)
    cases = {
        "implied": (len(named) * (len(named) - 1) // 2, lambda: make_label_knowledge(corpus, labels, named)),
        "listed": (len(pairs), lambda: make_pair_knowledge(labels, pairs)),
    }
    print(f"{len(corpus):,} documents, {len(corpus.words):,} words, {corpus.counts.nnz:,} entries")
    print(("{:>18}" + "{:>10}" * 8).format(*HEADINGS))
    missed = False
    for name, (n_links, state) in cases.items():
        case = prepare_linked(network, n_links, state)
        sweep, taken, restless, added = measure_links(case, plain, arguments.repeats)
        missed |= taken > RATIOS[name] * sweep or case.held + added > MEGABYTES[name]
        numbers = (1000 * sweep, 1000 * taken, taken / sweep, restless / sweep, case.held, added)
        shown = [f"{number:.2f}" for number in numbers]
        print(
            ("{:>18}" + "{:>10}" * 8).format(
                f"{n_links:,} {name}", *shown, f"{case.knowledge_s:.1f}", f"{case.links_s:.1f}"
            )
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the whole benchmark {peak:.0f} MB; goals {'missed' if missed else 'reached'}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
