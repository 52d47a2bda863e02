"""What the page shows of a network: further types, relations, and the names of what is grouped."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from colligate.report import render
from colligate.report.charts import make_share_table
from colligate.report.view import Nouns
from tests.report.make_view import make_network_view, make_view
from tests.report.test_hostile import ATTACKS, elements_of, poisoned, shape
from tests.report.test_render import sections


def test_types_and_relations_have_sections_that_the_contents_lead_to() -> None:
    view = make_network_view()
    expected = ["map", "groups", "association", "type-1", "type-2", "relations", "audit", "changes", "trace"]
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
    assert "Told apart by" not in places


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
