import json
import re
from pathlib import Path

import numpy as np
import pytest

import colligate as cg
from experiments.claims.changed import CHANGES, read_audited
from experiments.page.explanations import REASONS, Mean, compute_means
from experiments.page.page import IMAGES, compose_pages, draw_chart, draw_charts, write_page
from experiments.page.verdicts import (
    change_rows,
    correct_by_paper,
    describe_verdict,
    differs,
    judge_claims,
    part_rows,
)
from experiments.published.inventory import INVENTORY
from experiments.runner.claims import NOT_REPRODUCED, REPRODUCED, Judgement
from experiments.runner.experiment import NAMES, Cell, Entry, TableSpec, select_experiments
from experiments.runner.store import RESULTS, StoredRuns

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def pages():
    return compose_pages("papers.md", RESULTS)


@pytest.fixture(scope="module")
def verdicts():
    return judge_claims(RESULTS)


def section_of(pages, item):
    return pages[f"papers/{item.paper}.md"].split(f"### {item.paper} {item.name}: ")[1].split("\n#")[0]


def test_the_pages_are_what_the_stored_runs_say(pages):
    stale = "run `python -m experiments page`"
    for name, text in pages.items():
        assert (DOCS / name).read_text(encoding="utf-8") == text, stale
    assert {f"papers/{path.name}" for path in (DOCS / "papers").iterdir()} == set(pages) - {"papers.md"}
    drawn = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / IMAGES).glob("*.svg")}
    assert drawn == draw_charts(RESULTS), stale


def test_the_result_of_it_all_is_told_on_half_a_screen(pages):
    summary = pages["papers.md"].split("```{toctree}")[0]
    assert len(summary.splitlines()) <= 40
    assert len(summary.split()) <= 400
    assert "nan" not in summary
    for paper in ("000", "001", "002", "003", "004"):
        assert f"(papers/{paper}.md)" in summary


def test_every_table_and_figure_is_in_the_index_or_left_out_by_name(pages):
    index = pages["papers/tables.md"]
    for item in INVENTORY:
        if item.experiment:
            assert f"[{item.paper}]({item.paper}.md) {item.name} | {item.shows} |" in index
        else:
            assert f"{item.paper} {item.name}" in index.split("| ---")[0]


def test_the_links_between_the_pages_lead_somewhere(pages):
    for name, text in pages.items():
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert ((DOCS / name).parent / target).resolve().exists(), (name, target)


def test_every_changed_verdict_is_that_of_a_claim_and_has_a_reason(verdicts):
    for change in CHANGES:
        assert change.reason
        assert any(change.about(verdict.claim) for verdict in verdicts), change
    rows = change_rows(verdicts)
    assert {(row[0], row[1]) for row in rows} == {(change.paper, change.where) for change in CHANGES}
    reasons = {change.reason for change in CHANGES if change.reason_only}
    holding = ("reproduced", "exceeded")
    for *_, before, printed, ours, reason in rows:
        held = before.startswith(holding)
        now = [each.startswith(holding) for each in (printed, ours) if each != "–"]
        assert reason in reasons or any(each != held for each in now)


def test_no_verdict_that_changed_since_the_audit_is_left_out(verdicts):
    audited, told = read_audited(), {row[:3] for row in change_rows(verdicts)}
    claims = {(v.claim.paper, v.claim.where, v.claim.says): v for v in verdicts}
    assert set(audited) <= set(claims)
    for claim, before in audited.items():
        assert claim in told or not differs(claims[claim], before), claim


def test_every_part_of_a_pooled_test_is_shown(verdicts):
    pooled = [verdict for verdict in verdicts if verdict.ours.n_pairs > 1]
    assert pooled
    for verdict in pooled:
        ours = [row for row in part_rows([verdict]) if row[1] == "ours"]
        assert len(ours) == verdict.ours.n_pairs


def test_a_claim_that_rests_on_few_seeds_says_so(pages, verdicts):
    tested = [verdict for verdict in verdicts if verdict.tested]
    assert tested
    for verdict in tested:
        claim = f"| {verdict.claim.where} | {verdict.claim.says} | "
        rows = [line for line in pages[f"papers/{verdict.claim.paper}.md"].splitlines() if claim in line]
        assert rows
        ours = [row.removeprefix(claim).split(" | ")[1] for row in rows]
        few = ", fewer than ten" if verdict.ours.n_runs < 10 else ""
        assert any(cell.endswith(f" {verdict.ours.n_runs} seeds{few})") for cell in ours)


def test_every_reason_of_a_verdict_stands_below_its_table_once(pages, verdicts):
    for paper in ("000", "001", "002", "003", "004"):
        listed = pages[f"papers/{paper}.md"].split("\nWhy:\n\n")[1].split("\n\n")[0].splitlines()
        reasons = dict.fromkeys(v.claim.why for v in verdicts if v.claim.paper == paper and v.claim.why)
        assert listed == [f"{place}. {why}" for place, why in enumerate(reasons, 1)]


def test_the_titles_are_those_of_the_papers(pages):
    assert "simultaneous text representation and categorization" in pages["papers/002.md"].splitlines()[0]
    assert "via heterogeneous information networks" in pages["papers/003.md"].splitlines()[0]


