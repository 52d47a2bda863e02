"""`colligate demo`: the main job on bundled newsgroup posts, with a knowledge file and a knowledge base."""

from __future__ import annotations

import shlex
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
POSTS, KNOWLEDGE, BASE = "newsgroups.jsonl.gz", "knowledge.yaml", "dbpedia.nt.gz"
SEED = 0


def demo(context: typer.Context, out: o.Out = Path("colligate-demo"), json: o.AsJson = False) -> None:
    """Group 1,500 newsgroup posts with and without a knowledge file, and with the entities they speak of.

    It tells how good the groups are. Running it again replaces its own output folder, and never one that
    another command made.
    """
    from colligate.cli.demo_entities import N_CLUSTERS, compared, entity_record, linked_posts
    from colligate.cli.job import Job
    from colligate.cli.judging import judged
    from colligate.cli.labels import read_labels
    from colligate.cli.parameters import make_method
    from colligate.corpus import Corpus
    from colligate.knowledge import Knowledge

    parameters = {"n_clusters": N_CLUSTERS, "random_state": SEED}
    model = make_method(o.DEFAULT_METHOD, parameters)
    own = (read_record(located(out)) or {}).get("command") == COMMAND
    with (
        as_file(files("colligate") / "demo") as data,
        claimed(out, overwrite=own, advice="choose another --out") as folder,
        watching(context) as watch,
    ):
        job = Job(COMMAND, context.params, "Six newsgroups", folder, watch)
        with watch.stage("reading"):
            corpus = Corpus.read(data / POSTS, listener=watch.listener)
            groups = read_labels(data / POSTS, "group")
        result = job.fit(model, corpus, Knowledge.read(data / KNOWLEDGE))
        linked = linked_posts(corpus, data / BASE, watch)
        entities = entity_record(linked) | {"nmi": compared(corpus, linked, groups, watch)}
        record = job.write(result, evaluation=judged(result, groups), entities=entities)
    show_json(record) if json else _show(record, data)


def _show(record: dict[str, Any], data: Path) -> None:
    from colligate.cli.demo_entities import comparison_line, entity_table
    from colligate.cli.show import metrics_table, show_run

    found, entities = record["evaluation"], record["entities"]
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
    show(f"The knowledge file: {data / KNOWLEDGE}")
    show(
        f"The knowledge base, a slice of DBpedia: {data / BASE}\n"
        f"{entities['documents_with_entities']:,} posts speak of its entities, in {entities['mentions']:,} "
        "mentions:"
    )
    show(entity_table(entities))
    show(comparison_line(entities["nmi"]))
    show("A page with the entities marked in the texts:")
    show(f"  colligate link {shlex.quote(str(data / POSTS))} --kb {shlex.quote(str(data / BASE))}")
    show_run(record)
