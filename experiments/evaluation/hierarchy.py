"""The hierarchy of groups, beside BERTopic's on the same groups and beside joining by common top words.

Groups are found without knowledge. The truth are larger classes: the six subjects of 20 newsgroups, the four
branches of the topics of RCV1, and the six classes of k1b, which are the 20 of k1a joined. A tree is judged
by its dendrogram purity, and by the mutual information at the cut into as many groups as there are classes.
The ceiling is that of groups joined by their largest class. BERTopic joins by Ward's method on the cosines of
its c-TF-IDF, here with the counts of the same words; it needs the extra `experiments`.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from colligate.result.association import take_top
from colligate.result.hierarchy import join_groups
from colligate.result.metrics import evaluate
from experiments.corpora.catalogue import find_source, load_corpus
from experiments.evaluation.markdown import NONE, describe_runs, format_mean, format_spread, format_table
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from experiments.runner.store import Run

    Joins = Sequence[tuple[int, int]]

NEWS, RCV1, PAGES = "20 newsgroups", "RCV1", "k1a"
# the corpus in the catalogue, and the number of groups: the classes below the larger ones, or about as many
CORPORA = {NEWS: ("20ng", 20), RCV1: ("rcv1", 32), PAGES: ("k1a", 20)}
METHODS = ("colligate", "kmeans", "itcc")
# other methods take long on the largest corpus
ROWS = [(corpus, method) for corpus in CORPORA for method in METHODS[: 1 if corpus == NEWS else None]]
OURS, BERTOPIC, OVERLAP = "result.hierarchy()", "BERTopic", "common top words"
TOP_WORDS = 10
SEEDS = 3
FIGURES = {"dendrogram purity": "purity", "NMI at the cut": "nmi"}


@lru_cache(maxsize=8)
def fit(corpus: str, method: str, data: Path, seed: int) -> tuple[cg.Result, np.ndarray]:
    """The groups of a method, and the larger class of each document."""
    name, n_clusters = CORPORA[corpus]
    documents, labels = load_corpus(name, data)
    if corpus == NEWS:
        labels = np.array([find_subject(group) for group in labels.tolist()])
    if corpus == PAGES:
        _, labels = load_corpus("k1b", data)
    result = cg.make(method, n_clusters=n_clusters, random_state=seed).fit(documents).result_
    return result, labels


def find_subject(newsgroup: str) -> str:
    """The subject of a newsgroup, as the home page of the corpus groups them."""
    if newsgroup in ("alt.atheism", "soc.religion.christian", "talk.religion.misc"):
        return "religion"
    return newsgroup.split(".")[0]


def join_by_memberships(result: cg.Result) -> tuple[np.ndarray, Joins]:
    """The groups, and how `Result.hierarchy` joins them."""
    tree = result.hierarchy()
    joins = [(node.children[0], node.children[1]) for node in tree.nodes if node.children]
    return np.asarray(result.labels[result.centre]), joins


def join_by_overlap(result: cg.Result) -> tuple[np.ndarray, Joins]:
    """Average linkage of the share of common words among the top words of two groups."""
    top = [set(columns.tolist()) for columns, _ in take_top(result.word_scores, TOP_WORDS)]
    distances = np.array([[1 - len(one & two) / max(len(one | two), 1) for one in top] for two in top])
    joins = [(first, second) for first, second, _ in join_groups(distances)]
    return np.asarray(result.labels[result.centre]), joins


def join_by_bertopic(result: cg.Result) -> tuple[np.ndarray, Joins]:
    """BERTopic's `hierarchical_topics` for the same groups and the same words."""
    from bertopic import BERTopic
    from bertopic.backend import BaseEmbedder
    from bertopic.cluster import BaseCluster
    from bertopic.dimensionality import BaseDimensionalityReduction
    from sklearn.feature_extraction.text import CountVectorizer

    labels = np.asarray(result.labels[result.centre])
    placed = np.flatnonzero(labels >= 0)
    texts = [write_words(result.counts, row) for row in placed.tolist()]
    words = [f"w{k}" for k in range(result.counts.shape[1])]
    model: Any = BERTopic(
        embedding_model=BaseEmbedder(),
        umap_model=BaseDimensionalityReduction(),
        hdbscan_model=BaseCluster(),
        vectorizer_model=CountVectorizer(vocabulary=words, token_pattern=r"\S+"),
    )
    topics, _ = model.fit_transform(texts, embeddings=np.zeros((len(texts), 2)), y=labels[placed])
    groups = np.full(len(labels), -1)
    groups[placed] = topics
    table = model.hierarchical_topics(texts)
    table = table.sort_values("Parent_ID", key=lambda ids: ids.astype(int))
    numbers = {str(topic): k for k, topic in enumerate(sorted(set(topics)))}
    joins = []
    for parent, left, right in table[["Parent_ID", "Child_Left_ID", "Child_Right_ID"]].values:
        joins.append((numbers[str(left)], numbers[str(right)]))
        numbers[str(parent)] = len(numbers)
    return groups, joins


