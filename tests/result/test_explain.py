from __future__ import annotations

import numpy as np
import pytest

from colligate import registry
from colligate.corpus import Corpus
from colligate.errors import InputError
from colligate.knowledge import Knowledge
from colligate.network import Network, Relation
from tests.result.conftest import FakeMethod
from tests.result.networks import network, network_result


def compiled(result, knowledge):
    return knowledge.compile(result.network.names)


def test_words_carry_the_evidence_for_the_group_against_the_runner_up(result):
    found = result.why("d9")
    assert (found.document, found.group, found.runner_up) == ("d9", 1, 0)
    evidence = dict(found.words)
    assert set(evidence) == {"hockey", "team", "puck", "orbit", "ice"}
    assert evidence["orbit"] < 0 < evidence["puck"]
    sizes = [abs(value) for _, value in found.words]
    assert sizes == sorted(sizes, reverse=True)


def test_the_evidence_adds_up_to_the_difference_of_the_scores(result, fake_method):
    found = result.why("d8", limit=99)
    scores = fake_method.predict_scores(result.model, result.counts[[8]])[0]
    assert sum(value for _, value in found.words) == pytest.approx(scores[1] - scores[0])


def test_a_document_may_be_given_by_position(result, make_result):
    assert result.why(3).document == "d3"
    assert make_result(with_corpus=False).why(3).document == "document 3"
    assert make_result(with_corpus=False).why("3").document == "document 3"


def test_a_number_is_a_position_and_text_an_id(make_result):
    numbered = make_result().corpus
    renamed = Corpus.from_counts(numbered.counts, numbered.words)
    result = make_result(corpus=renamed, network=Network.from_corpus(renamed))
    assert (result.why(1).document, result.why("1").document) == ("2", "1")


def test_an_unsure_storage_still_has_a_runner_up(make_result):
    hard = np.eye(2, dtype=np.float32)[np.maximum(make_result().labels["documents"], 0)]
    found = make_result(memberships={"documents": hard})
    assert found.runner_up.tolist() == [-1] * 11
    assert found.why("d0").runner_up == 1


def test_a_document_in_no_group_has_no_words_to_tell(result):
    found = result.why("d10")
    assert (found.group, found.runner_up, found.words) == (-1, -1, ())


@pytest.mark.parametrize("document", ["nobody", "3", 11, -1, 2.5, True])
def test_a_document_that_is_not_there_is_refused(result, document):
    with pytest.raises(InputError, match="there is no document"):
        result.why(document)


def test_a_message_shows_ids_that_are_there(result):
    with pytest.raises(
        InputError, match="no document 'nobody' in this result, but 'd0', 'd1', 'd2' and 8 more"
    ):
        result.why("nobody")


def test_linked_documents_pull_where_they_are(make_result):
    knowledge = Knowledge().together(documents=[("d0", "d1"), ("d0", "d5")], strength=2.0)
    knowledge.apart(documents=[("d0", "d6"), ("d0", "d2")])
    links = dict(make_result(compiled=compiled(make_result(), knowledge)).why("d0").links)
    assert links["belongs together with d1, which is in the same group"] == 2.0
    assert links["belongs apart from d2, which is in the same group"] == -1.0
    other = [sentence for sentence, pull in links.items() if "d5" in sentence and pull == -2.0]
    assert len(other) == 1
    assert "hockey" in other[0] or "puck" in other[0]


def test_groups_pull_by_the_number_of_their_members(make_result):
    knowledge = Knowledge().groups(
        documents={"north": ["d0", "d1", "d2", "d5"], "south": ["d6", "d7"]}, together=1.0, apart=0.5
    )
    links = dict(make_result(compiled=compiled(make_result(), knowledge)).why("d0").links)
    assert links == {
        "belongs together with 3 documents of the same group 'north'; 2 of them in this group": 1.0,
        "belongs apart from 2 documents of groups other than 'north'; 0 of them in this group": 1.0,
    }


