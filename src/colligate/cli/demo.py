"""`colligate demo`: the main job on bundled texts, with a knowledge file and a knowledge base."""

from __future__ import annotations

import shlex
from collections import Counter
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import typer
from rich.table import Table
from rich.text import Text

from colligate._storage.atomic import expand_path
from colligate.cli import options as o
from colligate.cli.console import (
    escape_control,
    make_metrics_table,
    print_json,
    print_result,
    print_run,
    watch_run,
)
from colligate.cli.evaluate import evaluate_result
from colligate.cli.inputs import MIN_DOCUMENTS, make_method, read_labels
from colligate.cli.output import claim_folder, read_record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.cli.console import Watch
    from colligate.corpus import Corpus
    from colligate.entities.linker import LinkingResult
    from colligate.network import Network

COMMAND = "demo"
TEXTS, KNOWLEDGE, BASE = "articles.jsonl.gz", "knowledge.yaml", "dbpedia.nt.gz"
SEED = 0


N_CLUSTERS, STARTS = 6, 5
TYPES = ("organisation", "person", "place")
SHOWN = 6


def demo(context: typer.Context, out: o.Out = Path("colligate-demo"), json: o.AsJson = False) -> None:
    """Group 1,500 texts of Wikipedia, with and without a knowledge file, and with the entities they mention.

    Prints how well the groups match the subjects of the articles. Running it again replaces its own output
    folder, never that of another command.
    """
    from colligate.cli.job import Job
    from colligate.corpus import Corpus
    from colligate.knowledge import Knowledge

    parameters = {"n_clusters": N_CLUSTERS, "random_state": SEED}
    model = make_method(o.DEFAULT_METHOD, parameters)
    made_by_demo = (read_record(expand_path(out)) or {}).get("command") == COMMAND
    with (
        as_file(files("colligate") / "demo") as data,
        claim_folder(out, overwrite=made_by_demo, advice="choose another --out") as folder,
        watch_run(context) as watch,
    ):
        job = Job(COMMAND, context.params, "Six subjects of Wikipedia", folder, watch)
        with watch.stage("reading"):
            corpus = Corpus.read(data / TEXTS, listener=watch.listener)
            groups = read_labels(data / TEXTS, "group")
        result = job.fit(model, corpus, Knowledge.read(data / KNOWLEDGE))
        linked = link_texts(corpus, data / BASE, watch)
        entities = describe_entities(linked) | {"nmi": compare_with_entities(corpus, linked, groups, watch)}
        record = job.write(result, evaluation=evaluate_result(result, groups), entities=entities)
    print_json(record) if json else _print_demo(record, data)


def _print_demo(record: dict[str, Any], data: Path) -> None:
    evaluation, entities = record["evaluation"], record["entities"]
    print_result("Comparison with the subjects of the articles (the clustering does not use the subjects):")
    print_result(
        make_metrics_table(
            [
                ("without knowledge", evaluation["without_knowledge"]["all"]),
                ("with knowledge", evaluation["result"]["all"]),
                ("without knowledge, texts without statements", evaluation["without_knowledge"]["unnamed"]),
                ("with knowledge, texts without statements", evaluation["result"]["unnamed"]),
            ]
        )
    )
    print_result(f"The knowledge file: {data / KNOWLEDGE}")
    print_result(
        "The knowledge base, a small part of DBpedia: "
        f"{data / BASE}\n{entities['documents_with_entities']:,} texts mention entities of this "
        f"knowledge base, with {entities['mentions']:,} mentions in all:"
    )
    print_result(make_entity_table(entities))
    print_result(describe_comparison(entities["nmi"]))
    print_result("To see the entities marked in the texts:")
    print_result(f"  colligate link {shlex.quote(str(data / TEXTS))} --kb {shlex.quote(str(data / BASE))}")
    print_run(record)


def link_texts(corpus: Corpus, base: Path, watch: Watch) -> LinkingResult:
    """Find organisations, persons and places in the texts."""
    from colligate.entities.kb.store import open_base
    from colligate.entities.linker import link

    with watch.stage("linking"):
        opened = open_base(base, listener=watch.listener)
        texts = corpus.texts or ()
        return link(corpus.ids, texts, opened, types=TYPES, n_jobs=1, listener=watch.listener)


def compare_with_entities(
    corpus: Corpus, linked: LinkingResult, groups: Mapping[str, str], watch: Watch
) -> dict[str, list[float]]:
    """Return the NMI of several starts without knowledge: by words, and by words and entities.

    One start is not enough: starts differ more from each other than the entities change.
    """
    from colligate.entities.network import entity_network

    network = entity_network(corpus, linked, min_documents=MIN_DOCUMENTS)
    with watch.stage("clustering with entities"):
        return {
            "words": _score_starts(corpus, groups, watch),
            "words_and_entities": _score_starts(network, groups, watch),
        }


def _score_starts(documents: Corpus | Network, groups: Mapping[str, str], watch: Watch) -> list[float]:
    from colligate.methods.fit import RunOptions

    scores = []
    for seed in range(STARTS):
        model = make_method(o.DEFAULT_METHOD, {"n_clusters": N_CLUSTERS, "n_init": 1, "random_state": seed})
        model.fit(documents, options=RunOptions(listener=watch.listener))
        scores.append(evaluate_result(model.result_, groups)["result"]["all"]["nmi"])
    return scores


def describe_entities(linked: LinkingResult) -> dict[str, Any]:
    """Count the entities of each type, and list those in most texts."""
    entities = linked.entities
    rows = sorted(
        zip(entities["documents"], entities["name"], entities["type"], strict=True), key=lambda row: -row[0]
    )
    by_type = Counter(entities["type"]).most_common()
    return {
        "documents_with_entities": len(set(linked.mentions["document"])),
        "mentions": sum(linked.mentions["count"]),
        "types": {
            wanted: {
                "entities": count,
                "most": [name for _, name, type_name in rows if type_name == wanted][:SHOWN],
            }
            for wanted, count in by_type
        },
    }


def make_entity_table(entities: Mapping[str, Any]) -> Table:
    """Make a table with one row per type: the number of entities, and those in most texts."""
    table = Table("type", header_style="bold")
    table.add_column("entities", justify="right")
    table.add_column("in most texts")
    for type_name, row in entities["types"].items():
        table.add_row(
            Text(escape_control(type_name)),
            f"{row['entities']:,}",
            Text(escape_control(", ".join(row["most"]))),
        )
    return table


def describe_comparison(scores: Mapping[str, list[float]]) -> str:
    """Say how much the entities change, and whether that exceeds the spread over starts."""
    words, both = scores["words"], scores["words_and_entities"]
    gain, spread = float(np.mean(both) - np.mean(words)), max(float(np.std(words)), float(np.std(both)))
    verdict = (
        "the entities add nothing to these words, so they have no weight"
        if words == both
        else "the difference is smaller than the standard deviation"
        if abs(gain) <= spread
        else "the entities help"
        if gain > 0
        else "the entities make the groups worse"
    )
    return (
        f"Mean NMI of {len(words)} runs without the knowledge file: {_format_spread(words)} with words "
        f"only, and {_format_spread(both)} with words and entities. Result: {verdict}."
    )


def _format_spread(values: list[float]) -> str:
    return f"{np.mean(values):.3f} ± {np.std(values):.3f}"
