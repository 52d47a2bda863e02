"""The hierarchy of groups: groups join that the method places alike, by their memberships and their words.

The memberships contain all that the method knows: words, directions, links, embeddings. They count twice. The
words of a group are those of all documents, weighted by their memberships in it. And the profile of a group
is the mean log-membership of its documents in every group: two groups are near if the groups come in the same
order in both profiles. Average linkage joins the nearest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from colligate._array import one_hot
from colligate._html import Bar, Dot, Table, make_card
from colligate._text import count_noun
from colligate.errors import ParameterError
from colligate.report.palette import choose_colours
from colligate.result.association import TINY, count_by_group
from colligate.result.explain import is_integer
from colligate.result.frame import Frame
from colligate.result.groups import CHUNK, find_type, make_unique, name_by_terms
from colligate.result.word_names import CANDIDATES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from colligate.result.result import Result

Floats = NDArray[np.float64]
Labels = NDArray[np.int32]

# float32 has no smaller normal number, and the logarithm must be finite
SMALLEST = float(np.finfo(np.float32).tiny)
# The weight of the distance of ranks, which is at most 2, beside that of words, which is at most 1; chosen
# on 20 newsgroups, RCV1 and k1a.
RANK_WEIGHT = 0.25
FARTHEST = 1.0 + 2.0 * RANK_WEIGHT
# A word is frequent in a group if this much more of its documents have it than of all documents.
FREQUENT = 1.2


@dataclass(frozen=True)
class Node:
    """A group, or several groups that were joined.

    Attributes
    ----------
    number : int
        The position in `Hierarchy.nodes`.
    name : str
        The name of the group, or the words that the joined parts share; unique.
    size : int
        The number of documents.
    distance : float
        The distance of the two parts, from 0 to 1.5; 0 for a group.
    groups : tuple of int
        The lasting numbers of its groups.
    children : tuple of int
        The two nodes that it joins, the larger first; empty for a group.
    """

    number: int
    name: str
    size: int
    distance: float
    groups: tuple[int, ...]
    children: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Cut:
    """The documents in fewer groups: every group of it has whole groups of the result.

    ``result`` is the result that was cut. ``labels`` has the group of each document, -1 for none. ``names``,
    ``sizes`` and ``groups`` have, for each group, its name, the number of its documents, and the lasting
    numbers of the groups of the result in it.
    """

    result: Result
    labels: Labels
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]

    def to_frame(self) -> Frame:
        """Return the documents as a frame.

        Returns
        -------
        Frame
            `id`, `cluster` and `name` as in `result.documents`, then `part` and `part_name`: the group of
            the cut, -1 and none for a document in no group.
        """
        import pyarrow as pa

        table = self.result.documents.to_arrow().select(["id", "cluster", "name"])
        names = pa.array((*self.names, None), pa.large_string())
        part_names = names.take(pa.array(np.where(self.labels >= 0, self.labels, len(self.names))))
        table = table.append_column("part", pa.array(self.labels, pa.int32()))
        return Frame(self.result.centre, table.append_column("part_name", part_names))

    def __repr__(self) -> str:
        n_leaves = sum(map(len, self.groups))
        return f"Cut({count_noun(n_leaves, 'group')} joined to {count_noun(len(self.names), 'group')})"


class Row(NamedTuple):
    """A line of a drawn tree: its node, and for each level whether the line of that level goes on below."""

    lines: tuple[bool, ...]
    node: Node


class Hierarchy:
    """The groups of a result as a tree; the leaves are exactly the groups.

    `str()` draws it. `cut(n)` joins the groups until `n` are left. `to_frame()` returns its nodes.

    Attributes
    ----------
    result : Result
        The result whose groups are joined.
    nodes : tuple of Node
        The groups in the order of the result, then the joined ones, the nearest first. The last is the root.
    """

    def __init__(self, result: Result, nodes: tuple[Node, ...]) -> None:
        self.result = result
        self.nodes = nodes

    @property
    def root(self) -> Node:
        """All groups."""
        return self.nodes[-1]

    @property
    def n_groups(self) -> int:
        """The number of groups of the result."""
        return (len(self.nodes) + 1) // 2

    def cut(self, n_groups: int) -> Cut:
        """Join the nearest groups until so many are left.

        Parameters
        ----------
        n_groups : int
            The number of groups, from 1 to that of the result; with the latter, the labels are those of the
            result.

        Returns
        -------
        Cut
        """
        if not is_integer(n_groups) or not 1 <= n_groups <= self.n_groups:
            raise ParameterError(
                f"n_groups must be a whole number from 1 to {self.n_groups}, the number of groups of the "
                f"result; got {n_groups!r:.60}",
                parameter="n_groups",
            )
        last = 2 * self.n_groups - int(n_groups)
        joined = {child for node in self.nodes[:last] for child in node.children}
        parts = [node for node in self.nodes[:last] if node.number not in joined]
        leaves = [self._list_leaves(node) for node in parts]
        # in the order of the result, so that a cut into all groups has its labels
        order = sorted(range(len(parts)), key=lambda k: min(leaves[k]))
        part_of = np.full(self.n_groups + 1, -1, dtype=np.int32)
        for position, k in enumerate(order):
            part_of[leaves[k]] = position
        labels = part_of[self.result.labels[self.result.centre]]
        labels.flags.writeable = False
        chosen = [parts[k] for k in order]
        return Cut(
            self.result,
            labels,
            tuple(node.name for node in chosen),
            tuple(node.size for node in chosen),
            tuple(node.groups for node in chosen),
        )

    def rows(self) -> Iterator[Row]:
        """Yield the lines of the drawn tree, from the root down."""
        # a list instead of recursion: a chain of many groups is as deep as it is long
        waiting = [Row((), self.root)]
        while waiting:
            row = waiting.pop()
            yield row
            last = len(row.node.children) - 1
            children = [
                Row((*row.lines, k < last), self.nodes[child]) for k, child in enumerate(row.node.children)
            ]
            waiting.extend(reversed(children))

    def to_frame(self) -> Frame:
        """Return the nodes as a frame.

        Returns
        -------
        Frame
            `node`, `parent` (none for the root), `cluster` (the lasting number of a group, none for joined
            groups), `name`, `size`, `distance` and `clusters` (the lasting numbers of its groups, as text).
        """
        import pyarrow as pa

        parents = {child: node.number for node in self.nodes for child in node.children}
        table = {
            "node": pa.array([node.number for node in self.nodes], pa.int32()),
            "parent": pa.array([parents.get(node.number) for node in self.nodes], pa.int32()),
            "cluster": pa.array(
                [None if node.children else node.groups[0] for node in self.nodes], pa.int32()
            ),
            "name": pa.array([node.name for node in self.nodes], pa.large_string()),
            "size": pa.array([node.size for node in self.nodes], pa.int64()),
            "distance": pa.array([round(node.distance, 6) for node in self.nodes], pa.float64()),
            "clusters": pa.array([" ".join(map(str, node.groups)) for node in self.nodes], pa.large_string()),
        }
        return Frame("nodes", pa.table(table))

    def __str__(self) -> str:
        return "\n".join(f"{_draw_lines(row.lines)}{_describe_node(row.node)}" for row in self.rows())

    def __repr__(self) -> str:
        return f"Hierarchy({count_noun(self.n_groups, 'group')} of {self.root.size:,} {self.result.centre})"

    def _repr_html_(self) -> str:
        colours = choose_colours(max(self.root.groups, default=-1) + 1)
        rows = []
        for lines, node in self.rows():
            colour = "" if node.children else colours[node.groups[0]]
            number = None if node.children else node.groups[0]
            name = Dot(node.name, colour, depth=len(lines))
            rows.append([name, number, node.size, Bar(node.size, self.root.size, colour)])
        heading = f"Hierarchy: {count_noun(self.n_groups, 'group')}"
        centre = self.result.centre
        table = Table(["name", "group", centre, ""], rows, "", frozenset({"group", centre}))
        return make_card(heading, "cut(n) joins the nearest groups until n are left.", table)

    def _list_leaves(self, node: Node) -> list[int]:
        """List the positions of the groups below a node."""
        leaves, waiting = [], [node]
        while waiting:
            top = waiting.pop()
            waiting += [self.nodes[child] for child in top.children]
            if not top.children:
                leaves.append(top.number)
        return leaves


def _draw_lines(lines: tuple[bool, ...]) -> str:
    """Draw the lines before a node: those of the levels above, then its own."""
    if not lines:
        return ""
    above = "".join("│  " if goes_on else "   " for goes_on in lines[:-1])
    return above + ("├─ " if lines[-1] else "└─ ")


def _describe_node(node: Node) -> str:
    number = "" if node.children else f"{node.groups[0]}: "
    return f"{number}{node.name} ({node.size:,})"


def make_hierarchy(result: Result) -> Hierarchy:
    """Join the groups of the centre two by two; see `Result.hierarchy`."""
    labels, n_groups = result.labels[result.centre], result.n_groups()
    sizes = np.bincount(labels[labels >= 0], minlength=n_groups)
    joins = join_groups(measure_distances(labels, result.memberships[result.centre], result.counts))
    groups: list[tuple[int, ...]] = [(number,) for number in result.group_numbers]
    total = sizes.tolist()
    children: list[tuple[int, ...]] = [()] * n_groups
    for first, second, _ in joins:
        pair = (first, second) if total[first] >= total[second] else (second, first)
        children.append(pair)
        groups.append(tuple(sorted(groups[first] + groups[second])))
        total.append(total[first] + total[second])
    names = make_unique([*result.group_names, *_name_joined(result, children, total)])
    distances = [*[0.0] * n_groups, *(distance for *_, distance in joins)]
    nodes = zip(names, total, distances, groups, children, strict=True)
    return Hierarchy(result, tuple(Node(k, *fields) for k, fields in enumerate(nodes)))


def measure_distances(
    labels: Labels, memberships: NDArray[np.floating[Any]], counts: sparse.csr_array
) -> Floats:
    """Return groups × groups: the distance of their words and of their profiles.

    An empty group is far from all.
    """
    of_words = compare_words(labels, memberships, counts)
    distances = of_words + RANK_WEIGHT * compare_profiles(labels, memberships)
    is_empty = np.bincount(labels[labels >= 0], minlength=len(distances)) == 0
    distances[is_empty] = distances[:, is_empty] = FARTHEST
    np.fill_diagonal(distances, 0.0)
    return np.asarray(np.round((distances + distances.T) / 2, 12))


def compare_words(labels: Labels, memberships: NDArray[np.floating[Any]], counts: sparse.csr_array) -> Floats:
    """Return 1 - the cosine of the square roots of word scores, p(w|k) · log(p(w|k) / p(w)), where positive.

    Occurrences count in every group by the memberships of their document.
    """
    placed = np.flatnonzero(labels >= 0)
    mass = np.asarray(counts[placed].T @ memberships[placed].astype(np.float64)).T
    inside = mass / np.maximum(mass.sum(axis=1, keepdims=True), TINY)
    everywhere = mass.sum(axis=0) / max(mass.sum(), TINY)
    ratio = np.maximum(inside / np.maximum(everywhere, TINY), 1.0)
    roots = np.sqrt(inside * np.log(ratio))
    return 1.0 - _correlate(roots)


def compare_profiles(labels: Labels, memberships: NDArray[np.floating[Any]]) -> Floats:
    """Return 1 - Spearman's correlation of the profiles: the mean log-memberships of a group's documents."""
    n_groups = memberships.shape[1]
    profiles, sizes = np.zeros((n_groups, n_groups)), np.zeros(n_groups)
    for start in range(0, labels.size, CHUNK):
        chunk = labels[start : start + CHUNK]
        logs = np.log(np.maximum(memberships[start : start + CHUNK], SMALLEST).astype(np.float64))
        profiles += one_hot(chunk, n_groups).T @ logs
        sizes += np.bincount(chunk[chunk >= 0], minlength=n_groups)
    profiles /= np.maximum(sizes, 1)[:, None]
    # rounded, so that nearly equal means have the same rank on every machine
    ranks = _average_ranks(np.round(profiles, 9))
    return 1.0 - _correlate(ranks - ranks.mean(axis=1, keepdims=True))


def _average_ranks(rows: Floats) -> Floats:
    """Return the rank of every entry in its row; equal entries share their mean rank."""
    # not by `scipy.stats.rankdata`: importing that package takes longer than the hierarchy
    ranks = np.empty(rows.shape)
    for number, row in enumerate(rows):
        below, up_to = (np.searchsorted(np.sort(row), row, side) for side in ("left", "right"))
        ranks[number] = (below + up_to + 1) / 2
    return ranks


def _correlate(rows: Floats) -> Floats:
    """Return the cosines of rows; 0 with a row of zeros."""
    norms = np.sqrt(np.square(rows).sum(axis=1))
    unit = rows / np.where(norms > 0, norms, 1.0)[:, None]
    return np.asarray(np.clip(unit @ unit.T, -1.0, 1.0))


def join_groups(distances: Floats) -> list[tuple[int, int, float]]:
    """Join groups by average linkage: the two nodes of each join and their distance, the nearest first."""
    if len(distances) < 2:
        return []
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    tree = linkage(squareform(distances, checks=False), "average")
    return [(int(first), int(second), float(distance)) for first, second, distance, _ in tree]


def _name_joined(result: Result, children: list[tuple[int, ...]], sizes: list[int]) -> list[str]:
    """Name the joined groups by the words that their groups share; the last has all documents."""
    pairs = [pair for pair in children if pair]
    if not pairs:
        return []
    counter = _SharedWords(result, sizes)
    for node, pair in enumerate(pairs[:-1], start=result.n_groups()):
        counter.join(node, *pair)
    return [*counter.make_names(), f"all {result.centre}"]


class _SharedWords:
    """Scores words for the names of joined groups: words that most of these groups share, and few others.

    The score is the word's share of the divergence of the joined documents from all, by the documents that
    have it, times the cube of the share of groups in which it is frequent and the square of its share inside.
    """

    def __init__(self, result: Result, sizes: list[int]) -> None:
        n_groups, matrix = result.n_groups(), result.counts
        presence = sparse.csr_array((np.ones(matrix.nnz), matrix.indices, matrix.indptr), matrix.shape)
        table = count_by_group(result.labels[result.centre], n_groups, presence).toarray()
        self._terms = find_type(result, result.terms)
        self._sizes, self._n_documents = sizes, max(sizes[-1], 1)
        self._total = table.sum(axis=0)
        self._everywhere = np.maximum(self._total, 1.0) / self._n_documents
        shares = table / np.maximum(sizes[:n_groups], 1)[:, None]
        # of each node: the documents with each word, the groups in which it is frequent, and all its groups
        self._parts = {
            k: (table[k], (shares[k] > FREQUENT * self._everywhere).astype(np.float64), 1)
            for k in range(n_groups)
        }
        self._scores: list[sparse.csr_array] = []
        self._counts: list[sparse.csr_array] = []

    def join(self, node: int, first: int, second: int) -> None:
        """Score the words of two nodes that become one."""
        (documents, frequent, n_groups), other = self._parts.pop(first), self._parts.pop(second)
        documents, frequent, n_groups = documents + other[0], frequent + other[1], n_groups + other[2]
        self._parts[node] = (documents, frequent, n_groups)
        size = self._sizes[node]
        inside = documents / max(size, 1)
        outside = (self._total - documents) / max(self._n_documents - size, 1)
        divergence = inside * np.log(np.maximum(inside / self._everywhere, 1.0))
        specific = inside / np.maximum(inside + outside, TINY)
        scores = divergence * specific**2 * (frequent / n_groups) ** 3
        self._scores.append(_take_best(scores))
        self._counts.append(_take_best(documents))

    def make_names(self) -> tuple[str, ...]:
        """Name the nodes in the order in which they were joined."""
        if not self._scores:
            return ()
        scores, counts = (sparse.csr_array(sparse.vstack(rows)) for rows in (self._scores, self._counts))
        return name_by_terms(np.arange(len(self._scores)), scores, self._terms, counts=counts)


def _take_best(scores: Floats) -> sparse.csr_array:
    """Return one row with the best words; a name needs no more."""
    best = np.argsort(-scores, kind="stable")[:CANDIDATES]
    best = np.sort(best[scores[best] > 0])
    return sparse.csr_array((scores[best], best, [0, len(best)]), shape=(1, len(scores)))
