"""What a Dask cluster does: equal labels, the cost of a sweep, lost workers, little memory, fits on a part.

    python -m benchmarks.distributed [--only labels,sweep,kills,memory,part] [--methods itcc] [--workers 1,2]

The documents are the 20 newsgroups (20newsgroups.jsonl.gz in the folder). `labels` compares labels of fits
on 1, 2 and 4 workers, in different partitions, with those of one process, with and without labels as
knowledge. `sweep` times iterations in one process and on a cluster of the machine. `kills` kills a worker
ten times in the middle of a fit. `memory` groups generated counts that are larger than the memory of all
workers. `part` measures the NMI of fits on a part of the documents. Every part prints its figures, and stores
them beside those of earlier calls in benchmarks/results/distributed.json.
"""

from __future__ import annotations

import gzip
import json
import os
import signal
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

import colligate as cg
from benchmarks.timing import make_parser
from colligate.methods.fit import RunOptions
from colligate.network import Network
from colligate.result.metrics import evaluate

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

RESULTS = Path(__file__).parent / "results" / "distributed.json"
PARTS = ("labels", "sweep", "kills", "memory", "part")
N_GROUPS, N_KILLS, N_SWEEPS = 20, 10, 5
METHODS: dict[str, dict[str, Any]] = {
    "itcc": {"n_init": 1},
    "citcc": {"n_init": 1},
    "kmeans": {"n_init": 1},
    "colligate": {},
}
CLUSTERS = {1: 1, 2: 7, 4: 13}
"""Workers, and partitions of the documents."""
# of the corpus that is larger than the memory: rows, words, entries in a row, rows in a block
LARGE = (1_200_000, 30_000, 100, 100_000)
MEMORY = 700_000_000


