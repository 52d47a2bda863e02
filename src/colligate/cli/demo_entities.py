"""The part of `colligate demo` that finds the entities of a knowledge base, and groups with them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from colligate.cli.documents import MIN_DOCUMENTS
from colligate.cli.judging import judged
from colligate.cli.options import DEFAULT_METHOD
from colligate.cli.parameters import make_method
from colligate.cli.wording import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from colligate.cli.watch import Watch
    from colligate.corpus import Corpus
    from colligate.network import Network
    from colligate.world.linked import Linked

N_CLUSTERS, STARTS = 6, 5
TYPES = ("organisation", "person", "place")
SHOWN = 6


def linked_posts(posts: Corpus, base: Path, watch: Watch) -> Linked:
    """Find organisations, persons and places in the posts."""
    from colligate.world.base.opening import open_base
    from colligate.world.linking import link

    with watch.stage("linking"):
        opened = open_base(base, listener=watch.listener)
        texts = posts.texts or ()
        return link(posts.ids, texts, opened, types=TYPES, n_jobs=1, listener=watch.listener)


def compared(
    posts: Corpus, linked: Linked, groups: Mapping[str, str], watch: Watch
) -> dict[str, list[float]]:
    """The NMI of groups by words alone and by words and entities, from several starts, no knowledge used.

    One start tells little: they differ among themselves by more than the entities make.
    """
    from colligate.world.network import entity_network

    network = entity_network(posts, linked, min_documents=MIN_DOCUMENTS)
    with watch.stage("clustering with entities"):
        return {
            "words": _nmi(posts, groups, watch),
            "words_and_entities": _nmi(network, groups, watch),
        }


def _nmi(documents: Corpus | Network, groups: Mapping[str, str], watch: Watch) -> list[float]:
    from colligate.methods.options import RunOptions

    found = []
    for seed in range(STARTS):
        model = make_method(DEFAULT_METHOD, {"n_clusters": N_CLUSTERS, "n_init": 1, "random_state": seed})
        model.fit(documents, options=RunOptions(listener=watch.listener))
        found.append(judged(model.result_, groups)["result"]["all"]["nmi"])
    return found


def entity_record(linked: Linked) -> dict[str, Any]:
    """How many entities of each type were found, and which of them in most posts."""
    found = linked.entities
    rows = sorted(zip(found["documents"], found["name"], found["type"], strict=True), key=lambda row: -row[0])
    kinds = Counter(found["type"]).most_common()
    return {
        "documents_with_entities": len(set(linked.mentions["document"])),
        "mentions": sum(linked.mentions["count"]),
        "types": {
            kind: {"entities": many, "most": [name for _, name, own in rows if own == kind][:SHOWN]}
            for kind, many in kinds
        },
    }


def entity_table(found: Mapping[str, Any]) -> Table:
    """One row per type: how many entities, and those in most posts."""
    table = Table("type", header_style="bold")
    table.add_column("entities", justify="right")
    table.add_column("in most posts")
    for kind, told in found["types"].items():
        table.add_row(Text(visible(kind)), f"{told['entities']:,}", Text(visible(", ".join(told["most"]))))
    return table


def comparison_line(found: Mapping[str, list[float]]) -> str:
    """What the entities change, and whether it is more than the starts differ by."""
    words, both = found["words"], found["words_and_entities"]
    gain, spread = float(np.mean(both) - np.mean(words)), max(float(np.std(words)), float(np.std(both)))
    verdict = "less than starts differ by" if abs(gain) <= spread else "a gain" if gain > 0 else "a loss"
    return (
        f"NMI of {len(words)} starts without the knowledge file: {_spread(words)} by words alone, "
        f"{_spread(both)} by words and entities: {verdict}."
    )


def _spread(values: list[float]) -> str:
    return f"{np.mean(values):.3f} ± {np.std(values):.3f}"
