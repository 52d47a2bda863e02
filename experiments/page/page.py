"""The page `docs/papers.md` and its charts: the claims, then every table and figure of each paper."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from colligate._storage.atomic import write_file
from experiments.line_chart import draw_lines
from experiments.page.explanations import REASONS, compose_sections
from experiments.page.verdicts import compose_verdicts
from experiments.published.inventory import INVENTORY
from experiments.runner.experiment import select_experiments
from experiments.runner.store import StoredRuns
from experiments.runner.tables import describe_runs, format_markdown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from experiments.published.inventory import Item
    from experiments.runner.experiment import Entry, Experiment, TableSpec

NUMBER = re.compile(r"\d[\d,]*\.?\d*")
IMAGES = "images/papers"
PAPERS = {
    "000": "knowledge transformation from word space to document space (2008)",
    "001": "constrained co-clustering for textual documents (2010)",
    "002": "non-negative matrix factorisation for semi-supervised heterogeneous data co-clustering (2009)",
    "003": "world knowledge as indirect supervision for document clustering (2015)",
    "004": "document clustering with Universum (2011)",
}
INTRODUCTION = """\
# Results of the papers: published and reproduced

Every table and figure of the five papers for which data are available, with our results. `python -m
experiments page` makes this page from the stored runs in `experiments/results`. The command below each table
computes the runs that are not stored yet. `python -m experiments list` names the files of the data folder
that an experiment needs; `--data` sets that folder. `python -m experiments run --quick` computes a small part
of most experiments. Experiments that need a recogniser, or that link all of 20 Newsgroups to a knowledge
base, have no quick part.

A figure in a table is mean±deviation over runs; a figure in brackets is the published one. Unless the text of
a table says so, nothing in it was chosen with the labels of the documents. Where a paper chose parameters by
labels, an extra table does the same and says so. A few defaults were chosen with labels in view; their tables
say so.

Both methods of a comparison get the same data and knowledge at a seed. They are compared seed by seed with a
one-sided Wilcoxon signed-rank test, or a paired t-test below five seeds. A claim is about one or more pairs
of cells. It is *reproduced* if the mean gain is positive on every pair and the p-value of the seeds is below
.05, where each seed counts with its mean gain over all pairs. It is *exceeded* if, in addition, the figure
and the gain are above the published ones on every pair. A claim about most sets needs most of its pairs. A
claim that one method is hardly worse than another adds the allowed loss to the gain. With five seeds no
p-value is below .031. The table also has the largest p-value of a single pair. Where that is .05 or more, the
verdict says that the claim holds for all pairs together. No p-value is corrected for the number of claims."""
NOTES = """\
## Notes on the tables

Seconds were measured on a machine with other load, so they only show orders of magnitude. The commits below
the tables are those of the working tree that made the runs; a + means that it had uncommitted changes."""


def write_page(to: Path, results: Path) -> None:
    """Write the page, and its charts in a folder beside it; remove charts that are no longer made."""
    folder = to.parent / IMAGES
    charts = draw_charts(results)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg"):
        if old.name not in charts:
            old.unlink()
    for name, svg in charts.items():
        with write_file(folder / name) as path:
            path.write_text(svg, encoding="utf-8")
    with write_file(to) as path:
        path.write_text(compose_page(results), encoding="utf-8")


def compose_page(results: Path) -> str:
    """Compose the text of the page."""
    parts = [INTRODUCTION, "## The claims", compose_verdicts(results)]
    parts += ["## Missed goals and their reasons", *compose_sections(REASONS, results)]
    for paper, items in groupby(INVENTORY, key=lambda item: item.paper):
        parts.append(f"## Paper {paper}: {PAPERS[paper]}")
        for item in items:
            parts += compose_section(item, results)
        parts += compose_further_tables(paper, results)
    return "\n\n".join([*parts, NOTES]) + "\n"


def compose_section(item: Item, results: Path) -> Iterator[str]:
    """Compose a table or figure of a paper: what it shows, what is missing, and our tables."""
    yield f"### {item.paper} {item.name}: {item.shows}"
    if item.why:
        yield f"{'In part: ' if item.experiment else 'Not reproduced: '}{item.why}."
    for experiment in select_experiments(()):
        for spec in experiment.tables:
            if spec.of == f"{item.paper} {item.name}":
                yield from compose_table(spec, experiment, results)


def compose_further_tables(paper: str, results: Path) -> Iterator[str]:
    """Compose the tables that the paper does not have."""
    experiments = [experiment for experiment in select_experiments(()) if experiment.paper == paper]
    tables = [(experiment, spec) for experiment in experiments for spec in experiment.tables if not spec.of]
    if tables:
        yield f"### {paper}, beyond the paper"
    for experiment, spec in tables:
        yield from compose_table(spec, experiment, results)


def compose_table(spec: TableSpec, experiment: Experiment, results: Path) -> Iterator[str]:
    """Compose a table with its command, its commits and its chart."""
    stored = StoredRuns.of(experiment, results)
    yield f"**{spec.title}.** {spec.note}".strip()
    yield format_markdown(spec, experiment, stored)
    yield f"`python -m experiments run {experiment.name}`; {describe_runs(spec, experiment, stored)}."
    if spec.chart:
        yield f"![{spec.title}]({IMAGES}/{chart_file_name(spec)})"


def draw_charts(results: Path) -> dict[str, str]:
    """Draw all charts, by the name of the file."""
    return {
        chart_file_name(spec): draw_chart(spec, StoredRuns.of(experiment, results))
        for experiment in select_experiments(())
        for spec in experiment.tables
        if spec.chart
    }


def draw_chart(spec: TableSpec, stored: StoredRuns) -> str:
    """Draw the rows as lines over the numbers in the headings; skip columns without a number."""
    points = {name: chart_points(row, stored) for name, row in spec.rows.items()}
    lines = {name: line for name, line in points.items() if line}
    return draw_lines(spec.title, f"{spec.chart} (steps not to scale; bars: deviation over seeds)", lines)


def chart_points(row: Mapping[str, Entry], stored: StoredRuns) -> dict[float, tuple[float, float]]:
    """Compute mean and deviation by the number in the heading, for the columns that are computed."""
    points = {}
    for heading, entry in row.items():
        number, values = NUMBER.search(heading), list(stored.values(entry.key, entry.figure).values())
        if number and values:
            points[float(number[0].replace(",", ""))] = (float(np.mean(values)), float(np.std(values)))
    return points


def chart_file_name(spec: TableSpec) -> str:
    """Name the file of a chart by its table."""
    return re.sub(r"[^a-z0-9]+", "-", f"{spec.of} {spec.title}".lower()).strip("-") + ".svg"
