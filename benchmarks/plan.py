"""A plan on paper for ITCC on up to a billion documents: memory, network and time, checked by a simulation.

    python -m benchmarks.plan [--workers 16 64 256] [--cores 8] [--gigabits 10] [--store FILE] [--repeats 5]

Documents are cut into shards of rows, one for each core of each worker, which stay where they are. A sweep
broadcasts the groups of the words and the table, assigns every document, sums the words of the new groups of
each worker (words × groups), and adds these sums up along a tree of the workers; one worker then assigns the
words. The costs of a shard are measured here on one thread, for three sizes, with the kernels of the library:
seconds = a + b · entries. The largest size is predicted from the two others, and the error is printed.

The simulation draws the seconds of each shard from the spread of the measured ones, waits for the slowest
core of a worker, and sends sums along the tree as soon as both partners are ready. The plan takes mean costs
and the same tree; where simulation and plan differ, waiting for slow shards is the reason.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.exponents import generate_counts
from benchmarks.timing import make_parser, store_figures
from colligate.kernels import Kernels, SparseRows, make_kernels
from colligate.kernels.numba.aggregate import block_sums

DOCUMENTS = (10**7, 10**8, 10**9)
LENGTH, WORDS, GROUPS, WORD_GROUPS = 70, 200_000, 50, 300
SHARDS = (10_000, 20_000, 40_000)
LATENCY = 0.0005
BYTES_PER_ENTRY, BYTES_PER_DOCUMENT, BYTES_PER_SUM, BYTES_PER_LABEL = 8, 12, 8, 2
SWEEPS = 200


@dataclass(frozen=True)
class ShardCost:
    """Seconds of a sweep over a shard are `fixed` + `per_entry` · entries; `spread` are ratios to that."""

    fixed: float
    per_entry: float
    spread: np.ndarray
    prediction_error: float

    def seconds(self, entries: float) -> float:
        """Return the mean seconds of a shard."""
        return self.fixed + self.per_entry * entries


def sweep_shard(kernels: Kernels, x: SparseRows, columns: Any, table: Any) -> None:
    """Assign the documents of a shard, and sum the words of every group."""
    labels, _ = kernels.assign_and_sum(x, columns, table)
    words = np.arange(x.n_columns, dtype=np.int32)
    # the kernel itself, as one chunk: a core has one table of words × groups
    block_sums(x.data, x.indices, x.indptr, labels, words, GROUPS, x.n_columns, 0, len(x))


def measure_shards(repeats: int) -> ShardCost:
    """Measure shards of several sizes, and fit their costs."""
    kernels, rng = make_kernels("fast", n_jobs=1), np.random.default_rng(0)
    columns = rng.integers(0, WORD_GROUPS, WORDS, dtype=np.int32)
    table = np.ascontiguousarray(np.log(rng.dirichlet(np.ones(WORD_GROUPS), GROUPS)).T)
    entries, taken = [], []
    for n_documents in SHARDS:
        x = SparseRows.of(generate_counts(n_documents, WORDS, LENGTH, GROUPS))
        sweep_shard(kernels, x, columns, table)
        seconds = []
        for _ in range(repeats):
            began = time.process_time()
            sweep_shard(kernels, x, columns, table)
            seconds.append(time.process_time() - began)
        entries.append(len(x.data))
        taken.append(seconds)
    best = np.array([min(seconds) for seconds in taken])
    slope, fixed = np.polyfit(entries[:2], best[:2], 1)
    error = (fixed + slope * entries[2]) / best[2] - 1.0
    slope, fixed = np.polyfit(entries, best, 1)
    fitted = np.maximum(fixed + slope * np.array(entries), 1e-9)
    spread = np.concatenate([np.array(seconds) / mean for seconds, mean in zip(taken, fitted, strict=True)])
    return ShardCost(max(float(fixed), 0.0), float(slope), spread, float(error))


def plan_run(cost: ShardCost, documents: int, workers: int, cores: int, bandwidth: float) -> dict[str, float]:
    """Return bytes and seconds of one sweep by mean costs."""
    entries = documents * LENGTH / workers
    sums = WORDS * GROUPS * BYTES_PER_SUM
    broadcast = WORDS * BYTES_PER_LABEL + WORD_GROUPS * GROUPS * 8
    levels = int(np.ceil(np.log2(workers)))
    compute = float(cost.spread.mean()) * cost.seconds(entries / cores)
    # up the tree with the sums, down it with the labels of words
    network = levels * (2 * LATENCY + (sums + broadcast) / bandwidth)
    return {
        "documents": documents,
        "workers": workers,
        # one partial table for each core, and one more that arrives from the partner
        "gigabytes_per_worker": (
            entries * BYTES_PER_ENTRY + documents / workers * BYTES_PER_DOCUMENT + (cores + 1) * sums
        )
        / 1e9,
        "megabytes_sent_by_a_worker": (sums + broadcast) / 1e6,
        "compute_seconds": compute,
        "network_seconds": network,
        "sweep_seconds": compute + network,
    }


def simulate_run(
    cost: ShardCost, documents: int, workers: int, cores: int, bandwidth: float, rng: np.random.Generator
) -> float:
    """Return the mean seconds of a sweep, with shards as slow as the measured ones were."""
    entries = documents * LENGTH / workers / cores
    sums = WORDS * GROUPS * BYTES_PER_SUM / bandwidth
    broadcast = (WORDS * BYTES_PER_LABEL + WORD_GROUPS * GROUPS * 8) / bandwidth
    levels = int(np.ceil(np.log2(workers)))
    taken = []
    for _ in range(SWEEPS):
        # the broadcast reaches worker w after as many steps as its number has bits
        steps = np.array([int(w).bit_length() for w in range(workers)])
        started = steps * (LATENCY + broadcast)
        shards = cost.seconds(entries) * rng.choice(cost.spread, (workers, cores))
        ready = started + shards.max(axis=1)
        for level in range(levels):
            left = np.arange(0, workers, 2 ** (level + 1))
            right = left + 2**level
            has_partner = right < workers
            arrived = np.maximum(ready[left[has_partner]], ready[right[has_partner]]) + LATENCY + sums
            ready[left[has_partner]] = arrived
        taken.append(ready[0])
    return float(np.mean(taken))


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[16, 64, 256])
    parser.add_argument("--cores", type=int, default=8)
    parser.add_argument("--gigabits", type=float, default=10.0, help="the network of a worker, in Gbit/s")
    parser.add_argument("--store", type=Path)
    parser.set_defaults(repeats=5)
    arguments = parser.parse_args()
    cost, rng = measure_shards(arguments.repeats), np.random.default_rng(0)
    print(f"a shard: {cost.fixed * 1e3:.1f} ms + {cost.per_entry * 1e9:.2f} ns an entry; the largest "
          f"of three predicted from the others within {cost.prediction_error:+.1%}")  # fmt: skip
    bandwidth, rows = arguments.gigabits * 1e9 / 8, []
    for documents in DOCUMENTS:
        for workers in arguments.workers:
            row = plan_run(cost, documents, workers, arguments.cores, bandwidth)
            row["simulated_seconds"] = simulate_run(cost, documents, workers, arguments.cores, bandwidth, rng)
            rows.append({name: round(value, 3) for name, value in row.items()})
            print("   ".join(f"{name} {value:,g}" for name, value in rows[-1].items()), flush=True)
    if arguments.store is not None:
        figures = {
            "fixed_ms": round(cost.fixed * 1e3, 3),
            "ns_per_entry": round(cost.per_entry * 1e9, 3),
            "prediction_error": round(cost.prediction_error, 4),
            "cores": arguments.cores,
            "gigabits": arguments.gigabits,
            "rows": rows,
        }
        store_figures(arguments.store, "plan", "plan", figures)


if __name__ == "__main__":
    main()
