from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from colligate.corpus import Corpus
from colligate.errors import KnowledgeWarning
from colligate.knowledge import Knowledge
from colligate.knowledge.statements import EXEMPLAR_SUFFIX, FROZEN_SUFFIX
from colligate.result.audit import STATUSES
from tests.result.networks import LABELS, network, network_result


def audited(make_result, knowledge, **more):
    plain = make_result(**more)
    return make_result(compiled=knowledge.compile(plain.network.names), **more).audit()


def statuses(audit):
    return [STATUSES[code] for code in audit.status]


def test_pairs_are_kept_or_broken(make_result):
    knowledge = Knowledge().together(documents=[("d0", "d1"), ("d0", "d5"), ("d0", "d10")])
    knowledge.apart(documents=[("d1", "d6"), ("d2", "d3")])
    audit = audited(make_result, knowledge)
    assert statuses(audit) == ["kept", "broken", "broken", "kept", "broken"]
    assert audit.by_kind() == {"together": {"kept": 1, "broken": 2}, "apart": {"kept": 1, "broken": 1}}
    assert audit.counts() == {"kept": 2, "broken": 3, "contradicted": 0, "unknown": 0}


def test_exemplars_are_counted_apart(make_result):
    knowledge = Knowledge().label({"d0": "space", "d5": "space"}, source="me")
    knowledge.label({"d1": "space", "d2": "space", "d6": "space"}, source=f"studio {EXEMPLAR_SUFFIX}")
    audit = audited(make_result, knowledge)
    assert statuses(audit) == ["kept", "broken", "kept", "kept", "broken"]
    assert audit.n_statements == 2
    assert audit.counts() == {"kept": 1, "broken": 1, "contradicted": 0, "unknown": 0}
    assert audit.exemplar_counts() == {"kept": 2, "broken": 1, "contradicted": 0, "unknown": 0}
    assert audit.by_kind() == {"label": {"kept": 1, "broken": 1}}
    doubted = replace(audit, trust=np.array([0.9, 0.1, 0.1, 0.1, 0.1]))
    assert doubted.doubtful == 1
    assert [(source.source, source.statements) for source in doubted.sources()] == [("me", 2)]


def test_documents_of_frozen_groups_are_counted_apart(make_result):
    knowledge = Knowledge().label({"d0": "space"}, source="me")
    knowledge.label({"d1": "space", "d6": "space"}, source=f"studio {FROZEN_SUFFIX}")
    audit = audited(make_result, knowledge)
    assert (audit.n_statements, sum(audit.exemplar_counts().values())) == (1, 0)
    assert audit.frozen_counts() == {"kept": 1, "broken": 1, "contradicted": 0, "unknown": 0}


def test_documents_that_are_left_out_though_nobody_marked_them_are_counted(make_result):
    marked, labels = Knowledge().outside(["d9"]), [0, 0, 0, 0, -1, 1, 1, 1, -1, -1, -1]
    assert audited(make_result, marked).warnings() == ()
    (several,) = audited(make_result, marked, labels=labels).warnings()
    assert several.startswith("2 other documents were also left out, because they are like the ones")
    (single,) = audited(make_result, Knowledge().outside(["d8", "d9"]), labels=labels).warnings()
    assert single.startswith("1 other document was also left out, because it is like the ones")
    assert audited(make_result, Knowledge().label({"d0": "space"}), labels=labels).warnings() == ()


def test_the_lines_of_one_act_are_one_statement_with_the_worst_status(make_result):
    """Moving three documents in the studio is one statement; before, three were counted."""
    knowledge = Knowledge().label(
        {"d0": "space", "d1": "space", "d5": "space"}, source="studio statement 4, now"
    )
    knowledge.label({"d2": "space"}, source="studio statement 5, now")
    knowledge.label({"d3": "space"}, source=f"studio statement 4, now {EXEMPLAR_SUFFIX}")
    knowledge.label({"d4": "space", "d6": "space"}, source="me")
    audit = audited(make_result, knowledge)
    assert audit.statements.stated.tolist() == [0, 0, 0, 1, -1, 2, 3]
    assert audit.statements.n_stated == audit.n_statements == 4
    assert statuses(audit)[:4] == ["kept", "kept", "broken", "kept"]
    assert audit.counts()["broken"] == 1 + statuses(audit)[5:].count("broken")
    assert sum(audit.counts().values()) == sum(audit.by_kind()["label"].values()) == 4
    doubted = replace(audit, trust=np.array([0.9, 0.6, np.nan, 0.9, 0.1, np.nan, 0.2]))
    assert doubted.doubtful == 2
    assert [(s.source, s.statements, s.doubtful) for s in doubted.sources()] == [
        ("studio statement 4, now", 1, 1),
        ("studio statement 5, now", 1, 0),
        ("me", 2, 1),
    ]


def test_a_member_is_kept_where_most_of_its_group_is(make_result):
    audit = audited(
        make_result, Knowledge().groups(documents={"g": ["d0", "d1", "d5"], "h": ["d6", "d2", "d7"]})
    )
    assert statuses(audit) == ["kept", "kept", "broken", "kept", "broken", "kept"]


