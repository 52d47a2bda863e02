import numpy as np
import pytest

from colligate.entities.kb import open_base
from colligate.entities.linker import link
from colligate.errors import InputError, ParameterError, StoreError


def linked(base, documents, **options):
    return link(list(documents), list(documents.values()), base, **{"n_jobs": 1, **options})


def rows(table, *names):
    return list(zip(*(table[name] for name in names), strict=True))


def test_entities_their_types_and_how_often(base, documents):
    result = linked(base, documents)
    assert rows(result.mentions, "document", "name", "type", "count") == [
        ("mac", "Apple", "Organisation", 2),
        ("mac", "IBM", "Organisation", 1),
        ("mac", "Steve Jobs", "Person", 1),
        ("mac", "Microsoft", "Organisation", 1),
        ("pie", "Apple", "Food", 2),
        ("pie", "Banana", "Food", 2),
        ("pie", "Cherry", "Food", 2),
        ("bill", "Bill Gates", "Person", 1),
        ("bill", "IBM", "Organisation", 1),
        ("bill", "Microsoft", "Organisation", 2),
        ("bill", "Seattle", "Place", 1),
    ]
    assert ("kb/microsoft", "Organisation", ["firm"], 2, 3, 1.0) in rows(
        result.entities, "entity", "type", "subtype", "documents", "mentions", "confidence"
    )


def test_relations_that_sentences_say_and_the_base_confirms(base, documents):
    result = linked(base, documents)
    assert rows(result.relations, "head", "relation", "tail", "document", "phrase") == [
        ("kb/jobs", "founded", "kb/apple_inc", "mac", "founded"),
        ("kb/gates", "founded", "kb/microsoft", "bill", "founded"),
        ("kb/microsoft", "based_in", "kb/seattle", "bill", "moved to"),
    ]
    assert result.relations["sentence"][0] == "Steve Jobs founded Apple."
    assert result.relations["share"] == [1.0, 1.0, 0.0]


def test_an_inverse_relation_keeps_its_direction(base):
    result = linked(base, {"a": "We saw that Apple is by Steve Jobs."})
    assert rows(result.relations, "head", "tail") == [("kb/jobs", "kb/apple_inc")]


def test_of_a_sentence_without_end_only_the_neighbourhood_is_kept(base):
    result = linked(base, {"a": "we saw that Steve Jobs founded Apple and " * 2000})
    sentences = result.relations["sentence"]
    assert len(sentences) > 1000
    assert all("Steve Jobs founded Apple" in sentence and len(sentence) < 2000 for sentence in sentences)


def test_types_of_interest_are_chosen_after_the_decision(base, documents):
    result = linked(base, documents, types=["Organisation"])
    assert set(result.mentions["type"]) == {"Organisation"}
    assert ("pie", "Apple") not in rows(result.mentions, "document", "name")


def test_a_type_that_is_not_there(base, documents):
    with pytest.raises(
        ParameterError,
        match=r"type 'Persn' is not in .*types: Food, Organisation, Person, Place",
    ):
        linked(base, documents, types=["Person", "Persn"])


def test_an_entity_of_several_types_counts_as_the_one_of_interest(base):
    base.kinds["kb/seattle"] = ["city", "firm"]
    text = {"a": "from Seattle, then", "b": "in Seattle; by IBM"}
    for kind in ("Place", "Organisation"):
        result = linked(base, text, types=[kind])
        assert ("a", "Seattle", kind) in rows(result.mentions, "document", "name", "type")


def test_decisions_that_are_not_sure_enough_are_left_out(base, documents):
    assert ("pie", "Apple") in rows(linked(base, documents).mentions, "document", "name")
    sure = linked(base, documents, min_confidence=1.0)
    assert set(sure.mentions["confidence"]) == {1.0}
    assert ("pie", "Apple") not in rows(sure.mentions, "document", "name")
    with pytest.raises(ParameterError, match="min_confidence must be from 0 to 1 in link; got 2"):
        linked(base, documents, min_confidence=2)


def test_input_that_does_not_fit_is_refused_in_one_line(base, documents):
    with pytest.raises(InputError, match="link needs one id for each text; got 1 id and 2 texts"):
        link(["a"], ["Apple", "IBM"], base)
    with pytest.raises(ParameterError, match=r"types must be a list of names, as in \['Person'\]"):
        linked(base, documents, types="Person")


