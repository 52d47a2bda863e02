"""The tables in the page about questions: `python -m experiments.questions_page`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from colligate._storage.atomic import write_file
from experiments.questions import EXPERIMENT
from experiments.runner.store import RESULTS, StoredRuns
from experiments.runner.tables import describe_runs, format_markdown

if TYPE_CHECKING:
    from experiments.runner.experiment import TableSpec

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "studio" / "asking.md"
FIRST, LAST = "<!-- questions -->", "<!-- end of questions -->"


def compose_tables(results: Path = RESULTS) -> str:
    """Each table of what is kept."""
    kept = StoredRuns.of(EXPERIMENT, results)
    parts = []
    for shown in list_computed(kept):
        parts += [
            f"**{shown.title}**, after so many questions.",
            format_markdown(shown, EXPERIMENT, kept),
            f"`python -m experiments run questions`; {describe_runs(shown, EXPERIMENT, kept)}.",
        ]
    return "\n\n".join(parts)


def list_computed(kept: StoredRuns) -> list[TableSpec]:
    """The tables of which something is kept."""
    return [
        shown
        for shown in EXPERIMENT.tables
        if any(entry.key in kept.cells for row in shown.rows.values() for entry in row.values())
    ]


def insert_tables(text: str, results: Path = RESULTS) -> str:
    """The page with the tables between its marks."""
    head, first, rest = text.partition(FIRST)
    _, last, tail = rest.partition(LAST)
    if not first or not last:
        raise SystemExit(f"there is no {FIRST} … {LAST} in {PAGE}")
    return f"{head}{FIRST}\n\n{compose_tables(results)}\n\n{LAST}{tail}"


def main() -> None:
    """Write the page."""
    text = insert_tables(PAGE.read_text(encoding="utf-8"))
    with write_file(PAGE) as path:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
