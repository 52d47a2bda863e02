"""Sizes of the data of three papers: Table 1 of paper 000, Table 1 of 002, Tables 2 and 3 of 003.

Groups of words are the categories of the knowledge. For RCV1, a category counts if it is below one of the
three in the hierarchy of topics, and a story if it has a topic of the three. Types of entities are the types
and sub-types of the knowledge bases as we read them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from experiments.corpora import dblp, newsgroups, rcv1
from experiments.corpora.triplets import NAMES, list_categories, list_files, read_triplet
from experiments.knowledge_bases import BASES as TABLES
from experiments.knowledge_bases import ENTITIES, TRIPLES, list_sources, split_list
from experiments.paper000 import AUTHORS, CSTR, N_CATEGORIES, WORDS, read_corpus
from experiments.published.sets import BASES, RCV1, TRIPLETS, WORD_SPACE
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

HERE = {"DBLP": AUTHORS, "CSTR": CSTR}
IN_WORD_SPACE = ("documents", "groups", "words", "groups of words")
IN_TRIPLETS = ("categories", "groups", "documents")
IN_RCV1 = ("categories", "lowest categories", "documents")
IN_BASES = ("types of entities", "entities", "kinds of facts", "facts")


def count_word_space(name: str, data: Path, _: int) -> dict[str, int]:
    """A set of the word-space paper, with the most frequent words."""
    part = read_corpus(HERE[name], data).most_frequent(WORDS)
    sizes = (len(part.labels), part.n_classes, part.counts.shape[1], N_CATEGORIES)
    return dict(zip(IN_WORD_SPACE, sizes, strict=True))


def count_triplets(name: str, data: Path, _: int) -> dict[str, int]:
    """A set of the triplet paper."""
    labels = read_triplet(data, name, 0).labels
    sizes = (len(np.unique(list_categories(name))), len(np.unique(labels)), len(labels))
    return dict(zip(IN_TRIPLETS, sizes, strict=True))


def count_rcv1(branch: str, data: Path, _: int) -> dict[str, int]:
    """A branch of the topics of RCV1, and the stories of the sample that have a topic of it."""
    topics, lowest = rcv1.list_topics(data, branch)
    stories = sum(branch in story["topics"] for story in rcv1.read_stories(data))
    return dict(zip(IN_RCV1, (len(topics), len(lowest), stories), strict=True))


def count_base(name: str, data: Path, _: int) -> dict[str, int]:
    """A knowledge base of the data folder."""
    tables = TABLES[name](data)
    entities: set[str] = set()
    types: set[str] = set()
    below: set[tuple[str, str]] = set()
    for entity, _name, _aliases, kind, subtypes in tables[ENTITIES]:
        entities.add(entity)
        types.add(kind)
        below |= {(kind, one) for one in split_list(subtypes)}
    facts = [relation for _head, relation, _tail in tables[TRIPLES]]
    sizes = (len(types - {""}) + len(below), len(entities), len(set(facts)), len(facts))
    return dict(zip(IN_BASES, sizes, strict=True))


def make_cells(
    figures: Callable[[str, Path, int], dict[str, int]],
    columns: tuple[str, ...],
    published: Mapping[str, tuple[int, ...]],
    absent: tuple[str, ...] = (),
) -> tuple[Measurement, ...]:
    """A cell for each set; those that are not at hand have what is published alone."""
    return tuple(
        Measurement(
            name,
            partial(figures, name),
            dict(zip(columns, figure, strict=True)),
            0 if name in absent else None,
        )
        for name, figure in published.items()
    )


def make_table(title: str, columns: tuple[str, ...], cells: tuple[Measurement, ...], of: str) -> TableSpec:
    """A row for each set."""
    rows = {one.key: {name: Entry(one.key, name) for name in columns} for one in cells}
    return TableSpec(title, "set", rows, "", of)


IN_000 = make_cells(count_word_space, IN_WORD_SPACE, WORD_SPACE, ("Artist", "BBS"))
IN_002 = make_cells(count_triplets, IN_TRIPLETS, TRIPLETS)
OF_RCV1 = make_cells(count_rcv1, IN_RCV1, RCV1)
OF_BASES = make_cells(count_base, IN_BASES, BASES)

EXPERIMENT = Experiment(
    name="sets",
    paper="000, 002, 003",
    about="how large the data of three papers are",
    corpora=tuple(
        dict.fromkeys(
            (
                *("cstr.npz", dblp.FILE, newsgroups.FILE, rcv1.FILE, rcv1.HIERARCHY),
                *(file for name in NAMES for file in list_files(name)),
                *list_sources(*BASES),
            )
        )
    ),
    cells=(*IN_000, *IN_002, *OF_RCV1, *OF_BASES),
    tables=(
        make_table("Documents and words", IN_WORD_SPACE, IN_000, "000 Table 1"),
        make_table("Words, documents and categories", IN_TRIPLETS, IN_002, "002 Table 1"),
        make_table("RCV1, a sample", IN_RCV1, OF_RCV1, "003 Table 2"),
        make_table("Parts of the knowledge bases", IN_BASES, OF_BASES, "003 Table 3"),
    ),
    seeds=1,
    quick=Quick(("CSTR", "HT1")),
)