def test_labels_pull_like_groups(make_result):
    knowledge = Knowledge().label({"d0": "space", "d1": "space"})
    links = make_result(compiled=compiled(make_result(), knowledge)).why("d0").links
    assert links == (
        ("belongs together with 1 document of the same group 'space'; 1 of them in this group", 1.0),
    )


def in_categories(make_result, monkeypatch, family):
    monkeypatch.setattr(FakeMethod, "family", family)
    knowledge = Knowledge().category("sport", documents=["d0", "d1", "d5"], strength=0.5)
    knowledge.category("sport", documents=["d2", "d3"], strength=2.0).category("odd", documents=["d0"])
    return make_result(compiled=compiled(make_result(), knowledge))


def test_categories_pull_by_the_weaker_strength_where_they_are_links(make_result, monkeypatch):
    result = in_categories(make_result, monkeypatch, "information")
    sentence = "belongs together with 4 documents in the same category 'sport'; {} of them in this group"
    # three of 0.5 here and one there; from d2, one of 2 here, two of 0.5 here and one there
    assert result.why("d0").links == ((sentence.format(3), 1.0),)
    assert result.why("d2").links == ((sentence.format(3), 2.5),)
    assert result.why("d5").links == ((sentence.format(0), -2.0),)
    assert result.why("d6").links == ()


def test_categories_are_no_links_of_other_methods(make_result, monkeypatch):
    assert in_categories(make_result, monkeypatch, "factorisation").why("d0").links == ()


def test_words_of_one_category_are_linked_in_citcc():
    texts = ["orbit moon nasa", "moon nasa orbit orbit", "puck ice goal", "ice goal goal puck"] * 3
    knowledge = Knowledge().category("space", words=["orbit", "moon", "nasa"])
    model = registry.make("citcc", n_clusters=2, n_word_clusters=2, random_state=0)
    result = model.fit(Corpus.from_texts(texts), knowledge=knowledge).result_
    ((sentence, pull),) = result.why("orbit", kind="words").links
    assert sentence == "belongs together with 2 words in the same category 'space'; 2 of them in this group"
    assert pull == 2.0


def test_objects_of_further_types_carry_evidence_too(fake_method):
    result = network_result()
    found = result.why("p2", limit=99)
    assert {name for name, _ in found.words} == {"ball", "goal"}
    assert {(kind, name) for kind, name, _ in found.objects} == {
        ("people", "Ann"),
        ("people", "Di"),
        ("papers", "p0"),
    }
    scores = fake_method.predict_scores(result.model, result.neighbourhood.matrix[[2]])[0]
    told = sum(value for _, value in found.words) + sum(value for *_, value in found.objects)
    assert told == pytest.approx(scores[0] - scores[1])
    sizes = [abs(value) for *_, value in found.objects]
    assert sizes == sorted(sizes, reverse=True)


def test_evidence_of_one_object_in_several_relations_is_summed(fake_method):
    cites = np.zeros((6, 6))
    cites[0, 1] = cites[1, 0] = 1
    known = network()
    both = Network(known.types, (*known.relations[:3], Relation("papers", "papers", cites, 0.1)))
    objects = network_result(both).why("p0", limit=99).objects
    assert [name for kind, name, _ in objects if kind == "papers"] == ["p1"]


def test_an_object_of_another_type_is_explained_by_its_links():
    knowledge = Knowledge().together(people=[("Ann", "Bo"), ("Ann", "Cy")]).apart(people=[("Ann", "Di")])
    result = network_result(compiled=knowledge.compile(network().names))
    found = result.why("Ann", kind="people")
    assert (found.document, found.group, found.runner_up, found.words, found.objects) == ("Ann", 0, 1, (), ())
    assert dict(found.links) == {
        "belongs together with Bo, which is in the same group": 1.0,
        "belongs together with Cy, which is in 'Cy, Di'": -1.0,
        "belongs apart from Di, which is in 'Cy, Di'": 1.0,
    }
    with pytest.raises(InputError, match="there is no person 'ann'"):
        result.why("ann", kind="people")
