import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colligate as cg

from .comparison import assert_same

CORPUS = cg.Corpus.from_texts(["red apple", "blue car", "red car"], ids=["a", "b", "c"])
MENTIONS = {
    "document": ["a", "b", "a", "c", "a"],
    "name": ["Rome", "Ada", "Bob", "Ada", "Rome"],
    "type": ["places", "people", "people", "people", "places"],
    "count": [2, 1, 4, 3, 5],
}


def polars(table):
    return pytest.importorskip("polars").DataFrame(table)


def categories(table):
    return pd.DataFrame(table).astype(dict.fromkeys(("document", "name", "type"), "category"))


def dense(network, name):
    (relation,) = (each for each in network.relations if each.name == name)
    return relation.matrix.toarray().tolist()


@pytest.mark.parametrize("make", [dict, pd.DataFrame, categories, pa.table, polars])
def test_a_table_of_mentions_gives_a_relation_for_every_type(make):
    network = cg.Network.from_tables(CORPUS, make(MENTIONS))
    assert list(network.types) == ["documents", "words", "people", "places"]
    assert [each.name for each in network.relations] == [
        "documents × words",
        "documents × people",
        "documents × places",
    ]
    assert list(network.names["people"]) == ["Ada", "Bob"]
    assert dense(network, "documents × people") == [[0, 4], [1, 0], [3, 0]]
    assert dense(network, "documents × places") == [[7], [0], [0]]
    assert_same(
        cg.Network.from_corpus(CORPUS),
        cg.Network({name: network.types[name] for name in ("documents", "words")}, network.relations[:1]),
    )


def test_columns_may_be_called_otherwise_and_rows_count_one():
    table = {"doc": ["a", "a"], "entity": ["Ada", "Ada"], "type": ["people", "people"]}
    network = cg.Network.from_tables(CORPUS, table, columns={"document": "doc", "name": "entity"})
    assert dense(network, "documents × people") == [[2], [0], [0]]


def test_numbers_are_names_in_a_table():
    corpus = cg.Corpus.from_texts(["red", "blue"], ids=[10, 2])
    table = {"document": np.array([2, 10]), "name": [1984, 1970], "type": ["years", "years"]}
    network = cg.Network.from_tables(corpus, table)
    assert list(network.names["years"]) == ["1970", "1984"]
    assert dense(network, "documents × years") == [[1, 0], [0, 1]]


def test_the_same_name_may_be_of_two_types():
    table = {"document": ["a", "b"], "name": ["Paris", "Paris"], "type": ["people", "places"]}
    network = cg.Network.from_tables(CORPUS, table)
    assert list(network.names["people"]) == list(network.names["places"]) == ["Paris"]
    assert dense(network, "documents × places") == [[0], [1], [0]]


def test_a_table_without_rows_leaves_documents_and_words():
    network = cg.Network.from_tables(CORPUS, {"document": [], "name": [], "type": []})
    assert_same(network, cg.Network.from_corpus(CORPUS))


def test_documents_that_are_not_there_are_an_error_with_examples():
    table = {**MENTIONS, "document": ["a", "x", "y", "z", "v"]}
    with pytest.raises(
        cg.errors.InputError,
        match=r"not in the corpus: 'x' \(row 2\), 'y' \(row 3\), 'z' \(row 4\) and 1 more",
    ):
        cg.Network.from_tables(CORPUS, table)


