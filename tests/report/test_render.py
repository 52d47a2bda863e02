"""The page: what is there, what is not, and that it is the same each time."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from colligate.errors import StoreError
from colligate.report import render, write
from colligate.report.view import MapView, ReportView, TraceView
from tests.report.make_view import make_bare_view, make_long_names, make_view
from tests.report.test_hostile import elements_of

if TYPE_CHECKING:
    from pathlib import Path

OPTIONAL = {"association": "association", "audit": "audit", "changes": "changes"}


def sections(view: ReportView) -> list[str | None]:
    return [attributes.get("id") for tag, attributes in elements_of(render(view)) if tag == "section"]


def test_all_sections_in_their_order() -> None:
    expected = ["map", "groups", "association", "audit", "changes", "trace", "facts"]
    assert [name for name in sections(make_view()) if name] == expected


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
    assert tags.count("table") == tags.count("caption") == 5
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
    assert "3 documents hold no counted word" in render(make_view())
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
    assert bands.partition("</g>")[0].count('class="none"') == len(view.groups)
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
