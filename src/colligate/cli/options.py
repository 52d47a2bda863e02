"""The options of the commands, each described once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from colligate._chat import LOCAL_SERVER

DEFAULT_METHOD = "colligate"
AUTO = "auto"
READING, WORDS, RUN = "Reading", "Words", "Run"
KNOWLEDGE, OUTPUT, MODEL = "Knowledge", "Output", "Language model"
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
        help="Seconds to wait for one answer of a server.",
        rich_help_panel=PANEL,
    ),
]
Retries = Annotated[
    int,
    typer.Option(
        "--retries",
        min=0,
        help="How often to repeat a failed request to a server, with growing pauses.",
        rich_help_panel=PANEL,
    ),
]
TIMEOUT, RETRIES = 60.0, 4


class Policy(StrEnum):
    """What to do with knowledge that cannot be used: stop, or report it."""

    error = "error"
    report = "report"


NONE = "none"
"""Switches stop words or the stemmer off."""


def parse_frequency(text: str) -> Any:
    """Parse a number of documents (5) or a share of them (0.05)."""
    try:
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is neither a number of documents (such as 5) nor a share of the documents (such "
            "as 0.05)"
        ) from None


def parse_ngrams(text: str) -> Any:
    """Parse the length of n-grams: `2`, or `1-2`."""
    first, _, last = text.partition("-")
    if not (first.isdigit() and (last or first).isdigit()):
        raise typer.BadParameter(
            f"{text!r} is not a length of n-grams; write a number such as 1, or a range such as 1-2"
        )
    return int(first), int(last or first)


def parse_number_or_auto(text: str) -> Any:
    """Parse a number of groups, or `auto` for the suggested one."""
    if text == AUTO:
        return AUTO
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} must be a whole number or {AUTO}") from None


def _option(names: str, about: str, panel: str, **more: Any) -> Any:
    return typer.Option(*names.split(), help=about, rich_help_panel=panel, **more)


TextColumns = Annotated[
    list[str] | None, _option("--text", "A column of text; repeat to join several.", READING)
]


IdColumn = Annotated[str | None, _option("--id", "The column of ids.", READING)]


MentionsFile = Annotated[
    Path | None,
    _option(
        "--mentions",
        "A table (.csv, .tsv, .parquet) of entities in the documents: document, name, type, subtype, count. "
        "For methods that accept networks, such as colligate.",
        READING,
    ),
]


NewMentions = Annotated[
    Path | None,
    _option(
        "--mentions",
        "A table (.csv, .tsv, .parquet) of entities in the new documents: document, name, type, count. "
        "For runs made with --mentions.",
        READING,
    ),
]


UnknownMentions = Annotated[
    Policy,
    _option("--unknown", "Stop at mentions of unknown documents, or report them.", READING),
]


Encoding = Annotated[
    str | None, _option("--encoding", "The encoding of the file, if it is not UTF-8.", READING)
]


MinDf = Annotated[
    Any,
    _option(
        "--min-df",
        "Drop words that occur in fewer documents than this number or share; by default 1, 2 or 5.",
        WORDS,
        parser=parse_frequency,
        metavar="N|SHARE",
    ),
]


MaxDf = Annotated[
    Any,
    _option(
        "--max-df",
        "Drop words that occur in more documents than this number or share.",
        WORDS,
        parser=parse_frequency,
        metavar="N|SHARE",
    ),
]


Stop = Annotated[
    list[str] | None,
    _option(
        "--stop-words",
        "Words that are not counted: those of a language (de, german), a file with a word on each line, or "
        "none; repeat it or use commas for several. By default english.",
        WORDS,
        metavar="LANGUAGE|FILE|none",
    ),
]


Stem = Annotated[
    str | None,
    _option(
        "--stem",
        "Count the forms of a word as one, by the stemmer of this language, such as de.",
        WORDS,
        metavar="LANGUAGE|none",
    ),
]


Segmenter = Annotated[
    str | None,
    _option(
        "--segmenter",
        "Find the words of texts without spaces: zh, ja or th. Needs an extra, such as colligate[chinese].",
        WORDS,
        metavar="zh|ja|th",
    ),
]


TokenPattern = Annotated[
    str | None,
    _option("--token-pattern", "A regular expression that finds words.", WORDS, metavar="PATTERN"),
]


Lowercase = Annotated[
    bool,
    _option("--lowercase/--no-lowercase", "Whether to turn the texts into lower case.", WORDS),
]


Ngrams = Annotated[
    Any,
    _option(
        "--ngrams",
        "Count n-grams of this length, such as 1-2.",
        WORDS,
        parser=parse_ngrams,
        metavar="N|N-N",
    ),
]


KeepMarkup = Annotated[
    bool,
    _option(
        "--keep-markup",
        "Count HTML, mail headers, signatures, encoded files and numbers as words too.",
        WORDS,
    ),
]


TimeColumn = Annotated[
    str | None,
    _option(
        "--time",
        "A column of dates: time.csv has the groups in each day, month or year, with shares and words.",
        OUTPUT,
        metavar="COLUMN",
    ),
]


ByColumns = Annotated[
    list[str] | None,
    _option(
        "--by",
        "A column of the input: by.csv has the groups for each of its values, with shares, 95% intervals and "
        "words. Repeat for several.",
        OUTPUT,
        metavar="COLUMN",
    ),
]


Unfit = Annotated[
    float | None,
    _option(
        "--unfit",
        "Leave documents in no group that fit none; of documents without a subject, this share may stay "
        "(such as 0.05). By default such documents are in the nearest group and marked in the column fits.",
        RUN,
        metavar="SHARE",
    ),
]


FoldDuplicates = Annotated[
    bool,
    _option(
        "--fold-duplicates",
        "Count documents that are copies of each other once; all of them get the same group.",
        RUN,
    ),
]


Clusters = Annotated[
    Any,
    _option(
        "--clusters -k",
        "The number of groups; auto uses the suggested number. With names of groups, by default theirs.",
        RUN,
        parser=parse_number_or_auto,
        metavar="N|auto",
    ),
]


MethodName = Annotated[
    str | None,
    _option("--method -m", f"The method; by default {DEFAULT_METHOD}. `colligate methods` lists all.", RUN),
]


Seed = Annotated[int, _option("--seed", "The random seed; the same seed gives the same groups.", RUN, min=0)]


WordClusters = Annotated[int | None, _option("--word-clusters", "The number of groups of words.", RUN)]


Restarts = Annotated[int | None, _option("--restarts", "The number of starts; the best one is kept.", RUN)]


MaxIter = Annotated[int | None, _option("--max-iter", "The maximum number of iterations of one start.", RUN)]


Jobs = Annotated[
    int | None,
    _option(
        "--jobs",
        "The number of threads; by default all cores, for few texts at most 8. The groups do not change.",
        RUN,
    ),
]


Device = Annotated[
    str | None,
    _option("--device", "Where to compute: auto, cpu or cuda (a GPU, with colligate[gpu]).", RUN),
]


Scheduler = Annotated[
    str | None,
    _option(
        "--scheduler",
        "Read and group on a Dask cluster (with colligate[distributed]): tcp://host:8786, or local for the "
        "cores of this machine. All workers must see INPUT.",
        RUN,
        metavar="ADDRESS|local",
    ),
]


Parameters = Annotated[
    list[str] | None,
    _option(
        "--param", "A further parameter of the method, such as concentration=3.", RUN, metavar="NAME=VALUE"
    ),
]


Start = Annotated[
    Path | None,
    _option("--start", "Start from the groups in a start file exported by the studio.", RUN),
]


Resume = Annotated[bool, _option("--resume", "Continue the stopped run in the output folder.", RUN)]


CheckpointInterval = Annotated[
    float, _option("--checkpoint-interval", "Seconds between checkpoints.", OUTPUT, min=0)
]


Names = Annotated[
    str | None,
    _option(
        "--names",
        "The names of groups, such as sport,business, where nothing else is known about them.",
        KNOWLEDGE,
        metavar="NAME,NAME",
    ),
]


KnowledgeFile = Annotated[Path | None, _option("--knowledge", "A YAML file with what you know.", KNOWLEDGE)]


KnowledgeBase = Annotated[
    str | None,
    _option(
        "--kb",
        "A knowledge base (folder, file, or SPARQL endpoint); its entities are found in the documents.",
        KNOWLEDGE,
        metavar="FOLDER|FILE|URL",
    ),
]


BaseTypes = Annotated[
    list[str] | None,
    _option("--kb-type", "A type of entity to use from --kb; repeat for more.", KNOWLEDGE),
]


Subtypes = Annotated[
    bool | None,
    _option(
        "--subtypes/--no-subtypes",
        "Use sub-types as knowledge: entities of one sub-type together, others apart. Default with --kb.",
        KNOWLEDGE,
    ),
]


Unknown = Annotated[
    Policy,
    _option("--unknown", "Stop at unknown ids and words, or report them and continue.", KNOWLEDGE),
]


Contradictions = Annotated[
    Policy,
    _option("--contradictions", "Stop at contradictory statements, or report them and continue.", KNOWLEDGE),
]


Compare = Annotated[
    bool,
    _option("--compare/--no-compare", "Also run without the knowledge, to show what it changes.", KNOWLEDGE),
]


ModelName = Annotated[
    str | None,
    _option("--model", "The name of the model on the server of the language model.", MODEL, metavar="NAME"),
]


KeyVariable = Annotated[
    str,
    _option(
        "--key-variable",
        "The environment variable that has the API key, if the server needs one.",
        MODEL,
        metavar="NAME",
    ),
]


NameWith = Annotated[
    str | None,
    _option(
        "--name-with",
        "Let a language model behind this OpenAI-compatible URL name and describe the groups; with --model "
        f"alone {LOCAL_SERVER}. Texts of documents go there.",
        MODEL,
        metavar="URL",
    ),
]


PromptFile = Annotated[
    Path | None,
    _option(
        "--prompt",
        "The file with the prompt that asks for names; --print-prompt prints the default one.",
        MODEL,
        metavar="FILE",
    ),
]


SendToRemote = Annotated[
    bool,
    _option("--send-to-remote", "Agree that texts go to a server which is not on this machine.", MODEL),
]


def _print_prompt(wanted: bool) -> None:
    if wanted:
        from colligate.result.descriptions import Prompt

        typer.echo(Prompt.read().text, nl=False)
        raise typer.Exit


PrintPrompt = Annotated[
    bool,
    _option(
        "--print-prompt",
        "Print the default prompt that asks for names, and exit.",
        MODEL,
        is_eager=True,
        callback=_print_prompt,
    ),
]


Out = Annotated[Path, _option("--out -o", "The output folder.", OUTPUT)]


class TableFormat(StrEnum):
    """Formats of tables."""

    csv = "csv"
    xlsx = "xlsx"
    parquet = "parquet"


Tables = Annotated[TableFormat, _option("--tables", "The format of the tables.", OUTPUT)]


Overwrite = Annotated[bool, _option("--overwrite", "Replace the run in the output folder.", OUTPUT)]


OverwriteFile = Annotated[bool, _option("--overwrite", "Replace the output file.", OUTPUT)]


AsJson = Annotated[bool, _option("--json", "Print one JSON object on stdout instead of tables.", OUTPUT)]
