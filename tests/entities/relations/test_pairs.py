import pytest

from colligate.entities.mentions.gazetteer import Gazetteer
from colligate.entities.mentions.search import MentionFinder, find_mentions
from colligate.entities.relations.extraction import normalise_phrase, pair_mentions


@pytest.mark.parametrize(
    ("between", "said"),
    [
        (" was the founder of ", "founder"),
        (", ", ","),
        (" ", ""),
        ("'s rival ", "rival"),
        (" moved\n> over to ", "moved over to"),
        (" one two three four five six seven eight nine ", None),
    ],
)
def test_phrases(between, said):
    assert normalise_phrase(between) == said


def test_neighbours_of_one_sentence(base):
    texts = ["no name", "Steve Jobs sued IBM, not Microsoft. In Seattle, Microsoft and Microsoft."]
    gazetteer = Gazetteer(base.names())
    found = find_mentions(MentionFinder(gazetteer), texts, jobs=1)
    names = [texts[row[0]][row[2] : row[3]] for row in found.hits.tolist()]
    met = list(pair_mentions(texts, found))
    assert [(names[pair.left], pair.phrase, names[pair.right]) for pair in met] == [
        ("Steve Jobs", "sued", "IBM"),
        ("IBM", "not", "Microsoft"),
        ("Seattle", ",", "Microsoft"),
    ]
    assert texts[1][slice(*met[0].sentence)] == "Steve Jobs sued IBM, not Microsoft."
