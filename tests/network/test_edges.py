import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import colligate as cg

from .same import assert_same

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
    one, other = (cg.Network.from_edges({("documents", "people"): each}) for each in (TRIPLES, polars(TABLE)))
    assert_same(one, other)


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
        ([("a", "Ada"), ("a", "Bob")], {"y": ["Ada"]}, r"the edges of x × y speak of y .* 'Bob' \(row 2\)"),
        ([(0, 1), (5, 0)], {"x": range(2)}, r"speak of x that are not among the 2 here: 5 \(row 2\)"),
        ([(0, -1)], {}, r"speak of y .* -1 \(row 1\)"),
        ([("a", "b")], {"x": range(3)}, r"call x by name \('a'\), but they are known by position"),
        ([("a", "b", -1)], {}, "row 1 of the edges of x × y: 'weight' must be finite and not negative"),
        ([("a", "b", 2), ("a", "b", -1)], {}, "row 2 of the edges"),
        ([("a", "b"), ("a", "b", 1)], {}, r"row 2 of the edges of x × y is \('a', 'b', 1\)"),
        (["ab", "cd"], {}, "row 1 of the edges of x × y is 'ab'"),
        ([("a", "b", 1, 2)], {}, "row 1 .* every one must be"),
        ([("a", None)], {}, "row 1 of the edges of x × y has no 'target'"),
        ([("a", 0.5)], {}, "column 'target' .* must hold names .* or positions"),
        ([(10**12, 0)], {}, r"x are given by position up to 1000000000000, in 1 edges; if these"),
        ({"source": ["a"], "to": ["b"], "x": [1], "y": [1]}, {}, "need the columns 'source' and 'target'"),
        ({"source": ["a"], "target": []}, {}, "differ in length"),
        (np.ones(3), {}, r"array of E × 2 or E × 3; got the shape \(3,\)"),
        ("ab", {}, "must be a table or a list of triples; got str"),
        (7, {}, "must be a table or a list of triples; got int"),
    ],
)
def test_what_is_wrong_in_edges_is_told_with_its_place(edges, names, message):
    with pytest.raises(cg.errors.InputError, match=message):
        cg.Network.from_edges({("x", "y"): edges}, names=names)


def test_names_and_positions_of_one_type_do_not_mix():
    edges = {("x", "y"): [("a", "b")], ("y", "z"): [(0, "c")]}
    with pytest.raises(cg.errors.InputError, match="y are given by name in some relations and by position"):
        cg.Network.from_edges(edges)


@pytest.mark.parametrize("key", ["xy", ("x",), ("x", "a", "b", "y"), ("x", 7), ("x", "")])
def test_keys_must_be_types(key):
    with pytest.raises(cg.errors.InputError, match=r"told by its types|name of a type"):
        cg.Network.from_edges({key: []})
    with pytest.raises(cg.errors.InputError, match="edges are given by relation"):
        cg.Network.from_edges([("a", "b")])


def test_relations_of_one_name_are_told_apart_by_a_key_of_three():
    edges = {("a × b", "c"): [("x", "y")], ("a", "b × c"): [("x", "y")]}
    with pytest.raises(cg.errors.InputError) as caught:
        cg.Network.from_edges(edges)
    told = "two relations are called a × b × c; use a key of three .*, as in \\('a', \"cites\", 'b × c'\\)"
    assert caught.match(told)
    edges["a", "cites", "b × c"] = edges.pop(("a", "b × c"))
    names = [relation.name for relation in cg.Network.from_edges(edges).relations]
    assert names == ["a × b × c", "a × b × c (cites)"]


@settings(max_examples=50, deadline=None)
@given(
    edges=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6), st.integers(0, 5))),
    named=st.booleans(),
)
def test_edge_lists_make_the_matrix_they_describe(edges, named):
    names = {"x": [f"x{at}" for at in range(5)], "y": [f"y{at}" for at in range(7)]}
    told = [(f"x{a}", f"y{b}", w) for a, b, w in edges] if named else edges
    network = cg.Network.from_edges({("x", "y"): told}, names=names)
    expected = np.zeros((5, 7))
    for a, b, w in edges:
        expected[a, b] += w
    assert np.array_equal(network.relations[0].matrix.toarray(), expected)
    assert network.relations[0].matrix.has_canonical_format
    assert isinstance(network.relations[0].matrix, sparse.csr_array)
