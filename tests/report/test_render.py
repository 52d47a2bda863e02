from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from colligate.errors import StoreError
from colligate.report import render, write
from colligate.report.cell_tables import make_share_table
from colligate.report.render import (
    describe_audit,
    describe_changes,
    describe_run,
    shorten_sources,
    sort_by_urgency,
    tabulate_audit,
)
from colligate.report.view import AuditView, ChangeView, MapView, Nouns, ReportView, StatementView, TraceView
from tests.report.make_view import make_audit, make_bare_view, make_long_names, make_network_view, make_view
from tests.report.test_text import ATTACKS, elements_of, poisoned, shape

if TYPE_CHECKING:
    from pathlib import Path


OPTIONAL = {"association": "association", "audit": "audit", "changes": "changes"}


def sections(view: ReportView) -> list[str | None]:
    return [attributes.get("id") for tag, attributes in elements_of(render(view)) if tag == "section"]


def test_all_sections_in_their_order() -> None:
    expected = ["map", "groups", "hierarchy", "columns", "association", "audit", "changes", "trace", "facts"]
    assert [name for name in sections(make_view()) if name] == expected


def test_groups_by_column_are_pictures_with_intervals_and_numbers_and_escaped() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    view = make_view()
    table, bars = view.columns
    page = render(replace(view, columns=[replace(table, name=hostile, bins=[hostile, "film"]), bars]))
    assert "<img" not in page
    columns = page[page.index('id="columns"') : page.index('id="association"')]
    assert columns.count("<svg") == 2
    assert columns.count("<table") == 2
    assert "(95 %: " in columns
    page = render(replace(view, columns=[]))
    assert 'href="#columns"' not in page
    assert 'id="columns"' not in page


def test_the_tree_links_its_groups_and_names_are_escaped() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    view = make_view()
    rows = [replace(row, name=hostile) for row in view.tree]
    page = render(replace(view, tree=rows))
    assert "<img" not in page
    tree = page[page.index('id="hierarchy"') : page.index('id="columns"')]
    assert "&lt;img" in tree
    for group in view.groups:
        assert f'href="#group-{group.number}"' in tree
    deepest = max(len(row.lines) for row in rows)
    assert f"Level {deepest + 1}: " in tree
    page = render(replace(view, tree=[]))
    assert 'href="#hierarchy"' not in page
    assert 'id="hierarchy"' not in page


@pytest.mark.parametrize("part", sorted(OPTIONAL))
def test_a_part_that_is_not_there_leaves_no_trace(part: str) -> None:
    page = render(replace(make_view(), **{part: None}))
    assert f'id="{OPTIONAL[part]}"' not in page
    assert f'href="#{OPTIONAL[part]}"' not in page


def test_every_anchor_leads_somewhere_and_ids_are_unique() -> None:
    for view in (make_view(groups=12), make_bare_view()):
        elements = elements_of(render(view))
        ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
        assert len(ids) == len(set(ids))
        targets = {attributes["href"] for tag, attributes in elements if tag == "a"}
        assert targets <= {f"#{name}" for name in ids}
        named = {
            attributes["aria-labelledby"] for _, attributes in elements if "aria-labelledby" in attributes
        }
        assert named <= set(ids)


