"""Whether documents that the run has not seen are put in no group, if they are like outsiders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.metrics import roc_auc_score

import colligate as cg
from colligate.methods.margin.risks import margins

if TYPE_CHECKING:
    from experiments.corpora.outsiders import Labelled

REJECTED = ("outsiders rejected", "others rejected", "area under the ROC curve")


def rejected(part: Labelled, parameters: dict[str, Any], seed: int) -> dict[str, Any]:
    """Fit on one half of the documents, drawn at random, with its outsiders told; place the other half."""
    drawn = np.random.default_rng(seed).permutation(len(part.inside))
    seen, new = np.sort(drawn[::2]), np.sort(drawn[1::2])
    outside = np.flatnonzero(~part.inside[seen]).tolist()
    model = cg.make("m2dcu", n_clusters=part.n_classes, random_state=seed, **parameters)
    model.fit(part.counts[seen], knowledge=cg.Knowledge().outside(outside))
    inside, none = part.inside[new], model.predict(part.counts[new]) == -1
    area = roc_auc_score(inside, margins(model.decision_function(part.counts[new])))
    figures = model.result_.evaluate(part.labels[seen], mask=part.inside[seen])
    found = (np.mean(none[~inside]), np.mean(none[inside]), area)
    return {"nmi": figures["nmi"], **{name: float(at) for name, at in zip(REJECTED, found, strict=True)}}
