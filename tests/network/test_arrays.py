import numpy as np
import pytest

import colligate as cg

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
    with pytest.raises(cg.errors.InputError, match="two relations are called x × y; use a key of three"):
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
    with pytest.raises(
        cg.errors.InputError, match=r"'edge_attr' with one number .* give it as 'edge_weight'"
    ):
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
        ([1], "takes a dict of types and relations; got list"),
        ({"x": 3}, "'x' must come with a dict of arrays; got int"),
        ({("x", "y"): {}}, "the edges of x × y lack 'edge_index'"),
        ({("x", "y"): {"edge_index": INDEX.T}}, r"in the shape 2 × E; got int64 in the shape \(3, 2\)"),
        ({("x", "y"): {"edge_index": INDEX * 0.5}}, "must be whole numbers in the shape 2 × E; got float64"),
        ({("x", "y"): {"edge_index": [[1], [1, 2]]}}, "'edge_index' .* cannot be read as an array"),
        ({("x", "y"): {"edge_index": INDEX, "edge_weight": [1, 2]}}, "3 sources, 3 targets and 2 weights"),
        (
            {("x", "y"): {"edge_index": INDEX, "edge_weight": [1, 2, -1]}},
            "edge 2 of the edges of x × y: 'edge_w",
        ),
        (
            {("x", "y"): {"edge_index": INDEX}, "y": {"num_nodes": 2}},
            r"that are not among the 2 here: 2 \(edge 0\)",
        ),
        ({"y": {"num_nodes": 2, "names": ["a"]}}, "do not agree .* num_nodes says 2, names says 1"),
        ({"y": {"num_nodes": -2}}, "do not agree .* num_nodes says -2"),
        ({"y": {}}, "nothing tells how many y there are"),
        ({7: {"num_nodes": 2}}, "name of a type must be text; got 7"),
        ({}, "at least one type"),
    ],
)
def test_what_is_wrong_in_arrays_is_told(data, message):
    with pytest.raises(cg.errors.InputError, match=message):
        cg.Network.from_arrays(data)
