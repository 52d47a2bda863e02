"""The pages of the papers and their charts: a summary, how claims are judged, and a page for each paper."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from colligate._storage.atomic import write_file
from experiments.line_chart import draw_lines
from experiments.page.explanations import REASONS, compose_sections
from experiments.page.summary import PAPERS, compose_index, compose_results, compose_summary
from experiments.page.verdicts import (
    CHANGES_HEADINGS,
    HEADINGS,
    NONE,
    PARTS_HEADINGS,
    change_rows,
    claim_rows,
    describe_protocols,
    judge_claims,
    make_markdown,
    part_rows,
    summarise,
)
from experiments.published.inventory import INVENTORY
from experiments.runner.experiment import select_experiments
from experiments.runner.store import StoredRuns
from experiments.runner.tables import describe_runs, format_markdown, select_runs
from experiments.scatter_chart import draw_scatter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from experiments.page.verdicts import Verdict
    from experiments.published.inventory import Item
    from experiments.runner.experiment import Entry, Experiment, TableSpec

NUMBER = re.compile(r"\d[\d,]*\.?\d*")
IMAGES = "images/papers"
FOLDER = "papers"
JUDGING = """\
# How the claims of the papers are judged

**Verdicts.** Both methods of a comparison get the same data and knowledge at a seed. Their figures are
compared seed by seed with a one-sided Wilcoxon signed-rank test, or a paired t-test below five seeds. A claim
compares one or more pairs of cells. It is *reproduced* if the mean gain is positive on every pair and p is
below .05, where each seed counts with its mean gain over all pairs. It is *exceeded* if, in addition, the
figure and the gain are above the published ones on every pair. A claim about most sets needs most of its
pairs. A claim that one method is hardly worse than another adds the allowed loss to the gain.

**Two columns.** *As the paper had it* runs what the paper prints: its updates (`reading="printed"`), its
weight of links, its starts or its outsiders. A letter says which of these. The column is empty where no such
runs are stored. A paper leaves choices open, such as the rank of a metric; the page of the method says how
they are made. *Our defaults* have the parameters that a user gets.

**Several pairs, many claims.** [The parts of the claims](parts.md) list every pair by itself. *All pairs
together* means that some pair alone has a p of .05 or more. *p, Holm* is corrected for the number of tested
claims of the same paper, by Holm's method. With ten seeds p is at least .001.

**Tables.** A figure is mean±deviation over runs; a figure in brackets is the published one. A row whose ends
have more seeds than its middle, since claims compare them, shows the seeds of the middle. Nothing is chosen
with the labels of the documents unless the text of a table says so. Seconds were measured on a machine with
other load: they show orders of magnitude. The command below a table computes its missing runs; `--data` sets
the folder of the data, and `--again` computes stored runs anew. The commits are those of the working tree
that made the runs; + means uncommitted changes. Later code may give another figure at the same seed.

**Methods.** The objective and one iteration of the papers' methods are tested against dense references, entry
by entry: `tests/methods/test_paper_equations.py` has those of the papers, and
`tests/methods/test_page_equations.py` ours. `itcc`, `plsa`, `clgr`, `gmm` and `ncut` have them in their own
files, `colligate` in `tests/methods/mixture/test_em.py`.

`python -m experiments run --changed` computes the first stored run of each cell again, and the others of a
cell if the figures differ. `python -m experiments run --quick` computes a small part of most experiments.
Cells that need a recogniser, word vectors or another program, or that link all of 20 Newsgroups to a
knowledge base, are not part of it."""
CHANGED = """\
## Changed verdicts