def read_newsgroups(folder: Path) -> tuple[list[str], list[str]]:
    """Return the texts and their newsgroups."""
    with gzip.open(folder / "20newsgroups.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row["text"] for row in rows], [row["group"] for row in rows]


@contextmanager
def start_cluster(n_workers: int, memory: Any = "auto") -> Iterator[Any]:
    """Start worker processes of one thread."""
    import distributed

    cluster = distributed.LocalCluster(
        n_workers=n_workers, threads_per_worker=1, memory_limit=memory, dashboard_address=":0"
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


def store(part: str, name: str, value: Any) -> None:
    """Keep a figure beside those of earlier calls."""
    results = json.loads(RESULTS.read_text()) if RESULTS.is_file() else {}
    results.setdefault(part, {})[name] = value
    RESULTS.write_text(json.dumps(results, indent=2, sort_keys=True) + "\n")
    print(part, name, value, flush=True)


def compare_labels(options: Namespace) -> None:
    """Fit in one process and on clusters; count the labels that differ."""
    import dask.bag

    texts, groups = read_newsgroups(options.data)
    corpus = cg.Corpus.from_texts(texts)
    known = cg.Knowledge().label({corpus.ids[row]: groups[row] for row in range(0, len(texts), 47)})
    names = options.methods.split(",")
    cases = [(name, None) for name in names]
    cases += [(name, known) for name in ("citcc", "colligate") if name in names]
    expected = []
    for name, knowledge in cases:
        method = cg.make(name, n_clusters=N_GROUPS, random_state=0, **METHODS[name])
        expected.append(method.fit(corpus, knowledge=knowledge))
    for n_workers in map(int, options.workers.split(",")):
        n_partitions = CLUSTERS[n_workers]
        with start_cluster(n_workers):
            sharded = cg.Corpus.of(dask.bag.from_sequence(texts, npartitions=n_partitions))
            for (name, knowledge), one in zip(cases, expected, strict=True):
                method = cg.make(name, n_clusters=N_GROUPS, random_state=0, **METHODS[name])
                fitted = method.fit(sharded, knowledge=knowledge)
                what = f"{name}{' with labels' if knowledge else ''}, {n_workers} workers"
                store(
                    "labels",
                    what,
                    {
                        "partitions": n_partitions,
                        "shards": len(sharded.counts.shards),
                        "different labels": int(np.count_nonzero(fitted.labels_ != one.labels_)),
                        "same history": fitted.history_ == one.history_,
                        "entries collected": bool(sharded.counts.is_collected),
                    },
                )


def time_sweeps(options: Namespace) -> None:
    """Time iterations in one process and on a cluster, one after the other."""
    import dask.bag

    texts, _ = read_newsgroups(options.data)
    here = Network.from_corpus(cg.Corpus.from_texts(texts))
    with start_cluster(2):
        there = Network.from_corpus(cg.Corpus.of(dask.bag.from_sequence(texts, npartitions=4)))
        for name in ("itcc", "colligate"):
            seconds = []
            for network in (here, there):
                start_options: dict[str, Any] = (
                    {"n_ensemble": 1} if name == "colligate" else {"init": "random", "word_init": "random"}
                )
                method = cg.make(name, n_clusters=N_GROUPS, random_state=0, n_jobs=1, **start_options)
                problem = method.problem(network, {})
                state = method.start(problem, np.random.default_rng(0))
                state = method.sweep(problem, state)
                times = []
                for _ in range(N_SWEEPS):
                    start = time.perf_counter()
                    state = method.sweep(problem, state)
                    method.objective(problem, state)
                    times.append(time.perf_counter() - start)
                seconds.append(float(np.median(times)))
            store(
                "sweep",
                name,
                {
                    "one thread": round(seconds[0], 4),
                    "two workers of one thread": round(seconds[1], 4),
                    "ratio": round(seconds[1] / seconds[0], 2),
                },
            )


def kill_workers(options: Namespace) -> None:
    """Kill a worker ten times, at seeded iterations, and compare the labels."""
    import dask.bag

    texts, _ = read_newsgroups(options.data)
    parameters = {"n_clusters": N_GROUPS, "n_init": 3, "max_iter": 12, "random_state": 0, "tol": 0.0}
    expected = cg.make("itcc", **parameters).fit(cg.Corpus.from_texts(texts))
    rng = np.random.default_rng(0)
    moments = set(rng.choice(30, N_KILLS, replace=False).tolist())
    with start_cluster(2) as client:
        sharded = cg.Corpus.of(dask.bag.from_sequence(texts, npartitions=6))
        n_events, killed = 0, []

        def kill(event: Any) -> None:
            nonlocal n_events
            if event.stage != "clustering":
                return
            n_events += 1
            if n_events in moments:
                pids = list(client.run(os.getpid).values())
                killed.append(int(rng.choice(pids)))
                os.kill(killed[-1], signal.SIGKILL)

        fitted = cg.make("itcc", **parameters).fit(sharded, options=RunOptions(listener=kill))
    store(
        "kills",
        "itcc",
        {
            "workers": 2,
            "killed": len(killed),
            "different labels": int(np.count_nonzero(fitted.labels_ != expected.labels_)),
            "same history": fitted.history_ == expected.history_,
        },
    )


def generate_block(_: Any, block_info: Any = None) -> csr_array:
    """Draw a block of counts with power-law columns, by the number of the block."""
    _, n_words, n_entries, size = LARGE
    rng = np.random.default_rng(block_info[0]["chunk-location"][0])
    words = (n_words ** rng.random((size, n_entries)) - 1.0).astype(np.int64) % n_words
    topic = rng.integers(N_GROUPS, size=(size, 1))
    words = np.where(rng.random(words.shape) < 0.3, (words + topic * 997) % n_words, words)
    indptr = np.arange(size + 1) * n_entries
    block = csr_array(
        (np.ones(words.size, np.float32), words.ravel().astype(np.int32), indptr), (size, n_words)
    )
    block.sum_duplicates()
    return block


def fill_memory(options: Namespace) -> None:
    """Group counts that are larger than the memory of the workers together."""
    import dask.array

    n_rows, n_words, _, size = LARGE
    with start_cluster(1, MEMORY) as client:
        empty = dask.array.zeros((n_rows, 1), chunks=(size, 1))
        counts = empty.map_blocks(
            generate_block, dtype=np.float32, chunks=((size,) * (n_rows // size), (n_words,))
        )
        method = cg.make(
            "itcc",
            n_clusters=N_GROUPS,
            n_init=1,
            max_iter=2,
            init="random",
            word_init="random",
            random_state=0,
        )
        start = time.perf_counter()
        fitted = method.fit(counts)
        network = fitted.result_.network
        store(
            "memory",
            "itcc",
            {
                "bytes of the counts": int(network.n_entries * 8),
                "bytes given to the worker": MEMORY,
                "workers": len(client.scheduler_info()["workers"]),
                "documents": n_rows,
                "shards": len(network.relations[0].matrix.shards),
                "iterations": fitted.n_iter_,
                "seconds": round(time.perf_counter() - start, 1),
            },
        )


def fit_parts(options: Namespace) -> None:
    """Measure the NMI of all documents after a fit on a part of them."""
    texts, groups = read_newsgroups(options.data)
    corpus, truth = cg.Corpus.from_texts(texts), np.unique(groups, return_inverse=True)[1]
    for share in (None, 0.5, 0.25, 0.1):
        scores = []
        for seed in range(options.seeds):
            model = cg.make("colligate", n_clusters=N_GROUPS, random_state=seed)
            model.fit(corpus, options=RunOptions(fit_part=share))
            scores.append(evaluate(truth, model.labels_, model.labels_ >= 0)["nmi"])
        name = "all documents" if share is None else f"{share:.0%} of the documents"
        store("part", name, [round(score, 3) for score in scores])


def main() -> None:
    """Run the chosen parts."""
    parser = make_parser(__doc__ or "")
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--methods", default=",".join(METHODS), help="of the comparison of labels")
    parser.add_argument("--workers", default="1,2,4", help="of the comparison of labels")
    parser.add_argument("--seeds", type=int, default=2)
    options = parser.parse_args()
    functions = dict(
        zip(PARTS, (compare_labels, time_sweeps, kill_workers, fill_memory, fit_parts), strict=True)
    )
    for name in options.only.split(","):
        functions[name](options)


if __name__ == "__main__":
    main()
