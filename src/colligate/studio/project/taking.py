"""Taking statements in, one after the other: what each makes of all that was said before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from colligate.questions.answers import EXEMPLAR_SUFFIX
from colligate.studio.project.kinds import documents_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from colligate.studio.project.knowledge import Said


def _link(kind: str) -> Callable[[Said, Mapping[str, Any], str], None]:
    def take(said: Said, body: Mapping[str, Any], source: str) -> None:
        items = tuple(body["items"])
        if len(items) > 2:
            said.sets.append((kind, body["type"], items, source))
        else:
            said.links.pop((body["type"], frozenset(items)), None)
            said.links[body["type"], frozenset(items)] = (kind, items, source)

    return take


def _labelled(said: Said, names: Iterable[str], label: str, source: str) -> None:
    for name in names:
        said.outside.pop(name, None)
        said.labels.pop(name, None)
        said.labels[name] = (label, source)


def _stand(said: Said, names: Iterable[str], label: str, source: str) -> None:
    """Let documents stand for a group; those that a person gave the same label say so already."""
    for name in names:
        own, by = said.labels.get(name, ("", EXEMPLAR_SUFFIX))
        if by.endswith(EXEMPLAR_SUFFIX) or said.label_of(own) != said.label_of(label):
            _labelled(said, [name], label, f"{source} {EXEMPLAR_SUFFIX}")


def _stand_where_free(said: Said, names: Iterable[str], label: str, source: str) -> None:
    free = [name for name in names if name not in said.labels and name not in said.outside]
    _stand(said, free, label, source)


def _label(said: Said, body: Mapping[str, Any], source: str) -> None:
    _stand_where_free(said, body["exemplars"], body["label"], source)
    _labelled(said, documents_of(body), body["label"], source)


def _outside(said: Said, body: Mapping[str, Any], source: str) -> None:
    for name in documents_of(body):
        said.labels.pop(name, None)
        said.outside[name] = source


def _category(said: Said, body: Mapping[str, Any], source: str) -> None:
    said.categories.pop(body["word"], None)
    said.categories[body["word"]] = (body["name"], source)


def _merge(said: Said, body: Mapping[str, Any], source: str) -> None:
    kept, gone = body["labels"]
    said.becomes(gone, kept)
    _stand(said, [name for part in body["exemplars"] for name in part], kept, source)


def _split(said: Said, body: Mapping[str, Any], source: str) -> None:
    for label, names in zip(body["labels"], body["seeds"], strict=True):
        _stand(said, names, label, source)


def _freeze(said: Said, body: Mapping[str, Any], source: str) -> None:
    _stand(said, body["documents"], body["label"], source)


def _name(said: Said, body: Mapping[str, Any], source: str) -> None:
    """A group is named by the label of the documents that stand for it, those of an earlier name too."""
    label = body["label"]
    said.becomes(label, body["name"])
    earlier, said.named[label] = f"{said.named.get(label)} {EXEMPLAR_SUFFIX}", source
    for name, (own, by) in said.labels.items():
        if by == earlier:
            said.labels[name] = (own, f"{source} {EXEMPLAR_SUFFIX}")
    _stand_where_free(said, body["exemplars"], label, source)


TAKEN: dict[str, Callable[[Said, Mapping[str, Any], str], None]] = {
    "together": _link("together"),
    "apart": _link("apart"),
    "label": _label,
    "outside": _outside,
    "category": _category,
    "name": _name,
    "merge": _merge,
    "split": _split,
    "freeze": _freeze,
}
