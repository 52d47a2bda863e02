"""Write docs/speed.md from the stored figures.

    python -m benchmarks.speed_page

The figures are in benchmarks/results/speed.json, where `benchmarks.speed --store` and
`benchmarks.growth --store` put them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS, PAGE = ROOT / "benchmarks" / "results" / "speed.json", ROOT / "docs" / "speed.md"
HEAD = """# Speed

This page is written by `python -m benchmarks.speed_page` from stored figures. Ratios come from one run of one
command; seconds on another machine differ. "Computed" seconds are those of the processor, of all threads
together. The machine was shared with other work, so seconds that passed are longer than on a quiet one.
"""
MATRIX_ROWS = (
    ("scipy_by_sweep", "a sweep of ITCC: SciPy's time ÷ ours, one thread"),
    ("floor_by_sweep", "the same: floor (sums over clusters and dense products) ÷ ours"),
    ("two_threads_speedup", "the same: one thread ÷ two threads, seconds that passed"),
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
        "growth": _describe_growth,
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
        f"once. After that, a run on few documents computes {figures['small_run_cpu_seconds']:.1f} seconds, "
        "imports included.",
    ]


def _describe_report(command: str, figures: dict[str, Any]) -> list[str]:
    lines = [
        "## 20 newsgroups from file to report",
        "",
        f"`{command}`, where SRC is the version before: `colligate cluster -k 20`.",
        "",
        "| | before | now | ratio |",
        "|---|---|---|---|",
    ]
    for key, text in END_ROWS:
        before, now, ratio = (figures[version][key] for version in ("baseline", "now", "ratio"))
        lines.append(f"| {text} | {before:.1f} | {now:.1f} | {ratio:.2f} |")
    return lines


def _describe_growth(command: str, figures: dict[str, Any]) -> list[str]:
    runs, exponents = figures["runs"], figures["exponents"]
    return [
        "## Growth",
        "",
        f"`{command}`: documents of 20 newsgroups in turn, each with half of its words, from file "
        "to report. The computed seconds grow with the documents to the power of "
        f"{exponents['cpu_seconds']:.2f}, the memory to that of {exponents['peak_mb']:.2f}.",
        "",
        "| documents | seconds computed | peak memory, MB |",
        "|---|---|---|",
        *(f"| {run['documents']:,} | {run['cpu_seconds']:.1f} | {run['peak_mb']:,.0f} |" for run in runs),
    ]


def main() -> None:
    PAGE.write_text(make_page(json.loads(RESULTS.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
