"""The hierarchy of groups: its leaves are the groups, and groups that documents fit alike join first."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import spearmanr

from colligate.errors import ColligateError
from colligate.result.hierarchy import compare_profiles, compare_words, join_groups, measure_distances

# two pairs of subjects: the groups of a pair share words
SUBJECTS = [
    "puck goalie ice team game",
    "bat pitcher base team game",
    "oven flour dough food meal",
    "pan onion soup food meal",
]
WORDS = sorted({word for words in SUBJECTS for word in words.split()})
N_EACH = 5


@pytest.fixture
def four(make_result, monkeypatch):
    """Four groups of five documents: two of games, two of food."""
    monkeypatch.setattr("tests.result.conftest.WORDS", WORDS)
    monkeypatch.setattr("tests.result.conftest.counts_of", count_words)
    texts = [words for words in SUBJECTS for _ in range(N_EACH)] + [""]
    labels = [*np.repeat(np.arange(4), N_EACH).tolist(), -1]
    return make_result(labels, texts, 4, group_numbers=(3, 5, 8, 2))


def count_words(texts):
    return np.array([[text.split().count(word) for word in WORDS] for text in texts], dtype=np.int32)


def test_the_leaves_are_the_groups_and_the_root_has_all(four):
    tree = four.hierarchy()
    assert [node.groups for node in tree.nodes[:4]] == [(3,), (5,), (8,), (2,)]
    assert tuple(node.name for node in tree.nodes[:4]) == four.group_names
    assert (len(tree.nodes), tree.n_groups) == (7, 4)
    assert (tree.root.groups, tree.root.size, tree.root.name) == ((2, 3, 5, 8), 20, "all documents")
    assert len({node.name for node in tree.nodes}) == 7


def test_groups_that_documents_fit_alike_join_first_and_are_named_by_shared_words(four):
    tree = four.hierarchy()
    joined = {node.groups: node for node in tree.nodes[4:6]}
    assert set(joined) == {(3, 5), (2, 8)}
    assert joined[3, 5].name.startswith("game, team")
    assert joined[2, 8].name.startswith("food, meal")
    assert all(node.distance <= tree.root.distance for node in tree.nodes)


def test_a_cut_keeps_groups_whole_and_in_their_order(four):
    tree = four.hierarchy()
    flat = tree.cut(4)
    assert flat.labels.tolist() == four.labels["documents"].tolist()
    assert flat.names == four.group_names
    two = tree.cut(2)
    assert two.labels.tolist() == [0] * 10 + [1] * 10 + [-1]
    assert (two.sizes, two.groups) == ((10, 10), ((3, 5), (2, 8)))
    one = tree.cut(1)
    assert set(one.labels[:-1].tolist()) == {0}
    assert one.names == ("all documents",)
    assert "4 groups joined to 2 groups" in repr(two)


@pytest.mark.parametrize("number", [0, 5, 2.0, True, "2", None])
def test_a_cut_that_is_not_there_is_refused(four, number):
    with pytest.raises(ColligateError, match="from 1 to 4"):
        four.hierarchy().cut(number)


def test_the_frames_have_nodes_and_documents(four):
    tree = four.hierarchy()
    rows = list(tree.to_frame().rows())
    assert [row["cluster"] for row in rows] == [3, 5, 8, 2, None, None, None]
    assert [row["parent"] for row in rows][-1] is None
    assert rows[-1]["clusters"] == "2 3 5 8"
    for row in rows[:-1]:
        assert set(row["clusters"].split()) < set(rows[row["parent"]]["clusters"].split())
    documents = list(tree.cut(2).to_frame().rows())
    assert documents[0] == {
        "id": "d0",
        "cluster": 3,
        "name": four.group_names[0],
        "part": 0,
        "part_name": tree.cut(2).names[0],
    }
    assert (documents[-1]["part"], documents[-1]["part_name"]) == (-1, None)


def test_the_tree_is_drawn_as_text_and_as_a_card(four):
    tree = four.hierarchy()
    lines = str(tree).splitlines()
    assert lines[0] == "all documents (20)"
    assert len(lines) == 7
    assert [line[:3] for line in lines] == ["all", "├─ ", "│  ", "│  ", "└─ ", "   ", "   "]
    assert f"3: {four.group_names[0]} (5)" in str(tree)
    assert repr(tree) == "Hierarchy(4 groups of 20 documents)"
    card = tree._repr_html_()
    assert card.count("<tr>") == 8
    assert "padding-left" in card


def test_names_in_the_card_are_escaped(four):
    named = four.__class__(
        **{name: getattr(four, name) for name in four.__dataclass_fields__}
        | {"given_names": ("<script>alert(1)</script>", "", "", "")}
    )
    card = named.hierarchy()._repr_html_()
    assert "<script>" not in card
    assert "&lt;script&gt;" in card


def test_one_group_is_a_tree_of_one_node(make_result):
    tree = make_result([0] * 10 + [-1], n_groups=1).hierarchy()
    assert (len(tree.nodes), tree.cut(1).names) == (1, (tree.root.name,))
    assert str(tree).startswith("0: ")


def test_an_empty_group_joins_last(make_result):
    tree = make_result([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, -1], n_groups=3).hierarchy()
    assert tree.nodes[3].groups == (0, 1)
    assert tree.root.groups == (0, 1, 2)


def test_distances_are_those_of_words_and_of_rank_correlations():
    rng = np.random.default_rng(0)
    labels = np.arange(60, dtype=np.int32) % 5
    memberships = rng.dirichlet(np.ones(5), 60).astype(np.float32)
    profiles = np.array([np.log(memberships[labels == k].astype(np.float64)).mean(axis=0) for k in range(5)])
    expected = 1 - spearmanr(profiles.T).statistic
    assert compare_profiles(labels, memberships) == pytest.approx(expected)
    counts = csr_array(rng.poisson(1.0, (60, 8)))
    mass = memberships.astype(float).T @ counts.toarray()
    shares = mass / mass.sum(axis=1, keepdims=True)
    scores = shares * np.log(shares / (mass.sum(axis=0) / mass.sum()))
    roots = np.sqrt(np.maximum(scores, 0))
    cosines = [[a @ b / np.sqrt((a @ a) * (b @ b)) for a in roots] for b in roots]
    assert compare_words(labels, memberships, counts) == pytest.approx(1 - np.array(cosines))
    both = measure_distances(labels, memberships, counts)
    assert both == pytest.approx(1 - np.array(cosines) + 0.25 * expected)


def test_memberships_of_zero_and_equal_ones_have_finite_distances():
    labels = np.array([0, 0, 1, 1, 2, -1], dtype=np.int32)
    for memberships in (np.eye(3)[labels], np.full((6, 3), 1 / 3)):
        counts = csr_array(np.eye(6, dtype=np.int64))
        distances = measure_distances(labels, memberships.astype(np.float32), counts)
        assert np.isfinite(distances).all()
        assert len(join_groups(distances)) == 2


def test_a_chain_of_many_groups_is_drawn(make_result, monkeypatch):
    """The tree may be as deep as there are groups, deeper than Python calls itself."""
    from colligate.result import hierarchy

    n_groups = 1500
    result = make_result([0] * 10 + [-1], n_groups=1)
    nodes = [hierarchy.Node(k, str(k), 1, 0.0, (k,)) for k in range(n_groups)]
    for k in range(1, n_groups):
        first = 0 if k == 1 else n_groups + k - 2
        groups = tuple(range(k + 1))
        nodes.append(hierarchy.Node(n_groups + k - 1, f"to {k}", k + 1, float(k), groups, (first, k)))
    tree = hierarchy.Hierarchy(result, tuple(nodes))
    assert len(str(tree).splitlines()) == 2 * n_groups - 1
    assert tree.cut(2).sizes == (n_groups - 1, 1)