def test_headings_are_in_order_under_one_h1() -> None:
    levels = [int(tag[1]) for tag, _ in elements_of(render(make_view())) if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def test_tables_and_pictures_tell_what_they_are() -> None:
    elements = elements_of(render(make_view()))
    tags = [tag for tag, _ in elements]
    assert tags.count("table") == tags.count("caption") == 6
    assert all(attributes.get("scope") in {"row", "col"} for tag, attributes in elements if tag == "th")
    pictures = [
        attributes for tag, attributes in elements if tag == "svg" and "aria-hidden" not in attributes
    ]
    assert all(picture.get("role") in {"img", "group"} and picture.get("aria-label") for picture in pictures)
    assert [attributes.get("lang") for tag, attributes in elements if tag == "html"] == ["en"]
    assert {"header", "nav", "main", "footer"} <= set(tags)


def test_the_same_view_gives_the_same_page() -> None:
    assert render(make_view()) == render(make_view())


def test_warnings_stand_only_where_there_are_any() -> None:
    assert "3 documents have no counted word" in render(make_view())
    assert 'class="warnings"' not in render(make_bare_view())


def test_numbers_that_are_none_are_shown_as_a_dash() -> None:
    view = make_view()
    group = replace(view.groups[0], confidence=math.nan, coherence=math.inf, share=math.nan, x=math.nan)
    association = view.association
    assert association is not None
    lift = [[-math.inf, math.nan, *row[2:]] for row in association.lift]
    trace = TraceView([math.nan, math.inf], [math.nan, 1.0], 1, False)
    page = render(
        replace(
            view, groups=[group, *view.groups[1:]], trace=trace, association=replace(association, lift=lift)
        )
    )
    assert "<dt>Confidence</dt><dd>–</dd>" in page
    assert "<dt>Coherence</dt><dd>–</dd>" in page
    words = re.sub("<style>.*?</style>", "", page, flags=re.DOTALL)
    assert not re.search(r"\b(nan|inf|infinity)\b", words, flags=re.IGNORECASE)


def test_an_empty_group_says_so() -> None:
    assert render(make_view()).count("No document is in this group.") == 1


def test_documents_that_left_all_groups_are_drawn_grey() -> None:
    view = make_view()
    changes = view.changes
    assert changes is not None
    flow = [[*row, 3] for row in changes.flow]
    page = render(
        replace(view, changes=replace(changes, after_names=[*changes.after_names, "no group"], flow=flow))
    )
    bands = page.partition('class="bands"')[2]
    assert bands.partition("</g>")[0].count('stroke="var(--grey)"') == len(view.groups)
    assert "no group · 12" in page


def test_no_places_no_map() -> None:
    page = render(replace(make_view(), map=MapView([], [], [], 0, 10)))
    assert "There is nothing to draw." in page


def test_a_sample_of_the_documents_is_called_a_sample() -> None:
    view = make_view()
    page = render(replace(view, map=replace(view.map, total=1_000_000)))
    assert "200 of 1,000,000 documents are drawn." in page


def test_two_hundred_groups_and_long_names() -> None:
    page = render(make_long_names(make_view(groups=200, points=2000, word_groups=128, documents=1)))
    assert page.count('<article class="card') == 200
    assert "largest of 128 word groups" in page


def test_twenty_thousand_points_stay_small() -> None:
    assert len(render(make_view(groups=20, points=20_000, word_groups=128)).encode()) < 1_000_000


def test_a_run_without_groups_or_facts_still_renders() -> None:
    bare = ReportView("Empty", "", (), (), MapView([], [], [], 0, 0), TraceView((), (), 0, True))
    assert "<h1><bdi>Empty</bdi></h1>" in render(bare)


def test_write_gives_the_page_back_from_disk(tmp_path: Path) -> None:
    target = write(make_bare_view(), tmp_path / "deep" / "report.html")
    assert target.read_text(encoding="utf-8") == render(make_bare_view())
    assert [path.name for path in target.parent.iterdir()] == ["report.html"]


def test_write_says_where_it_cannot(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"cannot write .*report\.html"):
        write(make_bare_view(), tmp_path / "file" / "report.html")


def test_statements_kept_at_no_cost_are_folded() -> None:
    page = render(make_view())
    folded = page[page.index('<details class="kept-statements">') :]
    assert "2 statements kept at no cost" in folded
    assert "c3 is labelled hockey" in folded
    assert "a12 and b7 belong together" not in folded[: folded.index("</details>")]


def test_lines_are_called_lines_where_a_statement_has_several() -> None:
    view = make_view()
    page = render(replace(view, audit=replace(view.audit, total=2, lines=4)))
    assert "They have 4 lines below." in page
    assert "2 lines kept at no cost" in page


def test_the_path_of_the_knowledge_stands_once() -> None:
    view = make_view()
    moved = [replace(found, source=f"/data/{found.source}") for found in view.audit.statements]
    page = render(replace(view, audit=replace(view.audit, statements=moved)))
    assert page.count("/data/knowledge.yaml") == 1
    assert "<bdi>knowledge.yaml:4</bdi>" in page


def test_whatever_scrolls_says_so_on_screen_and_not_on_paper() -> None:
    page = render(make_view())
    assert page.count('class="scroll') == page.count('<p class="more" aria-hidden="true">Scroll sideways') > 4
    assert re.search(r"@media print \{.*\.more, summary \{ display: none; \}", page, re.DOTALL)


def test_coherence_is_explained_where_it_is_told() -> None:
    view = make_view()
    assert "measures how often the top words occur in the same documents" in render(view)
    without = replace(view, groups=[replace(group, coherence=None) for group in view.groups])
    assert "Coherence" not in render(without)


def test_the_report_counts_the_iterations_of_the_run() -> None:
    bare = replace(make_bare_view(), trace=TraceView([3.0, 2.0, 1.5], [1.5], 0, True))
    assert "The run converged after 2 iterations." in render(bare)


def audit(**counts: int) -> AuditView:
    return AuditView(sum(counts.values()), {"apart": counts}, (), ())


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (audit(), "There are no statements."),
        (audit(kept=1), "The one statement was kept."),
        (audit(kept=3), "All 3 statements were kept."),
        (audit(kept=37, broken=3), "37 of 40 statements were kept; 3 were broken."),
        (audit(kept=1, broken=1), "1 of 2 statements was kept; 1 was broken."),
        (
            audit(kept=5, broken=2, contradicted=1, unknown=2),
            "5 of 10 statements were kept; 2 were broken, 1 is contradicted by others"
            " and 2 name unknown objects.",
        ),
        (audit(kept=1, odd=1), "1 of 2 statements was kept."),
        (
            replace(audit(kept=2), exemplars={"kept": 10}),
            "All 2 statements were kept. 10 exemplars were added to them: all stayed in their group.",
        ),
        (
            replace(audit(kept=2), frozen={"kept": 40, "broken": 0}),
            "All 2 statements were kept. 40 documents of frozen groups: all stayed.",
        ),
        (
            replace(audit(kept=2), exemplars={"kept": 9, "broken": 1}),
            "All 2 statements were kept. 10 exemplars were added to them: 9 stayed in their group.",
        ),
    ],
)
def test_the_account_in_one_sentence(given: AuditView, sentence: str) -> None:
    assert describe_audit(given) == sentence


