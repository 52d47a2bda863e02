"""Names alone: `colligate` knows the names of the classes and nothing else.

Accuracy is by name: a document is right if it is in the group that has the name of its class. Each document
has one class, so that accuracy is also the micro-averaged F1. Beside it stands the simplest use of a name: a
document gets the class whose name is nearest by the vectors of words. The number of nearest documents and all
other choices were made on the tuning sets.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
from sklearn.metrics import f1_score

import colligate as cg
from colligate.corpus.embeddings import embed_words
from colligate.methods.mixture.group_names import measure_cosines
from experiments.corpora import newsgroups
from experiments.corpora.catalogue import load_corpus
from experiments.corpora.folder import read_lines
from experiments.evaluation.baselines import evaluate_labels
from experiments.evaluation.corpora import count_matrix, list_files
from experiments.evaluation.fits import fit_network
from experiments.evaluation.markdown import describe_runs, format_spread, format_table
from experiments.evaluation.subtypes import DESCRIPTIONS, read_descriptions
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from experiments.runner.store import Run

    Read = Callable[[Path], tuple[cg.Corpus, np.ndarray]]

SEEDS = 3
LARGEST = 3_000
FIVE = "five coarse groups of 20 newsgroups"
GLOSSES = "wordnet30.jsonl.gz"
FILES = (
    *("animal", "artifact", "body", "communication", "feeling", "food", "location", "person", "plant"),
    *("quantity", "substance", "time"),
)
# the parts of X-Class (Wang, Mekala and Shang, 2021): all posts but those of misc.forsale
COARSE = {
    **{group: "computer" for group in newsgroups.GROUPS if group.startswith("comp.")},
    **{group: "sports" for group in newsgroups.GROUPS if group.startswith("rec.")},
    **{group: "science" for group in newsgroups.GROUPS if group.startswith("sci.")},
    **{group: "politics" for group in newsgroups.GROUPS if group.startswith("talk.politics.")},
    **dict.fromkeys(("alt.atheism", "soc.religion.christian", "talk.religion.misc"), "religion"),
}
SUPER = {"comp": "computer", "rec": "recreation", "sci": "science", "talk": "politics"}
# the abbreviations of Reuters, spelled out
R8 = {
    "acq": "acquisition",
    "crude": "crude oil",
    "earn": "earnings",
    "grain": "grain",
    "interest": "interest rate",
    "money-fx": "foreign exchange",
    "ship": "shipping",
    "trade": "trade",
}
# the four branches of RCV1, by their names in its list of topics
BRANCHES = {
    "CCAT": "corporate industrial",
    "ECAT": "economics",
    "GCAT": "government social",
    "MCAT": "markets",
}
# captions are numbered by the classes of PASCAL VOC in the order of the alphabet, which has these four kinds
KINDS_OF_CAPTIONS = (
    *("vehicle", "vehicle", "animal", "vehicle", "household furniture", "vehicle", "vehicle", "animal"),
    *("household furniture", "animal", "household furniture", "animal", "animal", "vehicle", "person"),
    *("household furniture", "animal", "household furniture", "vehicle", "household furniture"),
)


@dataclass(frozen=True)
class NamedCorpus:
    """A corpus, and the words that each class is called by; a class without an entry has its own name."""

    read: Read
    meanings: dict[str, str]
    is_tuning: bool


def _read_coarse(data: Path) -> tuple[cg.Corpus, np.ndarray]:
    corpus, groups = newsgroups.read_newsgroups(data, tuple(COARSE), 5)
    return corpus, np.array([COARSE[group] for group in groups.tolist()])


def _read_captions(data: Path) -> tuple[cg.Corpus, np.ndarray]:
    corpus, numbers = load_corpus("short_captions", data)
    return corpus, np.array([KINDS_OF_CAPTIONS[int(number)] for number in numbers])


def _read_part_of_descriptions(data: Path) -> tuple[cg.Corpus, np.ndarray]:
    documents, kinds = read_descriptions(data)
    return _sample(list(zip(documents.texts or [], kinds.tolist(), strict=True)))


def _read_glosses(data: Path) -> tuple[cg.Corpus, np.ndarray]:
    synsets = [
        (synset["gloss"], synset["lex"].rpartition(".")[2])
        for synset in read_lines(
            data / GLOSSES, "one synset in a line, as JSON with the fields pos, lex and gloss"
        )
        if synset["pos"] == "n"
    ]
    return _sample([synset for synset in synsets if synset[1] in FILES])


def _sample(texts: list[tuple[str, str]]) -> tuple[cg.Corpus, np.ndarray]:
    """Draw texts, the same ones at every seed."""
    drawn = [texts[i] for i in np.random.default_rng(0).permutation(len(texts))[:LARGEST].tolist()]
    return cg.Corpus.from_texts(
        [text for text, _ in drawn], analyser=cg.Analyser(keep_markup=True)
    ), np.array([label for _, label in drawn])


def _read(name: str) -> Read:
    return partial(load_corpus, name)


CORPORA = {
    FIVE: NamedCorpus(_read_coarse, {}, False),
    "four super-groups": NamedCorpus(_read("20ng/supergroups"), SUPER, False),
    "R8": NamedCorpus(_read("r8"), R8, False),
    "descriptions of FB15k": NamedCorpus(_read_part_of_descriptions, {}, True),
    "glosses of WordNet": NamedCorpus(_read_glosses, {}, True),
    **{name: NamedCorpus(_read(name), {}, True) for name in ("oh0", "oh5", "oh10", "oh15")},
    "branches of RCV1": NamedCorpus(_read("rcv1"), BRANCHES, True),
    "kinds of captions": NamedCorpus(_read_captions, {}, True),
}


@cache
def read_named(corpus: str, data: Path) -> tuple[cg.Network, np.ndarray, dict[str, str]]:
    """The network, the class of each document, and the words that each class is called by."""
    named = CORPORA[corpus]
    documents, labels = named.read(data)
    classes = np.unique(labels).tolist()
    meanings = {name: named.meanings.get(name, name.replace("_", " ").replace("-", " ")) for name in classes}
    return cg.Network.from_corpus(documents), labels, meanings


def run_names(corpus: str, data: Path, seed: int) -> Run:
    """`colligate` with names alone and without knowledge, and the nearest name."""
    network, labels, meanings = read_named(corpus, data)
    classes, n_classes = list(meanings), len(meanings)
    result = fit_network(network, n_classes, cg.Knowledge().names(meanings), seed)
    name_of_group = np.full(n_classes + 1, "", dtype=object)
    for name, group in result.named_groups.items():
        name_of_group[group] = name
    predicted = name_of_group[result.labels[network.centre]].astype(str)
    bare = fit_network(network, n_classes, None, seed).labels[network.centre]
    vectors = embed_words(network.types[network.terms].names)
    nearest = np.array(classes)[
        measure_cosines(count_matrix(network), vectors, meanings.values()).argmax(axis=1)
    ]
    return {
        **evaluate_labels(labels, result.labels[network.centre]),
        "accuracy": float(np.mean(predicted == labels)),
        "macro_f1": float(f1_score(labels, predicted, labels=classes, average="macro", zero_division=0.0)),
        "nearest_accuracy": float(np.mean(nearest == labels)),
        "nearest_macro_f1": float(f1_score(labels, nearest, average="macro", zero_division=0.0)),
        "bare_nmi": evaluate_labels(labels, bare)["nmi"],
    }


def compose_tables(results: Path) -> list[str]:
    """Accuracy and F1 by name, beside the nearest name, and NMI beside no knowledge."""
    kept = StoredRuns.of(EXPERIMENT, results)
    headings = ("corpus", *COLUMNS)
    tables = []
    for is_tuning, title in ((False, "Reporting sets"), (True, "Tuning sets")):
        rows = [
            (corpus, *(format_spread(kept, corpus, figure) for figure in COLUMNS.values()))
            for corpus, named in CORPORA.items()
            if named.is_tuning == is_tuning
        ]
        tables += [f"**{title}.**", format_table(headings, rows)]
    return [*tables, describe_runs(EXPERIMENT, kept)]


COLUMNS = {
    "accuracy (micro-F1)": "accuracy",
    "macro-F1": "macro_f1",
    "nearest name: accuracy": "nearest_accuracy",
    "nearest name: macro-F1": "nearest_macro_f1",
    "NMI": "nmi",
    "NMI without names": "bare_nmi",
}
EXPERIMENT = Experiment(
    name="evaluation.names",
    paper="own",
    about="colligate with the names of the classes and nothing else",
    corpora=(
        *list_files(("20ng", "r8", "oh0", "oh5", "oh10", "oh15", "rcv1", "short_captions")),
        *(DESCRIPTIONS, GLOSSES),
    ),
    cells=tuple(Measurement(corpus, partial(run_names, corpus), seeds=SEEDS) for corpus in CORPORA),
    tables=(
        TableSpec(
            "Names alone",
            "corpus",
            {
                corpus: {title: Entry(corpus, figure) for title, figure in COLUMNS.items()}
                for corpus in CORPORA
            },
        ),
    ),
    quick=Quick(("oh5",)),
)