def test_entities_of_one_name_and_type_are_told_apart(tiny):
    names = {
        "kb/1": ["Springfield"],
        "kb/2": ["Springfield"],
        "kb/3": ["Capital City"],
        "kb/4": ["Shelbyville"],
    }
    base = tiny(names, {entity: ["Place"] for entity in names})
    base.facts = [("kb/3", "near", "kb/2"), ("kb/1", "near", "kb/4")]
    result = linked(base, {"a": "in Springfield by Shelbyville", "b": "in Springfield near Capital City"})
    assert sorted(rows(result.mentions, "document", "name", "entity")) == [
        ("a", "Shelbyville", "kb/4"),
        ("a", "Springfield (1)", "kb/1"),
        ("b", "Capital City", "kb/3"),
        ("b", "Springfield (2)", "kb/2"),
    ]


def test_entities_whose_ids_end_alike_are_told_apart(tiny):
    names = {"a/Springfield": ["Springfield"], "b/Springfield": ["Springfield"], "a/Ohio": ["Ohio"]}
    base = tiny(names | {"a/Utah": ["Utah"]}, {entity: ["Place"] for entity in (*names, "a/Utah")})
    base.facts = [("a/Springfield", "in", "a/Ohio"), ("b/Springfield", "in", "a/Utah")]
    result = linked(base, {"a": "to Springfield, Ohio", "b": "to Springfield, Utah"})
    assert sorted(rows(result.mentions, "name", "entity")) == [
        ("Ohio", "a/Ohio"),
        ("Springfield (a/Springfield)", "a/Springfield"),
        ("Springfield (b/Springfield)", "b/Springfield"),
        ("Utah", "a/Utah"),
    ]


def test_the_same_whatever_the_number_of_jobs(base, documents):
    many = {f"{key}{number}": text for number in range(150) for key, text in documents.items()}
    sentence, three = linked(base, many), linked(base, many, n_jobs=3)
    assert sentence.mentions == three.mentions
    assert sentence.relations == three.relations


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("kb.csv", "entity,name,type\na,Apple (company),Organisation\n"),
        ("kb.tsv", "entity\tname\ttype\na\tApple (company)\tOrganisation\n"),
        ("kb.nt", '<urn:a> <{rdfs}label> "Apple (company)"@en .\n<urn:a> <{type}> <urn:Organisation> .\n'),
        ("kb.ttl", '<urn:a> a <urn:Organisation> ; <{rdfs}label> "Apple (company)" .'),
    ],
)
def test_a_name_in_a_file_is_looked_for_without_its_brackets(tmp_path, name, content):
    rdf = {
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "type": "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
    }
    (tmp_path / name).write_text(content.format(**rdf), encoding="utf-8")
    documents = {"a": "We bought it from Apple, then we sold it."}
    result = linked(open_base(tmp_path / name), documents, min_confidence=0)
    assert result.mentions["name"] == ["Apple"]
    # the brackets say that Apple alone usually means something else
    assert result.mentions["confidence"][0] < 0.5


def test_nothing_found_is_an_answer(base):
    result = linked(base, {"a": "nothing here", "b": ""})
    assert result.mentions["document"] == result.entities["name"] == result.relations["head"] == []


def test_progress_is_told_and_work_goes_on(base, documents, tmp_path):
    events = []
    path = tmp_path / "checkpoint.npz"
    first = linked(base, documents, listener=events.append, checkpoint=path)
    assert {"names", "finding names", "parsing", "querying types", "querying relations"} == {
        event.stage for event in events
    }
    again = []
    assert linked(base, documents, listener=again.append, checkpoint=path).mentions == first.mentions
    assert "finding names" not in {event.stage for event in again}
    with pytest.raises(StoreError, match="is from a run with other documents"):
        linked(base, documents | {"more": ""}, checkpoint=path)


@pytest.mark.parametrize(
    "text",
    [
        '"} } ; DROP ALL ; SELECT * { ?s ?p "',
        "\x00\x01A\x02 IBM \ud800",
        "\u202eIBM\u202c \u200fMicrosoft",
        "{{ 7*7 }} <script>alert(1)</script> IBM",
        "IBM " * 100_000,
    ],
    ids=["sparql", "control", "right-to-left", "markup", "one long line"],
)
def test_hostile_documents_stop_nothing(base, text):
    result = linked(base, {"bad": text, "good": "from IBM, then"})
    assert ("good", "IBM") in rows(result.mentions, "document", "name")
    assert np.isfinite(result.choice.confidence).all()
