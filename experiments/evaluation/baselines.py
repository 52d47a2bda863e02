"""What people do without us: k-means on singular vectors or on embeddings, and BERTopic."""

from __future__ import annotations

import warnings
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.result.metrics import evaluate
from experiments.evaluation.corpora import RESTARTS, count_classes, count_matrix, read_network

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from experiments.runner.store import Run

DIMENSIONS = 100
FIGURES = ("nmi", "accuracy", "ari")


def evaluate_labels(labels: np.ndarray, groups: np.ndarray) -> Run:
    """The figures of a grouping."""
    metrics = evaluate(labels, groups)
    return {name: metrics[name] for name in FIGURES}


def run_svd_kmeans(corpus: str, data: Path, seed: int) -> Run:
    """K-means on the leading singular vectors of tf-idf, at unit length."""
    return run_kmeans(read_singular_vectors(corpus, data), read_network(corpus, data)[1], seed)


def run_glove_kmeans(corpus: str, data: Path, seed: int) -> Run:
    """K-means on the mean vectors of a document's words, at unit length."""
    return run_kmeans(embed_corpus(corpus, "glove", data), read_network(corpus, data)[1], seed)


def run_kmeans(rows: np.ndarray, labels: np.ndarray, seed: int) -> Run:
    """K-means on rows of any origin."""
    from sklearn.cluster import KMeans

    model = KMeans(count_classes(labels), n_init=RESTARTS, random_state=seed)
    return evaluate_labels(labels, model.fit_predict(rows))


@cache
def read_singular_vectors(corpus: str, data: Path) -> np.ndarray:
    """The singular vectors, which all seeds share."""
    return compute_singular_vectors(count_matrix(read_network(corpus, data)[0]))


@cache
def embed_corpus(corpus: str, model: str, data: Path) -> np.ndarray:
    """The texts at unit length by a model of the extra `embeddings`, which all seeds share."""
    from sklearn.preprocessing import normalize

    from colligate.corpus.embeddings import embed_texts

    known = read_network(corpus, data)[0].corpus
    assert known is not None
    assert known.texts is not None
    return np.asarray(normalize(embed_texts(known.texts, model)))


def embed_by_words(texts: Sequence[str]) -> np.ndarray:
    """The vectors of WordLlama for whole texts: the mean of the vectors of word pieces, at unit length."""
    from sklearn.preprocessing import normalize

    from colligate.corpus.embeddings import sum_word_pieces

    return np.asarray(normalize(sum_word_pieces(list(texts))))


def compute_singular_vectors(matrix: Any) -> np.ndarray:
    """Documents at unit length in the space of the leading singular vectors of tf-idf."""
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import Normalizer

    steps = TfidfTransformer(sublinear_tf=True), TruncatedSVD(DIMENSIONS, random_state=0), Normalizer()
    return np.asarray(make_pipeline(*steps).fit_transform(csr_matrix(matrix)))


def run_bertopic(corpus: str, data: Path, seed: int) -> Run:
    """BERTopic on our singular vectors."""
    return run_bertopic_on(corpus, read_singular_vectors(corpus, data), data, seed)


def make_bertopic(seed: int, n_topics: int | None, split: Callable[[str], list[str]] | None = None) -> Any:
    """BERTopic as it comes, for ready embeddings, with a seed for UMAP.

    `n_topics` is what it merges its topics to, besides the outliers; None merges none.
    """
    from sklearn.feature_extraction.text import CountVectorizer

    bertopic, umap = import_module("bertopic"), import_module("umap")
    return bertopic.BERTopic(
        umap_model=umap.UMAP(
            n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=seed
        ),
        vectorizer_model=CountVectorizer(analyzer=split) if split else CountVectorizer(stop_words="english"),
        embedding_model=bertopic.backend.BaseEmbedder(),
        nr_topics=None if n_topics is None else n_topics + 1,
    )


def place_outliers(model: Any, texts: Sequence[str], topics: Sequence[int]) -> np.ndarray:
    """The topics of BERTopic, with each outlier in the topic whose words are nearest."""
    if -1 in topics and len(set(topics)) > 1:
        topics = model.reduce_outliers(list(texts), list(topics), strategy="c-tf-idf")
    return np.asarray(topics)


def run_bertopic_on(corpus: str, rows: np.ndarray, data: Path, seed: int) -> Run:
    """BERTopic as it comes, merged to the number of classes; outliers are placed.

    It wants texts, which some corpora do not have: it gets the words of a document as often as they occur.
    """
    network, labels = read_network(corpus, data)
    texts = _texts(count_matrix(network))
    model = make_bertopic(seed, count_classes(labels), split=str.split)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        topics = place_outliers(model, texts, model.fit_transform(texts, rows)[0])
    return {**evaluate_labels(labels, topics), "groups": len(set(topics.tolist()))}


def _texts(matrix: Any) -> list[str]:
    texts = []
    for start, stop in zip(matrix.indptr[:-1].tolist(), matrix.indptr[1:].tolist(), strict=True):
        words = np.repeat(matrix.indices[start:stop], matrix.data[start:stop].astype(np.int64))
        texts.append(" ".join(f"w{word}" for word in words.tolist()))
    return texts
