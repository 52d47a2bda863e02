"""`colligate cluster`: group documents, with what the user knows about them.

The number of groups that `--clusters auto` takes.
"""

from __future__ import annotations

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from colligate.cli import options as o
from colligate.cli.console import print_json, print_message, watch_run
from colligate.cli.output import OutputFolder, claim_folder

if TYPE_CHECKING:
    from colligate.cli.console import Watch
    from colligate.corpus import Analyser, Corpus
    from colligate.knowledge import Knowledge
    from colligate.methods.suggestion import Suggestion
    from colligate.network import Network


def cluster(
    context: typer.Context,
    input: o.InputOrNetwork,
    clusters: o.Clusters,
    method: o.MethodName = None,
    knowledge: o.KnowledgeFile = None,
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
    min_df: o.MinDf = None,
    max_df: o.MaxDf = "1.0",
    stop_words: o.Stop = o.StopWords.english,
    ngrams: o.Ngrams = "1",
    unknown: o.Unknown = o.Policy.error,
    contradictions: o.Contradictions = o.Policy.error,
    compare: o.Compare = True,
    overwrite: o.Overwrite = False,
    param: o.Parameters = None,
    checkpoint_interval: o.CheckpointInterval = 1.0,
) -> None:
    """Group the documents of INPUT, with the help of what you know about them.

    The output folder receives documents.csv, clusters.csv, words.csv, knowledge.csv (what became of every
    statement), report.html, run.json and model/; with --kb or --mentions also a table for every further type,
    relations.csv and contributions.csv. While the run goes only checkpoint.npz and a lock lie there: after
    Ctrl-C, or any other end, the same command with --resume goes on from the checkpoint.
    """
    from colligate.cli.console import print_run
    from colligate.cli.inputs import (
        Entities,
        add_subtypes,
        is_stored_network,
        make_method,
        parse_parameters,
        read_documents,
        read_knowledge,
        read_start_parameters,
        refuse_document_options,
    )
    from colligate.cli.job import Job

    if resume and overwrite:
        raise typer.BadParameter(
            "--resume goes on with a run and --overwrite replaces it: choose one of them"
        )
    if is_stored_network(input):
        refuse_document_options(context)
    asked = kb is not None if subtypes is None else subtypes
    entities = Entities(mentions, kb, tuple(kb_type or ()), asked, jobs)
    model = make_method(
        method or o.DEFAULT_METHOD, _collect_parameters(context.params) | parse_parameters(param or ())
    )
    analyser = _make_analyser(stop_words, min_df, max_df, ngrams)
    with claim_folder(out, overwrite=overwrite, resume=resume) as folder, watch_run(context) as watch:
        _note_missing_checkpoint(folder, resume)
        title = f"Groups of {input.name}"
        reading: dict[str, Any] = {"text": text or None, "id": id, "encoding": encoding, "analyser": analyser}
        job = Job(
            "cluster", context.params, title, folder, watch, compare, _resume_command(), checkpoint_interval
        )
        # first, because a slip in a small file should not show only after a large one is read
        with watch.stage("knowledge"):
            told = read_knowledge(knowledge, unknown.value, contradictions.value)
        with watch.stage("reading"):
            documents, table = read_documents(input, entities, unknown.value, watch, **reading)
            known = add_subtypes(told, table, entities, unknown.value, contradictions.value)
            model.set_params(**read_start_parameters(start, documents, type(model)))
        told_of = {}
        if clusters == o.AUTO:
            suggestion = suggest_number(documents, known, watch, jobs)
            model.set_params(n_clusters=suggestion.n_clusters)
            told_of = {"suggestion": asdict(suggestion)}
        record = job.write(job.fit(model, documents, known), **told_of)
    print_json(record) if json else print_run(record)


def _make_analyser(stop_words: o.StopWords, min_df: Any, max_df: Any, ngrams: Any) -> Analyser:
    from colligate.corpus import Analyser

    words = None if stop_words is o.StopWords.none else stop_words.value
    return Analyser(stop_words=words, min_df=min_df, max_df=max_df, ngrams=ngrams)


def _note_missing_checkpoint(folder: OutputFolder, resume: bool) -> None:
    if resume and not folder.checkpoint.is_file():
        print_message("note", f"there is nothing to resume in {folder.path}; starting from the beginning")


def _collect_parameters(given: dict[str, Any]) -> dict[str, Any]:
    return {
        "n_clusters": None if given["clusters"] == o.AUTO else given["clusters"],
        "n_word_clusters": given["word_clusters"],
        "n_init": given["restarts"],
        "max_iter": given["max_iter"],
        "n_jobs": given["jobs"],
        "random_state": given["seed"],
    }


def _resume_command() -> str:
    """The command that goes on with this run."""
    kept = [word for word in sys.argv[1:] if word not in ("--overwrite", "--resume")]
    return shlex.join(["colligate", *kept, "--resume"])


def suggest_number(
    documents: Corpus | Network, knowledge: Knowledge | None, watch: Watch, jobs: int | None = None
) -> Suggestion:
    """The suggestion for these documents, with no fewer groups than knowledge names."""
    from colligate.methods.suggestion import suggest_clusters

    with watch.stage("number of groups"):
        return suggest_clusters(
            documents, least=_count_named_groups(knowledge), n_jobs=jobs, listener=watch.listener
        )


def _count_named_groups(knowledge: Knowledge | None) -> int:
    """How many groups knowledge names."""
    told = () if knowledge is None else knowledge
    return len({statement.object for statement in told if statement.kind in ("label", "category")})
