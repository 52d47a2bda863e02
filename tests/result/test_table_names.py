from __future__ import annotations

import pytest

from colligate.result.tables import name_tables


def test_documents_and_words_keep_their_files():
    assert name_tables(["words", "documents"]) == {"words": "words.csv", "documents": "documents.csv"}


@pytest.mark.parametrize(
    ("kind", "file"),
    [
        ("people", "people.csv"),
        ("people/orgs", "people-orgs.csv"),
        ("../../etc/passwd", "etc-passwd.csv"),
        ("..", "type.csv"),
        ("a\\b:c", "a-b-c.csv"),
        ("CON", "CON-2.csv"),
        ("lpt1", "lpt1-2.csv"),
        ("clusters", "clusters-2.csv"),
        ("knowledge", "knowledge-2.csv"),
        ("Relations", "Relations-2.csv"),
        ("Documents", "Documents-2.csv"),
        ("title words.", "title-words.csv"),
        ("Städte", "Städte.csv"),
        ("x" * 300, "x" * 40 + ".csv"),
    ],
)
def test_any_name_makes_a_safe_file(kind, file):
    assert name_tables([kind]) == {kind: file}


def test_no_two_types_share_a_file_whatever_the_case():
    kinds = ["a/b", "a-b", "A b", "a-b-2", "!", "?", "ﬁle", "file", "documents", "DOCUMENTS"]
    found = name_tables(kinds)
    assert list(found) == kinds
    assert len({name.casefold() for name in found.values()}) == len(kinds)
    assert found["documents"] == "documents.csv"
