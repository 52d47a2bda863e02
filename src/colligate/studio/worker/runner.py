"""Carry out one order in the worker: cluster, number the groups, lay out the documents, store."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from colligate import registry
from colligate._chat import POLICY, ChatModel
from colligate.errors import InputError, StoreError
from colligate.methods.fit import RunOptions
from colligate.methods.start_file import StartGroups, read_start, write_start
from colligate.progress import Event, reporting_to
from colligate.result.changes import match_identities
from colligate.result.descriptions import Description, DescriptionCache, Prompt, ask_for_descriptions
from colligate.result.groups import find_groups_by_name, keep_names, name_groups_by_words
from colligate.studio.knowledge_file import read_text
from colligate.studio.map import MapLayout, make_layout
from colligate.studio.planning import start_path
from colligate.studio.project.runs import load_run, save_run
from colligate.studio.worker.first_look import find_first_groups
from colligate.studio.worker.meter import DRAWING, FIRST_LOOK

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from colligate.corpus.duplicates import Duplicates
    from colligate.network import Network
    from colligate.progress import Listener
    from colligate.result import Result
    from colligate.studio.worker.process import Message

NAME_CACHE = "names.json"
TRUST = "trust"
"""The array of a model that has an entry for each statement."""


class Runner:
    """Carries out orders; keeps the documents and the last result in memory between them."""

    def __init__(self, folder: Path, network: Network) -> None:
        self.folder = folder
        self.network = network
        self._last: tuple[int, Result] | None = None
        self._copies: bool | Duplicates | None = None

    def run(
        self,
        order: Mapping[str, Any],
        listener: Listener,
        cancelled: Callable[[], bool],
        show_groups: Callable[[list[dict[str, Any]]], None] | None = None,
    ) -> Message:
        """Carry out an order, and return what the journal records; `show_groups` gets a first look.

        A first look is taken only where there is no run to look at meanwhile.
        """
        began = time.perf_counter()
        if show_groups is not None and order["parent"] is None:
            listener(Event(FIRST_LOOK, 0, 1))
            show_groups(find_first_groups(self.network, order["parameters"]["n_clusters"]))
            listener(Event(FIRST_LOOK, 1, 1))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            start = self._read_start(order)
            result = self._fit(order, start, RunOptions(listener=listener, cancelled=cancelled))
        number = order["run"]
        if start is None:
            result = self._number_groups(result, order)
        elif (before := self._load_repeated(order)) is not None:
            result = start.number_groups(_keep_groups(before, result))
            self._write_repeated_start(order, start)
        else:
            result = start.number_groups(result)
        result, problems = _name_by_model(result, order, self.folder, listener, cancelled)
        listener(Event(DRAWING, 0, 1))
        with reporting_to(lambda event: listener(Event(DRAWING, event.done, event.total, event.stage))):
            save_run(result, self.folder / "runs" / str(number))
            make_layout(result, result.group_numbers, self._load_parent_layout(order)).save(
                self.folder / "maps" / f"{number}.npz"
            )
            words = name_groups_by_words(result)
        self._last = (number, result)
        return {
            "identities": result.group_numbers,
            "words": words,
            "model_names": [description.name for description in result.descriptions],
            "claims": _find_claims(result, order),
            "seconds": round(time.perf_counter() - began, 3),
            "warnings": [
                *dict.fromkeys(str(warning.message) for warning in caught),
                *result.audit().warnings(),
                *problems,
            ],
        }

    def _read_start(self, order: Mapping[str, Any]) -> StartGroups | None:
        return read_start(start_path(self.folder, order["run"]), self.network) if order["started"] else None

    def _fit(self, order: Mapping[str, Any], start: StartGroups | None, options: RunOptions) -> Result:
        parameters = dict(order["parameters"])
        if start is not None:
            parameters |= start.parameters(self.network, registry.find_method(order["method"]))
        knowledge = read_text(order["knowledge"], self.folder)
        model = registry.make(order["method"], **parameters)
        if order.get("fold_duplicates"):
            options = replace(options, fold_duplicates=self._find_copies(options.listener))
        model.fit(self.network, knowledge=knowledge or None, options=options)
        result: Result = model.result_
        return result

    def _find_copies(self, listener: Listener) -> bool | Duplicates:
        """Find the copies among the documents, once for all orders."""
        if self._copies is None:
            corpus = self.network.corpus
            self._copies = True if corpus is None else corpus.duplicates(listener=listener)
        return self._copies

    def _number_groups(self, result: Result, order: Mapping[str, Any]) -> Result:
        """Number the groups of a fresh start like those of the run before: by statements, then documents."""
        parent = self._load(order["parent"])
        if parent is None:
            first = order["unused"]
            return replace(result, group_numbers=tuple(range(first, first + result.n_groups())))
        labels, before = result.labels[result.centre], parent.labels[parent.centre]
        numbers = match_identities(
            before,
            parent.group_numbers,
            labels,
            result.n_groups(),
            order["unused"],
            _bind_numbers(result, order["labels"]),
        )
        chosen = tuple(order["names"].get(str(number), "") for number in numbers)
        words = dict(zip(parent.group_numbers, name_groups_by_words(parent), strict=True))
        by_number = replace(result, group_numbers=numbers).numbers_of(labels)
        kept = keep_names(words, parent.numbers_of(before), by_number, numbers, "")
        descriptions = keep_names(
            dict(zip(parent.group_numbers, parent.descriptions, strict=True)),
            parent.numbers_of(before),
            by_number,
            numbers,
            Description(),
        )
        # without groups: whoever repeats the run needs its numbers and names only
        start = StartGroups(
            {},
            numbers=numbers,
            names=chosen,
            words=tuple(order["word_labels"]),
            word_names=kept,
            descriptions=descriptions,
        )
        write_start(start_path(self.folder, order["run"]), self.network, start)
        return start.number_groups(result)

    def _load_repeated(self, order: Mapping[str, Any]) -> Result | None:
        """Load the run before, if this one has nothing new that can move documents."""
        return None if order["repeats"] is None else self._load(order["parent"])

    def _write_repeated_start(self, order: Mapping[str, Any], present: StartGroups) -> None:
        """Replace the start of this run by that of the run which it repeats, with the present names."""
        path = start_path(self.folder, order["repeats"])
        start = read_start(path, self.network) if path.is_file() else StartGroups({})
        start = replace(start, numbers=present.numbers, names=present.names)
        write_start(start_path(self.folder, order["run"]), self.network, start)

    def _load(self, number: int | None) -> Result | None:
        """Load a run; None if there is no such run or it cannot be read."""
        if number is None:
            return None
        if self._last is None or self._last[0] != number:
            try:
                result = load_run(self.folder / "runs" / str(number), self.network, "")
            except StoreError:
                return None
            self._last = (number, result)
        return self._last[1]

    def _load_parent_layout(self, order: Mapping[str, Any]) -> MapLayout | None:
        """Load the map of the run before; if it is lost, groups may change their places."""
        try:
            return MapLayout.load(self.folder / "maps" / f"{order['parent']}.npz")
        except StoreError:
            return None


def _name_by_model(
    result: Result,
    order: Mapping[str, Any],
    folder: Path,
    listener: Listener,
    cancelled: Callable[[], bool],
) -> tuple[Result, tuple[str, ...]]:
    """Let the language model of the order name the groups; return what went wrong, too."""
    naming = order.get("naming")
    if naming is None:
        return result, ()
    policy = replace(POLICY, timeout=naming["timeout"], retries=naming["retries"])
    model = ChatModel(naming["url"], naming["model"], key_variable=naming["key_variable"], policy=policy)
    try:
        cache = DescriptionCache.open(folder / NAME_CACHE)
    except (InputError, OSError) as error:
        cache = DescriptionCache(problem=str(error))
    named = ask_for_descriptions(result, model, Prompt(naming["prompt"]), cache, listener, cancelled)
    return replace(result, descriptions=named.descriptions), named.problems


def _keep_groups(before: Result, after: Result) -> Result:
    """Return the groups and the confidence of a run, with the statements of the run after it."""
    model = {name: array for name, array in before.model.items() if name != TRUST}
    model |= {name: array for name, array in after.model.items() if name == TRUST}
    return replace(
        before,
        compiled=after.compiled,
        statement_costs=after.statement_costs,
        named_groups=after.named_groups,
        parameters=after.parameters,
        model=model,
    )


def _bind_numbers(result: Result, numbers: Mapping[str, int]) -> dict[int, int]:
    """Return the number of each group that the knowledge names; of several names the first counts."""
    bound: dict[int, int] = {}
    for name, group in find_groups_by_name(result).items():
        if name in numbers and group not in bound and numbers[name] not in bound.values():
            bound[group] = numbers[name]
    return bound


def _find_claims(result: Result, order: Mapping[str, Any]) -> dict[str, int]:
    """Return the groups of the names that only the user's knowledge file has."""
    by_name = find_groups_by_name(result)
    new = {
        name: result.group_numbers[group]
        for name, group in by_name.items()
        if name in order["claims"] or name not in order["labels"]
    }
    return {**order["claims"], **new}
