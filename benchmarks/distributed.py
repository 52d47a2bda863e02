"""What a Dask cluster does: equal labels, the cost of a sweep, lost workers, little memory, fits on a part.

    python -m benchmarks.distributed [--only labels,sweep,kills,memory,part] [--methods itcc] [--workers 1,2]
    python -m benchmarks.distributed --page

The documents are the 20 newsgroups (20newsgroups.jsonl.gz in the folder). `labels` compares labels of fits
on 1, 2 and 4 workers, in different partitions, with those of one process, with and without knowledge.
`sweep` times iterations in one process and on a cluster of the machine, and counts tasks and bytes; for
`colligate` also with responsibilities on the machine of the caller in place of the workers.
`kills` kills a worker ten times in the middle of a fit, and starts another one. `memory` groups generated
counts that are larger than the memory of all workers. `part` measures the NMI of fits on a part of the
documents. Every figure is stored in benchmarks/results/distributed.json when it is there, and is not
measured again without `--again`.
`--page` writes the stored figures to docs/cluster_of_machines.md.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from scipy.sparse import csr_array, vstack

import colligate as cg
from benchmarks.timing import make_parser
from colligate.kernels.sharded import ShardedKernels
from colligate.methods.fit import RunOptions
from colligate.network import Network
from colligate.network.inputs import shard_array
from colligate.result.metrics import evaluate
from colligate.shards import shards
from colligate.shards.shards import Shards

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "distributed.json"
PAGE, PAGE_HEADING = ROOT / "docs" / "cluster_of_machines.md", "## Figures\n"
PARTS = ("labels", "sweep", "kills", "memory", "part")
N_GROUPS, N_SWEEPS = 20, 5
N_KILLS, N_KILLED_FROM = 10, 2
"""Workers that are killed one after the other, and how many there are at a time."""
# two runs of the ensemble: one as it is, one whose groups are merged
METHODS: dict[str, dict[str, Any]] = {
    "itcc": {"n_init": 1},
    "citcc": {"n_init": 1},
    "kmeans": {"n_init": 1},
    "colligate": {"n_ensemble": 2},
}
KNOWLEDGE = ("labels", "categories", "links", "linked groups", "outsiders")
GUIDED = ("citcc", "colligate")
CLUSTERS = {1: 1, 2: 7, 4: 13}
"""Workers, and partitions of the documents."""
# of the corpus that is larger than the memory: rows, words, entries in a row, rows in a block
LARGE = (1_200_000, 30_000, 100, 25_000)
MEMORY = 700_000_000
# of the corpus of sweeps: eight blocks, so that two workers have the same work
SWEPT = (131_072, 30_000, 100, 16_384)


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


class Figures:
    """The stored figures, by part and name; those that are stored are not measured again unless asked for."""

    def __init__(self, path: Path, *, again: bool) -> None:
        self.path, self.again = path, again
        self.values = self._read()

    def _read(self) -> dict[str, dict[str, Any]]:
        return json.loads(self.path.read_text(encoding="utf-8")) if self.path.is_file() else {}

    def lacks(self, part: str, name: str) -> bool:
        """Return whether a figure must be measured."""
        return self.again or name not in self.values.get(part, {})

    def store(self, part: str, name: str, value: Any) -> None:
        """Keep a figure beside those of other calls, and print it."""
        # another part may run at the same time
        self.values = self._read()
        self.values.setdefault(part, {})[name] = value
        self.path.write_text(json.dumps(self.values, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(part, name, value, flush=True)


def make_knowledge(kind: str | None, corpus: cg.Corpus, groups: list[str]) -> cg.Knowledge | None:
    """Return what a user knows of one in 47 documents, or of words."""
    ids, rows = corpus.ids, range(0, len(corpus), 47)
    if kind == "labels":
        return cg.Knowledge().label({ids[row]: groups[row] for row in rows})
    if kind == "categories":
        # the last part of the name of a newsgroup, if it is a word of the texts
        words = {group: group.rpartition(".")[2] for group in sorted(set(groups))}
        known, knowledge = set(corpus.words), cg.Knowledge()
        for group, word in words.items():
            knowledge = knowledge.category(group, words=[word]) if word in known else knowledge
        return knowledge
    if kind == "linked groups":
        members: dict[str, list[str]] = {}
        for row in rows:
            members.setdefault(groups[row], []).append(ids[row])
        return cg.Knowledge().groups(documents=members)
    if kind == "outsiders":
        return cg.Knowledge().outside([ids[row] for row in rows if groups[row] == max(groups)])
    if kind == "links":
        pairs = [(row, row + 47) for row in rows if row + 47 < len(ids)]
        together, apart = (
            [(ids[a], ids[b]) for a, b in pairs if (groups[a] == groups[b]) is same] for same in (True, False)
        )
        return cg.Knowledge().together(documents=together).apart(documents=apart)
    return None


def compare_labels(options: Namespace, figures: Figures) -> None:
    """Fit in one process and on clusters; count the labels that differ."""
    import dask.bag

    texts, groups = read_newsgroups(options.data)
    corpus = cg.Corpus.from_texts(texts)
    names = options.methods.split(",")
    cases = [(name, kind) for name in names for kind in (None, *(KNOWLEDGE if name in GUIDED else ()))]

    @cache
    def fit(name: str, kind: str | None, documents: Any) -> Any:
        method = cg.make(name, n_clusters=N_GROUPS, random_state=0, **METHODS[name])
        return method.fit(documents, knowledge=make_knowledge(kind, corpus, groups))

    for n_workers in map(int, options.workers.split(",")):
        missing = {
            f"{name}{f' with {kind}' if kind else ''}, {n_workers} workers": (name, kind)
            for name, kind in cases
        }
        missing = {title: case for title, case in missing.items() if figures.lacks("labels", title)}
        if not missing:
            continue
        n_partitions = CLUSTERS[n_workers]
        with start_cluster(n_workers):
            sharded = cg.Corpus.of(dask.bag.from_sequence(texts, npartitions=n_partitions))
            counts: Any = sharded.counts
            for title, case in missing.items():
                expected, fitted = fit(*case, corpus), fit(*case, sharded)
                figures.store(
                    "labels",
                    title,
                    {
                        "partitions": n_partitions,
                        "shards": len(counts.shards),
                        "different labels": int(np.count_nonzero(fitted.labels_ != expected.labels_)),
                        "same history": fitted.history_ == expected.history_,
                        "entries collected": bool(counts.is_collected),
                    },
                )


@contextmanager
def count_traffic() -> Iterator[dict[str, int]]:
    """Count tasks, and the bytes of the arrays that go to all shards, to each shard, and come back."""
    traffic = dict.fromkeys(("tasks", "bytes to all", "bytes to shards", "bytes back"), 0)
    submit, gather = Shards._submit, shards.gather

    def count_submit(self: Shards, function: Any, shared: Any, parts: Any) -> Any:
        traffic["tasks"] += len(self)
        traffic["bytes to all"] += sum(getattr(value, "nbytes", 0) for value in shared)
        traffic["bytes to shards"] += sum(getattr(part, "nbytes", 0) for part in parts)
        return submit(self, function, shared, parts)

    def count_gather(client: Any, futures: Any) -> Any:
        values = gather(client, futures)
        arrays = [each for value in values for each in (value if isinstance(value, tuple) else (value,))]
        traffic["bytes back"] += sum(getattr(array, "nbytes", 0) for array in arrays)
        return values

    with patch.object(Shards, "_submit", count_submit), patch.object(shards, "gather", count_gather):
        yield traffic


def keep_responsibilities_here() -> Any:
    """Keep responsibilities and scores on this machine, as kernels do that have no rows on workers."""
    return patch.object(ShardedKernels, "place_rows", lambda self, array, x: array)


def measure_sweeps(name: str, network: Network) -> tuple[list[float], dict[str, float]]:
    """Return the seconds of a few iterations after the first, and what one sends on a cluster."""
    starts: dict[str, Any] = (
        {"n_ensemble": 1} if name == "colligate" else {"init": "random", "word_init": "random"}
    )
    method = cg.make(name, n_clusters=N_GROUPS, random_state=0, n_jobs=1, **starts)
    problem = method.problem(network, {})
    state = method.sweep(problem, method.start(problem, np.random.default_rng(0)))
    times = []
    with count_traffic() as traffic:
        for _ in range(N_SWEEPS):
            start = time.perf_counter()
            state = method.sweep(problem, state)
            method.objective(problem, state)
            times.append(time.perf_counter() - start)
    return times, {key: value / N_SWEEPS for key, value in traffic.items()}


def time_sweeps(options: Namespace, figures: Figures) -> None:
    """Time iterations in one process and on a cluster, one after the other."""
    n_rows, _, _, size = SWEPT
    cases = {"itcc": False, "colligate": False, "colligate, responsibilities here": True}
    cases = {title: is_here for title, is_here in cases.items() if figures.lacks("sweep", title)}
    if not cases:
        return
    blocks = [generate_block(SWEPT, number) for number in range(n_rows // size)]
    with start_cluster(2):
        for title, is_here in cases.items():
            name = title.partition(",")[0]
            here, _ = measure_sweeps(name, Network.from_matrix(csr_array(vstack(blocks, format="csr"))))
            with keep_responsibilities_here() if is_here else nullcontext():
                there, traffic = measure_sweeps(name, Network.from_matrix(shard_array(make_counts(SWEPT))))
            figures.store(
                "sweep",
                title,
                {
                    "documents": n_rows,
                    # the least of all iterations: other work on the machine only adds to it
                    "seconds in one thread": round(min(here), 4),
                    "seconds on two workers of one thread": round(min(there), 4),
                    "ratio": round(min(there) / min(here), 2),
                    **traffic,
                },
            )


def kill_workers(options: Namespace, figures: Figures) -> None:
    """Kill a worker ten times, at seeded steps, and compare the labels."""
    import dask.bag

    texts, _ = read_newsgroups(options.data)
    methods = {
        "itcc": {"n_init": 3, "max_iter": 12, "tol": 0.0},
        "colligate": {"n_ensemble": 2, "max_iter": 30, "tol": 0.0},
    }
    for name in (name for name in methods if figures.lacks("kills", name)):
        parameters = {"n_clusters": N_GROUPS, "random_state": 0, **methods[name]}
        expected = cg.make(name, **parameters).fit(cg.Corpus.from_texts(texts))
        rng = np.random.default_rng(0)
        moments = set(rng.choice(30, N_KILLS, replace=False).tolist())
        with start_cluster(0) as client:
            listener = Killer(client, moments, rng)
            sharded = cg.Corpus.of(dask.bag.from_sequence(texts, npartitions=6))
            fitted = cg.make(name, **parameters).fit(sharded, options=RunOptions(listener=listener))
            listener.stop()
        figures.store(
            "kills",
            name,
            {
                "workers": N_KILLED_FROM,
                "killed": listener.n_killed,
                "different labels": int(np.count_nonzero(fitted.labels_ != expected.labels_)),
                "same history": fitted.history_ == expected.history_,
            },
        )


class Killer:
    """A listener that kills a worker, drawn at random, at some steps of a fit, and starts another one."""

    def __init__(self, client: Any, moments: set[int], rng: np.random.Generator) -> None:
        self.client, self.moments, self.rng = client, moments, rng
        self.n_events = self.n_killed = 0
        self.workers = [self._start_worker() for _ in range(N_KILLED_FROM)]

    def __call__(self, event: Any) -> None:
        """Count the event, and kill a worker if it is one of the moments."""
        if self.n_events in self.moments:
            self.client.wait_for_workers(N_KILLED_FROM)
            number = int(self.rng.integers(N_KILLED_FROM))
            self.workers[number].kill()
            self.workers[number] = self._start_worker()
            self.n_killed += 1
        self.n_events += 1

    def _start_worker(self) -> subprocess.Popen[bytes]:
        # without a nanny, which gives up if the worker is killed while it starts
        options = ("--no-nanny", "--nthreads", "1", "--no-dashboard")
        command = [
            sys.executable,
            "-m",
            "distributed.cli.dask_worker",
            self.client.scheduler.address,
            *options,
        ]
        # as a nanny does: more threads of BLAS would round otherwise
        names = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
        environment = {**os.environ, **dict.fromkeys(names, "1")}
        return subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
        )

    def stop(self) -> None:
        """End the workers."""
        for worker in self.workers:
            worker.kill()


def generate_block(shape: tuple[int, int, int, int], number: int) -> csr_array:
    """Draw a block of counts with power-law columns, by the number of the block."""
    _, n_words, n_entries, size = shape
    rng = np.random.default_rng(number)
    words = (n_words ** rng.random((size, n_entries)) - 1.0).astype(np.int64) % n_words
    topic = rng.integers(N_GROUPS, size=(size, 1))
    words = np.where(rng.random(words.shape) < 0.3, (words + topic * 997) % n_words, words)
    indptr = np.arange(size + 1) * n_entries
    block = csr_array(
        (np.ones(words.size, np.float32), words.ravel().astype(np.int32), indptr), (size, n_words)
    )
    block.sum_duplicates()
    return block


def make_counts(shape: tuple[int, int, int, int]) -> Any:
    """Return a Dask array whose blocks are drawn on the workers."""
    import dask.array

    n_rows, n_words, _, size = shape
    empty = dask.array.zeros((n_rows, 1), chunks=(size, 1))

    def draw(_: Any, block_info: Any = None) -> csr_array:
        return generate_block(shape, block_info[0]["chunk-location"][0])

    return empty.map_blocks(draw, dtype=np.float32, chunks=((size,) * (n_rows // size), (n_words,)))


def fill_memory(options: Namespace, figures: Figures) -> None:
    """Group counts that are larger than the memory of the workers together."""
    if not figures.lacks("memory", "itcc"):
        return
    with start_cluster(1, MEMORY) as client:
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
        fitted = method.fit(make_counts(LARGE))
        network = fitted.result_.network
        figures.store(
            "memory",
            "itcc",
            {
                "bytes of the counts": int(network.n_entries * 8),
                "bytes given to the worker": MEMORY,
                "workers": len(client.scheduler_info()["workers"]),
                "documents": LARGE[0],
                "shards": len(network.relations[0].matrix.shards),
                "iterations": fitted.n_iter_,
                "seconds": round(time.perf_counter() - start, 1),
            },
        )


def fit_parts(options: Namespace, figures: Figures) -> None:
    """Measure the NMI of all documents after a fit on a part of them."""
    texts, groups = read_newsgroups(options.data)
    corpus, truth = cg.Corpus.from_texts(texts), np.unique(groups, return_inverse=True)[1]
    for share in (None, 0.1, 0.25, 0.5):
        name = "all documents" if share is None else f"{share:.0%} of the documents"
        for seed in range(options.seeds):
            title = f"{name}, seed {seed}"
            if not figures.lacks("part", title):
                continue
            start = time.process_time()
            model = cg.make("colligate", n_clusters=N_GROUPS, random_state=seed)
            model.fit(corpus, options=RunOptions(fit_part=share))
            nmi = evaluate(truth, model.labels_, model.labels_ >= 0)["nmi"]
            seconds = time.process_time() - start
            figures.store("part", title, {"nmi": round(nmi, 3), "seconds computed": round(seconds, 1)})


def write_page(figures: Figures) -> None:
    """Write the stored figures to the end of the page."""
    text = PAGE.read_text(encoding="utf-8")
    head = text[: text.index(PAGE_HEADING) + len(PAGE_HEADING)]
    lines = [
        "",
        "`python -m benchmarks.distributed` measures these figures and stores them in "
        "`benchmarks/results/distributed.json`;",
        "with `--page` it writes this section. The machine had two cores, which other work used, too.",
    ]
    for part, title in PAGE_TITLES.items():
        if values := figures.values.get(part):
            lines += ["", title, "", *TABLES.get(part, _make_table)(values)]
    PAGE.write_text("\n".join([head.rstrip("\n"), *lines, ""]), encoding="utf-8")


PAGE_TITLES = {
    "labels": "The 18,846 documents of the 20 newsgroups on 1, 2 and 4 workers, compared with one process:",
    "kills": "A worker killed in the middle of a fit, at random steps with a fixed seed:",
    "memory": "Counts that are larger than the memory of the workers:",
    "sweep": "One iteration on generated counts, with what it sends (`bytes to all` go to every worker); "
    "`responsibilities here` is what `colligate` did before they stayed on the workers, and does with links:",
    "part": "NMI of `colligate` on the 20 newsgroups after a fit on a part of the documents, the mean of two "
    "seeds:",
}


def _make_table(values: dict[str, dict[str, Any]]) -> list[str]:
    columns = list(dict.fromkeys(key for figures in values.values() for key in figures))
    rows = [[name, *(figures.get(key, "") for key in columns)] for name, figures in values.items()]
    return _draw_table(["", *columns], rows)


def _make_table_of_labels(values: dict[str, dict[str, Any]]) -> list[str]:
    """Count different labels by method and workers, and say what holds for all cases."""
    cases = list(dict.fromkeys(title.partition(", ")[0] for title in values))
    columns = [f"{n} worker{'s' if n > 1 else ''}" for n in CLUSTERS]
    rows = [
        [case, *(values.get(f"{case}, {n} workers", {}).get("different labels", "") for n in CLUSTERS)]
        for case in cases
    ]
    n_same = sum(figures["same history"] for figures in values.values())
    n_collected = sum(figures["entries collected"] for figures in values.values())
    partitions = ", ".join(
        f"{n} worker{'s' if n > 1 else ''}: {n_partitions}" for n, n_partitions in CLUSTERS.items()
    )
    return [
        *_draw_table(["different labels", *columns], rows),
        "",
        f"All objectives are the same to the last bit in {n_same} of {len(values)} cases, and {n_collected} "
        f"cases collected the counts. Partitions on {partitions}.",
    ]


def _make_table_of_parts(values: dict[str, dict[str, Any]]) -> list[str]:
    """Average over seeds, beside the fit on all documents."""
    shares = list(dict.fromkeys(title.partition(", ")[0] for title in values))
    means = {}
    for share in shares:
        figures = [each for title, each in values.items() if title.startswith(f"{share}, ")]
        means[share] = [
            float(np.mean([each[key] for each in figures])) for key in ("nmi", "seconds computed")
        ]
    whole = means["all documents"][0]
    rows = [
        [share, f"{nmi:.3f}", f"{whole - nmi:.3f}", f"{seconds:.1f}"]
        for share, (nmi, seconds) in sorted(means.items(), key=lambda item: -item[1][1])
    ]
    return _draw_table(["fit on", "NMI", "loss", "seconds computed"], rows)


TABLES = {"labels": _make_table_of_labels, "part": _make_table_of_parts}


def _draw_table(columns: list[str], rows: list[list[Any]]) -> list[str]:
    return [
        f"| {' | '.join(columns)} |",
        "|---" * len(columns) + "|",
        *(f"| {' | '.join(map(_format, row))} |" for row in rows),
    ]


def _format(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value >= 1000:
        return f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def main() -> None:
    """Run the chosen parts."""
    parser = make_parser(__doc__ or "")
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--methods", default=",".join(METHODS), help="of the comparison of labels")
    parser.add_argument("--workers", default="1,2,4", help="of the comparison of labels")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="measure what is stored, too")
    parser.add_argument("--page", action="store_true", help="write the page from the stored figures")
    options = parser.parse_args()
    figures = Figures(RESULTS, again=options.again)
    if options.page:
        write_page(figures)
        return
    functions: dict[str, Callable[[Namespace, Figures], None]] = dict(
        zip(PARTS, (compare_labels, time_sweeps, kill_workers, fill_memory, fit_parts), strict=True)
    )
    for name in options.only.split(","):
        functions[name](options, figures)


if __name__ == "__main__":
    main()