def test_groups_that_are_apart_do_not_share_a_cluster(make_result):
    groups = {"g": ["d0", "d1"], "h": ["d2"]}
    free = audited(make_result, Knowledge().groups(documents=groups))
    apart = audited(make_result, Knowledge().groups(documents=groups, apart=1.0))
    assert statuses(free) == ["kept", "kept", "kept"]
    assert statuses(apart) == ["kept", "kept", "broken"]


def test_groups_of_the_same_name_in_different_blocks_are_one(make_result):
    knowledge = Knowledge().groups(documents={"g": ["d0", "d1"]}).groups(documents={"g": ["d5"]})
    assert statuses(audited(make_result, knowledge)) == ["kept", "kept", "broken"]


def test_groups_of_different_strength_are_not_mixed_up(make_result):
    knowledge = Knowledge().groups(documents={"g": ["d0", "d1"]}, together=1.0)
    knowledge.groups(documents={"h": ["d5", "d6"]}, together=2.0)
    assert statuses(audited(make_result, knowledge)) == ["kept"] * 4


def test_a_label_is_broken_in_a_group_that_belongs_to_another(make_result):
    knowledge = Knowledge().label({"d0": "space", "d1": "space", "d2": "moon", "d5": "space", "d6": "ice"})
    assert statuses(audited(make_result, knowledge)) == ["kept", "kept", "broken", "broken", "kept"]


def test_a_label_is_judged_by_the_group_that_its_name_belongs_to(make_result):
    """Two of three documents are elsewhere; before, the group of most of them counted."""
    knowledge = Knowledge().label({"d0": "space", "d1": "space", "d5": "space"})
    by_majority = audited(make_result, knowledge)
    assert statuses(by_majority) == ["kept", "kept", "broken"]
    bound = audited(make_result, knowledge, named_groups={"space": 1})
    assert statuses(bound) == ["broken", "broken", "kept"]
    elsewhere = audited(make_result, knowledge, named_groups={"other": 1})
    assert statuses(elsewhere) == statuses(by_majority)


def test_names_share_a_group_only_if_they_were_bound_to_it_before_the_run(make_result):
    knowledge = Knowledge().label({"d0": "space", "d1": "space", "d2": "moon"})
    names = {"space": 0, "moon": 0}
    assert statuses(audited(make_result, knowledge, named_groups=names)) == ["kept", "kept", "broken"]
    merged = audited(make_result, knowledge, named_groups=names, parameters={"init_names": names})
    assert statuses(merged) == ["kept"] * 3


def test_words_of_a_category_are_judged_by_their_word_groups(make_result, result):
    knowledge = (
        Knowledge()
        .category("space", words=["orbit", "nasa", "puck"])
        .category("sport", words=["goal", "team"])
    )
    audit = audited(make_result, knowledge, word_labels=result.labels["words"])
    assert statuses(audit) == ["kept", "kept", "broken", "kept", "kept"]


def test_words_that_were_not_grouped_are_judged_by_the_documents(make_result):
    knowledge = (
        Knowledge()
        .category("space", words=["orbit", "nasa", "puck"])
        .category("sport", words=["goal", "team"])
    )
    assert statuses(audited(make_result, knowledge)) == ["kept", "kept", "broken", "kept", "kept"]


def test_outsiders_are_kept_outside(make_result):
    knowledge = Knowledge().outside(["d10", "d0"]).outside(Corpus.from_texts(["something else entirely"]))
    assert statuses(audited(make_result, knowledge)) == ["kept", "broken", "kept"]


def test_a_contradiction_stands_before_the_outcome(make_result):
    knowledge = Knowledge(contradictions="report").together(documents=[("d0", "d1")])
    knowledge.apart(documents=[("d0", "d1")])
    with pytest.warns(KnowledgeWarning, match="1 contradiction"):
        audit = audited(make_result, knowledge)
    assert statuses(audit) == ["contradicted", "contradicted"]
    assert [audit.statement(number).note for number in (0, 1)] == ["kept", "broken"]
    assert len(audit.contradictions) == 1
    assert "d0" in audit.contradictions[0]


def test_names_that_are_not_there_are_unknown(make_result):
    knowledge = Knowledge(unknown="report").together(documents=[("d0", "nobody"), ("d0", "d1")])
    with pytest.warns(KnowledgeWarning, match="nobody"):
        audit = audited(make_result, knowledge)
    assert statuses(audit) == ["unknown", "kept"]
    assert audit.statement(0).note == "uses an unknown name"


def test_links_between_words_cannot_be_judged_without_word_groups(make_result):
    audit = audited(make_result, Knowledge().together(words=[("orbit", "nasa")]))
    assert statuses(audit) == ["unknown"]
    assert "was not grouped" in audit.statement(0).note


