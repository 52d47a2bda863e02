import pytest

from colligate.entities.kb import open_base
from colligate.entities.mentions.filters import find_unsupported_aliases
from colligate.entities.mentions.gazetteer import Gazetteer, aliases, labels
from colligate.entities.mentions.search import MentionFinder, find_mentions

TABLE = """entity,name,aliases,type
za,South Africa,RSA|Azania,Country
ms,Microsoft Corporation,Microsoft,Firm
cia,Central Intelligence Agency,CIA,Agency
"""


@pytest.fixture
def base(tmp_path):
    path = tmp_path / "base.csv"
    path.write_text(TABLE, encoding="utf-8")
    return open_base(path)


def dropped(base, *texts):
    gazetteer = Gazetteer(base.names())
    found = find_mentions(MentionFinder(gazetteer), texts, jobs=1)
    single = [number for number in sorted(set(found.name.tolist())) if gazetteer.words[number] == 1]
    return [gazetteer.names[number] for number in find_unsupported_aliases(found, single, gazetteer, base)]


def test_a_code_that_no_other_name_stands_beside(base):
    assert dropped(base, *["by RSA now"] * 5) == ["RSA"]
    assert dropped(base, *["by RSA now"] * 5, "in South Africa") == ["RSA"]
    assert dropped(base, *["by RSA now"] * 4, "to RSA, South Africa") == []


def test_a_word_of_the_label_and_its_initials_want_another_name_anywhere(base):
    assert dropped(base, *["by Microsoft, the CIA"] * 5) == ["CIA", "Microsoft"]
    texts = ["by Microsoft Corporation", "the Central Intelligence Agency"]
    assert dropped(base, *["by Microsoft, the CIA"] * 5, *texts) == []


def test_nothing_is_expected_of_few_documents(base):
    assert dropped(base, "by RSA", "by RSA") == []


def test_labels_and_aliases(base, tiny):
    (entity,) = base.named(["CIA"])["CIA"]
    assert labels([entity], base) == {entity: {"Central Intelligence Agency"}}
    assert aliases([entity], base) == {entity: {"CIA"}}
    assert labels(["no id"], tiny({}, {})) == {}


def test_labels_in_other_languages_are_left_out(tmp_path):
    path = tmp_path / "base.nt"
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    path.write_text(f'<urn:w> {label} "Wien"@de .\n<urn:w> {label} "Vienna"@en .\n', encoding="utf-8")
    assert labels(["urn:w"], open_base(path, languages=["en"])) == {"urn:w": {"Vienna"}}
    assert labels(["urn:w"], open_base(path)) == {"urn:w": {"Vienna", "Wien"}}
