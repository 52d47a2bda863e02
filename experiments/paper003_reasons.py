"""Why entities do not raise the NMI of 20 Newsgroups, and which changes were tried.

Variants of the row `chinc`, Freebase of `experiments.paper003`, with one change each, on every fourth post,
against `itcc` with words alone at the same seeds. Rows with *labels* use the groups, so they show what would
be possible and are no clustering methods. The best variants without labels are run again on the other posts,
since the best of many trials is partly luck.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import colligate as cg
from experiments import paper003_variants as variants
from experiments.corpora.newsgroups import FILE
from experiments.knowledge_bases import list_sources
from experiments.paper003 import WORD_CLUSTERS
from experiments.paper003_variants import Setup
from experiments.runner.experiment import Cell, Entry, Experiment, TableSpec, Task

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RANDOM = {"init": "random", "word_init": "random"}
FEW = (0.1, 0.03)
COLUMNS = {"NMI": "nmi", "accuracy": "accuracy"}


@dataclass(frozen=True)
class Changed:
    """A part of the posts with one thing changed."""

    made: Callable[[Path], Setup]
    part: int

    def task(self, data: Path, seed: int) -> Task:
        """The same at every seed."""
        setup = self.made(data)
        parameters = {"n_clusters": 20, "n_word_clusters": WORD_CLUSTERS, **setup.parameters}
        return Task(setup.network, variants.posts(data, self.part)[1], setup.knowledge, parameters)


def make_variant(
    about: str,
    changed: str,
    made: Callable[[Path], Setup],
    method: str = "chinc",
    part: int = 0,
) -> Cell:
    """One thing that is changed, and what makes it."""
    key = f"{about} | {changed} | {method}" + f" | part {part}" * (part > 0)
    return Cell(key, method, Changed(made, part))


def without_names(data: Path) -> Setup:
    return Setup(cg.Network.from_corpus(variants.nameless(data)))


def names_as_entities(data: Path) -> Setup:
    return variants.guided(data, variants.mentions_of(data), variants.nameless(data))


def words_alone(data: Path, part: int = 0, **parameters: Any) -> Setup:
    return Setup(cg.Network.from_corpus(variants.posts(data, part)[0]), parameters=parameters)


def make_retest(part: int) -> tuple[Cell, ...]:
    """Words alone, and the best of all tries without labels, on posts that were not looked at before."""
    return (
        make_variant("other posts", "words alone", partial(words_alone, part=part), "itcc", part=part),
        make_variant(
            "other posts", "facts, as above", partial(variants.with_facts, part=part), "hinc", part=part
        ),
    )


def few_words(data: Path, share: float) -> Setup:
    """Few words alone."""
    return Setup(cg.Network.from_corpus(variants.thinned(data, share)))


def few_words_with(data: Path, share: float, *, with_subtypes: bool) -> Setup:
    """Few words and all entities, with their sub-types `told` or not."""
    setup = variants.guided(data, variants.mentions_of(data), variants.thinned(data, share))
    return setup if with_subtypes else replace(setup, knowledge=None)


def make_few_words(share: float) -> tuple[Cell, ...]:
    """Words alone, with entities and with sub-types, where most words are taken away."""
    about = f"{share:.0%} of the words"
    return (
        make_variant("few words", about, partial(few_words, share=share), "itcc"),
        *(
            make_variant(
                "few words",
                f"{about}, entities",
                partial(few_words_with, share=share, with_subtypes=method == "chinc"),
                method,
            )
            for method in ("hinc", "chinc")
        ),
    )


ALONE = make_variant("words", "alone", words_alone, "itcc")
OTHERS = {part: make_retest(part) for part in range(1, variants.EVERY)}
CELLS = (
    ALONE,
    make_variant("entities", "as in Table 6", variants.plain),
    make_variant("linking", f"confidence of at least {variants.SURE}", variants.sure),
    make_variant("linking", "entities of mostly one group", variants.telling),
    make_variant("weights", "twice the share", partial(variants.times, 2.0)),
    make_variant("weights", "five times the share", partial(variants.times, 5.0)),
    make_variant("weights", "twenty times the share", partial(variants.times, 20.0)),
    make_variant("weights", "learned", partial(variants.plain, relation_weights="learned")),
    make_variant("sub-types", "drawn at random", variants.shuffled),
    make_variant("sub-types", "together only", variants.together_only),
    make_variant("sub-types", "as objects, all types", variants.with_subtypes, "hinc"),
    make_variant("redundancy", "words that are in no name", without_names, "itcc"),
    make_variant("redundancy", "words that are in no name, entities", names_as_entities),
    make_variant("starts", "random, words alone", partial(words_alone, **RANDOM), "itcc"),
    make_variant("starts", "random, entities", partial(variants.plain, **RANDOM)),
    make_variant("tries", "all types as one", variants.as_one_type, "hinc"),
    make_variant("tries", "all types as one, facts between entities", variants.with_facts, "hinc"),
    make_variant("tries", "of two documents at least, tf-idf", variants.of_several),
    make_variant(
        "tries", f"{variants.MANY} clusters a type", partial(variants.plain, n_entity_clusters=variants.MANY)
    ),
    make_variant("tries", "documents that share five names linked", variants.linked_documents),
    *chain.from_iterable(map(make_few_words, FEW)),
    *chain.from_iterable(OTHERS.values()),
)

BY_LABELS = (
    "linking | entities of mostly one group | chinc",
    "weights | twice the share | chinc",
    "weights | five times the share | chinc",
    "weights | twenty times the share | chinc",
)


def variant_name(one: Cell) -> str:
    """The row of a cell; what would have to be chosen by labels says so."""
    return one.key + " (labels)" * (one.key in BY_LABELS)


EXPERIMENT = Experiment(
    name="paper003_reasons",
    paper="003",
    about="why entities do not help: variants with one thing changed",
    corpora=(FILE, *list_sources("freebase")),
    cells=CELLS,
    tables=(
        TableSpec(
            "Variants of chinc with Freebase, every fourth post",
            "about, what is changed, method",
            {
                variant_name(one): {head: Entry(one.key, figure) for head, figure in COLUMNS.items()}
                for one in CELLS
            },
            "Rows with *labels* look at the groups that are to be found.",
        ),
    ),
    seeds=3,
)
