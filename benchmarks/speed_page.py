"""Write docs/speed.md from the stored figures.

    python -m benchmarks.speed_page

The figures are in benchmarks/results/speed.json, where `--store` of the benchmarks puts them: `speed`,
`threads`, `start`, `growth`, `exponents`, `listed_links`, `peers` and `plan`.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "benchmarks" / "results" / "speed.json", ROOT / "docs" / "speed.md"
HEAD = """# Speed

This page is written by `python -m benchmarks.speed_page` from stored figures. Ratios come from one run of one
command; seconds on another machine differ. "Computed" seconds are those of the processor, of all threads
together. The run from file to report, compilation, kernels, other programs and the plan were measured on two
cores shared with other work, the rest on a machine with 16 cores, of which other benchmarks used some at the
same time.
"""
MATRIX_ROWS = (
    ("scipy_by_sweep", "a sweep of ITCC: SciPy's time ÷ ours, one thread"),
    ("floor_by_sweep", "the same: floor (sums over clusters and dense products) ÷ ours"),
    ("start_in_sweeps", "the start of ITCC, in sweeps"),
    ("start_and_20_sweeps_by_20_nmf", "start and 20 sweeps of ITCC ÷ 20 multiplicative iterations of NMF"),
    ("em_by_kmeans_iteration", "an EM iteration of `colligate` ÷ an iteration of KMeans"),
    ("scipy_by_product_double", "product with 20 columns: SciPy ÷ ours, double precision"),
    ("scipy_by_product_single", "product with 20 columns: SciPy ÷ ours, single precision"),
    ("scipy_by_transposed_product_double", "transposed product: SciPy ÷ ours, double precision"),
    ("scipy_by_transposed_product_single", "transposed product: SciPy ÷ ours, single precision"),
)
END_ROWS = (
    ("cpu_seconds", "seconds computed"),
    ("seconds", "seconds passed"),
    ("peak_mb", "peak memory, MB"),
)


def make_page(stored: dict[str, Any]) -> str:
    """Return the page."""
    parts = {
        "report": _describe_report,
        "kernels": _describe_kernels,
        "compilation": _describe_compilation,
        "threads itcc": _describe_threads,
        "threads colligate": _describe_threads,
        "start": _describe_start,
        **{name: partial(_describe_growth, name.split()[1]) for name in stored if name.startswith("growth ")},
        "exponents": _describe_exponents,
        "listed links": _describe_listed_links,
        "peers": _describe_peers,
        "plan": _describe_plan,
    }
    sections = [describe(**stored[name]) for name, describe in parts.items() if name in stored]
    return "\n".join([HEAD, *(line for section in sections for line in (*section, ""))])


def _describe_kernels(command: str, figures: dict[str, Any]) -> list[str]:
    machine = figures["machine"]
    names = [name for name in figures if "entries" in figures[name]]
    sizes = (
        f"{figures[name]['documents']:,} documents, {figures[name]['entries']:,} entries" for name in names
    )
    return [
        "## Kernels",
        "",
        f"`{command}`: {machine['cores']} cores; one thread reads "
        f"{machine['read_gb_per_s']:.0f} GB/s and multiplies dense matrices at "
        f"{machine['gemm_gflops_double']:.0f} · 10⁹ operations a second in double precision, "
        f"{machine['gemm_gflops_single']:.0f} · 10⁹ in single.",
        "",
        f"| | {' | '.join(names)} |",
        "|---|" + "---|" * len(names),
        f"| size | {' | '.join(sizes)} |",
        *(
            f"| {text} | {' | '.join(f'{figures[name][key]:.2f}' for name in names)} |"
            for key, text in MATRIX_ROWS
        ),
    ]


def _describe_compilation(command: str, figures: dict[str, Any]) -> list[str]:
    return [
        "## Compilation",
        "",
        f"`{command}`: compiling the default path takes {figures['cold_cpu_seconds']:.1f} computed seconds, "
        f"once. After that, the compiled code is loaded in {figures['loading_cpu_seconds']:.2f} seconds, and "
        f"a run on few documents computes {figures['small_run_cpu_seconds']:.1f} seconds in all, imports "
        "included.",
    ]


def _describe_report(command: str, figures: dict[str, Any]) -> list[str]:
    lines = [
        "## 20 newsgroups from file to report",
        "",
        f"`{command}`: `colligate cluster -k 20` on two cores. SRC is the `src` folder of the commit "
        f"{figures['baseline_commit']}, before the work on speed.",
        "",
        "| | before | now | ratio |",
        "|---|---|---|---|",
    ]
    for key, text in END_ROWS:
        before, now, ratio = (figures[version][key] for version in ("baseline", "now", "ratio"))
        lines.append(f"| {text} | {before:.1f} | {now:.1f} | {ratio:.2f} |")
    return lines


def _describe_threads(command: str, figures: dict[str, Any]) -> list[str]:
    titles = {"start": "start, s", "sweep": "a sweep, s", "whole": "all, s", "computed": "computed, s"}
    parts = [name for name in titles if name in figures["1 threads"]]
    what = "ITCC with its start, 20 sweeps" if "sweep" in parts else "a whole fit of `colligate`"
    return [
        f"## Threads: {what}",
        "",
        f"`{command}`: {figures['documents']:,} documents, {figures['entries']:,} entries. The "
        "labels are the same on any number of threads.",
        "",
        f"| threads | {' | '.join(titles[part] for part in parts)} | speed-up |",
        "|---|" + "---|" * (len(parts) + 1),
        *(
            f"| {name.split()[0]} | {' | '.join(f'{taken[part]:.2f}' for part in parts)} "
            f"| {taken.get('whole speed-up', 1.0):.2f} |"
            for name, taken in figures.items()
            if name.endswith("threads")
        ),
    ]


def _describe_start(command: str, figures: dict[str, Any]) -> list[str]:
    return [
        "## Groups reached from the start",
        "",
        f"`{command}`: this version and that of the commit 126e299, which started from all "
        "documents. Mean NMI "
        "of the seeds with its standard error, and the mean objective, where less is better.",
        "",
        "| | before | now |",
        "|---|---|---|",
        *(
            f"| {case} | "
            + " | ".join(
                f"{figures[version][case]['nmi']:.3f} ± {figures[version][case]['error']:.3f} "
                f"({figures[version][case]['objective']:.4f})"
                for version in ("before", "now")
            )
            + " |"
            for case in figures["now"]
        ),
    ]


def _describe_growth(method: str, command: str, figures: dict[str, Any]) -> list[str]:
    runs, exponents = figures["runs"], figures["exponents"]
    grows = (
        "The computed seconds grow with the documents to the power of "
        f"{exponents['cpu_seconds']:.2f}, the memory to that of {exponents['peak_mb']:.2f}."
        if exponents
        else "On two cores."
    )
    return [
        f"## Many documents, from file to report: `{method}`",
        "",
        f"`{command}`: documents of 20 newsgroups in turn, each with half of its words, from file "
        f"to report. {grows}",
        "",
        "| documents | seconds computed | seconds passed | peak memory, MB |",
        "|---|---|---|---|",
        *(
            f"| {run['documents']:,} | {run['cpu_seconds']:.1f} | {run['seconds']:.1f} | "
            f"{run['peak_mb']:,.0f} |"
            for run in runs
        ),
    ]


def _describe_exponents(command: str, figures: dict[str, Any]) -> list[str]:
    names = list(dict.fromkeys(case.split()[1] for case in figures))
    methods = list(dict.fromkeys(case.split()[0] for case in figures))

    def cell(method: str, name: str) -> str:
        case = figures.get(f"{method} {name}")
        return f"{case['cpu_seconds_exponent']:.2f} / {case['peak_mb_exponent']:.2f}" if case else ""

    return [
        "## Growth",
        "",
        f"`{command}`: the seconds and the memory of a fit as one size grows by a factor of 100, as "
        "powers of "
        "this size (seconds / memory). One process a size, four at a time. `itcc`, `citcc` and `colligate` "
        "promise at most 1.1 in documents and entries; `kmeans`, `nmf`, `tnmf` and `plsa` do not. `kmeans` "
        "and `nmf` are those of scikit-learn.",
        "",
        f"| | {' | '.join(names)} |",
        "|---|" + "---|" * len(names),
        *(f"| `{method}` | {' | '.join(cell(method, name) for name in names)} |" for method in methods),
        "",
        "![Seconds of a fit as its size grows](images/figures/growth.svg)",
    ]


def _describe_listed_links(command: str, figures: dict[str, Any]) -> list[str]:
    return [
        "## Listed links",
        "",
        f"`{command}`: {figures['pairs']:,} random pairs of {figures['documents']:,} documents, one "
        "thread. The "
        f"table of links takes {figures['ns_per_entry']:.1f} ns an entry of the adjacency, which "
        "has every pair "
        f"twice. Building the adjacency takes {figures['build_seconds']:.1f} s, at a peak of "
        f"{figures['peak_by_adjacency']:.2f} times its size.",
    ]


def _describe_peers(command: str, figures: dict[str, Any]) -> list[str]:
    rows = [
        f"| {name} | {run['seconds']:.1f} | {run['nmi']:.3f} | {run['groups']} |"
        for name, run in figures.items()
        if "nmi" in run
    ]
    failed = [f"{name} ({run['failed']})" for name, run in figures.items() if "failed" in run]
    return [
        "## Other programs",
        "",
        f"`{command}`: 20 Newsgroups, counts, tf-idf and vectors ready; one start, one thread, "
        "seconds computed by the fit alone. The first four are ours, and so is `colligate cluster`: the "
        "whole command, from a file with the texts to the report. Ours put documents without words into no "
        "group, which is the 21st.",
        *_compare_command(figures),
        "",
        "| | seconds | NMI | groups |",
        "|---|---|---|---|",
        *rows,
        *(["", f"Without figures: {'; '.join(failed)}."] if failed else []),
    ]


def _compare_command(figures: dict[str, Any]) -> list[str]:
    """Return a sentence on the whole command beside the fit of BERTopic, if there are both."""
    ours, theirs = (figures.get(name, {}).get("seconds") for name in ("colligate cluster", "BERTopic"))
    if ours is None or theirs is None:
        return []
    return [
        "",
        f"`colligate cluster` computes {ours / theirs:.2f} of the seconds that the fit of BERTopic does.",
    ]


def _describe_plan(command: str, figures: dict[str, Any]) -> list[str]:
    return [
        "## A plan for a billion documents",
        "",
        f"`{command}`: ITCC on shards of rows, {figures['cores']} cores a worker and a network of "
        f"{figures['gigabits']:g} Gbit/s; 70 words a document, 200,000 words, 50 × 300 groups. A "
        "sweep over a "
        f"shard, measured on one core, takes {figures['fixed_ms']:.1f} ms and "
        f"{figures['ns_per_entry']:.1f} ns an "
        f"entry; the largest shard is predicted from the smaller ones within "
        f"{100 * figures['prediction_error']:+.0f} %. Nothing of this has run on so many machines: "
        "the plan is "
        "arithmetic, and the simulation adds that a sweep waits for its slowest shard.",
        "",
        "| documents | workers | GB a worker | MB sent by a worker | planned, s a sweep | simulated |",
        "|---|---|---|---|---|---|",
        *(
            f"| {row['documents']:,} | {row['workers']} | {row['gigabytes_per_worker']:.1f} "
            f"| {row['megabytes_sent_by_a_worker']:.0f} | {row['sweep_seconds']:.2f} "
            f"| {row['simulated_seconds']:.2f} |"
            for row in figures["rows"]
        ),
    ]


def main() -> None:
    PAGE.write_text(make_page(json.loads(RESULTS.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
