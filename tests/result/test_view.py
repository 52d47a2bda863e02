from __future__ import annotations

import numpy as np
import pytest

from colligate.knowledge import Knowledge
from colligate.result.view import FAINTEST, excerpt, report_view


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
    view = report_view(result, "My groups")
    assert view.title == "My groups"
    assert [group.number for group in view.groups] == [0, 1]
    assert sum(group.size for group in view.groups) == 10
    example = view.groups[0].documents[0]
    assert example.excerpt.split()[0] in {"orbit", "nasa", "shuttle", "launch"}
    assert example.why
    assert all(0 <= group.x <= 1 and 0 <= group.y <= 1 for group in view.groups)


def test_the_map_shows_all_documents_in_groups(result):
    found = report_view(result).map
    assert (found.shown, found.total, len(found.x), len(found.y)) == (10, 11, 10, 10)
    assert list(found.group) == result.labels["documents"][:10].tolist()


def test_the_association_is_told_as_lift(result):
    found = report_view(result).association
    assert np.array(found.mass).sum() == pytest.approx(1.0)
    lift = np.array(found.lift)
    assert lift[0, 0] > 0 > lift[0, 1]
    assert lift[0, 1] == FAINTEST
    assert found.word_groups[0].size == 6


def test_a_one_sided_method_has_no_association(make_result):
    assert report_view(make_result()).association is None


def test_the_audit_shows_broken_statements_first(known):
    found = report_view(known).audit
    assert found.total == 3
    assert [statement.status for statement in found.statements] == ["broken", "kept", "kept"]
    assert found.statements[0].cost == 0.5
    assert found.by_kind["label"] == {"kept": 1}


def test_changes_tell_flow_and_examples(known):
    found = report_view(known).changes
    assert (found.moved, found.total) == (2, 11)
    assert found.flow == [[5, 1, 1], [0, 4, 0]]
    assert found.after_names[-1] == "no group"
    assert len(found.before_names) == 2
    assert found.examples[0][0] == "d9"
    assert found.examples[1][2:] == ("no group", "")


def test_names_come_from_the_knowledge(known):
    assert report_view(known).groups[0].name.startswith("space: ")


def test_what_went_wrong_is_told(make_result):
    labels = [0, 0, 0, 0, -1, 1, 1, 1, 1, -1, -1]
    warnings = " ".join(report_view(make_result(labels, n_groups=3, converged=False)).warnings)
    assert "max_iter" in warnings
    assert "1 document holds no counted word" in warnings
    assert "2 documents are outside every group" in warnings
    assert "1 group is empty" in warnings


def test_a_result_of_a_bare_matrix_can_be_shown(make_result):
    view = report_view(make_result(with_corpus=False))
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
    assert excerpt(text, 10 if len(expected) < 15 else 100) == expected


def test_the_report_is_written(known, tmp_path):
    path = known.report(tmp_path / "report.html", title="A <b>bold</b> title")
    page = path.read_text(encoding="utf-8")
    assert "A <b>" not in page
    assert "space: " in page
