import pytest

from colligate.entities.relations.extraction import Sentences


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
    assert all(sentences.at(start) == number for number, (start, end) in enumerate(spans) if end > start)


def test_a_long_line_of_stops_is_read_in_one_go():
    assert Sentences("." * 200_000 + " A").at(200_001) == 1
    assert Sentences("." * 200_000 + "x").at(200_000) == 0
