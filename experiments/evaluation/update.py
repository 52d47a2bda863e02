"""A tenth of the documents comes later: how well an update and batches agree with a fit of everything.

Of one class, drawn by the seed among those of at most a tenth of the documents, all documents come later;
the others of the late tenth are drawn from all other classes. The earlier documents are clustered into as
many groups as they have classes. An update, `predict`, and a fit of everything into one group more are judged
on the late documents, and by the group that has the unseen class. With no class unseen, a new group is a
false alarm. Batches are ten parts of all documents in random order; `partial_fit` takes one after the other.

BERTopic gets the vectors of WordLlama, which `colligate` uses too. Its topics are merged to the number of
classes. `transform` places the late documents; `merge_models` adds the topics of a model of the late
documents that are like none of the earlier ones. Its outliers are placed by `reduce_outliers`. In batches, it
has the incremental steps of its manual: `IncrementalPCA`, `MiniBatchKMeans` and `OnlineCountVectorizer`.
"""

from __future__ import annotations

import time
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from colligate.result.metrics import evaluate
from experiments.corpora.catalogue import load_corpus
from experiments.evaluation.baselines import embed_by_words, make_bertopic, place_outliers
from experiments.evaluation.corpora import CORPORA, count_classes, list_files
from experiments.evaluation.markdown import describe_runs, format_mean, format_spread, format_table
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from experiments.runner.store import Run

# the number of seeds on each corpus
JUDGED = {"R8": 3, "R52": 2, "20 newsgroups": 1}
BATCH_CORPORA = ("R8",)
SHARE = 0.1
MIN_CLASS = 50
N_BATCHES = 10
UNSEEN, FEW_UNSEEN, NONE_UNSEEN = "one class unseen", "fifty documents unseen", "no class unseen"
# the documents of the unseen class; None for all
CASES = {UNSEEN: None, FEW_UNSEEN: 50, NONE_UNSEEN: 0}
BATCHES = "ten batches"
TRANSFORM, MERGE, TOPICS = "BERTopic, transform", "BERTopic, merge_models", "BERTopic"
BATCH_METHODS = ("colligate", "kmeans", TOPICS)
SEEDS = 3
OTHER_SEED = 100
LATE_FIGURES = {
    "late_nmi": "NMI of late documents",
    "agreement": "NMI with the fit of everything",
    "precision": "precision of the new group",
    "recall": "recall",
}
BATCH_FIGURES = {
    "nmi": "NMI of batches",
    "nmi_of_fit": "of a fit of everything",
    "nmi_of_first": "of the first batch",
    "agreement": "batches with that fit",
    "agreement_of_seeds": "two fits with different seeds",
}


class Arrival:
    """Documents in two parts: those that are there, and those that come later.

    `unseen` is the class of which all documents come later; None if there is no such class. It has at most
    `n_unseen` documents; the others are left out.
    """

    def __init__(self, corpus: str, data: Path, seed: int, *, n_unseen: int | None) -> None:
        documents, self.classes = read_documents(corpus, data)
        rng = np.random.default_rng(seed)
        names, sizes = np.unique(self.classes, return_counts=True)
        n_late = round(SHARE * len(self.classes))
        small = names[(sizes <= n_late) & (sizes >= MIN_CLASS)]
        self.unseen = None if n_unseen == 0 else rng.choice(small)
        of_class = np.flatnonzero(self.classes == self.unseen)
        rest = np.flatnonzero(self.classes != self.unseen)
        others = rng.choice(rest, n_late - len(of_class), replace=False)
        self.late = np.sort(np.concatenate([of_class[:n_unseen], others]))
        self.earlier = np.setdiff1d(rest, others)
        self.seed, self.texts, self.analyser = seed, documents.texts, documents.analyser
        self.ids = documents.ids

    def corpus(self, rows: np.ndarray) -> cg.Corpus:
        """The documents at some rows, with the words that they have."""
        texts, ids = [self.texts[row] for row in rows], [self.ids[row] for row in rows]
        return cg.Corpus.from_texts(texts, ids, analyser=self.analyser)

    def fit(self, rows: np.ndarray) -> cg.Result:
        """As many groups as the documents have classes."""
        number = count_classes(self.classes[rows])
        model = cg.make("colligate", n_clusters=number, random_state=self.seed)
        return model.fit(self.corpus(rows)).result_


@cache
def read_documents(corpus: str, data: Path) -> tuple[cg.Corpus, np.ndarray]:
    """The documents of a corpus and their classes."""
    documents, classes = load_corpus(CORPORA[corpus], data)
    return documents, np.asarray(classes)


