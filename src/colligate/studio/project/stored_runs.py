"""The stored runs of a project: what each computed. The documents stand in the project once.

runs/N/ holds run.json (the trace, and the SHA-256 of the other file) and arrays.npz.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.damage import naming
from colligate.errors import StoreError
from colligate.files import sha256, writing_folder
from colligate.npz import read_arrays
from colligate.result import Result
from colligate.result.manifest import SHAPE as OF_RESULTS
from colligate.result.store import ARRAYS, COSTS, PLAIN
from colligate.sealing import Seal
from colligate.shape import TEXT, check_shape
from colligate.studio.project.compiling import compiled_text

if TYPE_CHECKING:
    from pathlib import Path

    from colligate.network import Network

AGAIN = "cluster again"
SEAL = Seal("colligate-studio-run", 1, "is not a run of a project of the studio", AGAIN)
MANIFEST = "run.json"
BY_NAME = ("labels", "memberships", "association", "model")
SHAPE = {**{name: OF_RESULTS[name] for name in PLAIN}, "sha256": TEXT}


def save_run(result: Result, folder: Path) -> None:
    """Write a run; nothing half-written ever stands under its name."""
    arrays = {COSTS: result.statement_costs}
    for part in BY_NAME:
        arrays |= {f"{part}/{name}": values for name, values in getattr(result, part).items()}
    with writing_folder(folder) as temporary:
        np.savez(temporary / ARRAYS, **arrays)  # type: ignore[arg-type]
        content = {name: _plain(getattr(result, name)) for name in PLAIN}
        plain = json.loads(json.dumps({**content, "sha256": sha256(temporary / ARRAYS)}))
        (temporary / MANIFEST).write_text(SEAL.text(plain), encoding="utf-8")


def load_run(folder: Path, network: Network, knowledge: str) -> Result:
    """Read a run back, with the documents of its project and the knowledge file it was made with."""
    found = SEAL.opened(folder / MANIFEST)
    check_shape(found, SHAPE, str(folder / MANIFEST), AGAIN)
    with naming(folder / ARRAYS, advice=AGAIN):
        if sha256(folder / ARRAYS) != found.pop("sha256"):
            raise StoreError(f"{folder / ARRAYS} is damaged or was changed after it was written; {AGAIN}")
        arrays = read_arrays(folder / ARRAYS)
        parts: dict[str, Any] = {COSTS: arrays.pop(COSTS), **{part: {} for part in BY_NAME}}
        for key, values in arrays.items():
            part, _, name = key.partition("/")
            parts[part][name] = values
    del found["format"], found["format_version"]
    found["history"], found["restarts"] = tuple(found["history"]), tuple(found["restarts"])
    with naming(folder, advice=AGAIN):
        compiled = compiled_text(knowledge, folder.parent, network.names)
        return Result(**found, **parts, network=network, corpus=network.corpus, compiled=compiled)


def _plain(value: Any) -> Any:
    return dict(value) if hasattr(value, "keys") else value
