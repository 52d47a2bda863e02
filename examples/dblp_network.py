"""Group papers by the words of their titles, their authors and their venues: a network of four types.

    python examples/dblp_network.py [PAPERS.jsonl]

Each line of the file is a paper: id, title, authors (a list), conf and, only to judge the outcome, label.
Without a file it takes 400 papers of DBLP, a hundred from each of four areas. That is little: most authors
there wrote one of them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import colligate as cg

SAMPLE = Path(__file__).parent / "data" / "dblp.jsonl"


def make_network(papers: list[dict]) -> cg.Network:
    """Papers × words of the title, papers × authors, papers × venues."""
    ids = [str(paper["id"]) for paper in papers]
    titles = cg.Corpus.from_texts([paper["title"] for paper in papers], ids=ids)
    rows = [
        (document, name, kind)
        for document, paper in zip(ids, papers, strict=True)
        for kind, names in (("authors", paper["authors"]), ("venues", [paper["conf"]]))
        for name in names
    ]
    documents, names, kinds = zip(*rows, strict=True)
    return cg.Network.from_tables(titles, {"document": documents, "name": names, "type": kinds})


def format_objects(objects: list[tuple[str, float]]) -> str:
    """The names without their scores."""
    return ", ".join(name for name, _ in objects)


def main(path: Path) -> None:
    """Read, cluster, tell."""
    papers = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    network = make_network(papers)
    print(network)

    model = cg.make("hinc", n_clusters=4, random_state=0).fit(network)
    result = model.result_
    best = (result.top_words(8), result.top_objects("authors", 4), result.top_objects("venues", 5))
    for group, (words, authors, venues) in enumerate(zip(*best, strict=True)):
        print(f"\ngroup {group}: {(result.labels['documents'] == group).sum()} papers")
        for title, objects in (("words", words), ("authors", authors), ("venues", venues)):
            print(f"  {title:8} {format_objects(objects)}")

    if all("label" in paper for paper in papers):
        agreement = result.evaluate([paper["label"] for paper in papers])["nmi"]
        print(f"\nNMI with the areas of the venues: {agreement:.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE)
