"""Fit one program on the files of one corpus: `PYTHON program_fits.py PROGRAM FOLDER SEED`.

The programs get their defaults, the number of classes where they take one, a seed where they take one, and no
document twice. The script runs in the environment of its program, so only NumPy is imported at the top. It
writes `groups.npy`, where -1 is a document that the program leaves out, and prints its processor seconds.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Groups = Any
# the highest of the examples in the README of CorEx, which asks for more than 1
ANCHOR_STRENGTH = 4
# priors of a seed word in its topic and in the others, as in the example of tomotopy
SEED_PRIOR, OTHER_PRIOR = 1.0, 0.1
# tomotopy has no default that ends; it is run until long after its likelihood is flat
LDA_ITERATIONS = 1000


class Encoder:
    """Ready vectors by text; it fails for a text that has none."""

    def __init__(self, folder: Path) -> None:
        texts = json.loads((folder / "encoded.json").read_text(encoding="utf-8"))
        self.rows = {text: row for row, text in enumerate(texts)}
        self.vectors = np.load(folder / "encoded.npy")

    def encode(self, texts: Iterable[str], **_: object) -> np.ndarray:
        """Return a vector at unit length for each text."""
        return np.asarray(self.vectors[[self.rows[text] for text in texts]])


class Input:
    """What all programs get from one corpus."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed
        facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
        self.n_classes: int = facts["n_classes"]
        self.words: list[str] = facts["words"]
        self.seed_words: dict[str, list[str]] = facts["seed_words"]
        self.texts: list[str] = facts["texts"]
        self.encoder = Encoder(folder)
        self.vectors = self.encoder.encode(self.texts)
        counts = np.load(folder / "counts.npz")
        self.data, self.indices, self.indptr = counts["data"], counts["indices"], counts["indptr"]

    def read_counts(self) -> Any:
        """Documents × words, as SciPy has it."""
        from scipy.sparse import csr_matrix

        shape = (len(self.texts), len(self.words))
        return csr_matrix((self.data, self.indices, self.indptr), shape=shape)

    def list_words(self) -> list[list[str]]:
        """The counted words of each document, as often as they occur."""
        repeated = np.repeat(self.indices, self.data.astype(np.int64))
        bounds = np.append(0, np.cumsum(self.data))[self.indptr].astype(np.int64)
        columns = [repeated[start:stop].tolist() for start, stop in pairwise(bounds)]
        return [[self.words[word] for word in document] for document in columns]


def fit_colligate(source: Input, *, named: bool = False, auto: bool = False) -> Groups:
    """Fit our method on texts that are read already."""
    import colligate as cg

    corpus = cg.Corpus.load(source.folder / "corpus")
    number = "auto" if auto else source.n_classes
    knowledge = cg.Knowledge()
    for name, words in source.seed_words.items() if named else ():
        knowledge.category(name, words=words)
    model = cg.make("colligate", n_clusters=number, random_state=source.seed)
    return model.fit(corpus, knowledge=knowledge).labels_


def fit_kmeans(source: Input) -> Groups:
    """Fit k-means of scikit-learn on the vectors."""
    from sklearn.cluster import KMeans

    return KMeans(source.n_classes, n_init=10, random_state=source.seed).fit_predict(source.vectors)


def fit_nmf(source: Input) -> Groups:
    """Fit NMF of scikit-learn on tf-idf of the counts."""
    from sklearn.decomposition import NMF
    from sklearn.feature_extraction.text import TfidfTransformer

    rows = TfidfTransformer().fit_transform(source.read_counts())
    return NMF(source.n_classes, random_state=source.seed).fit_transform(rows).argmax(axis=1)


def fit_bertopic(source: Input, *, named: bool = False) -> Groups:
    """Fit BERTopic, merged to the number of classes besides the outliers."""
    from bertopic import BERTopic
    from bertopic.backend import BaseEmbedder
    from umap import UMAP

    class Embedder(BaseEmbedder):  # type: ignore[misc]
        """The encoder in the form that BERTopic takes."""

        def embed(self, documents: Iterable[str], verbose: bool = False) -> np.ndarray:
            return source.encoder.encode(documents)

    seeds = list(source.seed_words.values()) if named else None
    umap = UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=source.seed)
    model = BERTopic(
        umap_model=umap,
        embedding_model=Embedder(),
        nr_topics=source.n_classes + 1,
        seed_topic_list=seeds,
    )
    return model.fit_transform(source.texts, source.vectors)[0]


def fit_turftopic(source: Input, name: str, **options: Any) -> Groups:
    """Fit a model of Turftopic; a document is of the topic with the largest weight."""
    import turftopic

    model = getattr(turftopic, name)(encoder=source.encoder, random_state=source.seed, **options)
    if hasattr(model, "fit_predict"):
        return model.fit_predict(source.texts, embeddings=source.vectors)
    return np.asarray(model.fit_transform(source.texts, embeddings=source.vectors)).argmax(axis=1)


