"""The tables and drawings of `asked` in the page about questions: `python -m experiments.asked_page`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from colligate._storage.atomic import write_file
from experiments.asked import EXPERIMENT
from experiments.page.charts import chart, file_name
from experiments.runner.kept import RESULTS, Kept
from experiments.runner.tables import made, markdown

if TYPE_CHECKING:
    from experiments.runner.declared import Shown

DOCS = Path(__file__).parents[1] / "docs"
PAGE, IMAGES = DOCS / "studio" / "asking.md", DOCS / "images" / "papers"
FIRST, LAST = "<!-- asked -->", "<!-- end of asked -->"


def tables(results: Path = RESULTS) -> str:
    """Each table of what is kept, with its drawing."""
    kept = Kept.of(EXPERIMENT, results)
    parts = []
    for shown in computed(kept):
        parts += [
            f"**{shown.title}** NMI after so many answers.",
            markdown(shown, EXPERIMENT, kept),
            f"`python -m experiments run asked`; {made(shown, EXPERIMENT, kept)}.",
            f"![{shown.title}](../images/papers/{file_name(shown)})",
        ]
    return "\n\n".join(parts)


def computed(kept: Kept) -> list[Shown]:
    """The tables of which something is kept."""
    return [
        shown
        for shown in EXPERIMENT.tables
        if any(entry.key in kept.cells for row in shown.rows.values() for entry in row.values())
    ]


def page(text: str, results: Path = RESULTS) -> str:
    """The page with the tables between its marks."""
    head, first, rest = text.partition(FIRST)
    _, last, tail = rest.partition(LAST)
    if not first or not last:
        raise SystemExit(f"there is no {FIRST} … {LAST} in {PAGE}")
    return f"{head}{FIRST}\n\n{tables(results)}\n\n{LAST}{tail}"


def main() -> None:
    """Write the page and its drawings."""
    kept = Kept.of(EXPERIMENT)
    for shown in computed(kept):
        with write_file(IMAGES / file_name(shown)) as path:
            path.write_text(chart(shown, kept), encoding="utf-8")
    text = page(PAGE.read_text(encoding="utf-8"))
    with write_file(PAGE) as path:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
