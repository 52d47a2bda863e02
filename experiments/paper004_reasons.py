"""Why outsiders help on two of the sets of the paper on Universum (2011) and change little on the others.

`m2dcu` with its defaults, once with outsiders of weight 0, so that they are only left out, and once with the
default weight. The *margin* of outsiders should be small: *beyond* is the share of outsiders with a margin
above the tolerance, and *area* the area under the ROC curve of margins, documents against outsiders (.5 if
they are alike). *Same groups* is the NMI of the groups with and without the weight. The second table has
other groups of posts as outsiders of the four branches of the newsgroups: those about religion, which is also
part of one branch, or sales offers.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.metrics import roc_auc_score

import colligate as cg
from colligate.result.metrics import evaluate
from experiments.corpora.outsiders import LARGEST, NEWS, NEXT, RCV1, WEB, read_labelled, read_posts_with
from experiments.paper004 import EXPERIMENT as COMPARED
from experiments.runner.experiment import Cell, Entry, Experiment, Measurement, Quick, TableSpec, Task

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.corpora.outsiders import LabelledCounts
    from experiments.runner.store import Run

SETS = (WEB, LARGEST, NEWS, RCV1, NEXT)
RELIGION, SALE = ("alt.atheism", "soc.religion.christian"), ("misc.forsale",)
OUTSIDE = {"religion and sale": (*RELIGION, *SALE), "religion": RELIGION, "sale": SALE}
COLUMNS = {
    "accuracy without": "bare_accuracy",
    "accuracy with": "accuracy",
    "NMI without": "bare_nmi",
    "NMI with": "nmi",
    "same groups": "same",
    "beyond, without": "bare_beyond",
    "beyond, with": "beyond",
    "area, without": "bare_area",
    "area, with": "area",
}


def compare_weights(corpus: str, data: Path, seed: int) -> Run:
    """The figures of a set without the weight of outsiders, and with it."""
    part = read_labelled(corpus, data)
    bare, ours = (fit_m2dcu(part, seed, **parameters) for parameters in ({"outsider_weight": 0.0}, {}))
    groups = [model.labels_[part.inside] for model in (bare, ours)]
    without = {f"bare_{name}": value for name, value in compute_figures(part, bare).items()}
    return {**without, **compute_figures(part, ours), "same": evaluate(*groups)["nmi"]}


def fit_m2dcu(part: LabelledCounts, seed: int, **parameters: Any) -> Any:
    """`m2dcu` on a set, with its outsiders told."""
    model = cg.make("m2dcu", n_clusters=part.n_classes, random_state=seed, **parameters)
    return model.fit(part.counts, knowledge=part.knowledge())


def compute_figures(part: LabelledCounts, model: Any) -> dict[str, float]:
    """How right the groups are, and what the margins of outsiders are like."""
    metrics = model.result_.evaluate(part.labels, mask=part.inside)
    targets, outsiders = (model.result_.model[f"{kind}_margins"] for kind in ("target", "outsider"))
    margins = np.concatenate([targets, outsiders])
    inside = np.arange(len(margins)) < len(targets)
    return {
        "accuracy": metrics["accuracy"],
        "nmi": metrics["nmi"],
        "beyond": float(np.mean(outsiders > model.tolerance)),
        "area": float(roc_auc_score(inside, margins)),
    }


class Outside:
    """The four branches with some groups of posts as outsiders."""

    def __init__(self, groups: tuple[str, ...]) -> None:
        self.groups = groups

    def task(self, data: Path, seed: int) -> Task:
        """The same at every seed."""
        part = read_posts_with(self.groups, data)
        parameters = {"n_clusters": part.n_classes}
        return Task(part.counts, part.labels, part.knowledge(), parameters, judged=part.inside)


def _format_weight(weight: float | None) -> str:
    return "default" if weight is None else f"{weight:g}"


BOTH = {corpus: Measurement(corpus, partial(compare_weights, corpus)) for corpus in SETS}
BY_OUTSIDE = {
    f"{name}, weight {_format_weight(weight)}": Cell(
        f"{NEWS} | outside: {name} | weight {_format_weight(weight)}",
        "m2dcu",
        Outside(groups),
        {} if weight is None else {"outsider_weight": weight},
    )
    for name, groups in OUTSIDE.items()
    for weight in (0.0, None)
}

EXPERIMENT = Experiment(
    name="paper004_reasons",
    paper="004",
    about="why outsiders help on some sets and not on others",
    corpora=COMPARED.corpora,
    cells=(*BOTH.values(), *BY_OUTSIDE.values()),
    tables=(
        TableSpec(
            "What the weight of outsiders changes",
            "set",
            {name: {head: Entry(name, figure) for head, figure in COLUMNS.items()} for name in SETS},
        ),
        TableSpec(
            f"{NEWS}, four branches, by what the outsiders are about",
            "outsiders",
            {
                name: {"accuracy": Entry(one.key, "accuracy"), "NMI": Entry(one.key)}
                for name, one in BY_OUTSIDE.items()
            },
        ),
    ),
    seeds=3,
    quick=Quick((NEXT,)),
)