def write_words(counts: Any, row: int) -> str:
    """A document as the names of its words, each as often as it is counted."""
    start, end = counts.indptr[row], counts.indptr[row + 1]
    pairs = zip(counts.indices[start:end].tolist(), counts.data[start:end].tolist(), strict=True)
    return " ".join(" ".join([f"w{word}"] * int(number)) for word, number in pairs)


WAYS: dict[str, Callable[[cg.Result], tuple[np.ndarray, Joins]]] = {
    OURS: join_by_memberships,
    BERTOPIC: join_by_bertopic,
    OVERLAP: join_by_overlap,
}


def judge_tree(corpus: str, method: str, way: str, data: Path, seed: int) -> Run:
    """How well a tree fits the larger classes."""
    result, labels = fit(corpus, method, data, seed)
    groups, joins = WAYS[way](result)
    placed = groups >= 0
    classes = np.unique(labels, return_inverse=True)[1]
    counts = np.zeros((len(joins) + 1, classes.max() + 1))
    np.add.at(counts, (groups[placed], classes[placed]), 1)
    parts = cut_joins(joins, counts.shape[1])
    return {
        "purity": measure_purity(joins, counts),
        "nmi": evaluate(labels, parts[groups], placed)["nmi"],
        "ceiling": evaluate(labels, counts.argmax(axis=1)[groups], placed)["nmi"],
    }


def measure_purity(joins: Joins, counts: np.ndarray) -> float:
    """The expected purity of the smallest subtree that has two documents of one class (Heller, Ghahramani).

    `counts` is groups × classes. All pairs of documents of one class count alike.
    """
    nodes = list(counts)
    pairs = [row * (row - 1) / 2 for row in counts]
    for first, second in joins:
        pairs.append(nodes[first] * nodes[second])
        nodes.append(nodes[first] + nodes[second])
    pure = sum((pair * node / max(node.sum(), 1)).sum() for pair, node in zip(pairs, nodes, strict=True))
    return float(pure / max(sum(pair.sum() for pair in pairs), 1))


def cut_joins(joins: Joins, n_parts: int) -> np.ndarray:
    """The part of each group after all joins but the last ones."""
    n_groups = len(joins) + 1
    members = [[k] for k in range(n_groups)]
    part = np.arange(n_groups)
    for first, second in joins[: max(n_groups - n_parts, 0)]:
        members.append(members[first] + members[second])
        part[members[-1]] = min(members[-1])
    return part


def key(corpus: str, method: str, way: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {method} | {way}"


def compose_tables(results: Path) -> list[str]:
    """Every way on every corpus, for each method."""
    kept = StoredRuns.of(EXPERIMENT, results)
    rows = []
    for corpus, method in ROWS:
        for way in WAYS:
            name = key(corpus, method, way)
            if kept.values(name, "purity"):
                figures = [format_spread(kept, name, figure) for figure in FIGURES.values()]
                joined_by = f"`{way}`" if way == OURS else way
                rows.append((corpus, f"`{method}`", joined_by, *figures, format_mean(kept, name, "ceiling")))
    heads = ("corpus", "groups of", "joined by", *FIGURES, "ceiling of the NMI")
    return [format_table(heads, rows), compose_verdict(kept), describe_runs(EXPERIMENT, kept)]


def compose_verdict(kept: StoredRuns) -> str:
    """On how many of the corpora and methods ours is purer, on average over the seeds."""
    sentences = []
    for rival in (BERTOPIC, OVERLAP):
        means = [
            [
                np.mean(list(kept.values(key(corpus, method, way), "purity").values()) or [np.nan])
                for way in (OURS, rival)
            ]
            for corpus, method in ROWS
        ]
        known = [(ours, other) for ours, other in means if np.isfinite([ours, other]).all()]
        better = sum(ours > other for ours, other in known)
        sentences.append(f"than {rival} in {better} of {len(known)}" if known else f"than {rival}: {NONE}")
    return f"`{OURS}` is purer {' and '.join(sentences)} rows."


EXPERIMENT = Experiment(
    name="evaluation.hierarchy",
    paper="own",
    about="the hierarchy of groups beside larger classes, on three corpora",
    corpora=tuple(
        dict.fromkeys(
            file
            for name in (*(name for name, _ in CORPORA.values()), "k1b")
            for file in find_source(name).files
        )
    ),
    cells=tuple(
        Measurement(key(corpus, method, way), partial(judge_tree, corpus, method, way))
        for corpus, method in ROWS
        for way in WAYS
    ),
    tables=tuple(
        TableSpec(
            title.capitalize(),
            "corpus and method",
            {
                f"{corpus}, {method}": {way: Entry(key(corpus, method, way), figure) for way in WAYS}
                for corpus, method in ROWS
            },
        )
        for title, figure in FIGURES.items()
    ),
    seeds=SEEDS,
    quick=Quick((f"{RCV1} | kmeans | {OURS}",)),
)
