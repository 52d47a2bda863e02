from pathlib import Path

import pytest

import colligate as cg
from experiments.page.charts import chart
from experiments.page.verdicts import verdict
from experiments.page.write import IMAGES, charts, page, write
from experiments.published.inventory import INVENTORY
from experiments.runner.catalogue import NAMES, chosen
from experiments.runner.claims import NOT_REPRODUCED, REPRODUCED, Judged
from experiments.runner.declared import Cell, Entry, Shown
from experiments.runner.kept import RESULTS, Kept

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def text():
    return page(RESULTS)


def test_the_page_is_what_the_stored_runs_say(text):
    stale = "run `python -m experiments page`"
    assert (DOCS / "papers.md").read_text(encoding="utf-8") == text, stale
    drawn = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / IMAGES).glob("*.svg")}
    assert drawn == charts(RESULTS), stale


def test_every_table_and_figure_has_a_section_with_a_table_or_a_reason(text):
    for item in INVENTORY:
        section = text.split(f"### {item.paper} {item.name}: ")[1].split("\n#")[0]
        assert "\n| ---" in section or item.why in section
        assert (item.experiment in NAMES) == ("\n| ---" in section)


def test_every_method_is_in_a_table():
    shown = {
        experiment.cell(entry.key).method
        for experiment in chosen(())
        for table in experiment.tables
        for row in table.rows.values()
        for entry in row.values()
        if isinstance(experiment.cell(entry.key), Cell)
    }
    assert shown >= {method.name for method in cg.methods()}


def test_what_a_table_remakes_is_in_the_inventory():
    listed = {f"{item.paper} {item.name}" for item in INVENTORY}
    assert {table.of for one in chosen(()) for table in one.tables if table.of} <= listed


def test_a_drawing_has_the_means_at_the_numbers_of_the_headings(tmp_path):
    kept = Kept("any", tmp_path)
    kept.add("a", {"seed": 0, "nmi": 0.25, "commit": "c"})
    kept.add("b", {"seed": 0, "nmi": 0.75, "commit": "c"})
    row = {"src": Entry("a"), "100 links": Entry("a"), "1,000 links": Entry("b"), "5 links": Entry("none")}
    drawn = chart(Shown("A title", "method", {"one": row, "empty": {}}, chart="links"), kept)
    assert drawn.count("<circle") == 3
    assert ">1000<" in drawn
    assert ">5<" not in drawn
    assert "empty" not in drawn


def test_old_drawings_are_removed(tmp_path):
    folder = tmp_path / IMAGES
    folder.mkdir(parents=True)
    (folder / "old.svg").write_text("old")
    write(tmp_path / "papers.md", tmp_path / "no results")
    assert not (folder / "old.svg").exists()
    assert (tmp_path / "papers.md").read_text(encoding="utf-8").startswith("# The papers' results")


def test_a_claim_that_needs_all_pairs_together_says_so():
    assert verdict(Judged(REPRODUCED, 0.1, 0.01, 0.03, 2, 2, 10)) == REPRODUCED
    assert verdict(Judged(REPRODUCED, 0.1, 0.01, 0.30, 2, 2, 10)) == "reproduced, all pairs together"
    assert verdict(Judged(NOT_REPRODUCED, 0.1, 0.01, 0.30, 1, 2, 10)) == NOT_REPRODUCED
