"""Checkpoints: a run saved to disk while it goes, so that it can resume after any interruption.

A checkpoint is one npz file of plain arrays. It is replaced as a whole, so the file is always usable. The
fingerprint identifies the problem: the checkpoint of another problem is not resumed.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from colligate._storage.arrays import read_arrays, write_arrays
from colligate._storage.atomic import write_file
from colligate._storage.manifest import (
    BOOLEAN,
    INTEGER,
    NUMBERS,
    OBJECT,
    SEED,
    STRING,
    Schema,
    check_schema,
    nullable,
    parse_object,
)
from colligate.corpus.encoders import is_encoder
from colligate.errors import StoreError
from colligate.methods.loop import Progress, Run, State
from colligate.shards.matrix import ShardedMatrix

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.base import Method
    from colligate.methods.guidance import CompiledKnowledge
    from colligate.network import Network


ADVICE = "remove it and start again"
RUN_SCHEMA: Schema = {"history": NUMBERS, "converged": BOOLEAN}
META_SCHEMA: Schema = {
    "fingerprint": STRING,
    "seed": SEED,
    "finished": NUMBERS,
    "chosen": INTEGER,
    "best": nullable(OBJECT),
    "current": nullable(OBJECT),
}


@dataclass
class Checkpoint:
    """The file of one problem, identified by `fingerprint`; written at most every `interval` seconds."""

    path: Path
    fingerprint: str
    interval: float = 1.0
    # The clock counts from the start of the machine, so 0 could be less than an interval ago.
    _written: float = field(default=-math.inf, init=False)

    def save(self, progress: Progress, *, force: bool = False) -> None:
        """Write the progress; without `force`, only if `interval` seconds have passed since the last time."""
        if not force and time.monotonic() - self._written < self.interval:
            return
        arrays = {
            # JSON as bytes: npz could hold other values only as pickles, which can run code when read
            "meta": np.frombuffer(json.dumps(self._metadata(progress)).encode(), dtype=np.uint8),
            **_run_arrays("best", progress.best),
            **_run_arrays("current", progress.current),
        }
        with write_file(self.path) as temporary:
            write_arrays(temporary, arrays)
        self._written = time.monotonic()

    def load(self) -> Progress | None:
        """Read the progress; return None if there is no file, and refuse the file of another problem."""
        if not self.path.exists():
            return None
        try:
            arrays = read_arrays(self.path)
            meta = parse_object(arrays["meta"].tobytes())
            check_schema(meta, META_SCHEMA, self.path, ADVICE)
            progress, fingerprint = _restore_progress(meta, arrays), meta["fingerprint"]
        except StoreError:
            raise
        except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile, OverflowError) as error:
            raise self.damage_error(error) from error
        if fingerprint != self.fingerprint:
            raise StoreError(
                f"the checkpoint {self.path} belongs to a run with other documents, knowledge or "
                "parameters; use those of the stopped run, or remove the checkpoint and start again"
            )
        return progress

    def damage_error(self, reason: object) -> StoreError:
        """Return the error that says what is wrong with the file."""
        return StoreError(f"the checkpoint {self.path} is damaged ({reason}); {ADVICE}")

    def _metadata(self, progress: Progress) -> dict[str, Any]:
        return {
            "fingerprint": self.fingerprint,
            "seed": progress.seed,
            "finished": progress.finished,
            "chosen": progress.chosen,
            "best": _run_metadata(progress.best),
            "current": _run_metadata(progress.current),
        }


def _run_metadata(run: Run | None) -> dict[str, Any] | None:
    return None if run is None else {"history": run.history, "converged": run.converged}


def _run_arrays(name: str, run: Run | None) -> dict[str, Any]:
    return {} if run is None else {f"{name}/{key}": value for key, value in run.state.to_arrays().items()}


def _restore_progress(meta: Mapping[str, Any], arrays: Mapping[str, Any]) -> Progress:
    best, current = _restore_run("best", meta, arrays), _restore_run("current", meta, arrays)
    if meta["finished"] and (best is None or meta["chosen"] >= len(meta["finished"])):
        raise ValueError("the best restart is missing")
    return Progress(meta["seed"], tuple(meta["finished"]), best, meta["chosen"], current)


def _restore_run(name: str, meta: Mapping[str, Any], arrays: Mapping[str, Any]) -> Run | None:
    if meta[name] is None:
        return None
    check_schema(meta[name], RUN_SCHEMA, "the checkpoint", ADVICE)
    if not meta[name]["history"]:
        raise ValueError("a restart has no objective")
    prefix = f"{name}/"
    state = {key.removeprefix(prefix): value for key, value in arrays.items() if key.startswith(prefix)}
    return Run(State.from_arrays(state), tuple(meta[name]["history"]), meta[name]["converged"])


def compute_fingerprint(method: Method, network: Network, knowledge: CompiledKnowledge) -> str:
    """Hash the method, its parameters, the relations and the guidance."""
    # the labels do not depend on where they are computed, so a run may resume on more threads, or on a GPU
    parameters = {
        name: value
        for name, value in serialise_parameters(method).items()
        if name not in ("n_jobs", "device")
    }
    digest = hashlib.sha256(json.dumps([method.name, parameters], sort_keys=True).encode())
    digest.update(json.dumps({name: len(kind) for name, kind in network.types.items()}).encode())
    for relation in network.relations:
        header = [
            relation.name,
            relation.rows,
            relation.columns,
            relation.matrix.shape,
            relation.weight,
            relation.in_text,
        ]
        digest.update(json.dumps(header).encode())
        if isinstance(relation.matrix, ShardedMatrix):
            digest.update(relation.matrix.digest())
            continue
        for part in (relation.matrix.data, relation.matrix.indices, relation.matrix.indptr):
            digest.update(np.ascontiguousarray(part).tobytes())
    for kind, guidance in sorted(knowledge.guidance.items()):
        names = [
            guidance.label_names,
            () if guidance.seeds is None else guidance.seeds.categories,
            *((piece.name, piece.group_names) for piece in guidance.about_groups),
        ]
        digest.update(json.dumps([kind, guidance.size, names]).encode())
        for part in _guidance_arrays(guidance):
            # with type and shape, since arrays of different shapes can have the same bytes
            digest.update(f"{part.dtype} {part.shape}".encode() + np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()


def _guidance_arrays(guidance: Guidance) -> Iterator[NDArray[Any]]:
    """Yield all arrays of the guidance of one type that affect a run."""
    pairs = guidance.pairs
    yield from (pairs.left, pairs.right, pairs.sign, pairs.strength)
    for groups in guidance.groups:
        yield from (groups.member, groups.group, np.array([groups.together, groups.apart]))
    if guidance.seeds is not None:
        matrix = guidance.seeds.matrix
        yield from (matrix.data, matrix.indices, matrix.indptr)
    if guidance.labels is not None:
        yield guidance.labels
    yield from (guidance.outsiders, guidance.sources, guidance.by_model)
    for piece in guidance.about_groups:
        yield from piece.arrays
    if guidance.outside is not None:
        yield from (guidance.outside.data, guidance.outside.indices, guidance.outside.indptr)


def serialise_parameters(method: Method) -> dict[str, Any]:
    """Return the parameters as JSON values: arrays by shape and hash, other objects by their type."""
    return {name: _to_json(value) for name, value in sorted(method.get_params(deep=False).items())}


def _to_json(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple) and any(
        isinstance(entry, str | np.ndarray) or is_encoder(entry) for entry in value
    ):
        return [_to_json(entry) for entry in value]
    if is_encoder(value):
        return f"encoder {type(value).__name__}"
    if hasattr(value, "__array__") or isinstance(value, list | tuple):
        array = np.asarray(value)
        return f"array {array.shape} {array.dtype} {hashlib.sha256(array.tobytes()).hexdigest()[:16]}"
    if isinstance(value, Mapping):
        return {str(name): _to_json(entry) for name, entry in sorted(value.items(), key=str)}
    return type(value).__name__