def test_what_is_only_rounding_in_the_objective_costs_nothing(make_result):
    compiled = Knowledge().together(documents=[("d0", "d1"), ("d0", "d2"), ("d0", "d5")])
    compiled = compiled.compile(make_result().network.names)
    given = np.array([8.5e-16, -3e-13, 3e-12])
    audit = make_result(compiled=compiled, statement_costs=given).audit()
    assert audit.cost.tolist() == [0.0, 0.0, 3e-12]
    assert audit.table()["cost"].to_pylist() == [0.0, 0.0, 3e-12]
    large = make_result(compiled=compiled, statement_costs=given, restarts=(5.0, 1e6), chosen=1).audit()
    assert large.cost.tolist() == [0.0, 0.0, 0.0]


def test_costly_broken_statements_are_read_first(make_result):
    knowledge = Knowledge().together(documents=[("d0", "d1"), ("d0", "d5"), ("d1", "d6"), ("d2", "d3")])
    compiled = knowledge.compile(make_result().network.names)
    audit = make_result(compiled=compiled, statement_costs=np.array([0.0, 0.1, 0.4, 0.0])).audit()
    assert audit.prioritise(3).tolist() == [2, 1, 0]
    assert audit.prioritise(1).tolist() == [2]
    assert audit.statement(2).cost == 0.4
    assert "d1" in audit.statement(2).text


def test_a_result_without_knowledge_has_nothing_to_audit(result):
    audit = result.audit()
    assert len(audit) == 0
    assert audit.by_kind() == {}
    assert audit.prioritise(5).size == 0


def test_many_statements_are_judged_as_columns(make_result):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 11).astype(np.int32)
    left = rng.integers(0, 10, 200_000)
    pairs = np.column_stack([left, (left + rng.integers(1, 10, left.size)) % 10])
    audit = audited(
        make_result,
        Knowledge(contradictions="report").together(documents=pairs),
        labels=labels,
        with_corpus=False,
    )
    assert audit.counts()["kept"] == int(np.sum(labels[pairs[:, 0]] == labels[pairs[:, 1]]))


def test_statements_about_any_type_are_judged():
    knowledge = Knowledge().together(people=[("Ann", "Bo"), ("Ann", "Cy")]).apart(cities=[("Oslo", "Rome")])
    knowledge.together(papers=[("p0", "p1")])
    result = network_result(compiled=knowledge.compile(network().names))
    audit = result.audit()
    assert audit.by_kind_and_type() == {
        ("together", "people"): {"kept": 1, "broken": 1},
        ("apart", "cities"): {"kept": 1},
        ("together", "papers"): {"kept": 1},
    }
    assert audit.by_kind()["together"] == {"kept": 2, "broken": 1}
    assert audit.statement(0).type == "people"
    assert result.link_satisfaction() == {"together": 1.0}
    assert result.link_satisfaction("people") == {"together": 0.5}
    assert result.link_satisfaction("cities") == {"apart": 1.0}


def test_categories_of_a_type_that_was_not_grouped_are_judged_by_the_groups_it_is_typical_of():
    knowledge = Knowledge().category("north", cities=["Oslo"]).category("south", cities=["Rome", "Nowhere"])
    alone = network_result(labels={"papers": LABELS["papers"]}, compiled=knowledge.compile(network().names))
    assert alone.statements["status"].to_pylist() == ["kept", "kept", "broken"]


def warned(make_result, knowledge, trust=None):
    return replace(audited(make_result, knowledge), trust=trust).warnings()


def pairs_of(number):
    """So many pairs, of which the first half is together in the groups and the second is not."""
    half = number // 2
    right = [(f"d{a}", f"d{b}") for a, b in list(combinations(range(5), 2))[:half]]
    wrong = [(f"d{a}", f"d{b}") for a, b in list(product(range(5), range(5, 10)))[:half]]
    return right + wrong


def test_a_source_whose_statements_often_do_not_hold_is_named_before_the_groups(make_result):
    (text,) = warned(make_result, Knowledge().together(documents=pairs_of(12), source="folder/expert.yaml"))
    assert text.startswith("6 of 12 statements from expert.yaml do not hold in these groups.")
    assert text.endswith("check them, or leave them out.")


def test_few_statements_and_kept_statements_are_no_warning(make_result):
    assert not warned(make_result, Knowledge().together(documents=pairs_of(8)))
    assert not warned(make_result, Knowledge().apart(documents=pairs_of(20)[10:]))


def test_links_of_subtypes_tell_their_weight_and_how_to_leave_them_out(make_result):
    members = {"g": [f"d{number}" for number in range(10)]}
    knowledge = Knowledge().groups(documents=members, source="sub-types of base")
    (text,) = warned(make_result, knowledge, np.full(10, 0.05))
    assert "used at a weight of 0.05 on average" in text
    assert "--no-subtypes" in text


def test_a_kept_source_of_little_trust_is_named(make_result):
    knowledge = Knowledge().apart(documents=pairs_of(20)[10:])
    (text,) = warned(make_result, knowledge, np.full(10, 0.3))
    assert "their mean trust is 0.30" in text
