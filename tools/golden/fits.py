"""One fit of one method on one corpus, and what is recorded of it."""

from __future__ import annotations

import re
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import colligate as cg
from colligate.result.tables import documents_table, make_table_rows, write_csv
from tools.golden.corpora import KNOWLEDGE_FILE, MAKERS, GoldenCorpus, make_corpus
from tools.golden.hashes import describe_labels, hash_floats, hash_integers, hash_names, hash_text

if TYPE_CHECKING:
    from collections.abc import Iterator

SEEDS = (0, 1, 2)
WITH, WITHOUT = "with", "without"
N_INIT = 2
OLD_NAMES = {"length_exponent": "worth", "uneven_sizes": "uneven", "n_ensemble": "n_runs"}
EXPLAINED = (0, 17, 101)
FOLDER = re.compile(rf'[^",\n]*[/\\]{re.escape(KNOWLEDGE_FILE)}')


@dataclass(frozen=True)
class Fit:
    """A method on a corpus, with or without knowledge, from a seed."""

    corpus: str
    method: str
    knowledge: str
    seed: int

    def __str__(self) -> str:
        return f"{self.corpus}/{self.method}/{self.knowledge}/{self.seed}"

    @classmethod
    def parse(cls, name: str) -> Fit:
        """Read a fit from its name."""
        corpus, method, knowledge, seed = name.split("/")
        return cls(corpus, method, knowledge, int(seed))


def list_fits() -> Iterator[Fit]:
    """List every fit; with knowledge only where the corpus has some that the method takes."""
    for corpus in MAKERS:
        for method in cg.methods():
            known = has_knowledge(make_corpus(corpus), method.takes)
            for knowledge in (WITHOUT, WITH) if known else (WITHOUT,):
                yield from (Fit(corpus, method.name, knowledge, seed) for seed in SEEDS)


def has_knowledge(corpus: GoldenCorpus, takes: tuple[str, ...]) -> bool:
    """Tell whether a corpus comes with knowledge that a method takes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        labelled = corpus.y is not None and "labels:documents" in takes
        return labelled or corpus.state_known(takes) is not None


def run_fit(fit: Fit) -> dict[str, Any]:
    """Compute a fit and describe it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        corpus = make_corpus(fit.corpus)
        try:
            model, taken, new = fit_model(fit, corpus)
        except cg.errors.ColligateError:
            return {"refused": True}
        described = {"input": taken, **describe_model(model, new)}
        if fit.method == "colligate":
            described["history"] = [repr(float(value)) for value in model.history_]
        return described


def fit_model(fit: Fit, corpus: GoldenCorpus) -> tuple[Any, str, Any]:
    """Fit a method to the whole network or, if it does not take that, to its words alone.

    The estimator, what it took, and the new documents in that form.
    """
    model = cg.make(fit.method, **choose_parameters(fit, corpus))
    takes = next(method.takes for method in cg.methods() if method.name == fit.method)
    if corpus.words is None:
        return fit_once(model, fit, corpus, corpus.data, takes), "all", corpus.new
    try:
        return fit_once(model, fit, corpus, corpus.data, takes), "network", corpus.new
    except cg.errors.InputError:
        return fit_once(model, fit, corpus, corpus.words, takes), "words", corpus.new_words


def fit_once(model: Any, fit: Fit, corpus: GoldenCorpus, data: Any, takes: tuple[str, ...]) -> Any:
    """Fit a model to data, with knowledge where the fit is with knowledge."""
    if fit.knowledge == WITHOUT:
        return model.fit(data)
    y = corpus.y if "labels:documents" in takes else None
    return model.fit(data, y, knowledge=corpus.state_known(takes))


def choose_parameters(fit: Fit, corpus: GoldenCorpus) -> dict[str, Any]:
    """Choose the parameters of a corpus that a method has, by their new or their old names."""
    has = cg.make(fit.method).get_params()
    chosen = {"n_clusters": corpus.n_clusters, "random_state": fit.seed, "n_init": N_INIT}
    for name, value in corpus.parameters.items():
        known = name if name in has else OLD_NAMES.get(name, name)
        # of the methods that have a start, those that have one for words take every kind of it; the printed
        # reading is recorded of those with groups of outsiders, the others have their defaults
        needed = {"init": "word_init", "reading": "n_outside_clusters"}.get(known, known)
        if known in has and needed in has:
            chosen[known] = value
    return chosen


def describe_model(model: Any, new: Any) -> dict[str, Any]:
    """Describe a fitted model: labels, objective, predictions, audit, tables, and what is loaded again."""
    result = model.result_
    described = {
        "labels": {kind: describe_labels(labels) for kind, labels in sorted(result.labels.items())},
        "objective": repr(float(model.history_[-1])),
        "n_iter": int(model.n_iter_),
        "confidence": hash_floats(result.confidence),
        "predicted": describe_labels(model.predict(new)),
        "memberships": hash_floats(model.transform(new), 6),
        "audit": {status: int(count) for status, count in sorted(result.audit().counts().items())},
        "reasons": hash_names(explain(result)),
        "names": hash_names(result.group_names),
    }
    with tempfile.TemporaryDirectory() as folder:
        described["loaded"] = describe_loaded(result, new, Path(folder) / "model")
        described["csv"] = hash_tables(result, Path(folder) / "tables")
    return described


def explain(result: Any) -> list[Any]:
    """List the words that put some documents in their groups, with their evidence."""
    return [(word, f"{evidence:.6g}") for at in EXPLAINED for word, evidence in result.why(at, limit=5).words]


def describe_loaded(result: Any, new: Any, folder: Path) -> dict[str, str]:
    """Save and load a result, and hash its labels and what it predicts."""
    result.save(folder)
    loaded = cg.Result.load(folder)
    return {
        "labels": hash_integers(np.concatenate([labels for _, labels in sorted(loaded.labels.items())])),
        "predicted": hash_integers(loaded.predict(new)),
        "audit": hash_names(sorted(loaded.audit().counts().items())),
    }


def hash_tables(result: Any, folder: Path) -> dict[str, str]:
    """Write the tables of a result and hash each, whatever the folder that a knowledge file was read from."""
    folder.mkdir()
    result.write_tables(folder)
    documents = folder / "documents.csv"
    if documents.exists():
        write_csv(documents, make_table_rows(select_computed(result)))
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
    return {name: hash_text(FOLDER.sub(KNOWLEDGE_FILE, text)) for name, text in texts.items()}


def select_computed(result: Any) -> Any:
    """Select the columns of documents.csv that the run computed: the others repeat input and knowledge."""
    return documents_table(result, text=False, columns=False).drop_columns(["stated"])


def describe_corpus(name: str) -> dict[str, Any]:
    """Describe a corpus itself: its sizes, its words, its counts, and the number of groups suggested."""
    corpus = make_corpus(name)
    data = corpus.words if corpus.words is not None else corpus.data
    counts = getattr(data, "counts", data)
    described: dict[str, Any] = {
        "shape": list(counts.shape),
        "counts": hash_integers(np.concatenate([counts.indptr, counts.indices, counts.data])),
        "words": hash_names(getattr(data, "words", ())),
    }
    suggestion = cg.suggest_clusters(corpus.data)
    described["suggested"] = int(suggestion.n_clusters)
    described["curve"] = [[int(number), repr(float(score))] for number, score in suggestion.curve]
    return described
