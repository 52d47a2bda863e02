import pandas as pd
import pytest

import colligate as cg
from colligate.network import subtype_knowledge

TABLE = {
    "document": ["a", "a", "b", "b", "c"],
    "name": ["Rome", "Ada", "Bob", "Ada", "Eve"],
    "type": ["places", "people", "people", "people", "people"],
    "subtype": ["city", "author", "player", "author", None],
}
CORPUS = cg.Corpus.from_texts(["red", "blue", "green"], ids=["a", "b", "c"])


def statements(knowledge):
    return [(each.type, each.object, each.subject) for each in knowledge]


@pytest.mark.parametrize("make", [dict, pd.DataFrame])
def test_sub_types_are_groups_of_their_type(make):
    assert statements(subtype_knowledge(make(TABLE))) == [
        ("people", "author", "Ada"),
        ("people", "player", "Bob"),
        ("places", "city", "Rome"),
    ]


def test_sub_types_compile_to_implied_links_of_the_network():
    network = cg.Network.from_tables(CORPUS, TABLE)
    compiled = subtype_knowledge(TABLE, together=2.0, apart=0.5).compile(network.names)
    (links,) = compiled.guidance["people"].groups
    assert (links.together, links.apart, links.names) == (2.0, 0.5, ("author", "player"))
    assert links.member.tolist() == [0, 1]


def test_an_entity_with_several_sub_types_is_in_several_groups():
    table = {"name": ["Ada", "Bob"], "type": ["people"] * 2, "subtype": [["poet", "author"], ["poet"]]}
    knowledge = subtype_knowledge(table)
    assert statements(knowledge) == [
        ("people", "author", "Ada"),
        ("people", "poet", "Ada"),
        ("people", "poet", "Bob"),
    ]
    compiled = knowledge.compile({"people": ["Ada", "Bob"]})
    assert compiled.n_contradictions == 0
    assert compiled.guidance["people"].groups[0].member.tolist() == [0, 0, 1]


def test_what_contradicts_sub_types_stops_unless_it_is_to_be_reported():
    names = {"people": ["Ada", "Bob", "Eve"]}
    with pytest.raises(cg.errors.ContradictionError, match="Ada–Bob"):
        subtype_knowledge(TABLE).together(people=[("Ada", "Bob")]).compile({**names, "places": ["Rome"]})
    reported = subtype_knowledge(TABLE, contradictions="report").together(people=[("Ada", "Bob")])
    with pytest.warns(cg.errors.KnowledgeWarning, match="contradiction"):
        reported.compile({**names, "places": ["Rome"]})


def test_types_called_like_parameters_are_types_all_the_same():
    table = {"name": ["x", "y"], "type": ["source", "apart"], "subtype": ["s", "t"]}
    assert statements(subtype_knowledge(table)) == [("apart", "t", "y"), ("source", "s", "x")]


def test_empty_and_missing_sub_types_say_nothing():
    table = {"name": ["x", "y", "z"], "type": ["people"] * 3, "subtype": ["", None, "poet"]}
    assert statements(subtype_knowledge(table)) == [("people", "poet", "z")]
    with pytest.raises(cg.errors.InputError, match="there is no column 'subtype' in the mentions"):
        subtype_knowledge({"name": ["x"], "type": ["people"]})


@pytest.mark.parametrize("cells", [["", None], [None, None], [[], []], []])
def test_a_table_without_any_sub_type_is_refused(cells):
    table = {"name": ["x", "y"][: len(cells)], "type": ["people"] * len(cells), "kind": cells}
    with pytest.raises(cg.errors.KnowledgeError, match=r"no row of the mentions has a sub-type; .* 'kind'"):
        subtype_knowledge(table, columns={"subtype": "kind"})
    network = cg.Network.from_tables(CORPUS, {**table, "document": ["a", "b"][: len(cells)]})
    assert len(network.types.get("people", ())) == len(cells)


def test_a_file_without_any_sub_type_is_named(tmp_path):
    path = tmp_path / "m.csv"
    path.write_text("name,type,subtype\nx,people,\n", encoding="utf-8")
    with pytest.raises(cg.errors.KnowledgeError, match=r"no row of .*m\.csv has a sub-type"):
        subtype_knowledge(path)


def test_where_the_knowledge_came_from_is_kept():
    assert {each.source for each in subtype_knowledge(TABLE, source="dbpedia")} == {"dbpedia"}


def test_strengths_must_say_something():
    with pytest.raises(cg.errors.KnowledgeError, match="has no effect"):
        subtype_knowledge(TABLE, together=0, apart=0)
    with pytest.raises(cg.errors.KnowledgeError, match=r"subtype_knowledge\(apart=…\)"):
        subtype_knowledge(TABLE, apart=-1)
