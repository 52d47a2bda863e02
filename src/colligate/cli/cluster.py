"""`colligate cluster`: group documents, with the help of the user's knowledge."""

from __future__ import annotations

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from colligate._chat import KEY_VARIABLE
from colligate.cli import options as o
from colligate.cli.console import print_json, print_message, print_run, watch_run
from colligate.cli.output import OutputFolder, claim_folder

if TYPE_CHECKING:
    from colligate.cli.console import Watch
    from colligate.corpus import Corpus
    from colligate.knowledge import Knowledge
    from colligate.methods.suggestion import Suggestion
    from colligate.network import Network


def cluster(
    context: typer.Context,
    input: o.InputOrNetwork,
    clusters: o.Clusters = None,
    method: o.MethodName = None,
    knowledge: o.KnowledgeFile = None,
    names: o.Names = None,
    kb: o.KnowledgeBase = None,
    kb_type: o.BaseTypes = None,
    mentions: o.MentionsFile = None,
    subtypes: o.Subtypes = None,
    out: o.Out = Path("colligate-run"),
    seed: o.Seed = 0,
    start: o.Start = None,
    resume: o.Resume = False,
    json: o.AsJson = False,
    text: o.TextColumns = None,
    id: o.IdColumn = None,
    encoding: o.Encoding = None,
    word_clusters: o.WordClusters = None,
    restarts: o.Restarts = None,
    max_iter: o.MaxIter = None,
    jobs: o.Jobs = None,
    device: o.Device = None,
    scheduler: o.Scheduler = None,
    min_df: o.MinDf = None,
    max_df: o.MaxDf = "1.0",
    stop_words: o.Stop = None,
    ngrams: o.Ngrams = "1",
    token_pattern: o.TokenPattern = None,
    lowercase: o.Lowercase = True,
    stem: o.Stem = None,
    segmenter: o.Segmenter = None,
    keep_markup: o.KeepMarkup = False,
    unknown: o.Unknown = o.Policy.error,
    contradictions: o.Contradictions = o.Policy.error,
    fold_duplicates: o.FoldDuplicates = False,
    unfit: o.Unfit = None,
    time: o.TimeColumn = None,
    by: o.ByColumns = None,
    compare: o.Compare = True,
    overwrite: o.Overwrite = False,
    tables: o.Tables = o.TableFormat.csv,
    param: o.Parameters = None,
    name_with: o.NameWith = None,
    model: o.ModelName = None,
    prompt: o.PromptFile = None,
    send_to_remote: o.SendToRemote = False,
    key_variable: o.KeyVariable = KEY_VARIABLE,
    timeout: o.Timeout = o.TIMEOUT,
    retries: o.Retries = o.RETRIES,
    print_prompt: o.PrintPrompt = False,
    checkpoint_interval: o.CheckpointInterval = 1.0,
) -> None:
    """Group the documents of INPUT, with the help of what you know about them.

    The output folder receives documents.csv, clusters.csv, words.csv, knowledge.csv (the outcome of every
    statement), report.html, run.json and model/; with --kb or --mentions also a table for every further type,
    relations.csv and contributions.csv. --tables xlsx writes Excel workbooks instead of CSV. During the run
    the folder contains only a checkpoint and a lock file. After Ctrl-C or a crash, the same command with
    --resume continues from the checkpoint.

    With --scheduler, the documents are read, counted and grouped by the workers of a Dask cluster. The table
    of the documents is then a folder of Parquet files, documents.parquet, one for each partition of INPUT.

    With --model, a language model names and describes the groups. If its server fails, the groups keep their
    words as names. Its replies stay in names.json, so that the same command does not ask for them again.
    """
    from colligate.cli.inputs import (
        Entities,
        add_subtypes,
        check_columns,
        fold_documents,
        make_analyser,
        make_method,
        name_input,
        open_cluster,
        parse_parameters,
        read_documents,
        read_knowledge,
        report_copies,
        start_method,
    )
    from colligate.cli.job import Job
    from colligate.cli.name_model import GroupNamer

    _refuse_combinations(context, input, resume=resume, overwrite=overwrite, unfit=unfit)
    use_subtypes = kb is not None if subtypes is None else subtypes
    entities = Entities(mentions, kb, tuple(kb_type or ()), use_subtypes, jobs)
    estimator = make_method(
        method or o.DEFAULT_METHOD, _collect_parameters(context.params) | parse_parameters(param or ())
    )
    namer = GroupNamer.of(context.params)
    if namer is not None:
        namer.agree(send_to_remote)
    analyser = make_analyser(context.params)
    with claim_folder(out, overwrite=overwrite, resume=resume) as folder, watch_run(context) as watch:
        _note_missing_checkpoint(folder, resume)
        reading: dict[str, Any] = {"text": text or None, "id": id, "encoding": encoding, "analyser": analyser}
        title = f"Groups of {name_input(input)}"
        settings = (compare, _resume_command(), checkpoint_interval, tables.value)
        job = Job("cluster", context.params, title, folder, watch, *settings)
        # Read first: an error in this small file should show before a large corpus is read.
        with watch.stage("knowledge"):
            file_knowledge = read_knowledge(knowledge, unknown.value, contradictions.value, names)
            if clusters is None:
                estimator.set_params(n_clusters=_count_stated_names(file_knowledge))
        with watch.stage("reading"):
            source: Any = input if scheduler is None else open_cluster(scheduler, input, context.params)
            documents, table = read_documents(source, entities, unknown.value, watch, **reading)
            all_knowledge = add_subtypes(file_knowledge, table, entities, unknown.value, contradictions.value)
            start_groups = start_method(start, documents, estimator)
            check_columns(documents, time, by or ())
        with watch.stage("copies"):
            copies = report_copies(documents, watch, fold=fold_duplicates)
        extra: dict[str, Any] = {}
        if clusters == o.AUTO:
            suggestion = suggest_number(fold_documents(documents, copies), all_knowledge, watch, jobs)
            estimator.set_params(n_clusters=suggestion.n_clusters)
            extra = {"suggestion": {**asdict(suggestion), "text": str(suggestion)}}
        result = job.fit(estimator, documents, all_knowledge, copies)
        result = result if start_groups is None else start_groups.number_groups(result)
        result = result if unfit is None else result.leave_out(unfit)
        record = job.write(result if namer is None else job.name(result, namer), **extra)
    print_json(record) if json else print_run(record)