def fit_evoc(source: Input, number: int | None = None) -> Groups:
    """Fit EVoC on the vectors."""
    from evoc import EVoC

    return EVoC(approx_n_clusters=number, random_state=source.seed).fit_predict(source.vectors)


def fit_corex(source: Input, *, named: bool = False) -> Groups:
    """Fit CorEx on the words that occur; a document is of its most probable topic."""
    from corextopic.corextopic import Corex

    present = (source.read_counts() > 0).astype(np.float64)
    anchors = list(source.seed_words.values()) if named else None
    model = Corex(n_hidden=source.n_classes, seed=source.seed)
    model.fit(present, words=source.words, anchors=anchors, anchor_strength=ANCHOR_STRENGTH if anchors else 1)
    return model.p_y_given_x.argmax(axis=1)


def fit_tomotopy(source: Input, *, named: bool = False) -> Groups:
    """Fit LDA of tomotopy; seed words have a higher prior in their topic."""
    import tomotopy

    model = tomotopy.LDAModel(k=source.n_classes, seed=source.seed)
    documents = source.list_words()
    filled = [row for row, words in enumerate(documents) if words]
    for row in filled:
        model.add_doc(documents[row])
    for topic, words in enumerate(source.seed_words.values() if named else ()):
        for word in words:
            prior = [SEED_PRIOR if k == topic else OTHER_PRIOR for k in range(source.n_classes)]
            model.set_word_prior(word, prior)
    model.train(LDA_ITERATIONS, workers=1)
    groups = np.full(len(documents), -1)
    groups[filled] = [int(np.argmax(document.get_topic_dist())) for document in model.docs]
    return groups


def fit_gensim(source: Input) -> Groups:
    """Fit LDA of gensim."""
    from gensim.models import LdaModel

    pairs = list(zip(source.indices.tolist(), source.data.astype(int).tolist(), strict=True))
    bags = [pairs[start:stop] for start, stop in pairwise(source.indptr.tolist())]
    words = dict(enumerate(source.words))
    model = LdaModel(bags, num_topics=source.n_classes, id2word=words, random_state=source.seed)
    weights, _ = model.inference(bags)
    return weights.argmax(axis=1)


def fit_top2vec(source: Input) -> Groups:
    """Fit Top2Vec on the vectors."""
    from top2vec import Top2Vec

    model = Top2Vec(
        source.texts,
        embedding_model=source.encoder.encode,
        umap_args={"n_neighbors": 15, "n_components": 5, "metric": "cosine", "random_state": source.seed},
    )
    return model.doc_top


FITS: dict[str, Callable[[Input], Groups]] = {
    "colligate": fit_colligate,
    "colligate, number not given": lambda source: fit_colligate(source, auto=True),
    "colligate, seed words": lambda source: fit_colligate(source, named=True),
    "scikit-learn, k-means on vectors": fit_kmeans,
    "scikit-learn, NMF": fit_nmf,
    "BERTopic": fit_bertopic,
    "BERTopic, seed words": lambda source: fit_bertopic(source, named=True),
    "Turftopic, KeyNMF": lambda source: fit_turftopic(source, "KeyNMF", n_components=source.n_classes),
    "Turftopic, S³": lambda source: fit_turftopic(
        source, "SemanticSignalSeparation", n_components=source.n_classes
    ),
    "Turftopic, GMM": lambda source: fit_turftopic(source, "GMM", n_components=source.n_classes),
    "Turftopic, clustering": lambda source: fit_turftopic(
        source, "ClusteringTopicModel", n_reduce_to=source.n_classes
    ),
    "Turftopic, Topeax": lambda source: fit_turftopic(source, "Topeax"),
    "EVoC": fit_evoc,
    "EVoC, about as many groups": lambda source: fit_evoc(source, source.n_classes),
    "CorEx": fit_corex,
    "CorEx, seed words as anchors": lambda source: fit_corex(source, named=True),
    "tomotopy, LDA": fit_tomotopy,
    "tomotopy, LDA with seed words": lambda source: fit_tomotopy(source, named=True),
    "gensim, LDA": fit_gensim,
    "Top2Vec": fit_top2vec,
}


def main() -> None:
    """Fit the program that the command line names."""
    name, folder, seed = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    source = Input(folder, seed)
    began = time.process_time()
    groups = np.asarray(FITS[name](source), dtype=np.int64)
    seconds = time.process_time() - began
    np.save(folder / "groups.npy", groups)
    print(json.dumps({"seconds": round(seconds, 2)}))


if __name__ == "__main__":
    main()
