"""What a problem is made of, as one short text: a checkpoint of another problem must not be resumed."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from colligate.methods.asked import Asked
    from colligate.methods.contract import Method
    from colligate.network import Network


def fingerprint(method: Method, network: Network, asked: Asked) -> str:
    """A digest of the method, its parameters, the relations and the statements."""
    # the labels do not depend on the number of threads, so a run may go on with another one
    parameters = {name: value for name, value in plain_parameters(method).items() if name != "n_jobs"}
    digest = hashlib.sha256(json.dumps([method.name, parameters], sort_keys=True).encode())
    for relation in network.relations:
        digest.update(f"{relation.name} {relation.matrix.shape} {relation.weight}".encode())
        for part in (relation.matrix.data, relation.matrix.indices, relation.matrix.indptr):
            digest.update(np.ascontiguousarray(part).tobytes())
    if asked.compiled is not None:
        said = asked.compiled.statements
        for column in (said.kind, said.type, said.subject, said.object, said.strength):
            digest.update("\x1f".join(map(str, column)).encode())
    return digest.hexdigest()


def plain_parameters(method: Method) -> dict[str, Any]:
    """The parameters in JSON's terms; arrays by shape and digest, other objects by their type."""
    return {name: _plain(value) for name, value in sorted(method.get_params(deep=False).items())}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray | list | tuple):
        array = np.asarray(value)
        return f"array {array.shape} {hashlib.sha256(array.tobytes()).hexdigest()[:16]}"
    return type(value).__name__
