import pytest

from colligate.corpus import Corpus
from colligate.entities.linker import link
from colligate.entities.network import common_mentions, entity_network
from colligate.errors import ParameterError
from colligate.network import Network, subtype_knowledge


@pytest.fixture
def corpus(documents):
    return Corpus.from_texts(documents.values(), documents)


@pytest.fixture
def linked(corpus, base):
    return link(corpus.ids, corpus.texts, base, n_jobs=1)


def entries(network, name):
    relation = next(relation_ for relation_ in network.relations if relation_.name == name)
    rows, columns = network.names[relation.rows], network.names[relation.columns]
    matrix = relation.matrix.tocoo()
    return {
        (rows[row], columns[column]): value
        for row, column, value in zip(matrix.row, matrix.col, matrix.data, strict=True)
    }


def test_types_and_relations(corpus, linked):
    network = entity_network(corpus, linked)
    assert list(network.types) == ["documents", "words", "Food", "Organisation", "Person", "Place"]
    assert entries(network, "documents × Food") == {
        ("pie", name): 2 for name in ("Apple", "Banana", "Cherry")
    }
    assert entries(network, "Organisation × Person") == {
        ("Apple", "Steve Jobs"): 1,
        ("Microsoft", "Bill Gates"): 1,
    }
    assert entries(network, "Organisation × Place") == {("Microsoft", "Seattle"): 1}
    assert network.corpus is corpus


def test_relations_within_a_type_count_both_ways(base):
    base.facts = [("kb/microsoft", "rival_of", "kb/ibm")]
    corpus = Corpus.from_texts(["We see Microsoft against IBM", "rivals all"], ["a", "b"])
    network = entity_network(corpus, link(corpus.ids, corpus.texts, base, n_jobs=1))
    both = {("Microsoft", "IBM"): 1, ("IBM", "Microsoft"): 1}
    assert entries(network, "Organisation × Organisation") == both


def test_rare_entities_can_be_left_out(corpus, linked):
    network = entity_network(corpus, linked, min_documents=2)
    assert list(network.names["Organisation"]) == ["IBM", "Microsoft"]
    assert "Person" not in network.types
    assert {relation.name for relation in network.relations} == {
        "documents × words",
        "documents × Organisation",
    }
    with pytest.raises(ParameterError, match="min_documents"):
        common_mentions(linked, 0)


def test_sub_types_are_knowledge(linked):
    knowledge = subtype_knowledge(common_mentions(linked))
    compiled = knowledge.compile(
        {kind: sorted(set(linked.mentions["name"])) for kind in set(linked.mentions["type"])}
    )
    assert compiled is not None
    assert len(knowledge) == 9


def test_without_any_entity_words_are_left(corpus, tiny):
    base = tiny({"x": ["Nowhere Town"]}, {"x": ["Place"]})
    network = entity_network(corpus, link(corpus.ids, corpus.texts, base, n_jobs=1))
    assert isinstance(network, Network)
    assert list(network.types) == ["documents", "words"]
