"""Group newsgroup posts with the help of seed words and links, and explain the group of a post.

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
        .category("macintosh", words=["mac", "apple", "quadra", "centris", "powerbook", "nubus"])
        .category("pc", words=["pc", "isa", "eisa", "vlb", "bios", "motherboard", "dos"])
        .category("cars", words=["car", "cars", "sedan", "toyota", "dealer"])
        .category("motorcycles", words=["bike", "motorcycle", "helmet", "rider", "riders"])
        .together(documents=[("post-0051", "post-0064")], source="both are about double-parking")
        .apart(documents=[("post-0003", "post-0036")], source="monitors of a Macintosh and of a PC")
    )


def main(out: Path) -> None:
    """Read the posts, cluster them, explain one of them, and store the result."""
    with as_file(files("colligate") / "demo" / "newsgroups.jsonl.gz") as path:
        corpus = cg.Corpus.read(path)
    model = cg.make("colligate", n_clusters=6, random_state=0).fit(corpus, knowledge=make_knowledge())
    result = model.result_

    for name, words in zip(result.group_names, result.top_words(6), strict=True):
        print(f"{name:35s} {' '.join(word for word, _ in words)}")

    reasons = result.why("post-0051", limit=4)
    print(f"\npost-0051 is in {result.group_names[reasons.group]!r}, because of")
    for word, evidence in reasons.words:
        print(f"  {word} ({evidence:+.1f})")
    for sentence, pull in reasons.links:
        print(f"  it {sentence} ({pull:+.1f})")

    print("\nStatements:", result.audit().counts())
    result.save(out / "model", overwrite=True)
    print("Report:", result.report(out / "report.html"))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "colligate-example"))
