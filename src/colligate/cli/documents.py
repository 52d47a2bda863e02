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


def read_documents(
    input: Path, mentions: Path | None, unknown: str, watch: Watch, **reading: Any
) -> Corpus | Network:
    """Read the input; with a table of mentions it becomes a network."""
    from colligate.corpus import Corpus
    from colligate.network import Network

    if (located(input) / STORED_NETWORK).is_file():
        if mentions is not None:
            raise typer.BadParameter("a stored network has its relations already", param_hint="--mentions")
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
