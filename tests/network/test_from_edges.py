import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import colligate as cg

from .comparison import assert_same

TRIPLES = [("a", "Bob", 2), ("b", "Ada", 1), ("a", "Bob", 3)]
TABLE = {"source": ["a", "b", "a"], "target": ["Bob", "Ada", "Bob"], "weight": [2, 1, 3]}


def polars(table):
    return pytest.importorskip("polars").DataFrame(table)


def turned(table):
    return pd.DataFrame(table)[["weight", "target", "source"]]


def called_otherwise(table):
    return pd.DataFrame(table).set_axis(["paper", "author", "n"], axis=1)


@pytest.mark.parametrize(
    "edges",
    [
        TRIPLES,
        iter(TRIPLES),
        TABLE,
        *(make(TABLE) for make in (pd.DataFrame, pa.table, turned, called_otherwise)),
    ],
)
def test_edges_of_any_make_give_the_same_network(edges):
    network = cg.Network.from_edges({("documents", "people"): edges})
    assert list(network.names["people"]) == ["Ada", "Bob"]
    assert network.relations[0].matrix.toarray().tolist() == [[0, 5], [1, 0]]


def test_polars_edges_give_the_same_network():
    edges = (TRIPLES, polars(TABLE))
    assert_same(*(cg.Network.from_edges({("documents", "people"): each}) for each in edges))


def test_whole_numbers_are_positions():
    network = cg.Network.from_edges({("documents", "people"): np.array([[0, 3], [2, 0], [0, 3]])})
    assert network.names == {"documents": range(3), "people": range(4)}
    assert network.relations[0].matrix.toarray()[0].tolist() == [0, 0, 0, 2]
    weighed = cg.Network.from_edges({("documents", "people"): np.array([[0, 1, 0.5]])})
    assert weighed.relations[0].matrix.toarray().tolist() == [[0, 0.5]]


def test_positions_are_those_of_the_names_where_names_are_given():
    names = {"documents": ["z", "a"], "people": ["Eve", "Ada", "Bob"]}
    network = cg.Network.from_edges({("documents", "people"): [(0, 2), (1, 0)]}, names=names)
    assert network.relations[0].matrix.toarray().tolist() == [[0, 0, 1], [1, 0, 0]]
    assert list(network.names["documents"]) == ["z", "a"]


def test_chains_entity_relations_and_relations_of_a_type_with_itself():
    network = cg.Network.from_edges(
        {
            ("documents", "people"): [("a", "Ada")],
            ("people", "places"): [("Bob", "Rome", 0.5)],
            ("people", "people"): [("Ada", "Bob", 2.0), ("Bob", "Bob", 1.0)],
            ("people", "knows", "people"): [("Bob", "Ada")],
        },
        names={"tags": ["lonely"]},
    )
    assert list(network.names["people"]) == ["Ada", "Bob"]
    assert [each.name for each in network.relations[2:]] == ["people × people", "people × people (knows)"]
    assert network.relations[2].matrix.toarray().tolist() == [[0, 2], [0, 1]]
    assert list(network.types) == ["documents", "people", "places", "tags"]


def test_isolated_objects_and_empty_relations_are_kept():
    network = cg.Network.from_edges(
        {("documents", "people"): []}, names={"documents": ["a", "b"], "people": ["Ada"]}
    )
    assert network.relations[0].matrix.shape == (2, 1)
    assert network.relations[0].matrix.nnz == 0


def test_weights_keep_their_precision():
    for dtype in (np.float32, np.float64):
        edges = {"source": ["a"], "target": ["b"], "weight": np.array([0.1], dtype=dtype)}
        assert cg.Network.from_edges({("x", "y"): edges}).relations[0].matrix.dtype == dtype
    small = {"source": ["a"] * 300, "target": ["b"] * 300, "weight": np.ones(300, dtype=np.int8)}
    assert cg.Network.from_edges({("x", "y"): small}).relations[0].matrix.toarray().tolist() == [[300]]


