"""Group papers by the words of their titles, their authors and their venues: a network of four types.

    python examples/dblp_network.py [PAPERS.jsonl]

Each line of the file is a paper: id, title, authors (a list), conf and, only for the evaluation, label.
The default file has 400 papers of DBLP, a hundred from each of four areas. It is a small sample: most authors
occur once.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import colligate as cg

SAMPLE = Path(__file__).parent / "data" / "dblp.jsonl"


def make_network(papers: list[dict]) -> cg.Network:
    """Relate papers to the words of their titles, to authors and to venues."""
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


def cluster(papers: list[dict]) -> cg.Result:
    """Group the papers, their words, authors and venues."""
    return cg.make("colligate", n_clusters=4, random_state=0).fit(make_network(papers)).result_


def join_names(top: list[tuple[str, float]]) -> str:
    """Join the names without their scores."""
    return ", ".join(name for name, _ in top)


def main(path: Path) -> None:
    """Read the papers, cluster them, and print the groups."""
    papers = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    result = cluster(papers)
    print(result.network)

    best = (result.top_words(8), result.top_objects("authors", 4), result.top_objects("venues", 5))
    for group, (words, authors, venues) in enumerate(zip(*best, strict=True)):
        print(f"\ngroup {group}: {(result.labels['documents'] == group).sum()} papers")
        lists = {"words": words, "authors": authors, "venues": venues}
        for kind, top in lists.items():
            print(f"  {kind:8s} {join_names(top)}")

    if all("label" in paper for paper in papers):
        agreement = result.evaluate([paper["label"] for paper in papers])["nmi"]
        print(f"\nNMI with the areas of the venues: {agreement:.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE)
