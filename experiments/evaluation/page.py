"""The page `docs/evaluation.md`, made of the stored runs.

python -m experiments.evaluation.page [--to docs/evaluation.md]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from colligate._storage.atomic import write_file
from experiments.evaluation import (
    ablation,
    certainty,
    embeddings,
    goals,
    group_numbers,
    group_numbers_tables,
    hierarchy,
    icd10,
    knowledge,
    labels,
    names,
    no_knowledge,
    over_time,
    rivals_tables,
    short_texts,
    subtypes,
    texts,
    trust,
    tuning,
    uneven_sizes,
    update,
)
from experiments.evaluation.corpora import CORPORA
from experiments.evaluation.markdown import (
    describe_runs,
    format_count,
    format_mean,
    format_method,
    format_spread,
    format_table,
)
from experiments.runner.store import RESULTS, StoredRuns

PAGE = Path(__file__).parents[2] / "docs" / "evaluation.md"


def compose_page(results: Path = RESULTS) -> str:
    """The text of the page."""
    parts = [
        texts.INTRODUCTION,
        "## Goals and results",
        texts.GOALS,
        format_table(("goal", "asked", "obtained", ""), goals.goal_rows(results)),
        texts.LEARNED,
        "## Without knowledge",
        texts.ALONE,
        *compose_without_knowledge(results),
        "## Uneven sizes",
        texts.UNEVEN,
        *uneven_sizes.compose_tables(results),
        "## With embeddings",
        texts.EMBEDDED,
        *embeddings.compose_tables(results),
        "## Short texts",
        texts.SHORT,
        *short_texts.compose_tables(results),
        "## Names alone",
        texts.NAMES,
        *names.compose_tables(results),
        "## With knowledge",
        texts.KNOWLEDGE,
        *compose_with_knowledge(results),
        "## Knowledge that is partly wrong",
        texts.WRONG,
        *compose_partly_wrong(results),
        "## Trust in statements",
        texts.TRUST,
        *trust.compose_tables(results),
        "## Certainty",
        texts.CERTAINTY,
        *certainty.compose_tables(results),
        "## Entities and sub-types of a knowledge base",
        texts.SUBTYPES,
        *subtypes.compose_tables(results),
        "## The papers' methods with the same knowledge",
        texts.RIVALS,
        *rivals_tables.compose_tables(results),
        "## A few labels, beside classifiers",
        texts.LABELS,
        *compose_classifiers(results),
        "## Ablation",
        texts.ABLATION,
        *compose_ablation(results),
        "## A fresh corpus",
        texts.FRESH,
        *compose_icd10(results),
        "## The number of groups",
        texts.NUMBERS,
        *compose_group_numbers(results),
        "## The hierarchy of groups",
        texts.HIERARCHY,
        *hierarchy.compose_tables(results),
        "## Groups over time",
        texts.TIME,
        *over_time.compose_tables(results),
        "## Documents that come later",
        texts.LATER,
        *update.compose_tables(results),
        "## How the constants were chosen",
        texts.TUNING,
        *tuning.compose_tables(results),
    ]
    return "\n\n".join(parts) + "\n"


def compose_without_knowledge(results: Path) -> list[str]:
    """NMI and accuracy of all methods, and the place of ours."""
    kept = StoredRuns.of(no_knowledge.EXPERIMENT, results)
    sections, places = [], []
    for figure, title in (("nmi", "NMI"), ("accuracy", "Accuracy")):
        rows = [
            (
                corpus,
                *(format_spread(kept, no_knowledge.key(corpus, name), figure) for name in no_knowledge.NAMES),
            )
            for corpus in CORPORA
        ]
        sections += [f"**{title}.**", format_table(("corpus", *map(format_method, no_knowledge.NAMES)), rows)]
        ranks = ", ".join(
            f"{corpus} {goals.rank_without_knowledge(results, corpus, figure)}" for corpus in CORPORA
        )
        places.append(f"by {title if figure == 'nmi' else figure}: {ranks}")
    return [*sections, f"`colligate` {'; '.join(places)}.", describe_runs(no_knowledge.EXPERIMENT, kept)]


def compose_with_knowledge(results: Path) -> list[str]:
    """What every kind of knowledge brings on every corpus."""
    kept = StoredRuns.of(knowledge.EXPERIMENT, results)
    sections = []
    for corpus in knowledge.CORPORA:
        rows = []
        for kind in knowledge.list_kinds(corpus):
            key = knowledge.key(corpus, kind)
            counts = (format_count(kept, key, "statements"), format_count(kept, key, "documents"))
            figures = ("nmi", "bare_nmi", "gain", "accuracy", "bare_accuracy")
            rows.append((kind, *counts, *(format_spread(kept, key, figure) for figure in figures)))
        heads = ("NMI", "NMI without", "gain", "accuracy", "accuracy without")
        sections += [
            f"**{corpus}.**",
            format_table(("knowledge", "statements", "documents judged", *heads), rows),
        ]
    return [*sections, compose_outsiders(kept), describe_runs(knowledge.EXPERIMENT, kept)]


def compose_outsiders(kept: StoredRuns) -> str:
    """How many outsiders are found."""
    rows = []
    for corpus in knowledge.CORPORA:
        key = knowledge.key(corpus, knowledge.OUTSIDE)
        rows.append(
            (corpus, format_spread(kept, key, "found_outside"), format_spread(kept, key, "lost_inside"))
        )
    return format_table(("corpus", "unmarked outsiders put in no group", "insiders put in no group"), rows)


def compose_partly_wrong(results: Path) -> list[str]:
    """NMI by the share of wrong statements, and the trust in right and wrong ones."""
    kept = StoredRuns.of(knowledge.EXPERIMENT, results)
    sections = []
    for corpus in knowledge.CORPORA:
        rows = []
        for kind in knowledge.MAY_BE_WRONG:
            keys = [knowledge.key(corpus, kind, wrong) for wrong in (0.0, *knowledge.WRONG)]
            trust = [
                f"{format_mean(kept, key, 'trust_right')} / {format_mean(kept, key, 'trust_wrong')}"
                for key in keys[1:]
            ]
            figures = (
                *(format_spread(kept, key, "nmi") for key in keys),
                *(format_spread(kept, key, "gain") for key in keys[1:]),
            )
            rows.append((kind, format_mean(kept, keys[0], "bare_nmi"), *figures, *trust))
        heads = ("without", "all right", "20 % wrong", "40 % wrong", "gain at 20 %", "gain at 40 %")
        trusts = ("trust at 20 %, right / wrong", "trust at 40 %")
        sections += [f"**{corpus}.**", format_table(("knowledge", *heads, *trusts), rows)]
    return sections


def compose_classifiers(results: Path) -> list[str]:
    """Accuracy with 1 % labels."""
    kept = StoredRuns.of(labels.EXPERIMENT, results)
    rows = []
    for corpus in CORPORA:
        keys = [labels.key(corpus, name) for name in labels.NAMERS]
        rows.append(
            (
                corpus,
                format_count(kept, keys[0], "labels"),
                *(format_spread(kept, key, "accuracy") for key in keys),
            )
        )
    places = ", ".join(f"{corpus} {goals.rank_with_labels(results, corpus)}" for corpus in CORPORA)
    heads = ("corpus", "labels", *map(format_method, labels.NAMERS))
    return [
        format_table(heads, rows),
        f"`colligate` by accuracy: {places}.",
        describe_runs(labels.EXPERIMENT, kept),
    ]


def compose_ablation(results: Path) -> list[str]:
    """NMI without each part."""
    kept = StoredRuns.of(ablation.EXPERIMENT, results)
    rows = [
        (
            known,
            part,
            *(format_spread(kept, ablation.key(corpus, known, part), "nmi") for corpus in ablation.CORPORA),
        )
        for known, part in ablation.ROWS
    ]
    return [
        format_table(("knowledge", "part", *ablation.CORPORA), rows),
        describe_runs(ablation.EXPERIMENT, kept),
    ]


def compose_icd10(results: Path) -> list[str]:
    """The fresh corpus."""
    kept = StoredRuns.of(icd10.EXPERIMENT, results)
    rows = [
        (
            format_method(name),
            *(format_spread(kept, icd10.key(name), figure) for figure in ("nmi", "accuracy")),
        )
        for name in icd10.NAMES
    ]
    return [format_table(("method", "NMI", "accuracy"), rows), describe_runs(icd10.EXPERIMENT, kept)]


def compose_group_numbers(results: Path) -> list[str]:
    """The numbers of groups on every corpus, and how near they are to the classes."""
    kept = StoredRuns.of(group_numbers.EXPERIMENT, results)
    heads = ("way", "numbers", "mean factor off", "within a factor of 2", "right")
    return [
        format_table(("corpus", "classes", *group_numbers.WAYS), group_numbers_tables.compose_rows(kept)),
        format_table(heads, group_numbers_tables.compose_scores(kept)),
        format_table(
            (
                "corpus",
                "classes",
                "suggested",
                "clear",
                "plausible",
                "NMI",
                "NMI with as many groups as classes",
            ),
            group_numbers_tables.compose_suggestions(kept),
        ),
        group_numbers_tables.compose_verdict(kept),
        describe_runs(group_numbers.EXPERIMENT, kept),
    ]


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser("python -m experiments.evaluation.page", description=__doc__)
    parser.add_argument("--to", type=Path, default=PAGE, help="the file of the page")
    with write_file(parser.parse_args().to) as path:
        path.write_text(compose_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
