"""Group answers of a survey in English and German by what they are about, not by their language.

    python examples/survey_in_two_languages.py

The answers to "What should the library improve?" are made up. English and German answers share no words, so a
grouping by words alone separates the languages first. A few words of each theme in both languages are enough
to join them. The column theme is only used to measure the effect.
"""

from __future__ import annotations

from pathlib import Path

import colligate as cg

SAMPLE = Path(__file__).parent / "data" / "survey.csv"
THEMES = {
    "opening hours": ["close", "closes", "open", "hours", "schließt", "öffnen", "öffnungszeiten"],
    "noise": ["loud", "noise", "silent", "laut", "lärm", "ruhe"],
    "books": ["book", "books", "novels", "bücher", "romane", "buch"],
    "computers": ["wifi", "laptop", "printer", "wlan", "drucker", "computer"],
}


def read_answers() -> cg.Corpus:
    """Read the answers, without the stop words of both languages."""
    return cg.Corpus.read(SAMPLE, analyser=cg.Analyser(stop_words="en,de", min_df=1))


def cluster(knowledge: cg.Knowledge | None = None) -> cg.Result:
    """Group the answers into four."""
    return cg.make("colligate", n_clusters=4, random_state=0).fit(read_answers(), knowledge=knowledge).result_


def make_knowledge() -> cg.Knowledge:
    """Return the words of each theme, in both languages."""
    knowledge = cg.Knowledge()
    for theme, words in THEMES.items():
        knowledge = knowledge.category(theme, words=words)
    return knowledge


def main() -> None:
    """Group without and with knowledge, and compare."""
    for title, knowledge in (("words alone", None), ("with words of both languages", make_knowledge())):
        result = cluster(knowledge)
        columns = result.corpus.columns
        by_theme, by_language = (
            result.evaluate(columns[name].to_pylist())["nmi"] for name in ("theme", "language")
        )
        print(f"{title}: NMI {by_theme:.2f} with the themes, {by_language:.2f} with the languages")
        for name, size in zip(result.group_names, result.groups["size"].to_pylist(), strict=True):
            print(f"  {size:3d}  {name}")
    print("statements:", result.audit().counts())


if __name__ == "__main__":
    main()
