import numpy as np
import pytest
from scipy import sparse

import colligate as cg


def network_of(sizes, *relations):
    rng = np.random.default_rng(0)
    made = [
        cg.Relation(
            rows,
            columns,
            sparse.csr_array(rng.poisson(rate, (sizes[rows], sizes[columns]))),
            name=f"r{position}",
        )
        for position, (rows, columns, rate) in enumerate(relations)
    ]
    return cg.Network({kind: cg.ObjectType(kind, range(n)) for kind, n in sizes.items()}, made)


SIZES = {"documents": 5, "words": 7, "people": 3, "places": 4}


def test_all_relations_of_a_type_stand_next_to_each_other():
    network = network_of(
        SIZES,
        ("documents", "words", 1),
        ("people", "documents", 1),
        ("people", "places", 1),
        ("people", "people", 1),
    )
    dense = [relation.matrix.toarray() for relation in network.relations]
    documents = network.neighbourhood("documents")
    np.testing.assert_array_equal(documents.matrix.toarray(), np.hstack([dense[0], dense[1].T]))
    assert [(p.other, p.flipped, p.start, p.stop) for p in documents.parts] == [
        ("words", False, 0, 7),
        ("people", True, 7, 10),
    ]
    people = network.neighbourhood("people")
    np.testing.assert_array_equal(
        people.matrix.toarray(), np.hstack([dense[1], dense[2], dense[3], dense[3].T])
    )
    for part, expected in zip(people.parts, (dense[1], dense[2], dense[3], dense[3].T), strict=True):
        np.testing.assert_array_equal(people.cut(part).toarray(), expected)


def test_a_type_in_no_relation_has_nothing_around_it():
    network = network_of(SIZES, ("documents", "words", 1))
    assert network.neighbourhood("people").matrix.shape == (3, 0)
    assert network.neighbourhood("people").parts == ()
    assert not network.nonempty("people").any()


@pytest.mark.parametrize(
    ("relations", "terms"),
    [
        ([("documents", "people", 9), ("documents", "words", 0.5)], "words"),
        ([("documents", "people", 1), ("places", "documents", 9)], "places"),
        ([("documents", "documents", 9), ("documents", "people", 1)], "people"),
        ([("documents", "documents", 1)], "documents"),
        ([("people", "places", 1)], None),
    ],
)
def test_the_terms_of_a_network(relations, terms):
    network = network_of(SIZES, *relations)
    assert network.terms == terms
    if terms is None:
        with pytest.raises(cg.errors.InputError, match="no relation of this network includes documents"):
            _ = network.counts
        return
    position = next(
        position
        for position, (rows, columns, _) in enumerate(relations)
        if {rows, columns} == {"documents", terms}
    )
    matrix = network.relations[position].matrix
    expected = matrix if network.relations[position].rows == "documents" else matrix.T
    np.testing.assert_array_equal(network.counts.toarray(), expected.toarray())


def test_filled_are_the_objects_with_an_entry_in_some_relation():
    matrix = sparse.csr_array(np.array([[1, 0, 0], [0, 0, 0]]))
    types = {kind: cg.ObjectType(kind, range(n)) for kind, n in (("documents", 2), ("words", 3))}
    network = cg.Network(types, [cg.Relation("documents", "words", matrix)])
    assert network.nonempty("documents").tolist() == [True, False]
    assert network.nonempty("words").tolist() == [True, False, False]