def test_every_table_and_figure_has_a_section_with_a_table_or_a_reason(pages):
    for item in INVENTORY:
        if item.experiment:
            assert item.experiment in NAMES
            assert "\n| ---" in section_of(pages, item)
            assert item.why in section_of(pages, item)
        else:
            assert f"{item.name} ({item.why})" in pages[f"papers/{item.paper}.md"].split("\nLeft out: ")[1]


def in_tables():
    """The methods of all cells that some table shows and that are computed."""
    for experiment in select_experiments(()):
        kept = StoredRuns.of(experiment, RESULTS)
        rows = (row for table in experiment.tables for row in table.rows.values())
        for entry in (entry for row in rows for entry in row.values()):
            cell = experiment.cell(entry.key)
            if isinstance(cell, Cell) and kept.values(entry.key, entry.figure):
                yield cell.method


def in_own_results():
    """The names in the keys of what `experiments/own` stores, which is shown on pages of its own."""
    for path in (*(RESULTS.parent / "own").rglob("*.json"), *RESULTS.glob("own*.json")):
        for key in json.loads(path.read_text(encoding="utf-8")).get("cells", {}):
            yield from key.split(" | ")


def test_every_method_is_in_a_table():
    assert {method.name for method in cg.methods()} <= {*in_tables(), *in_own_results()}


def test_what_a_table_remakes_is_in_the_inventory():
    listed = {f"{item.paper} {item.name}" for item in INVENTORY}
    assert {table.of for one in select_experiments(()) for table in one.tables if table.of} <= listed


def test_a_drawing_has_the_means_at_the_numbers_of_the_headings(tmp_path):
    kept = StoredRuns("any", tmp_path)
    kept.add("a", {"seed": 0, "nmi": 0.25, "commit": "c"})
    kept.add("b", {"seed": 0, "nmi": 0.75, "commit": "c"})
    row = {"src": Entry("a"), "100 links": Entry("a"), "1,000 links": Entry("b"), "5 links": Entry("none")}
    drawn = draw_chart(TableSpec("A title", "method", {"one": row, "empty": {}}, chart="links"), kept)
    assert drawn.count("<circle") == 3
    assert ">1000<" in drawn
    assert ">5<" not in drawn
    assert "empty" not in drawn


def test_runs_are_drawn_as_points(tmp_path):
    kept = StoredRuns("any", tmp_path)
    for seed, values in enumerate([(0.25, 0.5), (0.75, 0.5), (0.5, 0.5)]):
        for key, value in zip("ab", values, strict=True):
            kept.add(key, {"seed": seed, "nmi": value, "commit": "c"})
    row = {"without": Entry("a"), "with": Entry("b")}
    drawn = draw_chart(TableSpec("A title", "method", {"one": row}, scatter=("without", "with")), kept)
    assert drawn.count("<circle") == 3
    assert "one: 1 above the line, 1 below" in drawn


def test_old_drawings_are_removed(tmp_path):
    folder = tmp_path / IMAGES
    folder.mkdir(parents=True)
    (folder / "old.svg").write_text("old")
    write_page(tmp_path / "papers.md", tmp_path / "no results")
    assert not (folder / "old.svg").exists()
    assert (tmp_path / "papers" / "004.md").exists()
    assert (tmp_path / "papers.md").read_text(encoding="utf-8").startswith("# Results of the papers")


def test_a_claim_that_needs_all_pairs_together_says_so():
    assert describe_verdict(Judgement(REPRODUCED, 0.1, 0.01, 0.03, 2, 2, 10)) == REPRODUCED
    assert (
        describe_verdict(Judgement(REPRODUCED, 0.1, 0.01, 0.30, 2, 2, 10)) == "reproduced, all pairs together"
    )
    assert describe_verdict(Judgement(NOT_REPRODUCED, 0.1, 0.01, 0.30, 1, 2, 10)) == NOT_REPRODUCED


def test_p_values_are_corrected_for_the_claims_of_the_same_paper():
    corrected = correct_by_paper(["1", "2", "1", "2", "2"], [0.01, 0.01, 0.04, 0.02, np.nan])
    assert corrected[:4] == pytest.approx([0.02, 0.02, 0.04, 0.02])
    assert np.isnan(corrected[4])


def test_every_figure_of_the_reasons_is_stored():
    for reason in REASONS:
        means = compute_means(reason, RESULTS)
        assert np.isfinite(list(means.values())).all(), (reason.goal, means)


def test_a_mean_may_be_that_of_a_gain(tmp_path):
    kept = StoredRuns("any", tmp_path)
    for key, values in (("a", [0.5, 0.7]), ("b", [0.4, 0.2, 0.9])):
        for seed, value in enumerate(values):
            kept.add(key, {"seed": seed, "nmi": value, "commit": "c"})
    assert Mean("any", "a").value(lambda _: kept) == pytest.approx(0.6)
    assert Mean("any", "a", over="b").value(lambda _: kept) == pytest.approx(0.3)


def test_how_the_data_of_paper_000_differ_is_told_at_each_of_its_figures(pages):
    for number in range(2, 8):
        section = pages["papers/000.md"].split(f"### 000 Figure {number}: ")[1].split("\n#")[0]
        assert ("475 documents instead of 550" in section) == (number != 5)
        assert ("four areas instead of nine" in section) == (number != 4)


def test_no_table_has_a_column_of_nothing(pages):
    for text in pages.values():
        assert "peak MiB" not in text
        assert "seeds: 0" not in text