@pytest.mark.parametrize(
    ("edges", "names", "message"),
    [
        ([("a", "Ada"), ("a", "Bob")], {"y": ["Ada"]}, r"the edges of x × y contain y .* 'Bob' \(row 2\)"),
        (
            [(0, 1), (5, 0)],
            {"x": range(2)},
            r"contain x that are not among the 2 of the network: 5 \(row 2\)",
        ),
        ([(0, -1)], {}, r"contain y .* -1 \(row 1\)"),
        ([("a", "b")], {"x": range(3)}, r"refer to x by name \('a'\), but the network has only positions"),
        ([("a", "b", -1)], {}, "row 1 of the edges of x × y: 'weight' must be finite and not negative"),
        ([("a", "b", 2), ("a", "b", -1)], {}, "row 2 of the edges"),
        ([("a", "b"), ("a", "b", 1)], {}, r"row 2 of the edges of x × y is \('a', 'b', 1\)"),
        (["ab", "cd"], {}, "row 1 of the edges of x × y is 'ab'"),
        ([("a", "b", 1, 2)], {}, "row 1 .* all rows must be"),
        ([("a", None)], {}, "row 1 of the edges of x × y: the column 'target' is empty"),
        ([("a", 0.5)], {}, "column 'target' .* must contain names .* or positions"),
        ([(10**12, 0)], {}, r"1 edges refer to x by numbers up to 1000000000000. If these"),
        ({"source": ["a"], "to": ["b"], "x": [1], "y": [1]}, {}, "need the columns 'source' and 'target'"),
        ({"source": ["a"], "target": []}, {}, "differ in length"),
        (np.ones(3), {}, r"an array with a row for each edge .*; got the shape \(3,\)"),
        ("ab", {}, "must be a table, or a list of tuples .*; got str"),
        (7, {}, "must be a table, or a list of tuples .*; got int"),
    ],
)
def test_what_is_wrong_in_edges_is_told_with_its_place(edges, names, message):
    with pytest.raises(cg.errors.InputError, match=message):
        cg.Network.from_edges({("x", "y"): edges}, names=names)


def test_names_and_positions_of_one_type_do_not_mix():
    edges = {("x", "y"): [("a", "b")], ("y", "z"): [(0, "c")]}
    with pytest.raises(
        cg.errors.InputError, match="the edges refer to y by name in some relations and by position"
    ):
        cg.Network.from_edges(edges)


@pytest.mark.parametrize("key", ["xy", ("x",), ("x", "a", "b", "y"), ("x", 7), ("x", "")])
def test_keys_must_be_types(key):
    with pytest.raises(cg.errors.InputError, match=r"must be its two types|name of a type"):
        cg.Network.from_edges({key: []})
    with pytest.raises(cg.errors.InputError, match="edges must be a mapping"):
        cg.Network.from_edges([("a", "b")])


def test_relations_of_one_name_are_told_apart_by_a_key_of_three():
    edges = {("a × b", "c"): [("x", "y")], ("a", "b × c"): [("x", "y")]}
    with pytest.raises(cg.errors.InputError) as caught:
        cg.Network.from_edges(edges)
    message = "a × b × c; give one of them a key with a verb, as in \\('a', \"cites\", 'b × c'\\)"
    assert caught.match(message)
    edges["a", "cites", "b × c"] = edges.pop(("a", "b × c"))
    names = [relation.name for relation in cg.Network.from_edges(edges).relations]
    assert names == ["a × b × c", "a × b × c (cites)"]


@settings(max_examples=50, deadline=None)
@given(
    edges=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6), st.integers(0, 5))),
    named=st.booleans(),
)
def test_edge_lists_make_the_matrix_they_describe(edges, named):
    names = {"x": [f"x{position}" for position in range(5)], "y": [f"y{position}" for position in range(7)]}
    given_edges = [(f"x{a}", f"y{b}", w) for a, b, w in edges] if named else edges
    network = cg.Network.from_edges({("x", "y"): given_edges}, names=names)
    expected = np.zeros((5, 7))
    for a, b, w in edges:
        expected[a, b] += w
    assert np.array_equal(network.relations[0].matrix.toarray(), expected)
    assert network.relations[0].matrix.has_canonical_format
    assert isinstance(network.relations[0].matrix, sparse.csr_array)


INDEX = np.array([[0, 1, 1], [2, 0, 0]])


def test_arrays_in_the_manner_of_pytorch_geometric():
    network = cg.Network.from_arrays(
        {
            "documents": {"num_nodes": 4, "x": np.zeros((4, 8))},
            "people": {"names": ["Ada", "Bob", "Eve"]},
            ("documents", "to", "people"): {
                "edge_index": INDEX,
                "edge_weight": np.array([0.5, 1, 2], dtype=np.float32),
            },
            ("documents", "cites", "documents"): {"edge_index": [[3], [0]]},
            "_global_store": {},
        }
    )
    assert network.names == {"documents": range(4), "people": ["Ada", "Bob", "Eve"]}
    assert [each.name for each in network.relations] == [
        "documents × people",
        "documents × documents (cites)",
    ]
    assert network.relations[0].matrix.toarray().tolist() == [[0, 0, 0.5], [3, 0, 0], [0] * 3, [0] * 3]
    assert network.relations[0].matrix.dtype == np.float32
    assert network.relations[1].matrix.toarray()[3].tolist() == [1, 0, 0, 0]