def _refuse_combinations(
    context: typer.Context, input: Path, *, resume: bool, overwrite: bool, unfit: float | None
) -> None:
    """Refuse values and options that cannot go together, before anything is read."""
    from colligate.cli.inputs import refuse_document_options
    from colligate.network.inputs import is_stored_network

    if unfit is not None and not 0 < unfit < 1:
        raise typer.BadParameter(f"the share must be between 0 and 1; got {unfit}", param_hint="--unfit")
    if resume and overwrite:
        raise typer.BadParameter(
            "--resume continues the run in the folder, and --overwrite replaces this run; use only one of "
            "these options"
        )
    if is_stored_network(input):
        refuse_document_options(context)


def _note_missing_checkpoint(folder: OutputFolder, resume: bool) -> None:
    if resume and not folder.checkpoint.is_file():
        print_message("note", f"{folder.path} contains no stopped run; the new run starts from the beginning")


def _collect_parameters(options: dict[str, Any]) -> dict[str, Any]:
    return {
        "n_clusters": None if options["clusters"] == o.AUTO else options["clusters"],
        "n_word_clusters": options["word_clusters"],
        "n_init": options["restarts"],
        "max_iter": options["max_iter"],
        "n_jobs": options["jobs"],
        "device": options["device"],
        "random_state": options["seed"],
    }


def _resume_command() -> str:
    """Return the command that continues this run."""
    kept = [word for word in sys.argv[1:] if word not in ("--overwrite", "--resume")]
    return shlex.join(["colligate", *kept, "--resume"])


def suggest_number(
    documents: Corpus | Network, knowledge: Knowledge | None, watch: Watch, jobs: int | None = None
) -> Suggestion:
    """Suggest a number of groups, at least as many as the knowledge names."""
    from colligate.methods.suggestion import count_named_groups, suggest_clusters

    with watch.stage("number of groups"):
        return suggest_clusters(
            documents, least=count_named_groups(knowledge), n_jobs=jobs, listener=watch.listener
        )


def _count_stated_names(knowledge: Knowledge | None) -> int:
    """Count the groups whose names are stated as such; without any, the number of groups is missing."""
    statements = () if knowledge is None else knowledge
    names = {statement.object for statement in statements if statement.kind == "name"}
    if not names:
        raise typer.BadParameter(
            "give the number of groups with --clusters N (or -k N), --clusters auto, or the names of the "
            "groups with --names"
        )
    return len(names)
