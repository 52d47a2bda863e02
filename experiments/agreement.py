"""How far the clusters of entities agree with their sub-types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.result.metrics import evaluate

if TYPE_CHECKING:
    import pandas as pd

    import colligate as cg


def count_subtypes(entities: pd.DataFrame) -> dict[str, int]:
    """How many sub-types each type has, and at least two."""
    counts = entities.explode("subtype").groupby("type")["subtype"].nunique()
    return {kind: max(int(count), 2) for kind, count in counts.items()}


def measure_agreement(result: cg.Result, entities: pd.DataFrame) -> dict[str, dict[str, float]]:
    """By type the NMI of clusters with sub-types, over entities of exactly one, and how many those are."""
    once = entities.drop_duplicates("name")
    alone = once[once["subtype"].map(len) == 1]
    agreements = {}
    for kind, rows in alone.groupby("type"):
        positions = {name: position for position, name in enumerate(result.network.types[kind].names)}
        labels = result.labels[kind][[positions[name] for name in rows["name"]]]
        nmi = evaluate([subtypes[0] for subtypes in rows["subtype"]], labels)["nmi"]
        agreements[str(kind)] = {"nmi": nmi, "count": len(rows)}
    return agreements


def pool_agreement(run: dict[str, Any]) -> float:
    """The agreement over all types, each by the number of its entities."""
    types = run["entities"].values()
    return float(np.average([each["nmi"] for each in types], weights=[each["count"] for each in types]))
