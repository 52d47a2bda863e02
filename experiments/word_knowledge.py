"""Knowledge about words: categories from the ACM's classification or from some labels, and pairs from them.

The classification was read for the concepts that carry the names of the four areas of DBLP, and these are
the mapping; no result was looked at. Its roots are the other form, which knows nothing of the areas.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from experiments.mutual_information import informative_words
from experiments.random_links import draw_pairs

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.corpora.counted import CountData

AREAS = {
    "database": ["Data management systems", "Information storage systems", "Database theory"],
    "artificial intelligence": ["Artificial intelligence", "Machine learning"],
    "information retrieval": ["Information retrieval", "World Wide Web"],
    "data mining": ["Data mining", "Web mining"],
}
WORDS_PER_CLASS = 50
TOLD = 0.1


@cache
def read_classification(folder: Path) -> cg.Taxonomy:
    """The ACM Computing Classification System of 2012."""
    columns = {"broader": "broader_ids", "alternative": "alt_labels"}
    return cg.Taxonomy.read(folder / "acm_ccs2012.tsv.gz", columns=columns)


def read_acm_areas(folder: Path, words: list[str]) -> cg.Knowledge:
    """The areas of DBLP as categories."""
    return read_classification(folder).categories(AREAS, words)


def read_acm_roots(folder: Path, words: list[str]) -> cg.Knowledge:
    """The thirteen top concepts as categories, as the word-space paper took the eleven of its time."""
    taxonomy = read_classification(folder)
    roots = [name for name, broader in taxonomy.broader.items() if not broader]
    return taxonomy.categories({taxonomy.names[root][0]: root for root in roots}, words)


def draw_labelled(labels: np.ndarray, seed: int) -> np.ndarray:
    """A tenth of the documents, whose labels are told."""
    order = np.random.default_rng(seed).permutation(len(labels))
    return np.isin(np.arange(len(labels)), order[: int(TOLD * len(labels))])


def make_categories(data: CountData, labelled: np.ndarray) -> cg.Knowledge:
    """A category for each class: the words that tell it best in the documents whose labels are told."""
    counts, labels = data.counts[labelled], data.labels[labelled]
    knowledge = cg.Knowledge()
    for name in np.unique(labels):
        words = informative_words(counts, labels == name, WORDS_PER_CLASS)
        knowledge.category(str(name), source="labels", words=[int(word) for word in words])
    return knowledge


def draw_word_pairs(categories: cg.Knowledge, n_pairs: int, seed: int) -> cg.Knowledge:
    """Random pairs of words that are in some category: together if it is the same, apart if not."""
    strongest = {one.subject: str(one.object) for one in sorted(categories, key=lambda one: one.strength)}
    words = list(strongest)
    together, apart = draw_pairs(np.array(list(strongest.values())), n_pairs, seed)
    named = [[(words[one], words[other]) for one, other in pairs] for pairs in (together, apart)]
    return cg.Knowledge().together(words=named[0]).apart(words=named[1])
