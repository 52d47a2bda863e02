import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.network.objects import check_matrix


def test_a_matrix_becomes_a_network_of_two_types_named_by_position():
    network = cg.Network.from_matrix(np.array([[1, 0, 2], [0, 3, 0]]))
    assert network.names == {"documents": range(2), "words": range(3)}
    (relation,) = network.relations
    assert relation.name == "documents × words"
    assert relation.matrix.toarray().tolist() == [[1, 0, 2], [0, 3, 0]]


def test_a_corpus_becomes_a_network_with_its_names():
    corpus = cg.Corpus.from_texts(["red apple", "blue car"], ids=["a", "b"])
    network = cg.Network.from_corpus(corpus)
    assert list(network.names["documents"]) == ["a", "b"]
    assert list(network.names["words"]) == ["apple", "blue", "car", "red"]


def test_a_relation_must_fit_its_types():
    types = {name: cg.ObjectType(name, range(2)) for name in ("documents", "words")}
    wrong = cg.Relation("documents", "words", sparse.csr_array(np.ones((2, 3))))
    with pytest.raises(
        cg.errors.MatrixError, match="documents × words is for 3 words, but the network has 2"
    ):
        cg.Network(types, (wrong,))
    stray = cg.Relation("documents", "people", sparse.csr_array(np.ones((2, 2))))
    with pytest.raises(cg.errors.InputError, match="uses the type people, which is not in the network"):
        cg.Network(types, (stray,))


def test_duplicates_are_added_and_zeros_dropped_in_a_copy():
    raw = sparse.csr_array(
        (np.array([1.0, 2.0, 0.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2)
    )
    matrix = check_matrix(raw)
    assert matrix.toarray().tolist() == [[3.0, 0.0], [0.0, 0.0]]
    assert matrix.nnz == 1
    assert raw.nnz == 3


def test_counts_beyond_what_float32_holds_exactly_stay_exact():
    matrix = check_matrix(sparse.csr_array(np.array([[2**24 + 1, 1]])))
    assert matrix.data.tolist() == [2**24 + 1, 1]
    assert check_matrix(np.array([[1, 2]])).dtype == np.float32


def test_a_single_row_is_no_matrix():
    with pytest.raises(cg.errors.MatrixError, match="documents × words is needed"):
        check_matrix(np.array([1, 2, 3]))


def two(names=("documents", "words"), size=2):
    return {name: cg.ObjectType(name, range(size)) for name in names}


def test_parallel_relations_need_names_of_their_own():
    eye = sparse.csr_array(np.eye(2))
    with pytest.raises(cg.errors.InputError, match="two relations are called documents × words; give one"):
        cg.Network(two(), (cg.Relation("documents", "words", eye), cg.Relation("documents", "words", eye)))
    relations = cg.Relation("documents", "words", eye), cg.Relation("documents", "words", eye, name="titles")
    assert [each.name for each in cg.Network(two(), relations).relations] == ["documents × words", "titles"]


def test_a_network_may_have_types_alone_but_not_nothing():
    assert cg.Network(two(("people",), 1), ()).relations == ()
    with pytest.raises(cg.errors.InputError, match="at least one type"):
        cg.Network({}, ())


def test_a_type_is_listed_under_its_own_name():
    with pytest.raises(cg.errors.InputError, match="the key 'people' has a type called 'words'"):
        cg.Network({"people": cg.ObjectType("words", range(2))}, ())


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["Ada", "Bob", "Ada"], "names of people must be unique; 'Ada' is at positions 0 and 2"),
        (["Ada", 7], "must be text in valid Unicode; got 7 at position 1"),
        (["\ud800"], r"must be text in valid Unicode; got '\\ud800' at position 0"),
        ("Ada", "must be a list; got the single text 'Ada'"),
        (range(1, 3), r"numbered from 0, as in range\(2\); got range\(1, 3\)"),
    ],
)
def test_unfit_names_of_objects_are_refused_with_their_place(names, message):
    with pytest.raises(cg.errors.InputError, match=message):
        cg.ObjectType("people", names)


