"""New documents for the groups of a finished run: their words, and what they mention."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from colligate.cli.console import say
from colligate.errors import InputError, KnowledgeWarning
from colligate.files import located

if TYPE_CHECKING:
    from collections.abc import Container

    from colligate.corpus import Corpus
    from colligate.network import Network
    from colligate.result import Result


def with_mentions(result: Result, corpus: Corpus, mentions: Path | None, unknown: str) -> Corpus | Network:
    """The documents with what they mention; a note names the types that the run knows and they lack."""
    new = None if mentions is None else _mentioning(result, corpus, mentions, unknown)
    if lacking := missing_types(result, () if new is None else new.types):
        why = "without --mentions" if new is None else f"since {mentions} has none"
        say(
            "note",
            f"the run also knows its {result.centre} by their {_and(lacking)}; {why}, "
            "the new ones are placed by the rest alone",
        )
    return corpus if new is None else new


def _mentioning(result: Result, corpus: Corpus, mentions: Path, unknown: str) -> Network:
    """The documents and what they mention of the types that the run knows."""
    from colligate.network import DOCUMENTS, WORDS, Network

    new = Network.from_tables(corpus, located(mentions), unknown=unknown)
    known = {DOCUMENTS, WORDS, *(part.other for part in result.around.parts)}
    strange = [kind for kind in new.types if kind not in known]
    if not strange:
        return new
    told = f"{mentions} speaks of {_and(strange)}, which the run does not know"
    if unknown == "error":
        raise InputError(f"{told}; take them out of the table, or go on without them by unknown='report'")
    warnings.warn(f"{told}; they are left out", KnowledgeWarning, stacklevel=2)
    relations = [relation for relation in new.relations if {relation.rows, relation.columns} <= known]
    return Network({kind: own for kind, own in new.types.items() if kind in known}, tuple(relations))


def missing_types(result: Result, known: Container[str]) -> list[str]:
    """The further types that speak for the groups of the centre, and are not known of new objects of it."""
    return [
        kind
        for kind in dict.fromkeys(part.other for part in result.around.parts)
        if kind not in (result.centre, result.terms) and kind not in known
    ]


def refuse_uncountable(result: Result, run: Path) -> None:
    """Say what can be done on the command line where the words cannot be made again."""
    from colligate.network import WORDS

    if result.corpus is not None:
        why = result.corpus.analyser.forgotten
    elif result.terms != WORDS:
        why = f"its {result.centre} are described by {result.terms}"
    else:
        named = not isinstance(result.network.types[WORDS].names, range)
        why = "" if named else "it was made from a matrix whose words have no names"
    if why:
        raise InputError(
            f"the words of new documents cannot be counted as those of {run} were: {why}. Put them into its "
            "groups in Python, where Result.load and Result.predict take what is needed, or make the run "
            "with `colligate cluster`"
        )


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