def test_documents_that_are_not_there_can_be_left_out_with_a_warning():
    table = {**MENTIONS, "document": ["a", "x", "a", "x", "a"]}
    with pytest.warns(cg.errors.KnowledgeWarning, match="2 rows of the mentions are skipped") as caught:
        network = cg.Network.from_tables(CORPUS, table, unknown="report")
    assert caught[0].filename == __file__
    assert list(network.names["people"]) == ["Bob"]
    with pytest.raises(cg.errors.ParameterError, match='unknown must be "error" or "report"'):
        cg.Network.from_tables(CORPUS, table, unknown="ignore")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"type": ["places", "words", "people", "people", "places"]},
            "row 2 of the mentions: .* called 'words'",
        ),
        ({"type": ["documents"] * 5}, "row 1 .* cannot be called 'documents'"),
        ({"type": [" a"] * 5}, "name of a type must be one line"),
        ({"name": ["Rome", None, "Bob", "Ada", "Rome"]}, "row 2 of the mentions: the column 'name' is empty"),
        ({"name": ["Rome", "Ada", "", "Ada", "Rome"]}, "row 3 of the mentions: the column 'name' is empty"),
        ({"name": [0.5] * 5}, "column 'name' of the mentions must contain text; it contains double"),
        ({"name": ["Rome", 7, "Bob", "Ada", "Rome"]}, "column 'name' of the mentions cannot be read"),
        ({"name": ["\ud800"] * 5}, "column 'name' of the mentions cannot be read"),
        ({"name": ["Rome"]}, r"columns of the mentions differ in length: \[1, 5\]"),
        (
            {"count": [1, 2, -3, 4, 5]},
            "row 3 of the mentions: 'count' must be finite and not negative; got -3",
        ),
        ({"count": [1, 2, 3, np.inf, 5]}, "row 4 of the mentions: 'count' must be finite"),
        ({"count": [1, np.nan, 3, 4, 5]}, "row 2 of the mentions: the column 'count' is empty"),
        ({"name": "Ada"}, "column 'name' of the mentions must be a list of values; got str"),
        ({"name": iter(["Ada"])}, "must be a list of values; got list_iterator"),
        ({"document": ["a", "Zürich", "b", "c", "a"]}, r"not in the corpus: 'Zürich' \(row 2\)"),
        ({"document": ["a", "x\n", "b", "c", "a"]}, r"not in the corpus: 'x\\n' \(row 2\)"),
        ({"count": ["one"] * 5}, "'count' of the mentions must be a list of numbers"),
    ],
)
def test_what_is_wrong_in_a_table_is_told_with_its_place(changes, message):
    with pytest.raises(cg.errors.InputError, match=message):
        cg.Network.from_tables(CORPUS, {**MENTIONS, **changes})


def test_missing_columns_and_strange_tables_are_refused():
    with pytest.raises(
        cg.errors.InputError, match="no column 'name' in the mentions; the columns are 'document', 'type'"
    ):
        cg.Network.from_tables(CORPUS, {"document": ["a"], "type": ["people"]})
    with pytest.raises(cg.errors.InputError, match="there is no column 'n' in the mentions"):
        cg.Network.from_tables(CORPUS, MENTIONS, columns={"count": "n"})
    with pytest.raises(cg.errors.InputError, match=r"the keys of columns= must be among .*; got 'kind'"):
        cg.Network.from_tables(CORPUS, MENTIONS, columns={"kind": "type"})
    with pytest.raises(cg.errors.InputError, match=r"must be a DataFrame .* got list"):
        cg.Network.from_tables(CORPUS, [("a", "Ada")])


def twice(table, name):
    return pd.DataFrame(table).set_axis([name if each == "type" else each for each in table], axis=1)


@pytest.mark.parametrize(
    "table",
    [
        twice(MENTIONS, "name"),
        pa.Table.from_arrays([pa.array(["a"])] * 4, ["document", "name", "name", "type"]),
        {**MENTIONS, 7: ["x"] * 5, "7": ["y"] * 5},
    ],
)
def test_a_column_that_stands_twice_is_refused(table):
    with pytest.raises(cg.errors.InputError, match=r"the column '(name|7)' occurs twice in the mentions"):
        cg.Network.from_tables(CORPUS, table)


ROWS = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=3),
        st.sampled_from(["people", "places", "source"]),
        st.integers(0, 9),
    ),
    min_size=1,
)


@settings(max_examples=50, deadline=None)
@given(rows=ROWS, seed=st.randoms(use_true_random=False))
def test_the_network_is_what_counting_by_hand_gives_in_any_order(rows, seed):
    shuffled = seed.sample(rows, len(rows))
    networks = [
        cg.Network.from_tables(CORPUS, dict(zip(MENTIONS, map(list, zip(*each, strict=True)), strict=True)))
        for each in (rows, shuffled)
    ]
    assert_same(*networks)
    network = networks[0]
    for relation in network.relations[1:]:
        names = list(network.names[relation.columns])
        assert names == sorted({name for _, name, kind, _ in rows if kind == relation.columns})
        expected = np.zeros((3, len(names)))
        for document, name, kind, count in rows:
            if kind == relation.columns:
                expected["abc".index(document), names.index(name)] += count
        assert np.array_equal(relation.matrix.toarray(), expected)
