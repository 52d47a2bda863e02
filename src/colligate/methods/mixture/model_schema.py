"""What the stored arrays of the `colligate` method must be: those of its model, and those of a checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate._storage.array_schema import (
    BOOLEANS,
    BYTES,
    FLOATS,
    INTEGERS,
    ArraySpec,
    check_complete,
    check_starts,
)
from colligate.corpus.encoders import check_source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate._storage.array_schema import ArraySchema

# "groups+" are the groups and those of outsiders
MODEL_SCHEMA: ArraySchema = {
    "log_phi_ratio": ArraySpec(("columns", "groups+")),
    "log_pi": ArraySpec(("groups+",)),
    "kappa": ArraySpec(("views",), least=0.0),
    "kappa_mu": ArraySpec(("directions", "groups+")),
    "basis": ArraySpec(("columns", "directions")),
    "idf": ArraySpec(("columns",)),
    "bounds": ArraySpec(("bounds",), INTEGERS, least=0, check=check_starts),
    "eta": ArraySpec(("relations",)),
    "relation_weight": ArraySpec(("relations",), least=0.0),
    "seed_scale": ArraySpec(()),
    "calibration_clusters": ArraySpec((), INTEGERS, least=1),
    "temperature": ArraySpec((), least=1e-100),
    "doubt": ArraySpec((), least=0.0, below=1.0 + 1e-9, optional=True),
    "seeds": ArraySpec(("columns", "groups+"), least=0.0, optional=True),
    "words_weight": ArraySpec(("columns",), optional=True),
    "words_basis": ArraySpec(("columns", "word directions"), optional=True),
    "words_mean": ArraySpec(("word directions",), optional=True),
    "words_kappa_mu": ArraySpec(("word directions", "groups+"), optional=True),
    "words_length": ArraySpec((), optional=True),
    "classifier_groups": ArraySpec(("labelled",), INTEGERS, least=0, below="groups+", optional=True),
    "classifier_slope": ArraySpec(("joint directions", "labelled"), optional=True),
    "classifier_offset": ArraySpec(("labelled",), optional=True),
    "classifier_beta": ArraySpec((), optional=True),
    "classifier_n_inside": ArraySpec((), INTEGERS, least=0, optional=True),
    "rows*_source": ArraySpec(("source of *",), BYTES, check=check_source),
    "rows*_probe": ArraySpec(("probes of *", "probe width of *")),
    "rows*_mean": ArraySpec(("width of *",)),
    "rows*_kappa_mu": ArraySpec(("width of *", "groups+")),
    "rows*_length": ArraySpec(()),
    "rows*_slope": ArraySpec(("width of *", "labelled")),
    "agreement": ArraySpec(("documents",), least=-1.0, optional=True),
}
WORD_ARRAYS = tuple(f"words_{name}" for name in ("weight", "basis", "mean", "kappa_mu", "length"))
CLASSIFIER_ARRAYS = tuple(f"classifier_{name}" for name in ("groups", "slope", "offset", "beta", "n_inside"))
STATE_SCHEMA: ArraySchema = {
    "resp": ArraySpec(("documents", "groups"), least=0.0),
    "reliability": ArraySpec(("statements",)),
    "beta": ArraySpec(()),
    "judged": ArraySpec(("statements",), BOOLEANS),
    "agreement": ArraySpec(("documents", "groups"), optional=True),
    "linked_groups": ArraySpec(("documents",), INTEGERS, least=-1, optional=True),
    "inside/*": ArraySpec((2,), INTEGERS, least=0),
    "feature_link_columns": ArraySpec(("linked",), INTEGERS, least=0, below="columns", optional=True),
    "feature_link_counts": ArraySpec(("linked", "groups"), FLOATS, optional=True),
}


def check_model(model: Mapping[str, NDArray[Any]]) -> None:
    """Raise ValueError for arrays of a stored model that fit the schema but not each other."""
    bounds, n_directions = model["bounds"], model["basis"].shape[1]
    if len(bounds) != len(model["eta"]) + 1 or bounds[-1] != len(model["idf"]):
        raise ValueError("the array 'bounds' of the model does not fit its columns")
    if check_complete(model, WORD_ARRAYS):
        n_directions += model["words_basis"].shape[1]
    has_classifier = check_complete(model, CLASSIFIER_ARRAYS)
    if has_classifier and len(model["classifier_slope"]) != n_directions:
        raise ValueError("the array 'classifier_slope' of the model does not fit its directions")
    if has_classifier and int(model["classifier_n_inside"]) > len(model["log_pi"]):
        raise ValueError("the classifier of the model has more groups than the model")
    for name in model:
        if name.startswith("rows"):
            key, names = name.partition("_")[0], ["source", "probe", "mean", "kappa_mu", "length"]
            names += ["slope"] if has_classifier else []
            check_complete(model, [f"{key}_{part}" for part in names])
