import pytest

from colligate.entities.mentions.gazetteer import Gazetteer, merge_hits
from colligate.entities.mentions.recogniser import Recogniser, Span
from colligate.errors import InputError


@pytest.fixture
def gazetteer():
    return Gazetteer([("a", "York"), ("b", "Bank of England"), ("c", "England")])


def finds(gazetteer, text, *recognised):
    places = [Span(text.index(name), text.index(name) + len(name)) for name in recognised]
    return [text[hit.start : hit.end] for hit in merge_hits(text, gazetteer.find(text), places, gazetteer)]


def test_an_unknown_longer_name_hides_what_is_inside_it(gazetteer):
    text = "Then Peter York came to York."
    assert finds(gazetteer, text) == ["York", "York"]
    assert finds(gazetteer, text, "Peter York") == ["York"]


def test_the_longest_wins_whoever_found_it(gazetteer):
    assert finds(gazetteer, "the Bank of England said", "England") == ["Bank of England"]


def test_a_recognised_word_is_a_name_whatever_its_place_tells(gazetteer):
    text = "Dear York"
    assert [hit.mid_sentence for hit in gazetteer.find("York")] == [False]
    (hit,) = merge_hits(text, gazetteer.find(text), [Span(5, 9)], gazetteer)
    assert hit.mid_sentence
    assert hit.standalone


def test_without_spacy_the_message_tells_what_to_install():
    try:
        import spacy  # noqa: F401
    except ImportError:
        with pytest.raises(InputError, match=r"pip install colligate\[entities\]"):
            Recogniser("en_core_web_sm")
    else:
        with pytest.raises(InputError, match="cannot load the model"):
            Recogniser("no_such_model_anywhere")


def test_any_spacy_model_will_do(tmp_path):
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "ORG", "pattern": "the Bank's"}, {"label": "DATE", "pattern": "Monday"}])
    pipeline.to_disk(tmp_path / "model")
    text = "On Monday the Bank's men"
    assert [text[a:b] for a, b in Recogniser(str(tmp_path / "model")).find(text)] == ["Bank"]