def test_edges_alone_say_how_many_objects_there_are():
    network = cg.Network.from_arrays({("x", "y"): {"edge_index": INDEX}})
    assert network.names == {"x": range(2), "y": range(3)}


def test_relations_between_the_same_types_are_told_apart_by_their_verb():
    network = cg.Network.from_arrays(
        {(("x", verb, "y")): {"edge_index": INDEX} for verb in ("to", "likes", "hates")}
    )
    assert [each.name for each in network.relations] == ["x × y", "x × y (likes)", "x × y (hates)"]
    with pytest.raises(cg.errors.InputError, match="two relations are called x × y; give one of them a key"):
        cg.Network.from_arrays({("x", "y"): {"edge_index": INDEX}, ("x", "to", "y"): {"edge_index": INDEX}})


@pytest.mark.parametrize(
    "name", ["edge_weights", "weights", "weight", "Edge_Weight", "edge_wieght", "edgeweight"]
)
def test_what_looks_like_weights_is_not_ignored(name):
    with pytest.raises(cg.errors.InputError, match=f"the edges of x × y have '{name}'.* mean 'edge_weight'"):
        cg.Network.from_arrays({("x", "y"): {"edge_index": INDEX, name: [1, 2, 3]}})


@pytest.mark.parametrize("shape", [3, (3, 1)])
def test_one_attribute_of_every_edge_may_be_its_weight_and_is_asked_for(shape):
    attributes = np.ones(shape)
    with pytest.raises(cg.errors.InputError, match=r"'edge_attr' but no .* call it 'edge_weight'"):
        cg.Network.from_arrays({("x", "y"): {"edge_index": INDEX, "edge_attr": attributes}})


@pytest.mark.parametrize(
    "more",
    [
        {"edge_attr": np.ones((3, 2))},
        {"edge_attr": np.array(["p", "q", "r"])},
        {"edge_attr": np.ones(3) * 9, "weights": [9, 9, 9], "edge_weight": [1, 1, 1]},
        {"weights": None, "edge_attr": None, "edge_label": [1, 2, 3], "train_mask": [True] * 3},
    ],
)
def test_other_attributes_are_ignored(more):
    data = {"x": {"num_nodes": 2, "y": [0, 1]}, ("x", "y"): {"edge_index": INDEX, **more}}
    network = cg.Network.from_arrays(data)
    assert network.relations[0].matrix.toarray().tolist() == [[0, 0, 1], [2, 0, 0]]


def test_a_relation_may_be_empty():
    data = {"x": {"num_nodes": 1}, "y": {"num_nodes": 1}, ("x", "y"): {"edge_index": np.zeros((2, 0))}}
    assert cg.Network.from_arrays(data).relations[0].matrix.shape == (1, 1)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([1], "accepts a dict of types and relations; got list"),
        ({"x": 3}, "value of 'x' must be a dict of arrays; got int"),
        ({("x", "y"): {}}, "the edges of x × y have no 'edge_index'"),
        ({("x", "y"): {"edge_index": INDEX.T}}, r"got int64 with the shape \(3, 2\)"),
        ({("x", "y"): {"edge_index": INDEX * 0.5}}, "a column for each edge; got float64"),
        ({("x", "y"): {"edge_index": [[1], [1, 2]]}}, "'edge_index' .* cannot be read as an array"),
        ({("x", "y"): {"edge_index": INDEX, "edge_weight": [1, 2]}}, "3 sources, 3 targets and 2 weights"),
        (
            {("x", "y"): {"edge_index": INDEX, "edge_weight": [1, 2, -1]}},
            "edge 2 of the edges of x × y: 'edge_w",
        ),
        (
            {("x", "y"): {"edge_index": INDEX}, "y": {"num_nodes": 2}},
            r"that are not among the 2 of the network: 2 \(edge 0\)",
        ),
        ({"y": {"num_nodes": 2, "names": ["a"]}}, "differ in length: num_nodes = 2, names = 1"),
        ({"y": {"num_nodes": -2}}, "differ in length: num_nodes = -2"),
        ({"y": {"num_nodes": "4x"}}, "'num_nodes' of y must be a whole number; got '4x'"),
        ({"y": {"num_nodes": 1.5}}, "'num_nodes' of y must be a whole number; got 1.5"),
        ({"y": {"num_nodes": 2**40}}, "a type has at most 2,147,483,647 objects"),
        ({"y": {"num_nodes": 10**30}}, "a type has at most 2,147,483,647 objects"),
        ({"y": {}}, "the number of y is unknown"),
        ({7: {"num_nodes": 2}}, "name of a type must be text; got 7"),
        ({}, "at least one type"),
    ],
)
def test_what_is_wrong_in_arrays_is_told(data, message):
    with pytest.raises(cg.errors.InputError, match=message):
        cg.Network.from_arrays(data)


