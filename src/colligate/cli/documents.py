"""What `colligate cluster` is given: documents, documents with what they mention, or a stored network."""

from __future__ import annotations

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
# how documents are read, their words counted and their mentions added: all done in a stored network
OF_DOCUMENTS = ("mentions", "text", "id", "encoding", "min_df", "max_df", "stop_words", "ngrams")


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


def read_documents(
    input: Path, mentions: Path | None, unknown: str, watch: Watch, **reading: Any
) -> Corpus | Network:
    """Read the input; with a table of mentions it becomes a network."""
    from colligate.corpus import Corpus
    from colligate.network import Network

    if is_stored_network(input):
        return Network.load(input)
    corpus = Corpus.read(input, **reading, listener=watch.listener)
    return corpus if mentions is None else Network.from_tables(corpus, mentions, unknown=unknown)


def read_knowledge(
    path: Path | None, mentions: Path | None, subtypes: bool, unknown: str, contradictions: str
) -> Knowledge | None:
    """Read the knowledge file, and the sub-types of a table of mentions if they are asked for."""
    from colligate.knowledge import Knowledge
    from colligate.network import subtype_knowledge

    told = None
    if path is not None:
        told = Knowledge.read(located(path), unknown=unknown, contradictions=contradictions)
    if not subtypes:
        return told
    if mentions is None:
        raise typer.BadParameter(
            "there are no sub-types without a table of --mentions", param_hint="--subtypes"
        )
    own = subtype_knowledge(mentions, source=mentions.name, unknown=unknown, contradictions=contradictions)
    return own if told is None else told + own


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
