from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from colligate.corpus import Corpus
from colligate.corpus.columns import ColumnRoles, make_columns
from colligate.knowledge import Knowledge
from colligate.network import Network, ObjectType, Relation
from colligate.result.report_view import MIN_LIFT, make_excerpt, make_report_view
from tests.result.conftest import TEXTS
from tests.result.networks import network, network_result


@pytest.fixture
def known(make_result, result):
    knowledge = Knowledge().together(documents=[("d0", "d1"), ("d0", "d5")]).label({"d2": "space"})
    before = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0], dtype=np.int32)
    return make_result(
        compiled=knowledge.compile(result.network.names),
        statement_costs=np.array([0.0, 0.5, 0.0]),
        before={"documents": before},
        word_labels=result.labels["words"],
    )


def test_groups_follow_their_numbers_and_hold_examples(result):
    view = make_report_view(result, "My groups")
    assert view.title == "My groups"
    assert [group.number for group in view.groups] == [0, 1]
    assert sum(group.size for group in view.groups) == 10
    example = view.groups[0].documents[0]
    assert example.excerpt.split()[0] in {"orbit", "nasa", "shuttle", "launch"}
    assert example.why
    assert all(0 <= group.x <= 1 and 0 <= group.y <= 1 for group in view.groups)


def test_the_map_shows_all_documents_in_groups(result):
    found = make_report_view(result).map
    assert (found.shown, found.total, len(found.x), len(found.y)) == (10, 11, 10, 10)
    assert list(found.group) == result.labels["documents"][:10].tolist()


def test_the_association_is_told_as_lift(result):
    found = make_report_view(result).association
    assert np.array(found.mass).sum() == pytest.approx(1.0)
    lift = np.array(found.lift)
    assert lift[0, 0] > 0 > lift[0, 1]
    assert lift[0, 1] == MIN_LIFT
    assert found.word_groups[0].size == 6


def test_groups_by_class_and_over_time(make_result):
    ids = [f"d{row}" for row in range(len(TEXTS))]
    kinds = ["a", "b"] * 5 + [None]
    columns = {
        "title": ids,
        "kind": kinds,
        "same": ["x"] * len(ids),
        "day": [date(2020 + row, 1, 1) for row in range(len(ids))],
    }
    corpus = Corpus.from_texts(TEXTS, ids, columns=columns)
    result = make_result(corpus=corpus, network=Network.from_corpus(corpus))
    kind, day = make_report_view(result).columns
    labels = result.labels["documents"].tolist()
    counts = Counter(zip(labels, kinds, strict=True))
    assert (kind.name, kind.unit, kind.bins) == ("kind", "", ["a", "b"])
    assert kind.counts == [[counts[group, bin] for bin in ("a", "b")] for group in range(2)]
    assert kind.missing == [counts[group, None] for group in range(2)]
    assert (day.unit, day.bins[0], sum(map(sum, day.counts))) == ("year", "2020", 10)


def test_a_result_without_columns_has_no_groups_by_column(result):
    assert make_report_view(result).columns == []


def test_the_tree_has_every_group_and_two_groups_need_none(make_result, result):
    assert make_report_view(result).tree == []
    labels = [0, 0, 0, 1, 1, 2, 2, 2, 2, 2, -1]
    view = make_report_view(make_result(labels, n_groups=3, group_numbers=(4, 1, 7)))
    assert sorted(row.number for row in view.tree if row.number is not None) == [1, 4, 7]
    assert (view.tree[0].lines, view.tree[0].size) == ((), 10)
    assert {len(row.lines) for row in view.tree} == {0, 1, 2}


def test_a_one_sided_method_has_no_association(make_result):
    assert make_report_view(make_result()).association is None


def test_the_audit_shows_broken_statements_first(known):
    found = make_report_view(known).audit
    assert found.total == 3
    assert [statement.status for statement in found.statements] == ["broken", "kept", "kept"]
    assert found.statements[0].cost == 0.5
    assert found.by_kind["label"] == {"kept": 1}


def test_changes_tell_flow_and_examples(known):
    found = make_report_view(known).changes
    assert (found.moved, found.total) == (2, 11)
    assert found.flow == [[5, 1, 1], [0, 4, 0]]
    assert found.after_names[-1] == "no group"
    assert len(found.before_names) == 2
    assert found.examples[0][0] == "d9"
    assert found.examples[1][2:] == ("no group", "")


def test_names_come_from_the_knowledge(known):
    assert make_report_view(known).groups[0].name.startswith("space: ")


def test_what_went_wrong_is_told(make_result):
    labels = [0, 0, 0, 0, -1, 1, 1, 1, 1, -1, -1]
    warnings = " ".join(make_report_view(make_result(labels, n_groups=3, converged=False)).warnings)
    assert "max_iter" in warnings
    assert "1 document has no counted word" in warnings
    assert "2 documents are outside every group" in warnings
    assert "1 group is empty" in warnings


def test_a_result_of_a_bare_matrix_can_be_shown(make_result):
    view = make_report_view(make_result(with_corpus=False))
    assert view.groups[0].documents[0].id.startswith("document ")
    assert view.groups[0].documents[0].excerpt == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("short  and\n\tfolded ", "short and folded"),
        ("one two three", "one two …"),
        ("abcdefghijklmnopqrstuvw", "abcdefghij …"),
        ("abcdefghij klm", "abcdefghij …"),
        (" " * 500 + "late", "late"),
    ],
)
def test_excerpts_end_with_a_word(text, expected):
    assert make_excerpt(text, 10 if len(expected) < 15 else 100) == expected