@cache
def fit_arrival(
    corpus: str, data: Path, seed: int, n_unseen: int | None
) -> tuple[Arrival, cg.Result, np.ndarray]:
    """The arrival of a seed, the result of the earlier documents, and the late groups of everything."""
    arrival = Arrival(corpus, data, seed, n_unseen=n_unseen)
    everything = arrival.fit(np.concatenate([arrival.earlier, arrival.late]))
    return arrival, arrival.fit(arrival.earlier), everything.labels["documents"]


def measure_update(corpus: str, n_unseen: int | None, data: Path, seed: int) -> Run:
    """An update with the late documents."""
    arrival, before, everything = fit_arrival(corpus, data, seed, n_unseen)
    began = time.perf_counter()
    after = before.update(arrival.corpus(arrival.late))
    seconds = time.perf_counter() - began
    summary = after.changes_since(before)
    labels = after.labels["documents"]
    new = [after.group_numbers.index(group.number) for group in summary.new_groups]
    return {
        **judge(arrival, labels, everything, new),
        "new_groups": len(new),
        "in_new_groups": sum(group.placed for group in summary.new_groups),
        "moved": summary.moved / len(arrival.earlier),
        "late": len(arrival.late),
        "unseen": "" if arrival.unseen is None else str(arrival.unseen),
        "seconds": seconds,
    }


def measure_prediction(corpus: str, n_unseen: int | None, data: Path, seed: int) -> Run:
    """The late documents where the earlier groups take them."""
    arrival, before, everything = fit_arrival(corpus, data, seed, n_unseen)
    late = before.predict(arrival.corpus(arrival.late))
    return judge(arrival, np.append(before.labels["documents"], late), everything, [])


def measure_everything(corpus: str, n_unseen: int | None, data: Path, seed: int) -> Run:
    """All documents clustered at once; any group may be that of the unseen class."""
    arrival, _, everything = fit_arrival(corpus, data, seed, n_unseen)
    return judge(arrival, everything, everything, np.unique(everything).tolist())


@cache
def fit_topics(corpus: str, data: Path, seed: int, n_unseen: int | None) -> tuple[Arrival, Any, np.ndarray]:
    """BERTopic on the earlier documents, and the topics of these, outliers placed."""
    arrival = Arrival(corpus, data, seed, n_unseen=n_unseen)
    texts = [arrival.texts[row] for row in arrival.earlier]
    model = make_bertopic(seed, count_classes(arrival.classes[arrival.earlier]))
    topics = model.fit_transform(texts, embed_documents(corpus, data)[arrival.earlier])[0]
    return arrival, model, place_outliers(model, texts, topics)


def measure_transform(corpus: str, n_unseen: int | None, data: Path, seed: int) -> Run:
    """The late documents where the topics of BERTopic take them."""
    arrival, model, before = fit_topics(corpus, data, seed, n_unseen)
    texts = [arrival.texts[row] for row in arrival.late]
    late = model.transform(texts, embed_documents(corpus, data)[arrival.late])[0]
    return judge(arrival, np.append(before, place_outliers(model, texts, late)), None, [])


def measure_merge(corpus: str, n_unseen: int | None, data: Path, seed: int) -> Run:
    """The topics of BERTopic joined with those of a model of the late documents."""
    from bertopic import BERTopic

    arrival, model, before = fit_topics(corpus, data, seed, n_unseen)
    texts = [arrival.texts[row] for row in arrival.late]
    second = make_bertopic(seed, None).fit(texts, embed_documents(corpus, data)[arrival.late])
    second.topics_ = place_outliers(second, texts, second.topics_).tolist()
    merged = BERTopic.merge_models([model, second])
    late = np.asarray(merged.topics_[len(before) :])
    new = np.setdiff1d(late, model.topics_).tolist()
    figures = judge(arrival, np.append(before, late), None, new)
    return figures | {"new_groups": len(new), "in_new_groups": int(np.isin(late, new).sum()), "moved": 0.0}


@cache
def embed_documents(corpus: str, data: Path) -> np.ndarray:
    """The vectors of all documents, which all seeds share."""
    return embed_by_words(read_documents(corpus, data)[0].texts or [])


def measure_topic_batches(corpus: str, data: Path, seed: int) -> Run:
    """Ten batches by BERTopic's `partial_fit`, beside fits of everything with the same steps."""
    documents, classes = read_documents(corpus, data)
    # the incremental steps of scikit-learn do not take a mixture of single and double precision
    texts, rows = list(documents.texts or []), embed_documents(corpus, data).astype(np.float64)
    order = np.random.default_rng(seed).permutation(len(texts))
    fits = [
        fit_batches(texts, rows, [np.arange(len(texts))], len(set(classes.tolist())), number)[1]
        for number in (seed, OTHER_SEED + seed)
    ]
    batches = np.array_split(order, N_BATCHES)
    first, labels = fit_batches(texts, rows, batches, len(set(classes.tolist())), seed)
    return {
        "nmi": evaluate(classes, labels)["nmi"],
        "nmi_of_fit": evaluate(classes, fits[0])["nmi"],
        "nmi_of_first": evaluate(classes, first)["nmi"],
        "agreement": evaluate(fits[0], labels)["nmi"],
        "agreement_of_seeds": evaluate(*fits)["nmi"],
    }


