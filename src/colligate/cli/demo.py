"""`colligate demo`: the main job on bundled newsgroup posts, with a knowledge file."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import typer

from colligate.cli import options as o
from colligate.cli.console import show, show_json
from colligate.cli.output import claimed, read_record
from colligate.cli.watch import watching
from colligate.files import located

COMMAND = "demo"
N_CLUSTERS, RESTARTS, SEED = 6, 5, 0


def demo(context: typer.Context, out: o.Out = Path("colligate-demo"), json: o.AsJson = False) -> None:
    """Group 1,500 newsgroup posts with and without a knowledge file, and tell how good both are.

    Running it again replaces its own output folder, and never one that another command made.
    """
    from colligate.cli.job import Job
    from colligate.cli.judging import judged
    from colligate.cli.labels import read_labels
    from colligate.cli.parameters import make_method
    from colligate.corpus import Corpus
    from colligate.knowledge import Knowledge

    parameters = {"n_clusters": N_CLUSTERS, "n_init": RESTARTS, "random_state": SEED}
    model = make_method(o.DEFAULT_METHOD, parameters)
    own = (read_record(located(out)) or {}).get("command") == COMMAND
    with (
        as_file(files("colligate") / "demo") as data,
        claimed(out, overwrite=own, advice="choose another --out") as folder,
        watching(context) as watch,
    ):
        posts = data / "newsgroups.jsonl.gz"
        job = Job(COMMAND, context.params, "Six newsgroups", folder, watch)
        with watch.stage("reading"):
            corpus = Corpus.read(posts, listener=watch.listener)
            groups = read_labels(posts, "group")
        result = job.fit(model, corpus, Knowledge.read(data / "knowledge.yaml"))
        record = job.write(result, evaluation=judged(result, groups))
    show_json(record) if json else _show(record, str(data / "knowledge.yaml"))


def _show(record: dict[str, Any], knowledge: str) -> None:
    from colligate.cli.show import metrics_table, show_run

    found = record["evaluation"]
    show("Against the newsgroups the posts came from, which were used for this comparison only:")
    show(
        metrics_table(
            [
                ("without knowledge", found["without_knowledge"]["all"]),
                ("with knowledge", found["result"]["all"]),
                ("without, posts that no statement names", found["without_knowledge"]["unnamed"]),
                ("with, posts that no statement names", found["result"]["unnamed"]),
            ]
        )
    )
    show(f"The knowledge file: {knowledge}")
    show_run(record)
