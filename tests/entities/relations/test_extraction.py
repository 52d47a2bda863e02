import pytest

from colligate.entities.mentions.gazetteer import Gazetteer
from colligate.entities.mentions.search import MentionFinder, find_mentions
from colligate.entities.relations.extraction import Facts, Sentences, normalise_phrase, pair_mentions


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One is here. Two is there! Three?", ["One is here.", "Two is there!", "Three?"]),
        ("Dr. Smith met J. Doe. He left.", ["Dr. Smith met J. Doe.", "He left."]),
        ("About 3.5 per cent, i.e. Much.", ["About 3.5 per cent, i.e. Much."]),
        ('He said "no." Then (so he says.) He left.', ['He said "no."', "Then (so he says.)", "He left."]),
        ("a title\n\nThe text\n>\n> goes on", ["a title", "The text >", "> goes on"]),
        ("", [""]),
    ],
)
def test_sentences(text, parts):
    sentences = Sentences(text)
    spans = [sentences.span(number) for number in range(len(parts))]
    assert [" ".join(text[a:b].split()) for a, b in spans] == parts
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    assert all(sentences.find(start) == number for number, (start, end) in enumerate(spans) if end > start)


def test_a_long_line_of_stops_is_read_in_one_go():
    assert Sentences("." * 200_000 + " A").find(200_001) == 1
    assert Sentences("." * 200_000 + "x").find(200_000) == 0


@pytest.mark.parametrize(
    ("between", "phrase"),
    [
        (" was the founder of ", "founder"),
        (", ", ","),
        (" ", ""),
        ("'s rival ", "rival"),
        (" moved\n> over to ", "moved over to"),
        (" one two three four five six seven eight nine ", None),
    ],
)
def test_phrases(between, phrase):
    assert normalise_phrase(between) == phrase


def test_neighbours_of_one_sentence(base):
    texts = ["no name", "Steve Jobs sued IBM, not Microsoft. In Seattle, Microsoft and Microsoft."]
    gazetteer = Gazetteer(base.names())
    mentions = find_mentions(MentionFinder(gazetteer), texts, jobs=1)
    names = [texts[row[0]][row[2] : row[3]] for row in mentions.hits.tolist()]
    met = list(pair_mentions(texts, mentions))
    assert [(names[pair.left], pair.phrase, names[pair.right]) for pair in met] == [
        ("Steve Jobs", "sued", "IBM"),
        ("IBM", "not", "Microsoft"),
        ("Seattle", ",", "Microsoft"),
    ]
    assert texts[1][slice(*met[0].sentence)] == "Steve Jobs sued IBM, not Microsoft."


ENTITIES = [("kb/jobs",), ("kb/apple", "kb/apple_inc"), ("kb/ibm",)]


def test_facts_between_all_readings_in_both_directions(base):
    facts = Facts.query(base, [(0, 1), (1, 0), (0, 2)], ENTITIES)
    assert list(facts.between(0, 1)) == [("kb/jobs", "kb/apple_inc", ("founded", False))]
    assert list(facts.between(1, 0)) == [("kb/apple_inc", "kb/jobs", ("founded", True))]
    assert facts.relations(1, 0) == [("founded", True)]
    assert facts.relations(0, 2) == []


def test_each_pair_is_asked_about_once(base):
    Facts.query(base, [(0, 1)] * 3 + [(1, 0)], ENTITIES)
    asked = [pair for batch in base.asked for pair in batch]
    assert len(asked) == len(set(asked)) == 4