def test_the_table_adds_up() -> None:
    table = tabulate_audit(make_audit())
    assert list(table.statuses) == ["kept", "unknown", "contradicted", "broken"]
    assert list(table.sums) == [37, 1, 1, 1]
    assert ("together", [10, 0, 0, 1]) in list(table.rows)


def test_a_status_of_its_own_is_not_lost() -> None:
    assert list(tabulate_audit(audit(kept=1, odd=2)).statuses) == ["kept", "odd"]


def test_broken_statements_come_first_and_the_costly_before_the_cheap() -> None:
    def statement(number: int, status: str, cost: float) -> StatementView:
        return StatementView(number, "", "apart", "", status, cost, "")

    given = [
        statement(1, "kept", 0),
        statement(2, "odd", 9),
        statement(3, "contradicted", 1),
        statement(4, "broken", math.nan),
        statement(5, "broken", 1),
        statement(6, "broken", 2),
    ]
    assert [each.number for each in sort_by_urgency(given)] == [6, 5, 4, 3, 1, 2]


@pytest.mark.parametrize(
    ("trace", "sentence"),
    [
        (TraceView([2.0, 1.0], [1.0], 0, True), "The run converged after 1 iteration."),
        (
            TraceView([3.0, 2.5, 2.0], [2.5, 2.0], 1, False),
            "The best of 2 restarts (number 2) did not converge within 2 iterations.",
        ),
    ],
)
def test_how_the_run_went(trace: TraceView, sentence: str) -> None:
    assert describe_run(trace) == sentence


def test_what_the_knowledge_moved() -> None:
    def moved(number: int, total: int) -> str:
        return describe_changes(ChangeView(number, total, 1.0, (), (), (), ()))

    assert moved(0, 9) == "No document changed its group because of the knowledge."
    assert moved(1, 4).endswith("1 of 4 documents (25 %) is in another group than without it.")
    assert moved(1000, 2000).endswith("1,000 of 2,000 documents (50 %) are in another group than without it.")


def test_files_are_called_by_their_name_and_their_path_is_told_once() -> None:
    found = shorten_sources(["/home/a/k.yaml:2", "/home/a/k.yaml:9", "C:\\data\\links.csv", "code"])
    assert list(found.short.values()) == ["k.yaml:2", "k.yaml:9", "links.csv", "code"]
    assert found.paths == ["/home/a/k.yaml", "C:\\data\\links.csv"]


def test_files_of_one_name_keep_their_paths() -> None:
    found = shorten_sources(["a/k.yaml:2", "b/k.yaml:2"])
    assert list(found.short.values()) == ["a/k.yaml:2", "b/k.yaml:2"]
    assert not found.paths


def test_what_is_no_file_stays_as_it_is() -> None:
    told = ["k.yaml:3", "the north/south list", ""]
    assert list(shorten_sources(told).short.values()) == told


