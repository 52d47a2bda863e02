"""Group texts of Wikipedia with the help of seed words and links, and explain the group of a text.

python examples/cluster_with_knowledge.py [OUTPUT_FOLDER]
"""

from __future__ import annotations

import sys
from importlib.resources import as_file, files
from pathlib import Path

import colligate as cg


def make_knowledge() -> cg.Knowledge:
    """Return seed words for four groups, a must-link and a cannot-link."""
    return (
        cg.Knowledge()
        .category("countries", words=["country", "afghan", "albanian", "algeria", "angola", "azerbaijan"])
        .category("states", words=["alabama", "alaska", "alberta", "statehood", "counties", "provincial"])
        .category("myths", words=["god", "goddess", "zeus", "trojan", "oracle"])
        .category("space", words=["spacecraft", "lunar", "astronauts", "astronomers", "orbit"])
        .together(documents=[("text-0043", "text-0063")], source="both are about watching the sky")
        .apart(documents=[("text-0074", "text-0109")], source="the climates of Albania and of Alaska")
    )


def main(out: Path) -> None:
    """Read the texts, cluster them, explain one of them, and store the result."""
    with as_file(files("colligate") / "demo" / "articles.jsonl.gz") as path:
        corpus = cg.Corpus.read(path)
    model = cg.make("colligate", n_clusters=6, random_state=0).fit(corpus, knowledge=make_knowledge())
    result = model.result_

    for name, words in zip(result.group_names, result.top_words(6), strict=True):
        print(f"{name:35s} {' '.join(word for word, _ in words)}")

    reasons = result.why("text-0043", limit=4)
    print(f"\ntext-0043 is in {result.group_names[reasons.group]!r}, because of")
    for word, evidence in reasons.words:
        print(f"  {word} ({evidence:+.1f})")
    for sentence, pull in reasons.links:
        print(f"  it {sentence} ({pull:+.1f})")

    print("\nStatements:", result.audit().counts())
    result.save(out / "model", overwrite=True)
    print("Report:", result.report(out / "report.html"))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "colligate-example"))
