"""Precision of the three semantic filters on judged mentions: Tables 4 and 5 of the world paper (2015).

The mentions are those of `experiments/judged`, three samples of 20 Newsgroups linked to Freebase (FB15k).
People judged the published filters, one language model judged ours. Our filters were tuned on the first two
samples and not on the third, except for two small rules (see the README there). A decision is right if the
mention has the right boundaries and the type is that of its meaning. *Place for team* also accepts a place
for the team named after it, and *entity* also requires the right entity. Intervals are Wilson's, of 95 %.
*Names* is the share of all names that a filter takes for people, organisations or places, *documents* the
share of documents with such a name. Errors of relations (the paper's subordinate clauses) cannot occur, since
single mentions are judged.
"""

from __future__ import annotations

import json
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate._array import find_interval
from experiments.corpora.newsgroups import FILE
from experiments.judged_sample import BASE, is_decided, link_by_filter
from experiments.knowledge_bases import list_sources
from experiments.published.paper003 import ERRORS, PRECISION
from experiments.runner.experiment import Entry, Experiment, Measurement, TableSpec

if TYPE_CHECKING:
    from collections.abc import Callable

    from colligate.entities.linker import LinkingResult
    from colligate.entities.types.candidates import Candidate
    from experiments.runner.store import Run

Judged = dict[str, Any]
Kinds = dict[str, str | None]
Decision = tuple[Judged, "Candidate"]
FOLDER = Path(__file__).with_name("judged")
SAMPLES = ("third", "second", "first")
PARTS = 10
TABLE_4 = {
    "precision": "precision",
    "from": "low",
    "to": "high",
    "place for team": "team",
    "entity": "entity",
    "decided": "decided",
    "judged": "judged",
    "names": "names",
    "documents": "documents",
}
TABLE_5 = {
    f"{kind}{of}": f"{figure}{kind}"
    for kind in ("recognition", "disambiguation", "subordinate clause")
    for of, figure in ((", errors", ""), (", share", "share of "))
} | {"of all, a place for a team": "teams"}


def match_decisions(linked: LinkingResult, judged: list[Judged]) -> list[Decision]:
    """The judged mentions that a filter decided, with its decisions."""
    return [(one, candidate) for one, candidate, _ in match_cases(linked, judged)]


def match_cases(linked: LinkingResult, judged: list[Judged]) -> list[tuple[Judged, Candidate, int]]:
    """The same with the case of each mention."""
    positions = {
        (linked.ids[row[0]], row[2], row[3]): find
        for find, row in enumerate(linked.occurrences.hits.tolist())
    }
    finds = ((one, positions.get((one["document"], one["start"], one["end"]))) for one in judged)
    cases = ((one, int(linked.case[find])) for one, find in finds if find is not None)
    read = ((one, linked.decisions[case], case) for one, case in cases)
    return [(one, candidate, case) for one, candidate, case in read if candidate is not None]


def is_right(one: Judged, candidate: Candidate) -> bool:
    return candidate.type in one["right"]


def is_place(one: Judged, candidate: Candidate) -> bool:
    return is_right(one, candidate) or (one["team"] and candidate.type == "location")


def is_entity(one: Judged, candidate: Candidate) -> bool:
    return is_place(one, candidate) and candidate.entity in one["entity"]


TRIES: dict[str, Callable[[Kinds, float, str], bool]] = {
    "cbsf, confidence ≥ 0.7": lambda kinds, confidence, name: confidence >= 0.7,
    "cbsf, confidence ≥ 0.9": lambda kinds, confidence, name: confidence >= 0.9,
    "cbsf, names of several words": lambda kinds, confidence, name: " " in name.strip(),
    "all three filters agree": lambda kinds, confidence, name: len(set(kinds.values())) == 1,
    "all three agree, confidence ≥ 0.9": lambda kinds, confidence, name: (
        len(set(kinds.values())) == 1 and confidence >= 0.9
    ),
}
"""Which decisions of `cbsf` to keep: by the types that the filters choose, its confidence, and the name."""


