"""The inputs of the commands: documents, networks, knowledge, labels, stored runs and method parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from colligate._storage.atomic import expand_path
from colligate.cli.console import METHOD_OPTIONS, print_message
from colligate.cli.output import CHECKPOINT, MODEL
from colligate.corpus.corpus import collect_documents
from colligate.corpus.readers import ColumnRequest, open_source
from colligate.errors import ParameterError, StoreError
from colligate.progress import Listener, ignore_events

if TYPE_CHECKING:
    from colligate.cli.console import Watch
    from colligate.corpus import Corpus
    from colligate.knowledge import Knowledge
    from colligate.methods.start_file import StartGroups
    from colligate.network import Network
    from colligate.result import Result

STORED_NETWORK = "network.json"
# An entity in a single document cannot connect documents.
MIN_DOCUMENTS = 2
# Options on reading and counting documents, which a stored network has already done.
DOCUMENT_OPTIONS = (
    "mentions",
    "kb",
    "kb_type",
    "text",
    "id",
    "encoding",
    "min_df",
    "max_df",
    "stop_words",
    "ngrams",
)


def is_stored_network(input: Path) -> bool:
    """Whether the input is a folder that `Network.save` wrote."""
    return (expand_path(input) / STORED_NETWORK).is_file()


def refuse_document_options(context: typer.Context) -> None:
    """Refuse options that have no effect on a stored network."""
    options = [
        f"--{name.replace('_', '-')}" for name in DOCUMENT_OPTIONS if _is_on_command_line(context, name)
    ]
    if options:
        raise typer.BadParameter(
            f"{context.params['input']} is a stored network and already has documents, words and "
            "relations; leave out this option",
            param_hint=", ".join(options),
        )


@dataclass(frozen=True)
class Entities:
    """Where the entities of documents come from, and whether their sub-types count as knowledge.

    `jobs` is the number of processes that search a knowledge base; None means all cores.
    """

    mentions: Path | None = None
    base: str | None = None
    types: tuple[str, ...] = ()
    subtypes: bool = False
    jobs: int | None = None

    def __post_init__(self) -> None:
        if self.mentions is not None and self.base is not None:
            raise typer.BadParameter("--mentions and --kb both provide entities; use only one of them")
        if self.subtypes and self.mentions is None and self.base is None:
            raise typer.BadParameter(
                "this option needs entities; also set --mentions or --kb", param_hint="--subtypes"
            )
        if self.types and self.base is None:
            raise typer.BadParameter(
                "this option needs a knowledge base; also set --kb", param_hint="--kb-type"
            )


def read_documents(
    input: Path, entities: Entities, unknown: str, watch: Watch, **reading: Any
) -> tuple[Corpus | Network, Any]:
    """Read the input as a corpus, or as a network if it has entities, and return the table of mentions."""
    from colligate.corpus import Corpus
    from colligate.network import Network

    if is_stored_network(input):
        return Network.load(input), None
    corpus = Corpus.read(input, **reading, listener=watch.listener)
    if columns := corpus.describe_columns():
        print_message("columns", columns)
    if entities.base is not None:
        return _link_entities(corpus, entities, watch)
    if entities.mentions is None:
        return corpus, None
    return Network.from_tables(corpus, entities.mentions, unknown=unknown), entities.mentions


def read_knowledge(path: Path | None, unknown: str, contradictions: str) -> Knowledge | None:
    """Read the knowledge file."""
    from colligate.knowledge import Knowledge

    if path is None:
        return None
    return Knowledge.read(expand_path(path), unknown=unknown, contradictions=contradictions)


def add_subtypes(
    knowledge: Knowledge | None, mentions: Any, entities: Entities, unknown: str, contradictions: str
) -> Knowledge | None:
    """Add the knowledge that the sub-types of mentions imply, if it is wanted."""
    from colligate.network import subtype_knowledge

    # A knowledge base may have no sub-types, or no entity of these documents.
    if not entities.subtypes or (entities.base is not None and not any(mentions["subtype"])):
        return knowledge
    source = f"sub-types of {Path(entities.base or entities.mentions or '').name}"
    of_subtypes = subtype_knowledge(mentions, source=source, unknown=unknown, contradictions=contradictions)
    return of_subtypes if knowledge is None else knowledge + of_subtypes


def start_method(path: Path | None, documents: Corpus | Network, model: Any) -> StartGroups | None:
    """Make a method start from a start file, and return its groups; None without one."""
    from colligate.methods.start_file import read_start
    from colligate.network import Network

    if path is None:
        return None
    network = documents if isinstance(documents, Network) else Network.from_corpus(documents)
    start = read_start(expand_path(path), network)
    model.set_params(**start.parameters(network, type(model)))
    return start


def _link_entities(corpus: Corpus, entities: Entities, watch: Watch) -> tuple[Network, Any]:
    from colligate.entities.kb.store import open_base
    from colligate.entities.linker import link
    from colligate.entities.network import common_mentions, entity_network
    from colligate.errors import InputError

    if corpus.texts is None:
        raise InputError(
            "--kb looks for entities in texts, but these documents have only word counts; leave out --kb, or "
            "read the texts instead"
        )
    base = open_base(str(entities.base), listener=watch.listener)
    types, jobs = entities.types or None, entities.jobs
    linked = link(corpus.ids, corpus.texts, base, types=types, n_jobs=jobs, listener=watch.listener)
    return entity_network(corpus, linked, min_documents=MIN_DOCUMENTS), common_mentions(linked, MIN_DOCUMENTS)


def _is_on_command_line(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def read_labels(
    path: Path,
    label: str,
    id: str | None = None,
    encoding: str | None = None,
    listener: Listener = ignore_events,
) -> dict[str, str]:
    """Read labels by id; empty labels are skipped."""
    documents = collect_documents(
        open_source(expand_path(path), ColumnRequest((label,), id, keep=False), encoding), listener
    )
    return {
        name: label_text.strip()
        for name, label_text in zip(documents.ids, documents.texts, strict=True)
        if label_text.strip()
    }


def load_run(path: Path) -> Result:
    """Load the result of a run from its output folder, or from the folder `model` in it."""
    from colligate.result import Result

    path = expand_path(path)
    if (path / MODEL).is_dir():
        return Result.load(path / MODEL)
    if (path / CHECKPOINT).is_file():
        raise StoreError(f"{path} contains an unfinished run; finish it with `colligate cluster … --resume`")
    return Result.load(path)


def parse_parameters(items: Sequence[str]) -> dict[str, Any]:
    """Parse `name=value` pairs; a value is JSON (20, 0.5, true, null), True, False, None, or text."""
    parameters: dict[str, Any] = {}
    for item in items:
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise typer.BadParameter(f"{item!r} does not have the form name=value", param_hint="--param")
        if name in METHOD_OPTIONS:
            raise typer.BadParameter(
                f"{name} is not set with --param; use {METHOD_OPTIONS[name]} instead", param_hint="--param"
            )
        if name in parameters:
            raise typer.BadParameter(f"{name} is set twice; set it once", param_hint="--param")
        parameters[name] = _parse_value(value)
    return parameters


def make_method(name: str, parameters: Mapping[str, Any]) -> Any:
    """Make a method with the parameters that are not None; an unknown one is refused with the known ones."""
    from colligate.registry import find_method

    method = find_method(name)()
    available = method.get_params(deep=False)
    wanted = {
        key: value for key, value in parameters.items() if value is not None or key not in METHOD_OPTIONS
    }
    for key in wanted:
        if key not in available:
            raise ParameterError(f"{name} has no parameter {key}{_suggest_parameter(key, available)}")
    return method.set_params(**wanted)


def _suggest_parameter(key: str, available: Mapping[str, Any]) -> str:
    if key in METHOD_OPTIONS:
        return f"; omit {METHOD_OPTIONS[key]}, or choose another --method"
    near = get_close_matches(key, available, n=1)
    others = sorted(set(available) - set(METHOD_OPTIONS))
    meant = f"; did you mean {near[0]}?" if near else "."
    return (
        f"{meant} The parameters for --param are {', '.join(others)}."
        if others
        else "; this method has no parameters for --param."
    )


def _parse_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {"True": True, "False": False, "None": None}.get(text, text)