def test_the_report_is_written(known, tmp_path):
    path = known.report(tmp_path / "report.html", title="A <b>bold</b> title")
    page = path.read_text(encoding="utf-8")
    assert "A <b>" not in page
    assert "space: " in page


def test_a_network_is_told_in_its_own_words(fake_method):
    view = make_report_view(network_result())
    assert view.title == "Groups of papers"
    assert view.summary == (
        "6 papers in 2 groups by fake, with 5 words in 3 groups and the types people and cities, "
        "without knowledge."
    )
    assert (view.centre.one, view.centre.many, view.terms.many) == ("paper", "papers", "words")
    facts = dict(view.facts)
    assert (facts["Papers"], facts["People"], facts["Person groups"]) == ("6", "4", "2")
    assert view.warnings == ["1 paper has nothing that can be counted. It is in no group and not on the map."]


def test_the_summary_reads_well_with_types_of_a_knowledge_base(fake_method):
    names = ("papers", "words", "device", "disease", "song", "team")
    types = {name: ObjectType(name, range(6)) for name in names}
    relations = tuple(Relation("papers", name, np.eye(6)) for name in names[1:])

    def summary(n_types: int) -> str:
        labels = {name: [0, 0, 0, 1, 1, 1] for name in names[: 1 + n_types] if name != "words"}
        return make_report_view(network_result(Network(types, relations), labels)).summary

    assert summary(2) == "6 papers in 2 groups by fake, with the type device, without knowledge."
    assert summary(5) == "6 papers in 2 groups by fake, with 4 further types, without knowledge."


def test_further_types_are_shown_with_their_groups(fake_method):
    view = make_report_view(network_result())
    assert [(kind.name.many, kind.size, len(kind.groups)) for kind in view.types] == [
        ("people", 4, 2),
        ("cities", 3, 2),
    ]
    assert view.types[0].groups[0].members == ["Ann", "Bo"]
    for at, group in enumerate(view.types[0].groups):
        told = {part.relation: part.share["people"][at] for part in network_result().contributions()[1:3]}
        assert dict(group.relations) == pytest.approx(told)
        assert group.relations[0][1] == max(told.values())
    assert [group.relations for group in view.types[1].groups] == [[], []]
    assert [(kind, [name for name, _ in names]) for kind, names in view.groups[1].objects] == [
        ("people", ["Cy", "Di"]),
        ("cities", ["Rome"]),
    ]


def test_relations_are_shown_with_what_they_contributed(fake_method):
    found = make_report_view(network_result()).relations
    assert [relation.by_group is None for relation in found] == [False, False, True, False]
    assert sum(relation.share for relation in found) == pytest.approx(1.0)
    assert (found[1].name, found[1].weight, found[1].entries) == ("people × papers", 0.3, 8)


def test_a_corpus_has_no_further_types_and_no_relations_to_compare(result):
    view = make_report_view(result)
    assert (view.types, view.relations) == ([], [])
    assert all(group.objects == [] for group in view.groups)


def test_the_association_is_by_the_centre_even_where_its_relation_is_turned(fake_method):
    plain = network()
    turned = Relation("words", "papers", plain.relations[0].matrix.T.tocsr(), 0.5)
    result = network_result(Network(plain.types, (turned, *plain.relations[1:])))
    assert make_report_view(result).association == make_report_view(network_result()).association


def test_the_audit_names_the_types_it_speaks_of(fake_method):
    knowledge = (
        Knowledge()
        .together(people=[("Ann", "Cy")], papers=[("p0", "p1")])
        .label({"p0": "sport"}, type="papers")
    )
    found = make_report_view(network_result(compiled=knowledge.compile(network().names)))
    assert list(found.audit.by_kind) == ["together · people", "together · papers", "label · papers"]
    assert {statement.kind for statement in found.audit.statements} == set(found.audit.by_kind)
    facts = dict(found.facts)
    assert (facts["Together links kept"], facts["Together links kept, people"]) == ("100.0%", "0.0%")


def test_kinds_of_documents_and_words_stay_as_they_are_unless_they_meet(make_result, result):
    def kinds(knowledge):
        return list(
            make_report_view(make_result(compiled=knowledge.compile(result.network.names))).audit.by_kind
        )

    alone = Knowledge().together(documents=[("d0", "d1")]).category("space", words=["orbit"])
    assert kinds(alone) == ["together", "category"]
    met = Knowledge().together(documents=[("d0", "d1")], words=[("orbit", "nasa")])
    assert kinds(met) == ["together · documents", "together · words"]


def test_examples_have_titles_and_the_facts_say_which_columns_were_read(make_result):
    plain = make_result()
    titles = [f"Title {number}" for number in range(11)]
    corpus = replace(
        plain.corpus,
        texts=[f"{title}\n{text}" for title, text in zip(titles, plain.corpus.texts, strict=True)],
        columns=make_columns({"title": titles, "date": ["2024-01-01"] * 11}),
        roles=ColumnRoles(("title", "text"), "id", "title"),
    )
    view = make_report_view(make_result(corpus=corpus, network=Network.from_corpus(corpus)))
    example = view.groups[0].documents[0]
    assert example.title.startswith("Title ")
    assert not example.excerpt.startswith("Title")
    assert example.excerpt
    assert ("Columns", "Text from title + text; ids from id; kept with the documents: date") in view.facts
    assert make_report_view(plain).groups[0].documents[0].title == ""
