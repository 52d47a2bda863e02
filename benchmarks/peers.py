"""Other programs for the same task beside ours, on 20 Newsgroups: seconds and NMI together.

    python -m benchmarks.peers [--python PYTHON] [--only itcc kmeans ...] [--data FOLDER] [--store FILE]

All get what is ready before: the counts, tf-idf of them, and vectors of the documents (means of word vectors,
256 numbers each), and are asked for 20 groups with one start; EVoC and BERTopic choose the number themselves,
and their outliers are one more group. Each is a process of its own on one thread. The peers are imported by
PYTHON, the interpreter of another environment; those that cannot be imported are left out, with the reason:

    python -m venv peers && peers/bin/pip install scikit-learn-intelex tomotopy evoc coclust bertopic

Seconds are those computed by the fit alone; `colligate cluster` is the whole command, from a file with the
texts to the report. A fast bad result is no result: read both columns.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

CLUSTERS, WORD_CLUSTERS, LDA_ITERATIONS, TIME_LIMIT = 20, 120, 200, 900


def fit_ours(name: str, files: dict[str, Any]) -> tuple[Any, float]:
    """Fit a method of ours."""
    import colligate as cg

    options = {"n_init": 1, "random_state": 0, "n_jobs": 1}
    # what compiles once is compiled first
    cg.make(name, n_clusters=2, **options).fit(sparse.csr_array(files["counts"][:200]))
    model = cg.make(name, n_clusters=CLUSTERS, **options)
    began = time.process_time()
    labels = model.fit(files["counts"]).labels_
    return labels, time.process_time() - began


def fit_kmeans(files: dict[str, Any]) -> Any:
    """Fit k-means of scikit-learn on tf-idf."""
    from sklearn.cluster import KMeans

    return KMeans(CLUSTERS, n_init=1, random_state=0).fit(files["tfidf"]).labels_


def fit_intelex(files: dict[str, Any]) -> Any:
    """Fit the same with scikit-learn-intelex."""
    from sklearnex.cluster import KMeans

    return KMeans(CLUSTERS, n_init=1, random_state=0).fit(files["tfidf"]).labels_


def fit_nmf(files: dict[str, Any]) -> Any:
    """Fit NMF of scikit-learn on tf-idf."""
    from sklearn.decomposition import NMF

    return NMF(CLUSTERS, random_state=0).fit_transform(files["tfidf"]).argmax(axis=1)


def fit_tomotopy(files: dict[str, Any]) -> Any:
    """Fit LDA of tomotopy on the counts."""
    import tomotopy

    model, counts = tomotopy.LDAModel(k=CLUSTERS, seed=0), files["counts"]
    filled = np.flatnonzero(np.diff(counts.indptr))
    for i in filled:
        row = slice(counts.indptr[i], counts.indptr[i + 1])
        words = np.repeat(counts.indices[row], counts.data[row].astype(int))
        model.add_doc([str(word) for word in words])
    model.train(LDA_ITERATIONS, workers=1)
    labels = np.zeros(counts.shape[0], dtype=int)
    labels[filled] = [int(np.argmax(document.get_topic_dist())) for document in model.docs]
    return labels


def fit_coclust(files: dict[str, Any]) -> Any:
    """Fit ITCC of coclust on the counts."""
    import scipy.sparse

    # it was written for an older SciPy and scikit-learn
    old = scipy.sparse.__dict__.setdefault(
        "sputils", argparse.Namespace(isdense=lambda x: not sparse.issparse(x))
    )
    sys.modules.setdefault("scipy.sparse.sputils", old)
    from coclust.coclustering import CoclustInfo

    model = CoclustInfo(CLUSTERS, WORD_CLUSTERS, n_init=1, random_state=0)
    model.fit(sparse.csr_matrix(files["counts"]))
    return np.array(model.row_labels_)


def fit_evoc(files: dict[str, Any]) -> Any:
    """Fit EVoC on the vectors of the documents."""
    import evoc

    return evoc.EVoC(random_state=0).fit_predict(files["vectors"])


def fit_bertopic(files: dict[str, Any]) -> Any:
    """Fit BERTopic on the texts and their vectors."""
    from bertopic import BERTopic

    topics, _ = BERTopic(embedding_model=None).fit_transform(files["texts"], files["vectors"])
    return np.array(topics)


OURS = ("itcc", "kmeans", "tnmf", "colligate")
COMMAND = "colligate cluster"
PEERS = {
    "BERTopic": fit_bertopic,
    "scikit-learn KMeans": fit_kmeans,
    "scikit-learn-intelex KMeans": fit_intelex,
    "scikit-learn NMF": fit_nmf,
    "tomotopy LDA": fit_tomotopy,
    "coclust ITCC": fit_coclust,
    "EVoC": fit_evoc,
}


def fit_in_child(name: str, folder: Path) -> dict[str, Any]:
    """Fit one program in this process."""
    from sklearn.metrics import normalized_mutual_info_score

    files: dict[str, Any] = {
        "counts": sparse.csr_array(sparse.load_npz(folder / "counts.npz")),
        "tfidf": sparse.csr_array(sparse.load_npz(folder / "tfidf.npz")),
        "vectors": np.load(folder / "vectors.npy"),
        "texts": json.loads((folder / "texts.json").read_text(encoding="utf-8")),
    }
    if name in OURS:
        labels, seconds = fit_ours(name, files)
    else:
        began = time.process_time()
        labels = PEERS[name](files)
        seconds = time.process_time() - began
    classes = np.load(folder / "classes.npy")
    nmi = float(normalized_mutual_info_score(classes, labels))
    return {"seconds": round(seconds, 2), "nmi": round(nmi, 4), "groups": len(np.unique(labels))}


def run_command(folder: Path) -> dict[str, Any]:
    """Run the command line on the texts, from file to report; a small run before compiles."""
    from sklearn.metrics import normalized_mutual_info_score

    from benchmarks.timing import measure_process

    texts = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
    for name, part in (("small", texts[:200]), ("whole", texts)):
        source, out = folder / f"{name}.jsonl", folder / name
        source.write_text("".join(json.dumps({"text": text}) + "\n" for text in part), encoding="utf-8")
        figures = measure_process(["cluster", source, "-k", CLUSTERS, "--seed", 0, "--jobs", 1, "--out", out])
    csv.field_size_limit(sys.maxsize)
    with (folder / "whole" / "documents.csv").open(encoding="utf-8", newline="") as stream:
        labels = [row["cluster"] for row in csv.DictReader(stream)]
    nmi = float(normalized_mutual_info_score(np.load(folder / "classes.npy"), labels))
    return {"seconds": figures["cpu_seconds"], "nmi": round(nmi, 4), "groups": len(set(labels))}


def write_files(data: Path, folder: Path) -> None:
    """Write what all programs read."""
    from colligate.corpus.embeddings import sum_word_pieces
    from colligate.methods.spherical import tfidf
    from experiments.corpora.newsgroups import read_newsgroups

    corpus, labels = read_newsgroups(data, None, 5)
    texts = list(corpus.texts)
    vectors = sum_word_pieces(texts)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    sparse.save_npz(folder / "counts.npz", sparse.csr_matrix(corpus.counts))
    sparse.save_npz(folder / "tfidf.npz", sparse.csr_matrix(tfidf(corpus.counts)))
    np.save(folder / "vectors.npy", vectors.astype(np.float32))
    np.save(folder / "classes.npy", np.unique(labels, return_inverse=True)[1])
    (folder / "texts.json").write_text(json.dumps(texts), encoding="utf-8")


def run_program(name: str, python: str, folder: Path) -> dict[str, Any]:
    """Fit one program in a process of its own; return its figures, or why there are none."""
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    environment = {**os.environ, **dict.fromkeys(threads, "1")}
    command = [python, __file__, "--child", name, "--folder", str(folder)]
    try:
        output = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return {"failed": f"did not end within {TIME_LIMIT} seconds"}
    if output.returncode:
        return {"failed": (output.stderr.strip().splitlines() or ["no message"])[-1][:200]}
    figures: dict[str, Any] = json.loads(output.stdout.splitlines()[-1])
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the peers")
    names = [*OURS, COMMAND, *PEERS]
    parser.add_argument("--only", nargs="+", default=names, choices=names)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--store", type=Path)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child is not None:
        print(json.dumps(fit_in_child(arguments.child, arguments.folder)))
        return
    from benchmarks.timing import store_figures
    from experiments.corpora.folder import DATA_FOLDER

    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        write_files(arguments.data or DATA_FOLDER, Path(folder))
        for name in arguments.only:
            python = sys.executable if name in OURS else arguments.python
            figures[name] = (
                run_command(Path(folder)) if name == COMMAND else run_program(name, python, Path(folder))
            )
            print(
                f"{name:28}", "   ".join(f"{key} {value}" for key, value in figures[name].items()), flush=True
            )
            if arguments.store is not None:
                store_figures(arguments.store, "peers", "peers", figures)


if __name__ == "__main__":
    main()
