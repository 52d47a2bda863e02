"""The inputs of the commands: documents, networks, knowledge, labels, stored runs and method parameters."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from colligate._storage.atomic import expand_path
from colligate.cli import options as o
from colligate.cli.console import METHOD_OPTIONS, print_message
from colligate.cli.output import CHECKPOINT, MODEL
from colligate.corpus.corpus import collect_documents
from colligate.corpus.readers import ColumnRequest, open_source
from colligate.errors import InputError, ParameterError, StoreError
from colligate.progress import Listener, ignore_events
from colligate.shards.matrix import ShardedMatrix

if TYPE_CHECKING:
    from colligate.cli.console import Watch
    from colligate.corpus import Analyser, Corpus
    from colligate.corpus.duplicates import Duplicates
    from colligate.knowledge import Knowledge
    from colligate.methods.start_file import StartGroups
    from colligate.network import Network
    from colligate.result import Result

# An entity in a single document cannot connect documents.
MIN_DOCUMENTS = 2
WORD_OPTIONS = {
    "stop_words": "stop_words",
    "min_df": "min_df",
    "max_df": "max_df",
    "ngrams": "ngrams",
    "token_pattern": "pattern",
    "lowercase": "lowercase",
    "stem": "stem",
    "segmenter": "segmenter",
    "keep_markup": "keep_markup",
}
"""The options that define words, with the parameters of `Analyser`."""
# Options on reading and counting documents, which a stored network has already done.
DOCUMENT_OPTIONS = (
    "mentions",
    "kb",
    "kb_type",
    "text",
    "id",
    "encoding",
    *WORD_OPTIONS,
)


def name_input(path: Path) -> str:
    """Return the name of a file or folder, also where its path is `.` or ends with `..`."""
    return locate_input(path).name


def locate_input(path: Path) -> Path:
    """Return the path from the root, with links as they are."""
    return Path(os.path.normpath(expand_path(path).absolute()))


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


def make_analyser(options: Mapping[str, Any]) -> Analyser:
    """Make the analyser of the options that define words."""
    from colligate.corpus import Analyser

    words = {parameter: options[name] for name, parameter in WORD_OPTIONS.items()}
    lists = ",".join(options["stop_words"] or ["english"])
    words["stop_words"] = None if lists == o.NONE else lists
    words["stem"] = None if options["stem"] == o.NONE else options["stem"]
    return Analyser(**words)


def list_changed_words(context: typer.Context, analyser: Analyser) -> list[str]:
    """List the options on the command line that define words in another way than an analyser."""
    wanted = make_analyser(context.params)
    return [
        f"--{name.replace('_', '-')}"
        for name, parameter in WORD_OPTIONS.items()
        if _is_on_command_line(context, name) and getattr(wanted, parameter) != getattr(analyser, parameter)
    ]


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
    from colligate.network import Network
    from colligate.network.inputs import read_input

    corpus = read_input(input, **reading, listener=watch.listener)
    if isinstance(corpus, Network):
        return corpus, None
    # a path is never a matrix
    assert corpus is not None
    if columns := corpus.describe_columns():
        print_message("columns", columns)
    if debris := corpus.describe_debris():
        print_message("cleaned", f"{debris}; --keep-markup counts them")
    if entities.base is not None:
        return _link_entities(corpus, entities, watch)
    if entities.mentions is None:
        return corpus, None
    return Network.from_tables(corpus, entities.mentions, unknown=unknown), entities.mentions


def open_cluster(scheduler: str, input: Path, options: Mapping[str, Any]) -> Any:
    """Connect to a scheduler, and open the input as a collection of Dask."""
    from colligate.corpus.partitions import open_collection
    from colligate.shards.client import connect, silence_log

    for name in ("fold_duplicates", "time", "by", "start"):
        if options.get(name):
            option = name.replace("_", "-")
            raise typer.BadParameter(
                f"--{option} needs all documents on this machine; leave it out, or leave out --scheduler",
                param_hint=f"--{option}",
            )
    connect(scheduler)
    silence_log()
    return open_collection(expand_path(input), options.get("encoding"))


def check_columns(documents: Corpus | Network, time: str | None, by: Sequence[str]) -> None:
    """Refuse columns that are not there, and a column of times without dates, before the run."""
    from colligate.corpus.column_views import ColumnViews
    from colligate.network import Network
    from colligate.result.column_tables import check_column

    columns = ColumnViews(documents.corpus if isinstance(documents, Network) else documents)
    for name in by:
        columns.find(name)
    if time is not None:
        check_column(columns.find(time), time=True)


def report_copies(documents: Corpus | Network, watch: Watch, *, fold: bool) -> bool | Duplicates:
    """Say how many documents are copies of others; return the copies to fold, False for none."""
    from colligate.network import Network

    corpus = documents.corpus if isinstance(documents, Network) else documents
    if corpus is None:
        # a network without texts: `fit` refuses to fold it
        return fold
    if isinstance(corpus.counts, ShardedMatrix):
        return False
    copies = corpus.duplicates(listener=watch.listener)
    if text := copies.describe():
        advice = "each of these texts counts once" if fold else "--fold-duplicates counts such texts once"
        print_message("copies", f"{text}; {advice}")
    return copies if fold else False


def fold_documents(documents: Corpus | Network, copies: bool | Duplicates) -> Corpus | Network:
    """Return the documents without the copies to fold."""
    from colligate.methods.folding import Folding
    from colligate.network import Network

    network = documents if isinstance(documents, Network) else Network.from_corpus(documents)
    folding = Folding.of(network, copies, ignore_events)
    return documents if folding is None else folding.fold_network()


def read_knowledge(
    path: Path | None, unknown: str, contradictions: str, names: str | None = None
) -> Knowledge | None:
    """Read the knowledge file, and add the names of groups, which commas separate."""
    from colligate.knowledge import Knowledge

    policies: Any = {"unknown": unknown, "contradictions": contradictions}
    knowledge = None if path is None else Knowledge.read(expand_path(path), **policies)
    if names is None:
        return knowledge
    listed = [name for part in names.split(",") if (name := part.strip())]
    if not listed:
        raise ParameterError("--names has no name; write names separated by commas, as in sport,business")
    return (Knowledge(**policies) if knowledge is None else knowledge).names(listed, source="command line")


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


def read_later_documents(run: Path, input: Path, watch: Watch, **reading: Any) -> tuple[Result, Corpus]:
    """Load a run, and read documents that came after it; their words are counted as in the run."""
    from colligate.corpus import Corpus

    result = load_run(run)
    _refuse_uncountable(result, run)
    return result, Corpus.read(input, **reading, like=result.corpus, listener=watch.listener)


def _refuse_uncountable(result: Result, run: Path) -> None:
    """Refuse a run whose words cannot be counted again, with advice."""
    from colligate.network import WORDS

    if result.corpus is not None:
        why = result.corpus.analyser.unusable
    elif result.terms != WORDS:
        why = f"its {result.centre} have {result.terms} instead of words"
    else:
        named = not isinstance(result.network.types[WORDS].names, range)
        why = "" if named else "it was made from a matrix whose words have no names"
    if why:
        raise InputError(
            f"the words of new documents cannot be counted as in {run}: {why}. Predict in Python "
            "with Result.load and Result.predict, or make the run with `colligate cluster`"
        )


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
