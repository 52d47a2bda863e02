import pytest

import colligate as cg

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
    with pytest.raises(cg.errors.InputError, match="1 of 1 nodes have no attribute 'type', such as 'x'"):
        cg.Network.from_networkx(untyped)
    with pytest.raises(cg.errors.InputError, match="takes a NetworkX graph; got dict"):
        cg.Network.from_networkx({})
    with pytest.raises(cg.errors.InputError, match="at least one type"):
        cg.Network.from_networkx(nx.Graph())
    untyped.nodes["x"]["type"] = 7
    with pytest.raises(cg.errors.InputError, match="name of a type must be text; got 7"):
        cg.Network.from_networkx(untyped)


def test_nodes_of_one_type_with_the_same_text_are_refused():
    made = nx.Graph()
    made.add_nodes_from([1, "1"], type="papers")
    with pytest.raises(cg.errors.InputError, match="names of papers must differ; '1' is at 0 and at 1"):
        cg.Network.from_networkx(made)


@pytest.mark.parametrize("weight", [-1, float("nan"), "heavy", None])
def test_bad_weights_are_refused(weight):
    made = graph(nx.Graph)
    made.add_edge("a", "Eve", weight=weight)
    with pytest.raises(cg.errors.InputError, match="'weight'"):
        cg.Network.from_networkx(made)
