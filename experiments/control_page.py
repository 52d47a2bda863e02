"""The tables of `control` in the page about statements: `python -m experiments.control_page`."""

from __future__ import annotations

from pathlib import Path

from colligate._storage.atomic import write_file
from experiments.control import EXPERIMENT
from experiments.runner.store import RESULTS, StoredRuns
from experiments.runner.tables import describe_runs, format_markdown

PAGE = Path(__file__).parents[1] / "docs" / "studio" / "statements.md"
FIRST, LAST = "<!-- control -->", "<!-- end of control -->"


def insert_tables(text: str, results: Path = RESULTS) -> str:
    """The page with the tables between its marks."""
    head, first, rest = text.partition(FIRST)
    _, last, tail = rest.partition(LAST)
    if not first or not last:
        raise SystemExit(f"there is no {FIRST} … {LAST} in {PAGE}")
    kept = StoredRuns.of(EXPERIMENT, results)
    parts = []
    for shown in EXPERIMENT.tables:
        parts += [f"**{shown.title}.** {shown.note}".rstrip(), format_markdown(shown, EXPERIMENT, kept)]
    parts.append(f"{describe_runs(EXPERIMENT.tables[0], EXPERIMENT, kept).capitalize()}.")
    body = "\n\n".join(parts)
    return f"{head}{FIRST}\n\n{body}\n\n{LAST}{tail}"


def main() -> None:
    """Write the page."""
    text = insert_tables(PAGE.read_text(encoding="utf-8"))
    with write_file(PAGE) as path:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
