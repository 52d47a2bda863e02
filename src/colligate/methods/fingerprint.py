"""What a problem is made of, as one short text: a checkpoint of another problem must not be resumed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from colligate.knowledge import Guidance
    from colligate.methods.asked import Asked
    from colligate.methods.contract import Method
    from colligate.network import Network


def fingerprint(method: Method, network: Network, asked: Asked) -> str:
    """A digest of the method, its parameters, the relations and the guidance."""
    # the labels do not depend on the number of threads, so a run may go on with another one
    parameters = {name: value for name, value in plain_parameters(method).items() if name != "n_jobs"}
    digest = hashlib.sha256(json.dumps([method.name, parameters], sort_keys=True).encode())
    digest.update(json.dumps({name: len(kind) for name, kind in network.types.items()}).encode())
    for relation in network.relations:
        told = [relation.name, relation.rows, relation.columns, relation.matrix.shape, relation.weight]
        digest.update(json.dumps(told).encode())
        for part in (relation.matrix.data, relation.matrix.indices, relation.matrix.indptr):
            digest.update(np.ascontiguousarray(part).tobytes())
    for kind, guidance in sorted(asked.guidance.items()):
        names = [guidance.label_names, () if guidance.leanings is None else guidance.leanings.categories]
        digest.update(json.dumps([kind, guidance.size, names]).encode())
        for part in _arrays(guidance):
            digest.update(f"{part.dtype} {part.shape}".encode() + np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()


def _arrays(guidance: Guidance) -> Iterator[NDArray[Any]]:
    """Everything a run can see of the guidance of one type."""
    pairs = guidance.pairs
    yield from (pairs.left, pairs.right, pairs.sign, pairs.strength)
    for groups in guidance.groups:
        yield from (groups.member, groups.group, np.array([groups.together, groups.apart]))
    if guidance.leanings is not None:
        matrix = guidance.leanings.matrix
        yield from (matrix.data, matrix.indices, matrix.indptr)
    if guidance.labels is not None:
        yield guidance.labels
    yield guidance.outsiders
    if guidance.outside is not None:
        yield from (guidance.outside.data, guidance.outside.indices, guidance.outside.indptr)


def plain_parameters(method: Method) -> dict[str, Any]:
    """The parameters in JSON's terms; arrays by shape and digest, other objects by their type."""
    return {name: _plain(value) for name, value in sorted(method.get_params(deep=False).items())}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "__array__") or isinstance(value, list | tuple):
        array = np.asarray(value)
        return f"array {array.shape} {array.dtype} {hashlib.sha256(array.tobytes()).hexdigest()[:16]}"
    if isinstance(value, Mapping):
        return {str(name): _plain(own) for name, own in sorted(value.items(), key=str)}
    return type(value).__name__