def test_types_and_relations_have_sections_that_the_contents_lead_to() -> None:
    view = make_network_view()
    expected = [
        "map",
        "groups",
        "hierarchy",
        "columns",
        "association",
        "type-1",
        "type-2",
        "relations",
        "audit",
        "changes",
        "trace",
    ]
    assert [name for name in sections(view) if name][:-1] == expected
    targets = {attributes["href"] for tag, attributes in elements_of(render(view)) if tag == "a"}
    assert {"#type-1", "#type-2", "#relations"} <= targets
    page = render(make_view())
    assert 'id="type-1"' not in page
    assert 'id="relations"' not in page


def test_ids_are_unique_and_headings_in_order() -> None:
    elements = elements_of(render(make_network_view()))
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {attributes["href"] for tag, attributes in elements if tag == "a"} <= {f"#{name}" for name in ids}
    levels = [int(tag[1]) for tag, _ in elements if re.fullmatch("h[1-6]", tag)]
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def test_the_page_speaks_of_what_is_grouped() -> None:
    view = replace(make_network_view(), audit=None, warnings=(), summary="", facts=())
    page = render(view).split("</style>")[1].split("<footer>")[0]
    assert not re.search(r"\bdocuments?\b", re.sub('class="[^"]*"', "", page))
    assert "Typical papers" in page
    assert "Each dot is a paper; papers that lie near each other use similar words." in page


def test_other_terms_than_words_are_named() -> None:
    page = render(replace(make_network_view(), terms=Nouns("venue", "venues")))
    assert "Groups and the venues they have" in page
    assert "papers that lie near each other have similar venues" in page
    assert "Venue group 0, " in page


def test_the_card_of_a_group_lists_its_objects() -> None:
    page = render(make_network_view())
    assert '<h4 class="next"><bdi>People</bdi></h4>' in page
    assert '<h4 class="next"><bdi>Places</bdi></h4>' not in page


def test_a_tile_names_each_member_once_and_the_groups_it_goes_with() -> None:
    page = render(make_network_view())
    tile = next(part for part in page.split('<li class="tile">') if "person 3a" in part).split("</li>\n<li")[
        0
    ]
    assert tile.count("person 3a") == 1
    assert "<bdi>person 3d</bdi>" in tile
    assert 'href="#group-3"' in tile
    assert "70 %" in tile


def test_a_tile_tells_which_relations_tell_its_group_apart_where_several_do() -> None:
    people, places = render(make_network_view()).split('id="type-1"')[1].split('id="type-2"')
    told = "Mainly from <bdi>papers × people</bdi> 75 %, <bdi>people × places</bdi> 25 %"
    assert people.count(told) == 15
    assert "Mainly from" not in places


def test_empty_groups_are_left_out_and_small_ones_folded() -> None:
    page = render(make_network_view())
    assert "person 15a" not in page
    assert "in 15 groups" in page
    assert "3 smaller groups" in page


def test_shares_are_told_in_numbers_and_steps() -> None:
    view = make_network_view()
    relations = [replace(view.relations[0], by_group=[0.0, 0.1, 0.3, 0.9]), *view.relations[1:]]
    found = make_share_table(relations, [replace(group, size=1) for group in view.groups])
    assert [relation.name for relation in found.columns] == ["papers × words", "papers × people"]
    cells = [cells[0] for _, cells in found.rows]
    assert [(cell.step, cell.text) for cell in cells] == [(0, "0 %"), (1, "10 %"), (2, "30 %"), (4, "90 %")]
    assert len(make_share_table(relations, view.groups).rows) == 3


def test_one_relation_of_the_centre_needs_no_table_of_shares() -> None:
    view = make_network_view()
    page = render(replace(view, relations=[view.relations[0], view.relations[2]]))
    assert "Group by group" not in page
    assert "people × places" in page


def test_without_any_text_no_place_is_kept_for_it() -> None:
    view = make_network_view()
    groups = [
        replace(group, documents=[replace(document, excerpt="") for document in group.documents])
        for group in view.groups
    ]
    assert "(no text)" not in render(replace(view, groups=groups))


@pytest.mark.parametrize("attack", [*ATTACKS, "long " * 500])
def test_hostile_names_of_types_relations_and_objects_are_inert(attack: str) -> None:
    page = render(poisoned(make_network_view(), attack))
    assert shape(page) == shape(render(poisoned(make_network_view(), "calm")))
    for tag, attributes in elements_of(page):
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
