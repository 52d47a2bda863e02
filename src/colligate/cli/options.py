"""The options of the commands, each described once.

The options of commands that may ask a SPARQL endpoint.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

DEFAULT_METHOD = "colligate"
AUTO = "auto"
READING, WORDS, RUN = "Reading", "Words", "Run"
KNOWLEDGE, OUTPUT = "Knowledge", "Output"
Input = Annotated[
    Path,
    typer.Argument(
        metavar="INPUT",
        help="A .csv, .tsv, .jsonl or .parquet file (also .gz, .zst), or a folder of .txt files.",
    ),
]
InputOrNetwork = Annotated[
    Path,
    typer.Argument(
        metavar="INPUT",
        help="A .csv, .tsv, .jsonl or .parquet file (also .gz, .zst), a folder of .txt files, or a stored "
        "network.",
    ),
]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The output folder of a finished run.")]
PANEL = "Endpoints"
Timeout = Annotated[
    float,
    typer.Option(
        "--timeout",
        min=0.001,
        max=86_400,
        help="Seconds that one answer of a SPARQL endpoint may take.",
        rich_help_panel=PANEL,
    ),
]
Retries = Annotated[
    int,
    typer.Option(
        "--retries",
        min=0,
        help="How often to ask an endpoint again that does not answer, after growing waits.",
        rich_help_panel=PANEL,
    ),
]
TIMEOUT, RETRIES = 60.0, 4


class Policy(StrEnum):
    """What happens with knowledge that cannot be used as it stands."""

    error = "error"
    report = "report"


class StopWords(StrEnum):
    """The lists of words to leave out."""

    english = "english"
    none = "none"


def parse_frequency(text: str) -> Any:
    """Read a number of documents (5) or a share of them (0.05)."""
    try:
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is neither a number of documents (5) nor a share (0.05)"
        ) from None


def parse_ngrams(text: str) -> Any:
    """Read how long runs of words may be: `2`, or `1-2`."""
    first, _, last = text.partition("-")
    if not (first.isdigit() and (last or first).isdigit()):
        raise typer.BadParameter(f"{text!r} is not like 1 or 1-2")
    return int(first), int(last or first)


def parse_number_or_auto(text: str) -> Any:
    """Read a number of groups, or `auto` for the one that is suggested."""
    if text == AUTO:
        return AUTO
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is neither a whole number nor {AUTO}") from None


def _option(names: str, about: str, panel: str, **more: Any) -> Any:
    return typer.Option(*names.split(), help=about, rich_help_panel=panel, **more)


TextColumns = Annotated[
    list[str] | None, _option("--text", "A column of text; give it again to join several.", READING)
]


IdColumn = Annotated[str | None, _option("--id", "The column of ids.", READING)]


MentionsFile = Annotated[
    Path | None,
    _option(
        "--mentions",
        "A table (.csv, .tsv, .parquet) of what the documents mention: document, name, type, subtype, count. "
        "For methods that take networks, such as colligate.",
        READING,
    ),
]


NewMentions = Annotated[
    Path | None,
    _option(
        "--mentions",
        "A table (.csv, .tsv, .parquet) of what the new documents mention: document, name, type, count. "
        "For runs that were made with --mentions.",
        READING,
    ),
]


UnknownMentions = Annotated[
    Policy,
    _option("--unknown", "Stop at mentions of documents that are not in INPUT, or report them.", READING),
]


Encoding = Annotated[
    str | None, _option("--encoding", "The encoding of the file, if it is not UTF-8.", READING)
]


MinDf = Annotated[
    Any,
    _option(
        "--min-df",
        "Leave out words in fewer documents: a number or a share. Without it 1, 2 or 5, by the corpus.",
        WORDS,
        parser=parse_frequency,
        metavar="N|SHARE",
    ),
]


MaxDf = Annotated[
    Any,
    _option(
        "--max-df",
        "Leave out words in more documents: a number or a share.",
        WORDS,
        parser=parse_frequency,
        metavar="N|SHARE",
    ),
]


Stop = Annotated[StopWords, _option("--stop-words", "Words that are not counted.", WORDS)]


Ngrams = Annotated[
    Any,
    _option(
        "--ngrams",
        "Count runs of words of this length, as in 1-2.",
        WORDS,
        parser=parse_ngrams,
        metavar="N|N-N",
    ),
]


Clusters = Annotated[
    Any,
    _option(
        "--clusters -k",
        "How many groups of documents to find; auto takes the number that is suggested.",
        RUN,
        parser=parse_number_or_auto,
        metavar="N|auto",
    ),
]


MethodName = Annotated[
    str | None,
    _option("--method -m", f"The method, {DEFAULT_METHOD} unless given; `colligate methods` lists all.", RUN),
]


Seed = Annotated[int, _option("--seed", "The seed: the same one gives the same groups.", RUN, min=0)]


WordClusters = Annotated[int | None, _option("--word-clusters", "How many groups of words to find.", RUN)]


Restarts = Annotated[int | None, _option("--restarts", "How many starts to try; the best one is kept.", RUN)]


MaxIter = Annotated[int | None, _option("--max-iter", "The most sweeps of one start.", RUN)]


Jobs = Annotated[
    int | None, _option("--jobs", "Threads; all cores without it. The groups do not depend on it.", RUN)
]


Parameters = Annotated[
    list[str] | None,
    _option(
        "--param", "A further parameter of the method, such as concentration=3.", RUN, metavar="NAME=VALUE"
    ),
]


Start = Annotated[
    Path | None,
    _option("--start", "Begin from the groups in a start file, as the studio exports it.", RUN),
]


Resume = Annotated[
    bool, _option("--resume", "Go on with the run that was stopped in the output folder.", RUN)
]


CheckpointInterval = Annotated[
    float, _option("--checkpoint-interval", "Keep the run at most every so many seconds.", OUTPUT, min=0)
]


KnowledgeFile = Annotated[Path | None, _option("--knowledge", "A YAML file with what you know.", KNOWLEDGE)]


KnowledgeBase = Annotated[
    str | None,
    _option(
        "--kb",
        "A knowledge base (folder, file, or SPARQL endpoint) whose entities are found in the documents.",
        KNOWLEDGE,
        metavar="FOLDER|FILE|URL",
    ),
]


BaseTypes = Annotated[
    list[str] | None,
    _option("--kb-type", "A type of entities to take from --kb; give it again for more.", KNOWLEDGE),
]


Subtypes = Annotated[
    bool | None,
    _option(
        "--subtypes/--no-subtypes",
        "Take the sub-types of entities as knowledge: same together, others apart. Done with --kb.",
        KNOWLEDGE,
    ),
]


Unknown = Annotated[
    Policy,
    _option("--unknown", "Stop at ids and words that are not there, or report them and go on.", KNOWLEDGE),
]


Contradictions = Annotated[
    Policy, _option("--contradictions", "Stop at statements that cannot all hold, or report them.", KNOWLEDGE)
]


Compare = Annotated[
    bool,
    _option("--compare/--no-compare", "Run again without the knowledge, to tell what it changed.", KNOWLEDGE),
]


Out = Annotated[Path, _option("--out -o", "The output folder.", OUTPUT)]


Overwrite = Annotated[bool, _option("--overwrite", "Replace the run in the output folder.", OUTPUT)]


OverwriteFile = Annotated[bool, _option("--overwrite", "Replace the file of --out.", OUTPUT)]


AsJson = Annotated[bool, _option("--json", "Print one JSON object on stdout instead of tables.", OUTPUT)]