@cache
def read_judgements(sample: str) -> list[Judged]:
    text = (FOLDER / f"{sample}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def measure_sample(sample: str, name: str, data: Path, _: int) -> Run:
    """All figures of a filter on a sample."""
    linked, judged = link_by_filter(data, BASE)[name], read_judgements(sample)
    judged_decisions, taken = match_decisions(linked, judged), is_decided(linked)
    right = sum(is_right(*one) for one in judged_decisions)
    low, high = map(float, find_interval(np.array(right), np.array(len(judged_decisions))))
    return {
        "precision": right / len(judged_decisions),
        "low": low,
        "high": high,
        "team": float(np.mean([is_place(*one) for one in judged_decisions])),
        "entity": float(np.mean([is_entity(*one) for one in judged_decisions])),
        "decided": len(judged_decisions),
        "judged": len(judged),
        "names": float(taken.mean()),
        "documents": len(np.unique(linked.occurrences.document[taken])) / len(linked.ids),
        **count_errors(judged_decisions),
    }


def measure_try(sample: str, rule: str, data: Path, _: int) -> Run:
    """The precision of the decisions of `cbsf` that a stricter rule keeps, and the share of them."""
    several, judged = link_by_filter(data, BASE), read_judgements(sample)
    ours = several["cbsf"]
    kept = [
        TRIES[rule](
            {
                name: candidate.type if (candidate := one.decisions[case]) else None
                for name, one in several.items()
            },
            float(ours.choice.confidence[case]),
            ours.names[ours.cases.name[case]],
        )
        for case in range(len(ours.decisions))
    ]
    every = match_cases(ours, judged)
    chosen = [(one, candidate) for one, candidate, case in every if kept[case]]
    right = sum(is_right(*one) for one in chosen)
    low, high = map(float, find_interval(np.array(right), np.array(len(chosen))))
    figures = {"precision": right / len(chosen), "low": low, "high": high, "decided": len(chosen)}
    return {**figures, "kept": len(chosen) / len(every)}


def count_errors(judged_decisions: list[Decision]) -> Run:
    """The errors by their kind, and the share of all errors that each kind is."""
    missed = [one for one, candidate in judged_decisions if not is_right(one, candidate)]
    counts = {kind: sum(one["error"] == kind for one in missed) for kind in ("recognition", "disambiguation")}
    shares = {f"share of {kind}": count / max(len(missed), 1) for kind, count in counts.items()}
    return {**counts, **shares, "teams": sum(bool(one["team"]) for one in missed)}


def measure_part(sample: str, name: str, data: Path, seed: int) -> Run:
    """The precision on every tenth mention, beginning with one of the first ten."""
    judged_decisions = match_decisions(link_by_filter(data, BASE)[name], read_judgements(sample)[seed::PARTS])
    return {"precision": float(np.mean([is_right(*one) for one in judged_decisions]))}


def published_figures(name: str) -> dict[str, float]:
    """What the paper prints of a filter."""
    place, figures = list(PRECISION).index(name), {"precision": PRECISION[name]}
    all_of_them = sum(counts[place] for counts in ERRORS.values())
    for kind, counts in ERRORS.items():
        figures |= {kind: counts[place], f"share of {kind}": counts[place] / all_of_them}
    return figures


def make_table(title: str, columns: dict[str, str], of: str) -> TableSpec:
    """A row for every filter and sample."""
    rows = {
        f"{sample}, {name}": {head: Entry(f"{sample} | {name}", figure) for head, figure in columns.items()}
        for sample in SAMPLES
        for name in PRECISION
    }
    note = (
        "Judged by one language model, published by people. The filters were tuned on the first and second "
        "sample. Nothing was tuned on the third, except two small rules (see `experiments/judged`)."
    )
    return TableSpec(title, "sample, filter", rows, note, of)


EXPERIMENT = Experiment(
    name="paper003_filters",
    paper="003",
    about="precision and errors of the semantic filters on judged mentions",
    corpora=(FILE, *list_sources("freebase")),
    cells=(
        *(
            Measurement(f"{sample} | {name}", partial(measure_sample, sample, name), published_figures(name))
            for sample in SAMPLES
            for name in PRECISION
        ),
        *(
            Measurement(f"{sample} | {name} | tenths", partial(measure_part, sample, name), seeds=PARTS)
            for sample in SAMPLES[:2]
            for name in PRECISION
        ),
        *(
            Measurement(f"{sample} | {rule}", partial(measure_try, sample, rule))
            for sample in SAMPLES
            for rule in TRIES
        ),
    ),
    tables=(
        make_table("Precision of the filters", TABLE_4, "003 Table 4"),
        make_table("Errors of the filters by their kind", TABLE_5, "003 Table 5"),
        TableSpec(
            "Precision of stricter rules",
            "sample, rule",
            {
                f"{sample}, {rule}": {
                    head: Entry(f"{sample} | {rule}", figure)
                    for head, figure in (
                        *(("precision", "precision"), ("from", "low"), ("to", "high")),
                        *(("decided", "decided"), ("share kept", "kept")),
                    )
                }
                for sample in SAMPLES
                for rule in TRIES
            },
            "Which decisions of cbsf are kept. *Share kept* is of its judged decisions.",
        ),
    ),
    seeds=1,
)
