"""What `colligate cluster` is given: documents, with entities from a table or a knowledge base; a network.

Known labels of documents: a table with a column of ids and a column of labels.

Finding the stored result of a finished run.

The parameters of a method, as the command line gives them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from colligate._storage.atomic import expand_path
from colligate.cli.console import METHOD_OPTIONS
from colligate.cli.output import CHECKPOINT, MODEL
from colligate.corpus.corpus import collect_documents
from colligate.corpus.readers import ColumnRequest, open_source
from colligate.errors import ParameterError, StoreError
from colligate.progress import Listener, ignore_events

if TYPE_CHECKING:
    from colligate.cli.console import Watch
    from colligate.corpus import Corpus
    from colligate.knowledge import Knowledge
    from colligate.network import Network
    from colligate.result import Result

STORED_NETWORK = "network.json"
# an entity that one document alone speaks of tells nothing of others
MIN_DOCUMENTS = 2
# how documents are read, their words counted and their mentions added: all done in a stored network
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
    """Refuse the options that would be without effect on a stored network."""
    given = [f"--{name.replace('_', '-')}" for name in DOCUMENT_OPTIONS if _is_on_command_line(context, name)]
    if given:
        raise typer.BadParameter(
            f"{context.params['input']} is a stored network, which has its documents, words and relations "
            "already; leave this out",
            param_hint=", ".join(given),
        )


@dataclass(frozen=True)
class Entities:
    """Where the entities of documents come from, and whether their sub-types are knowledge.

    `jobs` processes look for those of a knowledge base, as many as there are cores without a number.
    """

    mentions: Path | None = None
    base: str | None = None
    types: tuple[str, ...] = ()
    subtypes: bool = False
    jobs: int | None = None

    def __post_init__(self) -> None:
        if self.mentions is not None and self.base is not None:
            raise typer.BadParameter("--mentions and --kb both tell of entities: choose one of them")
        if self.subtypes and self.mentions is None and self.base is None:
            raise typer.BadParameter(
                "there are no sub-types without --mentions or --kb", param_hint="--subtypes"
            )
        if self.types and self.base is None:
            raise typer.BadParameter("there are no types without --kb", param_hint="--kb-type")


def read_documents(
    input: Path, entities: Entities, unknown: str, watch: Watch, **reading: Any
) -> tuple[Corpus | Network, Any]:
    """Read the input, as a network where its entities are told, and the table of mentions, if any."""
    from colligate.corpus import Corpus
    from colligate.network import Network

    if is_stored_network(input):
        return Network.load(input), None
    corpus = Corpus.read(input, **reading, listener=watch.listener)
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
    told: Knowledge | None, mentions: Any, entities: Entities, unknown: str, contradictions: str
) -> Knowledge | None:
    """The knowledge, and what the sub-types of a table of mentions say, if they are asked for."""
    from colligate.network import subtype_knowledge

    # a knowledge base may have no sub-types, or nothing that these documents speak of
    if not entities.subtypes or (entities.base is not None and not any(mentions["subtype"])):
        return told
    source = Path(entities.base or entities.mentions or "").name
    own = subtype_knowledge(mentions, source=source, unknown=unknown, contradictions=contradictions)
    return own if told is None else told + own


def read_start_parameters(
    path: Path | None, documents: Corpus | Network, method: type[Any]
) -> dict[str, Any]:
    """The parameters that make a method begin from a start file, if one is given."""
    from colligate.methods.start_file import read_start, start_parameters
    from colligate.network import Network

    if path is None:
        return {}
    network = documents if isinstance(documents, Network) else Network.from_corpus(documents)
    return start_parameters(read_start(expand_path(path), network), network, method)


def _link_entities(corpus: Corpus, entities: Entities, watch: Watch) -> tuple[Network, Any]:
    from colligate.entities.kb.store import open_base
    from colligate.entities.linker import link
    from colligate.entities.network import common_mentions, entity_network
    from colligate.errors import InputError

    if corpus.texts is None:
        raise InputError("--kb finds entities in texts, and these documents are counts alone")
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
    """Read labels by id; a document whose label is empty has none."""
    found = collect_documents(open_source(expand_path(path), ColumnRequest((label,), id), encoding), listener)
    return {name: known.strip() for name, known in zip(found.ids, found.texts, strict=True) if known.strip()}


def load_run(path: Path) -> Result:
    """Load the result of a run from its output folder, or from the folder `model` in it."""
    from colligate.result import Result

    path = expand_path(path)
    if (path / MODEL).is_dir():
        return Result.load(path / MODEL)
    if (path / CHECKPOINT).is_file():
        raise StoreError(
            f"{path} holds a run that is not finished; finish it with `colligate cluster … --resume`"
        )
    return Result.load(path)


def parse_parameters(given: Sequence[str]) -> dict[str, Any]:
    """Read `name=value` pairs; a value is JSON (20, 0.5, true, null), True, False or None, or else text."""
    found: dict[str, Any] = {}
    for item in given:
        name, sign, value = item.partition("=")
        if not sign or not name:
            raise typer.BadParameter(f"{item!r} is not like name=value", param_hint="--param")
        if name in METHOD_OPTIONS:
            raise typer.BadParameter(f"{name} is set by {METHOD_OPTIONS[name]}", param_hint="--param")
        if name in found:
            raise typer.BadParameter(f"{name} is given twice", param_hint="--param")
        found[name] = _parse_value(value)
    return found


def make_method(name: str, parameters: Mapping[str, Any]) -> Any:
    """Make a method with the parameters that were given (not None), or say which ones it has."""
    from colligate.registry import find_method

    made = find_method(name)()
    known = made.get_params(deep=False)
    asked = {
        key: value for key, value in parameters.items() if value is not None or key not in METHOD_OPTIONS
    }
    for key in asked:
        if key not in known:
            raise ParameterError(f"{name} has no parameter {key}{_suggest_parameter(key, known)}")
    return made.set_params(**asked)


def _suggest_parameter(key: str, known: Mapping[str, Any]) -> str:
    if key in METHOD_OPTIONS:
        return f"; leave out {METHOD_OPTIONS[key]}, or choose another --method"
    near = get_close_matches(key, known, n=1)
    further = sorted(set(known) - set(METHOD_OPTIONS))
    meant = f"; did you mean {near[0]}?" if near else ";"
    return f"{meant} Those for --param are {', '.join(further)}." if further else "; it has none for --param."


def _parse_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {"True": True, "False": False, "None": None}.get(text, text)
