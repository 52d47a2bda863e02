"""Knowledge and labels of one run, compiled for a network and checked against what the method takes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from colligate.errors import InputError, KnowledgeError, KnowledgeWarning, RefusedKnowledgeError
from colligate.knowledge import Grouping, Knowledge
from colligate.methods.outsiders import count_outsiders
from colligate.methods.schema import related_types
from colligate.network import DOCUMENTS, WORDS
from colligate.registry import load_methods

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from colligate.knowledge import Compiled, Guidance
    from colligate.methods.base import Method
    from colligate.network import Network


@dataclass(frozen=True, eq=False)
class CompiledKnowledge:
    """The compiled knowledge of one run, and its guidance where there is any."""

    compiled: Compiled | None
    guidance: Mapping[str, Guidance]


def check_knowledge(knowledge: Any) -> None:
    """Raise a KnowledgeError for anything but a Knowledge, such as the path of a file."""
    if not isinstance(knowledge, Knowledge):
        raise KnowledgeError(
            f"knowledge must be a Knowledge, got {type(knowledge).__name__}; read a file with "
            "Knowledge.read(path)",
            parameter="knowledge",
        )


def add_labels(method: Method, network: Network, y: Any, knowledge: Knowledge | None) -> Knowledge | None:
    """Check the knowledge of a run, and add the labels in `y` to it."""
    if knowledge is not None:
        check_knowledge(knowledge)
    if knowledge is not None and knowledge.changes:
        raise KnowledgeError(
            f"the knowledge has a change to groups ({knowledge.changes[0].act}), but a new run has no groups "
            "yet; use Result.apply(knowledge), or `colligate change RUN --knowledge FILE`",
            parameter="knowledge",
        )
    return _add_labels(method, network, y, knowledge)


def compile_for(method: Method, network: Network, labelled: Knowledge | None) -> CompiledKnowledge:
    """Compile knowledge with its labels; reject what the method does not accept, by name."""
    if labelled is None or not len(labelled):
        return CompiledKnowledge(None, {})
    compiled = labelled.compile(network.names, make_groupings(method.n_clusters_by_type(network), network))
    guidance = {name: known for name, known in compiled.guidance.items() if not known.is_empty}
    present = [f"{what}:{name}" for name, known in guidance.items() for what in known.kinds]
    if compiled.outside_corpora:
        present.append(f"outside:{network.centre}")
    for what in present:
        if not takes(method, what, network):
            raise RefusedKnowledgeError(describe_refusal(method, what, network))
        if what.split(":", 1)[1] not in related_types(network):
            raise RefusedKnowledgeError(
                f"{what.replace(':', ' on ')} cannot be used, because the network has no relation with "
                f"{what.split(':', 1)[1]}; remove these statements, or add a relation"
            )
    if compiled.outside_corpora:
        centre = compiled.guidance[network.centre]
        outside = count_outsiders(network, compiled.outside_corpora, centre.outsiders)
        guidance[network.centre] = replace(centre, outside=outside)
    _warn_of_too_many_labels(method, guidance, network)
    return CompiledKnowledge(compiled, guidance)


def make_groupings(n_groups: Mapping[str, int], network: Network) -> dict[str, Grouping]:
    """Return what a method is to make of the types that it groups."""
    return {name: Grouping(count, network.nonempty(name)) for name, count in n_groups.items()}


def takes(method: type[Method] | Method, what: str, network: Network) -> bool:
    """Tell whether a method accepts a kind of knowledge on a type of a network, such as `links:documents`.

    In a method's `takes`, documents mean the centre of a network, words its terms, and * every type.
    """
    kind, type_name = what.split(":", 1)
    role = {network.centre: DOCUMENTS, network.terms: WORDS}.get(type_name, type_name)
    return not {f"{kind}:{type_name}", f"{kind}:{role}", f"{kind}:*"}.isdisjoint(method.takes)


def describe_refusal(method: Method, what: str, network: Network) -> str:
    """Return a message that a method does not accept a kind of knowledge, with the methods that do."""
    kind, type_name = what.split(":", 1)
    kind = "outsiders" if kind == "outside" else kind
    takers = [name for name, cls in load_methods().items() if takes(cls, what, network)]
    if not takers:
        return (
            f"{method.name} does not accept {kind} on {type_name}, and no other method does. "
            f"Remove these {kind}."
        )
    return (
        f"{method.name} does not accept {kind} on {type_name}. Remove these {kind}, or choose one of the "
        f"methods that accept them: {', '.join(takers)}."
    )


def _add_labels(method: Method, network: Network, y: Any, knowledge: Knowledge | None) -> Knowledge | None:
    if y is None:
        return knowledge
    labels = np.asarray(y).ravel()
    names = network.names[network.centre]
    if len(labels) != len(names):
        raise InputError(
            f"y has {len(labels)} labels for {len(names)} {network.centre}; give one label for each of "
            "them (-1 means no label)",
            parameter="y",
        )
    what = f"labels:{network.centre}"
    if not takes(method, what, network):
        # scikit-learn's tools pass y to every estimator, so this cannot be an error
        message = f"{describe_refusal(method, what, network)} The labels in y are not used."
        warnings.warn(message, KnowledgeWarning, stacklevel=4)
        return knowledge
    by_name = {names[i]: str(labels[i]) for i in np.flatnonzero(has_label(labels)).tolist()}
    if not by_name:
        return knowledge
    from_y = Knowledge().label(by_name, type=network.centre, source="y")
    return from_y if knowledge is None else knowledge + from_y


def has_label(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which labels are known: not -1, and not missing by any of the usual marks."""
    if np.issubdtype(labels.dtype, np.number):
        return np.asarray(np.isfinite(labels) & (labels != -1), dtype=np.bool_)
    return np.array([_is_label(label) for label in labels.tolist()], dtype=np.bool_)


def _is_label(label: Any) -> bool:
    # by the name of its class, since pandas need not be installed
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return False
    # NaN is the one value that is not equal to itself
    return bool(label == label) and str(label) != "-1"


def _warn_of_too_many_labels(method: Method, guidance: Mapping[str, Guidance], network: Network) -> None:
    for type_name, n_clusters in method.n_clusters_by_type(network).items():
        names = guidance[type_name].label_names if type_name in guidance else ()
        if len(names) > n_clusters:
            warnings.warn(
                f"there are {len(names)} different labels of {type_name}, but {method.name} makes only "
                f"{n_clusters} groups. So some labels share a group, and their statements cannot all be "
                f"kept. To give every label a group, make at least {len(names)} groups.",
                KnowledgeWarning,
                stacklevel=5,
            )