@pytest.mark.parametrize("name", ["", " people", "two\nlines", "\x00", 7, None])
def test_unfit_names_of_types_are_refused(name):
    with pytest.raises(cg.errors.InputError, match="name of a type must be"):
        cg.ObjectType(name, range(2))


def test_names_may_be_any_sequence_of_text():
    assert cg.ObjectType("people", np.array(["Ada", "Bob"])).names == ["Ada", "Bob"]


@pytest.mark.parametrize(
    ("value", "message"), [(np.nan, "NaN"), (np.inf, "Infinity"), (-1.0, "Negative values")]
)
def test_bad_entries_of_any_relation_are_told_with_their_place(value, message):
    table = np.zeros((2, 3))
    table[1, 2] = value
    with pytest.raises(cg.errors.MatrixError, match=f"{message}.* row 1, column 2 of people × places"):
        cg.Relation("people", "places", sparse.csr_array(table))


def test_a_relation_is_made_canonical():
    parts = np.array([1.0, 2.0, 3.0, 0.0]), np.array([1, 0, 1, 2]), np.array([0, 4])
    relation = cg.Relation("people", "places", sparse.csr_array(parts, shape=(1, 3)))
    assert relation.matrix.indices.tolist() == [0, 1]
    assert relation.matrix.data.tolist() == [2.0, 4.0]


def test_indices_beyond_the_matrix_are_refused():
    wild = sparse.csr_array((np.ones(1), np.array([0]), np.array([0, 1])), shape=(1, 2))
    wild.indices[0] = 99
    with pytest.raises(cg.errors.MatrixError, match="a matrix of people × places is needed"):
        cg.Relation("people", "places", wild)


@pytest.mark.parametrize("matrix", [np.array([["a"]]), np.array([[1j]])])
def test_matrices_without_numbers_are_refused(matrix):
    with pytest.raises(cg.errors.MatrixError, match="documents × words"):
        check_matrix(matrix)


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_the_weight_of_a_relation_is_finite_and_not_negative(weight):
    with pytest.raises(cg.errors.InputError, match="weight of relation documents × words must be finite"):
        cg.Relation("documents", "words", sparse.csr_array((1, 1)), weight)


def test_the_centre_is_documents_or_else_the_first_type():
    assert cg.Network(two(("words", "documents")), ()).centre == "documents"
    assert cg.Network(two(("papers", "authors")), ()).centre == "papers"


def test_a_network_is_shown_by_its_sizes():
    network = cg.Network(
        {
            "documents": cg.ObjectType("documents", range(1772)),
            "words": cg.ObjectType("words", ["one"]),
        },
        (cg.Relation("documents", "words", sparse.csr_array(([2.0], ([0], [0])), shape=(1772, 1))),),
    )
    assert repr(network) == "Network(documents: 1,772; words: 1; documents × words: 1 entry)"
    assert repr(network.types["words"]) == "ObjectType(words: 1)"
    assert repr(network.relations[0]) == "Relation(documents × words: 1 entry)"


def test_a_type_carries_its_singular(tmp_path):
    assert cg.network.ObjectType("people", ["Ada"]).singular == "person"
    movies = cg.network.ObjectType("movies", ["Alien", "Brazil"], singular="movie")
    relation = cg.network.Relation("movies", "words", sparse.csr_array(np.ones((2, 1))))
    network = cg.Network({"movies": movies, "words": cg.network.ObjectType("words", ["x"])}, (relation,))
    network.save(tmp_path / "net")
    loaded = cg.Network.load(tmp_path / "net")
    assert loaded.types["movies"].singular == "movie"
    with pytest.raises(cg.errors.InputError, match="the name of a singular must be one line"):
        cg.network.ObjectType("movies", ["Alien"], singular="a\nb")


def test_a_relation_with_another_weight_shares_its_matrix_and_checks_the_weight():
    relation = cg.Network.from_matrix(np.array([[1, 0], [2, 3]])).relations[0]
    weighted = relation.with_weight(0.5)
    assert (weighted.weight, relation.weight) == (0.5, None)
    assert weighted.matrix is relation.matrix
    with pytest.raises(cg.errors.InputError, match="finite"):
        relation.with_weight(-1.0)
