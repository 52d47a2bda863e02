"""Trust in right, hard and wrong statements: how often the audit doubts each of them.

A simulated user says seed words, labels and links, of which a share is wrong. Hard seed words are right, but
far down the list of words that tell a class. The figures are the shares of judged statements that are
doubtful (trust below .7) or called wrong (below .5), and how many of these are wrong. The numbers of eq. 20
were fitted on `FITTED_ON`. Its form was chosen among ten (five sets of terms, two bounds on the log odds) by
the loss on `FORM_CHOSEN_ON`. `FRESH` were run once, after that.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import colligate as cg
from colligate.result.audit import DOUBTFUL, WRONG
from experiments.evaluation.corpora import count_classes, count_matrix, list_files, read_network
from experiments.evaluation.fits import fit_network
from experiments.evaluation.markdown import describe_runs, format_mean, format_table
from experiments.evaluation.statements import User, make_labels, make_links, rank_seed_words
from experiments.runner.experiment import Entry, Experiment, Measurement, Quick, TableSpec
from experiments.runner.store import StoredRuns

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from experiments.runner.store import Run

    Said = tuple[cg.Knowledge, np.ndarray]

SEEDS, WRONG_SHARES, LABELLED = 2, (0.0, 0.2), 0.02
FITTED_ON = ("re0", "wap", "oh15", "tr41", "CSTR")
FORM_CHOSEN_ON = ("tr31", "tr45", "oh5", "k1b")
FRESH = ("tr11", "tr12", "tr23", "oh10")
ALL = (*FITTED_ON, *FORM_CHOSEN_ON, *FRESH)
RIGHT, HARD, IS_WRONG = range(3)
SORTS = {"right": RIGHT, "hard": HARD, "wrong": IS_WRONG}
EASY_WORDS, EASY_RANKS, HARD_WORDS, HARD_RANKS = 3, (0, 10), 2, (30, 60)


def say_words(user: User) -> Said:
    """A few of the best words of every class, and a few that tell it less well."""
    rng, errors = user.rngs("trust")
    rows = []
    for sort, ranks, number in ((RIGHT, EASY_RANKS, EASY_WORDS), (HARD, HARD_RANKS, HARD_WORDS)):
        words, groups = rank_seed_words(count_matrix(user.network), user.labels, *ranks)
        for name in np.unique(groups):
            chosen = rng.permutation(words[groups == name])[:number]
            rows += [(int(word), str(name), sort) for word in chosen]
    meant, wrong = user.misplaced(np.array([name for _, name, _ in rows]), errors)
    sorts = np.where(wrong, IS_WRONG, [sort for _, _, sort in rows])
    knowledge, order = cg.Knowledge(contradictions="report"), []
    for name in np.unique(meant):
        members = np.flatnonzero(meant == name)
        knowledge.category(str(name), words=[rows[member][0] for member in members.tolist()])
        order.append(members)
    return knowledge, sorts[np.concatenate(order)]


def say_labels(user: User) -> Said:
    """The classes of some documents."""
    statements = make_labels(LABELLED)(user)
    return statements.knowledge, np.where(statements.wrong, IS_WRONG, RIGHT)


def say_links(user: User) -> Said:
    """Pairs of documents."""
    statements = make_links(user)
    return statements.knowledge, np.where(statements.wrong, IS_WRONG, RIGHT)


KINDS: dict[str, Callable[[User], Said]] = {"seed words": say_words, "labels": say_labels, "links": say_links}


def measure_trust(corpus: str, kind: str, wrong: float, data: Path, seed: int) -> Run:
    """Which share of right, hard and wrong statements is doubted."""
    network, labels = read_network(corpus, data)
    knowledge, sorts = KINDS[kind](User(network, labels, seed, wrong))
    trust = fit_network(network, count_classes(labels), knowledge, seed).trust
    figures: Run = {}
    if trust is None:
        return figures
    judged = ~np.isnan(trust)
    for word, limit in (("doubtful", DOUBTFUL), ("called_wrong", WRONG)):
        marked = judged & (trust < limit)
        for name, sort in SORTS.items():
            of_sort = judged & (sorts == sort)
            figures[f"{word}_{name}"] = float(marked[of_sort].mean()) if of_sort.any() else None
        figures[f"{word}_precision"] = float((sorts[marked] == IS_WRONG).mean()) if marked.any() else None
    return figures


def key(corpus: str, kind: str, wrong: float) -> str:
    """How a cell is called."""
    return f"{corpus} | {kind} | {wrong:.0%} wrong"


def compose_tables(results: Path) -> list[str]:
    """The shares by kind, for the corpora of the fit and for fresh ones."""
    kept = StoredRuns.of(EXPERIMENT, results)
    rows = []
    for title, corpora in (("fitted on", FITTED_ON), ("form chosen on", FORM_CHOSEN_ON), ("fresh", FRESH)):
        for kind in KINDS:
            for wrong in WRONG_SHARES:
                cells = [key(corpus, kind, wrong) for corpus in corpora]
                rows.append((title, kind, f"{wrong:.0%}", *(_pool(kept, cells, name) for name in FIGURES)))
    heads = ("corpora", "kind", "wrong", *(name.replace("_", " ") for name in FIGURES))
    return [format_table(heads, rows), describe_runs(EXPERIMENT, kept)]


def _pool(kept: StoredRuns, cells: list[str], figure: str) -> str:
    """The mean over corpora and seeds of a figure that not every run has."""
    values = [value for cell in cells for value in kept.values(cell, figure).values() if value is not None]
    return f"{np.mean(values):.2f}" if values else format_mean(kept, "", figure)


FIGURES = tuple(f"{word}_{name}" for word in ("doubtful", "called_wrong") for name in (*SORTS, "precision"))
EXPERIMENT = Experiment(
    name="evaluation.trust",
    paper="own",
    about="the trust in right, hard and wrong statements",
    corpora=list_files(ALL),
    cells=tuple(
        Measurement(key(corpus, kind, wrong), partial(measure_trust, corpus, kind, wrong), seeds=SEEDS)
        for corpus in ALL
        for kind in KINDS
        for wrong in WRONG_SHARES
    ),
    tables=tuple(
        TableSpec(
            f"Statements that the audit doubts: {kind}, {wrong:.0%} wrong",
            "corpus",
            {corpus: {name: Entry(key(corpus, kind, wrong), name) for name in FIGURES} for corpus in ALL},
        )
        for kind in KINDS
        for wrong in WRONG_SHARES
    ),
    quick=Quick(("CSTR | seed",)),
)
