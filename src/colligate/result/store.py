"""Storing a result as a folder of open, safe formats, and reading it back exactly.

manifest.json (what it is, the parameters and the trace, the hash of every file), arrays.npz (labels,
memberships, associations, model), corpus/ and knowledge.parquet where there are any, and network/ where the
corpus does not say it all. Nothing is ever unpickled.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate import registry
from colligate.corpus import Corpus
from colligate.damage import naming
from colligate.errors import StoreError, UnknownMethodError
from colligate.files import writing_folder
from colligate.npz import read_arrays
from colligate.result.manifest import AGAIN, NAME, own_files, read_manifest, write_manifest
from colligate.result.stored_knowledge import load_knowledge, save_knowledge
from colligate.result.stored_network import load_network, save_network

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.corpus import Analyser
    from colligate.result.result import Result

ARRAYS, CORPUS = "arrays.npz", "corpus"
COSTS = "statement_costs"
GROUPS = ("labels", "memberships", "association", "model", "before")
PLAIN = ("method", "parameters", "seed", "history", "n_iter", "converged", "restarts", "chosen", "versions")


def save(result: Result, folder: Path, *, overwrite: bool = False) -> Path:
    """Write a result to a new folder; nothing half-written ever stands under its name.

    With `overwrite` an older stored result is replaced; a folder with anything else in it is left alone.
    """
    with writing_folder(folder, overwrite=overwrite, ours=own_files) as temporary:
        np.savez(temporary / ARRAYS, **_arrays(result))  # type: ignore[arg-type]
        if result.corpus is not None:
            result.corpus.save(temporary / CORPUS)
        content: dict[str, Any] = {name: _plain(getattr(result, name)) for name in PLAIN}
        content["network"] = save_network(result.network, result.corpus, temporary)
        content["corpus"] = result.corpus is not None
        content["before"] = result.before is not None
        if result.compiled is not None:
            content["knowledge"] = save_knowledge(result.compiled, temporary)
        write_manifest(temporary, content)
    return folder


def load(make: Callable[..., Result], folder: Path, analyser: Analyser | None = None) -> Result:
    """Read a stored result and make it; whatever is missing, damaged or newer is refused by its name."""
    manifest = read_manifest(folder)
    _refuse_unknown_method(manifest["method"], folder)
    with naming(folder, "cannot be read as a result", AGAIN):
        return make(**_fields(manifest, folder, analyser))


def _fields(manifest: dict[str, Any], folder: Path, analyser: Analyser | None) -> dict[str, Any]:
    fields = {name: manifest[name] for name in PLAIN}
    fields["history"], fields["restarts"] = tuple(fields["history"]), tuple(fields["restarts"])
    if fields["chosen"] >= max(len(fields["restarts"]), 1):
        raise ValueError(f"restart {fields['chosen']} of {len(fields['restarts'])} was chosen")
    with naming(folder / ARRAYS, advice=AGAIN):
        fields |= _load_arrays(folder / ARRAYS)
    if not manifest["before"]:
        fields["before"] = None
    corpus = Corpus.load(folder / CORPUS) if manifest["corpus"] else None
    if corpus is not None and analyser is not None:
        corpus = replace(corpus, analyser=analyser)
    network = load_network(manifest["network"], corpus, folder)
    knowledge = manifest.get("knowledge")
    compiled = None if knowledge is None else load_knowledge(knowledge, network.names, folder)
    if fields[COSTS].shape not in ((0,), (0 if compiled is None else len(compiled),)):
        raise ValueError("the costs do not fit the statements")
    return {**fields, "corpus": corpus, "network": network, "compiled": compiled}


def _arrays(result: Result) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {COSTS: result.statement_costs}
    for group in GROUPS:
        part = getattr(result, group) or {}
        found |= {f"{group}/{name}": values for name, values in part.items()}
    return found


def _load_arrays(path: Path) -> dict[str, Any]:
    arrays = read_arrays(path)
    found: dict[str, Any] = {COSTS: arrays.pop(COSTS), **{group: {} for group in GROUPS}}
    for key, values in arrays.items():
        group, _, name = key.partition("/")
        if group not in GROUPS or not name:
            raise ValueError(f"{key!a:.60} is no array of a result")
        found[group][name] = values
    return found


def _refuse_unknown_method(name: str, folder: Path) -> None:
    try:
        registry.find(name)
    except UnknownMethodError as error:
        raise StoreError(
            f"{folder / NAME} was made by a method that this Colligate does not have: {error} "
            "Load it with the Colligate that made it."
        ) from error


def _plain(value: Any) -> Any:
    return dict(value) if hasattr(value, "keys") else value