def fit_batches(
    texts: list[str], rows: np.ndarray, batches: list[np.ndarray], n_topics: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """The topics of all documents after the first batch and after the last one."""
    from bertopic import BERTopic
    from bertopic.backend import BaseEmbedder
    from bertopic.vectorizers import OnlineCountVectorizer
    from sklearn.cluster import MiniBatchKMeans
    from sklearn.decomposition import IncrementalPCA

    model: Any = BERTopic(
        embedding_model=BaseEmbedder(),
        umap_model=IncrementalPCA(n_components=5),
        hdbscan_model=MiniBatchKMeans(n_clusters=n_topics, random_state=seed),
        vectorizer_model=OnlineCountVectorizer(stop_words="english"),
    )
    topics = []
    for batch in batches:
        model.partial_fit([texts[row] for row in batch], rows[batch])
        topics.append(np.asarray(model.transform(texts, rows)[0]))
    return topics[0], topics[-1]


def judge(arrival: Arrival, labels: np.ndarray, everything: np.ndarray | None, groups: list[int]) -> Run:
    """Late documents against the classes and the fit of everything, and the group of the unseen class."""
    n_earlier = len(arrival.earlier)
    truth = arrival.classes[np.concatenate([arrival.earlier, arrival.late])]
    figures: Run = {
        "late_nmi": evaluate(truth[n_earlier:], labels[n_earlier:])["nmi"],
        "nmi": evaluate(truth, labels)["nmi"],
    }
    if everything is not None:
        figures["agreement"] = evaluate(everything[n_earlier:], labels[n_earlier:])["nmi"]
    if arrival.unseen is None:
        return figures
    is_unseen = truth == arrival.unseen
    best = max((measure_group(labels == group, is_unseen) for group in groups), default=(0.0, 0.0, 0.0))
    return figures | {"f1": best[0], "precision": best[1], "recall": best[2]}


def measure_group(members: np.ndarray, wanted: np.ndarray) -> tuple[float, float, float]:
    """F1, precision and recall of a group for the documents of a class."""
    shared = int((members & wanted).sum())
    precision, recall = shared / max(int(members.sum()), 1), shared / max(int(wanted.sum()), 1)
    return 2 * precision * recall / max(precision + recall, 1e-9), precision, recall


def measure_batches(corpus: str, method: str, data: Path, seed: int) -> Run:
    """Ten batches beside a fit of everything, a fit of everything with another seed, and the first batch."""
    documents, classes = read_documents(corpus, data)
    parameters: dict[str, Any] = {"n_clusters": count_classes(classes)}
    fits = [
        cg.make(method, **parameters, random_state=number).fit(documents).labels_
        for number in (seed, OTHER_SEED + seed)
    ]
    model, texts = cg.make(method, **parameters, random_state=seed), documents.texts
    order = np.random.default_rng(seed).permutation(len(classes))
    first = None
    for rows in np.array_split(order, N_BATCHES):
        batch = [texts[row] for row in np.sort(rows)]
        model.partial_fit(
            batch if first is not None else cg.Corpus.from_texts(batch, analyser=documents.analyser)
        )
        first = model.predict(list(texts)) if first is None else first
    labels = model.predict(list(texts))
    return {
        "nmi": evaluate(classes, labels)["nmi"],
        "nmi_of_fit": evaluate(classes, fits[0])["nmi"],
        "nmi_of_first": evaluate(classes, first)["nmi"],
        "agreement": evaluate(fits[0], labels)["nmi"],
        "agreement_of_seeds": evaluate(*fits)["nmi"],
    }


WAYS: dict[str, Callable[[str, int | None, Path, int], Run]] = {
    "update": measure_update,
    "predict": measure_prediction,
    "fit of everything": measure_everything,
    TRANSFORM: measure_transform,
    MERGE: measure_merge,
}
UPDATES = ("update", MERGE)
# a fit of BERTopic takes minutes on the larger corpora
RIVAL_CORPUS = "R8"


def list_ways(corpus: str) -> dict[str, Callable[[str, int | None, Path, int], Run]]:
    """The ways that are judged on a corpus."""
    rivals = (TRANSFORM, MERGE)
    return {way: run for way, run in WAYS.items() if way not in rivals or corpus == RIVAL_CORPUS}


def key(corpus: str, case: str, way: str) -> str:
    """How a cell is called."""
    return f"{corpus} | {case} | {way}"


def compose_tables(results: Path) -> list[str]:
    """Late documents and the unseen class by every way, false alarms, and batches."""
    kept = StoredRuns.of(EXPERIMENT, results)
    late = [
        [corpus if way == "update" else "", way]
        + [format_spread(kept, key(corpus, UNSEEN, way), figure) for figure in LATE_FIGURES]
        + [format_mean(kept, key(corpus, UNSEEN, way), figure) for figure in ("new_groups", "moved")]
        for corpus in JUDGED
        for way in list_ways(corpus)
    ]
    batches = [
        [corpus, method if method == TOPICS else f"`{method}`"]
        + [format_spread(kept, key(corpus, BATCHES, method), figure) for figure in BATCH_FIGURES]
        for corpus in BATCH_CORPORA
        for method in BATCH_METHODS
    ]
    late += [
        ["R8, fifty documents" if way == "update" else "", way]
        + [format_spread(kept, key("R8", FEW_UNSEEN, way), figure) for figure in LATE_FIGURES]
        + [format_mean(kept, key("R8", FEW_UNSEEN, way), figure) for figure in ("new_groups", "moved")]
        for way in UPDATES
    ]
    return [
        format_table(("corpus", "", *LATE_FIGURES.values(), "new groups", "earlier documents moved"), late),
        describe_false_alarms(kept),
        format_table(("corpus", "method", *BATCH_FIGURES.values()), batches),
        describe_bounds(kept),
        describe_runs(EXPERIMENT, kept),
    ]


def describe_false_alarms(kept: StoredRuns) -> str:
    """How many new groups there are where no class is new."""
    numbers = {way: list(kept.values(key("R8", NONE_UNSEEN, way), "new_groups").values()) for way in UPDATES}
    ours, theirs = numbers["update"], numbers[MERGE]
    return (
        f"With no class unseen, {len(ours)} updates of R8 made {int(sum(ours))} new groups, "
        f"and {len(theirs)} merges of BERTopic's models {int(sum(theirs))}."
    )


def describe_bounds(kept: StoredRuns) -> str:
    """How far an update and batches fall behind a fit of everything at most."""
    late = [
        list_losses(kept, (key(corpus, UNSEEN, "fit of everything"), "late_nmi"), (of_update, "late_nmi"))
        for corpus in JUDGED
        if (of_update := key(corpus, UNSEEN, "update")) in kept.cells
    ]
    batches = {
        method: [
            list_losses(kept, (cell, "nmi_of_fit"), (cell, "nmi"))
            for corpus in BATCH_CORPORA
            if (cell := key(corpus, BATCHES, method)) in kept.cells
        ]
        for method in BATCH_METHODS
        if method != TOPICS
    }
    worst = ", ".join(f"`{method}` in batches {format_worst(losses)}" for method, losses in batches.items())
    return (
        "The most by which the NMI with the classes was below that of a fit of everything, over all runs: "
        f"an update {format_worst(late)} (late documents), {worst} (all documents)."
    )


def list_losses(kept: StoredRuns, asked: tuple[str, str], obtained: tuple[str, str]) -> list[float]:
    """By how much one figure is below another, at each seed that both have."""
    more, less = kept.values(*asked), kept.values(*obtained)
    return [more[seed] - less[seed] for seed in less if seed in more]


def format_worst(losses: list[list[float]]) -> str:
    """The largest loss; 0 if there is none."""
    return f"{max((loss for of_corpus in losses for loss in of_corpus), default=0.0):.3f}"


EXPERIMENT = Experiment(
    name="evaluation.update",
    paper="own",
    about="documents that come later: an update and batches beside a fit of everything",
    corpora=list_files(JUDGED),
    cells=(
        *(
            Measurement(
                key(corpus, BATCHES, method),
                partial(measure_topic_batches, corpus)
                if method == TOPICS
                else partial(measure_batches, corpus, method),
            )
            for corpus in BATCH_CORPORA
            for method in BATCH_METHODS
        ),
        *(
            Measurement(key(corpus, case, way), partial(figures, corpus, n_unseen), seeds=JUDGED[corpus])
            for corpus in JUDGED
            for case, n_unseen in CASES.items()
            for way, figures in list_ways(corpus).items()
            if case == UNSEEN or (way in UPDATES and corpus == "R8")
        ),
    ),
    tables=tuple(
        TableSpec(
            f"Late documents of {corpus}, {UNSEEN}",
            "way",
            {
                way: {
                    title: Entry(key(corpus, UNSEEN, way), figure)
                    for figure, title in {
                        "late_nmi": "NMI of late documents",
                        "precision": "precision",
                        "recall": "recall",
                    }.items()
                }
                for way in list_ways(corpus)
            },
        )
        for corpus in JUDGED
    ),
    seeds=SEEDS,
    # without the cell that needs another program
    quick=Quick(("R8 | ten batches | colligate", "R8 | ten batches | kmeans")),
)
