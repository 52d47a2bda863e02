"""What `colligate cluster` is given: documents, with entities from a table or a knowledge base; a network."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from colligate.files import located

if TYPE_CHECKING:
    from colligate.cli.watch import Watch
    from colligate.corpus import Corpus
    from colligate.knowledge import Knowledge
    from colligate.network import Network

STORED_NETWORK = "network.json"
# an entity that one document alone speaks of tells nothing of others
MIN_DOCUMENTS = 2
# how documents are read, their words counted and their mentions added: all done in a stored network
OF_DOCUMENTS = (
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
    return (located(input) / STORED_NETWORK).is_file()


def refuse_options_of_documents(context: typer.Context) -> None:
    """Refuse the options that would be without effect on a stored network."""
    given = [f"--{name.replace('_', '-')}" for name in OF_DOCUMENTS if _is_given(context, name)]
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
        return _linked(corpus, entities, watch)
    if entities.mentions is None:
        return corpus, None
    return Network.from_tables(corpus, entities.mentions, unknown=unknown), entities.mentions


def read_knowledge(path: Path | None, unknown: str, contradictions: str) -> Knowledge | None:
    """Read the knowledge file."""
    from colligate.knowledge import Knowledge

    if path is None:
        return None
    return Knowledge.read(located(path), unknown=unknown, contradictions=contradictions)


def with_subtypes(
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


def started_at(path: Path | None, documents: Corpus | Network, method: type[Any]) -> dict[str, Any]:
    """The parameters that make a method begin from a start file, if one is given."""
    from colligate.network import Network
    from colligate.studio.project.start_file import read_start, start_parameters

    if path is None:
        return {}
    network = documents if isinstance(documents, Network) else Network.from_corpus(documents)
    return start_parameters(read_start(located(path), network), network, method)


def _linked(corpus: Corpus, entities: Entities, watch: Watch) -> tuple[Network, Any]:
    from colligate.errors import InputError
    from colligate.world.base.opening import open_base
    from colligate.world.linking import link
    from colligate.world.network import common_mentions, entity_network

    if corpus.texts is None:
        raise InputError("--kb finds entities in texts, and these documents are counts alone")
    base = open_base(str(entities.base), listener=watch.listener)
    types, jobs = entities.types or None, entities.jobs
    linked = link(corpus.ids, corpus.texts, base, types=types, n_jobs=jobs, listener=watch.listener)
    return entity_network(corpus, linked, min_documents=MIN_DOCUMENTS), common_mentions(linked, MIN_DOCUMENTS)


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
