"""The page `docs/own.md`, made of the stored runs.

python -m experiments.own.page [--to docs/own.md]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from colligate._storage.atomic import write_file
from experiments.own import (
    ablation,
    alone,
    beside,
    embedded,
    fresh,
    goals,
    knowledge,
    labels,
    nearness,
    numbers,
    texts,
    tuning,
    uneven,
)
from experiments.own.sets import CORPORA
from experiments.own.shown import code, made, mean, spread, table, whole
from experiments.runner.kept import RESULTS, Kept

PAGE = Path(__file__).parents[2] / "docs" / "own.md"


def page(results: Path = RESULTS) -> str:
    """The text of the page."""
    parts = [
        texts.INTRODUCTION,
        "## Goals and results",
        texts.GOALS,
        table(("goal", "asked", "obtained", ""), goals.rows(results)),
        "## Without knowledge",
        texts.ALONE,
        *without_knowledge(results),
        "## Uneven sizes",
        texts.UNEVEN,
        *uneven.tables(results),
        "## With embeddings",
        texts.EMBEDDED,
        *embedded.tables(results),
        "## With knowledge",
        texts.KNOWLEDGE,
        *with_knowledge(results),
        "## Knowledge that is partly wrong",
        texts.WRONG,
        *partly_wrong(results),
        "## The papers' methods with the same knowledge",
        texts.RIVALS,
        *beside.tables(results),
        "## A few labels, beside classifiers",
        texts.LABELS,
        *beside_classifiers(results),
        "## Ablation",
        texts.ABLATION,
        *without_parts(results),
        "## A fresh corpus",
        texts.FRESH,
        *on_fresh(results),
        "## The number of groups",
        texts.NUMBERS,
        *numbers_found(results),
        "## How the constants were chosen",
        texts.TUNING,
        *tuning.tables(results),
    ]
    return "\n\n".join(parts) + "\n"


def without_knowledge(results: Path) -> list[str]:
    """NMI and accuracy of all methods, and the place of ours."""
    kept = Kept.of(alone.EXPERIMENT, results)
    found, places = [], []
    for figure, title in (("nmi", "NMI"), ("accuracy", "Accuracy")):
        rows = [
            (corpus, *(spread(kept, alone.key(corpus, name), figure) for name in alone.NAMES))
            for corpus in CORPORA
        ]
        found += [f"**{title}.**", table(("corpus", *map(code, alone.NAMES)), rows)]
        told = ", ".join(f"{corpus} {goals.rank(results, corpus, figure)}" for corpus in CORPORA)
        places.append(f"by {title if figure == 'nmi' else figure}: {told}")
    return [*found, f"`colligate` {'; '.join(places)}.", made(alone.EXPERIMENT, kept)]


def with_knowledge(results: Path) -> list[str]:
    """What every kind of knowledge brings on every corpus."""
    kept = Kept.of(knowledge.EXPERIMENT, results)
    found = []
    for corpus in knowledge.CORPORA:
        rows = []
        for kind in knowledge.kinds(corpus):
            key = knowledge.key(corpus, kind)
            counts = (whole(kept, key, "statements"), whole(kept, key, "documents"))
            figures = ("nmi", "bare_nmi", "gain", "accuracy", "bare_accuracy")
            rows.append((kind, *counts, *(spread(kept, key, figure) for figure in figures)))
        heads = ("NMI", "NMI without", "gain", "accuracy", "accuracy without")
        found += [f"**{corpus}.**", table(("knowledge", "statements", "documents judged", *heads), rows)]
    return [*found, outsiders(kept), made(knowledge.EXPERIMENT, kept)]


def outsiders(kept: Kept) -> str:
    """How many outsiders are found."""
    rows = []
    for corpus in knowledge.CORPORA:
        key = knowledge.key(corpus, knowledge.OUTSIDE)
        rows.append((corpus, spread(kept, key, "found_outside"), spread(kept, key, "lost_inside")))
    return table(("corpus", "unmarked outsiders put in no group", "insiders put in no group"), rows)


def partly_wrong(results: Path) -> list[str]:
    """NMI by the share of wrong statements, and the trust in right and wrong ones."""
    kept = Kept.of(knowledge.EXPERIMENT, results)
    found = []
    for corpus in knowledge.CORPORA:
        rows = []
        for kind in knowledge.MAY_BE_WRONG:
            keys = [knowledge.key(corpus, kind, wrong) for wrong in (0.0, *knowledge.WRONG)]
            trust = [
                f"{mean(kept, key, 'trust_right')} / {mean(kept, key, 'trust_wrong')}" for key in keys[1:]
            ]
            figures = (
                *(spread(kept, key, "nmi") for key in keys),
                *(spread(kept, key, "gain") for key in keys[1:]),
            )
            rows.append((kind, mean(kept, keys[0], "bare_nmi"), *figures, *trust))
        heads = ("without", "all right", "20 % wrong", "40 % wrong", "gain at 20 %", "gain at 40 %")
        trusts = ("trust at 20 %, right / wrong", "trust at 40 %")
        found += [f"**{corpus}.**", table(("knowledge", *heads, *trusts), rows)]
    return found


def beside_classifiers(results: Path) -> list[str]:
    """Accuracy with 1 % labels."""
    kept = Kept.of(labels.EXPERIMENT, results)
    rows = []
    for corpus in CORPORA:
        keys = [labels.key(corpus, name) for name in labels.NAMERS]
        rows.append(
            (corpus, whole(kept, keys[0], "labels"), *(spread(kept, key, "accuracy") for key in keys))
        )
    places = ", ".join(f"{corpus} {goals.above(results, corpus)}" for corpus in CORPORA)
    heads = ("corpus", "labels", *map(code, labels.NAMERS))
    return [table(heads, rows), f"`colligate` by accuracy: {places}.", made(labels.EXPERIMENT, kept)]


def without_parts(results: Path) -> list[str]:
    """NMI without each part."""
    kept = Kept.of(ablation.EXPERIMENT, results)
    rows = [
        (
            known,
            part,
            *(spread(kept, ablation.key(corpus, known, part), "nmi") for corpus in ablation.CORPORA),
        )
        for known, part in ablation.ROWS
    ]
    return [table(("knowledge", "part", *ablation.CORPORA), rows), made(ablation.EXPERIMENT, kept)]


def on_fresh(results: Path) -> list[str]:
    """The fresh corpus."""
    kept = Kept.of(fresh.EXPERIMENT, results)
    rows = [
        (code(name), *(spread(kept, fresh.key(name), figure) for figure in ("nmi", "accuracy")))
        for name in fresh.NAMES
    ]
    return [table(("method", "NMI", "accuracy"), rows), made(fresh.EXPERIMENT, kept)]


def numbers_found(results: Path) -> list[str]:
    """The numbers of groups on every corpus, and how near they are to the classes."""
    kept = Kept.of(numbers.EXPERIMENT, results)
    heads = ("way", "numbers", "mean factor off", "within a factor of 2", "right")
    return [
        table(("corpus", "classes", *numbers.WAYS), nearness.rows(kept)),
        table(heads, nearness.scores(kept)),
        nearness.verdict(kept),
        made(numbers.EXPERIMENT, kept),
    ]


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser("python -m experiments.own.page", description=__doc__)
    parser.add_argument("--to", type=Path, default=PAGE, help="the file of the page")
    with write_file(parser.parse_args().to) as path:
        path.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