nx = pytest.importorskip("networkx")

NODES = [
    ("Rome", {"type": "places"}),
    ("a", {"type": "documents"}),
    ("Bob", {"type": "people"}),
    ("Ada", {"type": "people"}),
    ("Eve", {"type": "people"}),
]
EDGES = [("Bob", "a", 2), ("Rome", "Ada", 3), ("Ada", "Bob", 5), ("Bob", "Bob", 7), ("a", "Ada", 1)]


def graph(make, edges=EDGES):
    made = make()
    made.add_nodes_from(NODES)
    made.add_weighted_edges_from(edges)
    return made


def tables(network):
    return {each.name: each.matrix.toarray().tolist() for each in network.relations}


def test_an_undirected_graph_puts_documents_first_and_is_symmetric_within_a_type():
    network = cg.Network.from_networkx(graph(nx.Graph))
    assert list(network.types) == ["documents", "people", "places"]
    assert list(network.names["people"]) == ["Bob", "Ada", "Eve"]
    assert tables(network) == {
        "documents × people": [[2, 1, 0]],
        "people × people": [[7, 5, 0], [5, 0, 0], [0, 0, 0]],
        "people × places": [[0], [3], [0]],
    }


def test_a_directed_graph_keeps_its_directions():
    assert tables(cg.Network.from_networkx(graph(nx.DiGraph))) == {
        "documents × people": [[0, 1, 0]],
        "people × documents": [[2], [0], [0]],
        "people × people": [[7, 0, 0], [5, 0, 0], [0, 0, 0]],
        "places × people": [[0, 3, 0]],
    }


@pytest.mark.parametrize("turn", [False, True])
def test_the_direction_an_undirected_edge_was_told_in_does_not_matter(turn):
    edges = [(b, a, w) for a, b, w in EDGES] if turn else EDGES
    assert tables(cg.Network.from_networkx(graph(nx.Graph, edges))) == tables(
        cg.Network.from_networkx(graph(nx.Graph))
    )


def test_parallel_edges_add_up_and_edges_without_weight_count_one():
    made = graph(nx.MultiGraph, [*EDGES, ("a", "Bob", 0.5)])
    made.add_edge("a", "Eve")
    assert tables(cg.Network.from_networkx(made))["documents × people"] == [[2.5, 1, 1]]
    assert tables(cg.Network.from_networkx(made, weight=None))["documents × people"] == [[2, 1, 1]]


def test_nodes_are_named_by_their_text():
    made = nx.Graph()
    made.add_node(10, kind="papers")
    made.add_node(9, kind="papers")
    network = cg.Network.from_networkx(made, type="kind")
    assert list(network.names["papers"]) == ["10", "9"]
    assert network.relations == ()


def test_what_is_no_network_is_refused():
    untyped = nx.Graph()
    untyped.add_node("x")
    with pytest.raises(cg.errors.InputError, match="1 of 1 nodes have no attribute 'type', for example"):
        cg.Network.from_networkx(untyped)
    with pytest.raises(cg.errors.InputError, match="accepts a NetworkX graph; got dict"):
        cg.Network.from_networkx({})
    with pytest.raises(cg.errors.InputError, match="at least one type"):
        cg.Network.from_networkx(nx.Graph())
    untyped.nodes["x"]["type"] = 7
    with pytest.raises(cg.errors.InputError, match="name of a type must be text; got 7"):
        cg.Network.from_networkx(untyped)


def test_nodes_of_one_type_with_the_same_text_are_refused():
    made = nx.Graph()
    made.add_nodes_from([1, "1"], type="papers")
    with pytest.raises(
        cg.errors.InputError, match="names of papers must be unique; '1' is at positions 0 and 1"
    ):
        cg.Network.from_networkx(made)


@pytest.mark.parametrize("weight", [-1, float("nan"), "heavy", None])
def test_bad_weights_are_refused(weight):
    made = graph(nx.Graph)
    made.add_edge("a", "Eve", weight=weight)
    with pytest.raises(cg.errors.InputError, match="'weight'"):
        cg.Network.from_networkx(made)
