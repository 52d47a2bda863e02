"""The page and its drawings: first the claims, then every table and figure of every paper in its order."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from colligate._storage.atomic import write_file
from experiments.page.charts import chart, file_name
from experiments.page.reasons import sections
from experiments.page.texts import AFTER, INTRODUCTION, PAPERS
from experiments.page.verdicts import verdicts
from experiments.page.why import REASONS
from experiments.published.inventory import INVENTORY
from experiments.runner.catalogue import chosen
from experiments.runner.kept import Kept
from experiments.runner.tables import made, markdown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from experiments.published.inventory import Item
    from experiments.runner.declared import Experiment, Shown

IMAGES = "images/papers"


def write(to: Path, results: Path) -> None:
    """The page, and its drawings in a folder beside it; drawings that are no longer made are removed."""
    folder = to.parent / IMAGES
    drawings = charts(results)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg"):
        if old.name not in drawings:
            old.unlink()
    for name, drawn in drawings.items():
        with write_file(folder / name) as path:
            path.write_text(drawn, encoding="utf-8")
    with write_file(to) as path:
        path.write_text(page(results), encoding="utf-8")


def page(results: Path) -> str:
    """The text of the page."""
    parts = [INTRODUCTION, "## The claims, one by one", verdicts(results)]
    parts += ["## Where a goal fails, and why", *sections(REASONS, results)]
    for paper, items in groupby(INVENTORY, key=lambda item: item.paper):
        parts.append(f"## Paper {paper}: {PAPERS[paper]}")
        for item in items:
            parts += section(item, results)
        parts += further(paper, results)
    return "\n\n".join([*parts, AFTER]) + "\n"


def charts(results: Path) -> dict[str, str]:
    """All drawings by the name of their file."""
    return {
        file_name(shown): chart(shown, Kept.of(one, results))
        for one in chosen(())
        for shown in one.tables
        if shown.chart
    }


def section(item: Item, results: Path) -> Iterator[str]:
    """A table or figure of a paper: what it shows, what of it could not be had, and what was obtained."""
    yield f"### {item.paper} {item.name}: {item.shows}"
    if item.why:
        yield f"{'In part: ' if item.experiment else 'Not remade here: '}{item.why}."
    for one in chosen(()):
        for shown in one.tables:
            if shown.of == f"{item.paper} {item.name}":
                yield from table(shown, one, results)


def further(paper: str, results: Path) -> Iterator[str]:
    """Tables that the paper does not have."""
    found = [(one, shown) for one in chosen(()) if one.paper == paper for shown in one.tables if not shown.of]
    if found:
        yield f"### {paper}, beyond the paper"
    for one, shown in found:
        yield from table(shown, one, results)


def table(shown: Shown, experiment: Experiment, results: Path) -> Iterator[str]:
    """A table with what made it."""
    kept = Kept.of(experiment, results)
    yield f"**{shown.title}.** {shown.note}".strip()
    yield markdown(shown, experiment, kept)
    yield f"`python -m experiments run {experiment.name}`; {made(shown, experiment, kept)}."
    if shown.chart:
        yield f"![{shown.title}]({IMAGES}/{file_name(shown)})"