Every claim that now holds in one of the two columns and did not before, or the other way round, by the reason
of the change. *Before* is the verdict with our defaults at commit 19c55f6, when an audit with the papers open
began; claims that are newer have the verdict on the claim they come from."""


def write_page(to: Path, results: Path) -> None:
    """Write the summary and the other pages in a folder beside it, and the charts; remove old charts."""
    folder = to.parent / IMAGES
    charts = draw_charts(results)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg"):
        if old.name not in charts:
            old.unlink()
    for name, svg in charts.items():
        with write_file(folder / name) as path:
            path.write_text(svg, encoding="utf-8")
    (to.parent / FOLDER).mkdir(exist_ok=True)
    for page, text in compose_pages(to.name, results).items():
        with write_file(to.parent / page) as path:
            path.write_text(text, encoding="utf-8")


def compose_pages(summary: str, results: Path) -> dict[str, str]:
    """Compose the texts of all pages, by their path from the folder of the summary."""
    verdicts = judge_claims(results)
    short = compose_results(verdicts, results)
    pages = {
        summary: compose_summary(verdicts, short),
        f"{FOLDER}/tables.md": compose_index(verdicts, results),
        f"{FOLDER}/verdicts.md": compose_judging(verdicts),
        f"{FOLDER}/parts.md": compose_parts(verdicts),
    }
    return pages | {
        f"{FOLDER}/{paper}.md": compose_paper(paper, text, verdicts, results) for paper, text in short.items()
    }


def compose_judging(verdicts: Sequence[Verdict]) -> str:
    """Compose the page on how claims are judged, with the verdicts that changed."""
    parts = [JUDGING, summarise(verdicts), CHANGED]
    by_reason: dict[str, list[tuple[str, ...]]] = {}
    for *row, reason in change_rows(verdicts):
        by_reason.setdefault(reason, []).append(tuple(row))
    for reason, rows in by_reason.items():
        parts += [f"**{reason[0].upper()}{reason[1:]}.**", make_markdown(CHANGES_HEADINGS, rows)]
    return "\n\n".join(parts) + "\n"


def compose_parts(verdicts: Sequence[Verdict]) -> str:
    """Compose the page with every pair of every claim that has several."""
    parts = ["# The parts of the claims", "Every pair of cells of each claim that has several, by itself."]
    for paper in PAPERS:
        rows = part_rows(verdict for verdict in verdicts if verdict.claim.paper == paper)
        parts += [f"## Paper {paper}", make_markdown(PARTS_HEADINGS, rows)]
    return "\n\n".join(parts) + "\n"


def compose_paper(paper: str, short: str, verdicts: Sequence[Verdict], results: Path) -> str:
    """Compose the page of a paper: its result in short, its claims, missed goals, tables and figures."""
    of_paper = [verdict for verdict in verdicts if verdict.claim.paper == paper]
    links = (
        "[How claims are judged](verdicts.md). [Every pair of each claim](parts.md). "
        "[The results of all papers](../papers.md)."
    )
    parts = [f"# Paper {paper}: {PAPERS[paper]}", short, f"{summarise(of_paper)} {links}", "## The claims"]
    parts += [describe_protocols(of_paper), *compose_claims(of_paper)]
    reasons = tuple(reason for reason in REASONS if reason.paper == paper)
    if reasons:
        parts += ["## Missed goals and their reasons", *compose_sections(reasons, results)]
    parts.append("## Tables and figures")
    items = [item for item in INVENTORY if item.paper == paper]
    for item in items:
        if item.experiment:
            parts += compose_section(item, results)
    left_out = [f"{item.name} ({item.why})" for item in items if not item.experiment]
    if left_out:
        parts.append(f"Left out: {'; '.join(left_out)}.")
    parts += compose_further_tables(paper, results)
    return "\n\n".join(filter(None, parts)) + "\n"


def compose_claims(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Compose the table of claims, and below it their reasons by number, each once."""
    rows = claim_rows(verdicts)
    reasons = dict.fromkeys(row[-1] for row in rows if row[-1] != NONE)
    numbers = {why: str(place) for place, why in enumerate(reasons, 1)}
    yield make_markdown(HEADINGS, [(*row[:-1], numbers.get(row[-1], NONE)) for row in rows])
    if numbers:
        yield "Why:"
        yield "\n".join(f"{number}. {why}" for why, number in numbers.items())


def compose_section(item: Item, results: Path) -> Iterator[str]:
    """Compose a table or figure of a paper: what it shows, what is missing, and our tables."""
    yield f"### {item.paper} {item.name}: {item.shows}"
    if item.why:
        yield f"In part: {item.why}."
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
    if spec.chart or spec.scatter:
        yield f"![{spec.title}](../{IMAGES}/{chart_file_name(spec)})"


def draw_charts(results: Path) -> dict[str, str]:
    """Draw all charts, by the name of the file."""
    return {
        chart_file_name(spec): draw_chart(spec, StoredRuns.of(experiment, results))
        for experiment in select_experiments(())
        for spec in experiment.tables
        if spec.chart or spec.scatter
    }


def draw_chart(spec: TableSpec, stored: StoredRuns) -> str:
    """Draw the rows as lines over the numbers in the headings, or their runs as points.

    Lines skip columns without a number.
    """
    if spec.scatter:
        first, second = spec.scatter
        panels = {
            name: pair_values(*(stored.values(row[head].key, row[head].figure) for head in spec.scatter))
            for name, row in spec.rows.items()
        }
        return draw_scatter(spec.title, first, second, panels)
    points = {name: chart_points(row, select_runs(spec, row, stored)) for name, row in spec.rows.items()}
    lines = {name: line for name, line in points.items() if line}
    return draw_lines(spec.title, f"{spec.chart} (steps not to scale; bars: deviation over seeds)", lines)


def pair_values(first: Mapping[int, float], second: Mapping[int, float]) -> list[tuple[float, float]]:
    """Pair two figures run by run."""
    return [(value, second[seed]) for seed, value in first.items() if seed in second]


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
