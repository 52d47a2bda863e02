import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

import colligate as cg
from colligate.methods.information.links import link_cost, smooth_rows

from .planted_networks import agreement, planted, random_network

STAR = [("documents", "words"), ("documents", "people"), ("people", "places"), ("people", "people")]
SIZES = {"documents": 20, "words": 14, "people": 10, "places": 6}


def quiet(model, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*arguments, **options)


def random_knowledge(rng):
    """Links, groups, labels and categories on several types, contradictions and all."""
    knowledge = cg.Knowledge(contradictions="report")
    for kind, size in SIZES.items():
        pairs = [tuple(rng.choice(size, 2, replace=False)) for _ in range(4)]
        knowledge = knowledge.together(**{kind: pairs[:2]}, strength=0.5).apart(**{kind: pairs[2:]})
        members = {name: rng.choice(size, 3, replace=False) for name in "abc"}
        knowledge = knowledge.groups(**{kind: members}, together=float(rng.integers(0, 2)), apart=1.0)
    labels = {int(i): str(i % 2) for i in rng.choice(SIZES["people"], 4, replace=False)}
    return knowledge.label(labels, type="people").category("x", places=[0, 1, 2])


@pytest.mark.filterwarnings("ignore::colligate.errors.KnowledgeWarning")
def test_with_one_relation_it_is_citcc_to_the_bit():
    rng = np.random.default_rng(3)
    matrix = rng.poisson(0.7, (40, 25))
    knowledge = (
        cg.Knowledge(contradictions="report")
        .together(documents=rng.choice(40, (10, 2), replace=False))
        .apart(words=[(0, 1), (2, 3)])
        .label({int(i): str(i % 3) for i in rng.choice(40, 12, replace=False)})
        .category("a", words=[4, 5, 6])
    )
    for reading in ("objective", "printed"):
        parameters = {"n_clusters": 3, "n_word_clusters": 6, "random_state": 1, "reading": reading}
        plain = quiet(cg.make("citcc", **parameters), matrix, knowledge=knowledge)
        result = quiet(cg.make("chinc", **parameters), cg.Network.from_matrix(matrix), knowledge=knowledge)
        np.testing.assert_array_equal(plain.labels_, result.labels_)
        np.testing.assert_array_equal(plain.word_labels_, result.word_labels_)
        assert plain.history_ == result.history_


@pytest.mark.filterwarnings("ignore::colligate.errors.KnowledgeWarning")
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_links_on_every_type_cost_what_their_definition_says(seed):
    rng = np.random.default_rng(seed)
    network = random_network(rng, STAR, SIZES)
    method = cg.make("chinc", n_clusters=3, n_word_clusters=4, n_entity_clusters=3, link_weight=3.0)
    guidance = random_knowledge(rng).compile(network.names).guidance
    problem = method.problem(network, guidance)
    for kind, links in problem.links.items():
        labels = rng.integers(0, 3, len(links.where)).astype(np.int32)
        everywhere = np.full(SIZES[kind], -1)
        everywhere[links.where] = labels
        weight = {"documents": 3.0, "words": 1.0}.get(kind, 10.0) / SIZES[kind] ** 1.5
        named = 10.0 if kind == "words" else 1.0
        expected = weight * brute_force(problem.views[kind], guidance[kind], everywhere, named)
        assert link_cost(links, labels) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def brute_force(side, guidance, labels, named):
    """Every listed and implied pair in turn, with its divergence; `named` weighs labels and categories."""
    smoothed = smooth_rows(side)
    shape = (len(side.rows), side.rows.n_columns)
    y, s = np.zeros(shape), np.zeros(shape)
    owner = np.repeat(np.arange(shape[0]), np.diff(side.rows.indptr))
    y[owner, side.rows.indices], s[owner, side.rows.indices] = smoothed.y, smoothed.s

    def broken(i, j, together, strength):
        apartness = (y[i] - y[j]) @ (s[i] - s[j])
        if together:
            return strength * apartness * (labels[i] != labels[j])
        return strength * (2.0 * smoothed.d_max - apartness) * (labels[i] == labels[j])

    pairs, total = guidance.pairs, 0.0
    for i, j, sign, strength in zip(pairs.left, pairs.right, pairs.sign, pairs.strength, strict=True):
        total += broken(i, j, sign > 0, strength)
    weighed = [(links, 1.0) for links in guidance.groups]
    weighed += [(links, named) for links in (guidance.label_groups(), *guidance.seed_groups()) if links]
    for links, weight in weighed:
        entries = list(zip(links.member, links.group, strict=True))
        for position, (i, a) in enumerate(entries):
            for j, b in entries[position + 1 :]:
                if i != j:
                    total += weight * broken(i, j, a == b, links.together if a == b else links.apart)
    return total


@pytest.mark.filterwarnings("ignore::colligate.errors.KnowledgeWarning")
@given(seed=st.integers(0, 2**32 - 1))
@example(323)
@settings(max_examples=10, deadline=None)
def test_the_objective_never_rises_with_knowledge_on_every_type(seed):
    rng = np.random.default_rng(seed)
    network, knowledge = random_network(rng, STAR, SIZES), random_knowledge(rng)
    model = cg.make("chinc", n_clusters=3, n_word_clusters=4, random_state=0, n_init=1)
    history = np.array(quiet(model, network, knowledge=knowledge).history_)
    assert np.all(np.diff(history) <= 1e-9 * np.abs(history[:-1]))


@pytest.fixture(scope="module")
def vague():
    """Documents that words tell apart, and people whom what is said of them hardly does."""
    sizes = {"documents": 120, "words": 60, "people": 30}
    return planted(sizes, {("documents", "words"): (0.6, 0.05), ("documents", "people"): (0.12, 0.1)})


@pytest.mark.parametrize("strengths", [(1.0, 1.0), (1.0, 0.0), (0.0, 1.0)])
def test_sub_types_group_the_entities_and_leave_the_documents(vague, strengths):
    together, apart = strengths
    parameters = {"n_clusters": 3, "n_entity_clusters": 3, "random_state": 0}
    bare = cg.make("chinc", **parameters).fit(vague).result_
    groups = {f"kind {k}": list(range(k, 30, 3)) for k in range(3)}
    knowledge = cg.Knowledge().groups(people=groups, together=together, apart=apart)
    guided = cg.make("chinc", **parameters).fit(vague, knowledge=knowledge).result_
    # links together alone may well put all people in one cluster
    assert agreement(bare.labels["people"]) < 0.5
    if apart:
        assert agreement(guided.labels["people"]) > 0.9
    share = guided.link_satisfaction("people")["together" if together else "apart"]
    assert share > 0.95
    assert agreement(guided.labels["documents"]) > 0.95
    assert guided.audit().counts()["kept"] == 30


def test_the_weight_of_links_is_set_by_type(vague):
    groups = {f"kind {k}": list(range(k, 30, 3)) for k in range(3)}
    knowledge = cg.Knowledge().groups(people=groups, together=1.0, apart=1.0)
    parameters = {"n_clusters": 3, "n_entity_clusters": 3, "random_state": 0}
    agreements = {
        weight: cg.make("chinc", **parameters, entity_link_weight={"people": weight}).fit(
            vague, knowledge=knowledge
        )
        for weight in (0.0, 10.0)
    }
    bare = cg.make("hinc", **parameters).fit(vague)
    np.testing.assert_array_equal(agreements[0.0].result_.labels["people"], bare.result_.labels["people"])
    assert agreement(agreements[10.0].result_.labels["people"]) > 0.9
    with pytest.raises(
        cg.errors.ParameterError, match="has an entry for places, which is not allowed; allowed types: people"
    ):
        cg.make("chinc", n_clusters=3, entity_link_weight={"places": 1.0}).fit(vague, knowledge=knowledge)


def test_labels_and_categories_on_people_are_kept(vague):
    knowledge = cg.Knowledge().label({0: "a", 3: "a", 1: "b", 4: "b"}, type="people")
    knowledge = knowledge.category("c", people=[2, 5, 8])
    result = (
        cg.make("chinc", n_clusters=3, n_entity_clusters=3, random_state=0)
        .fit(vague, knowledge=knowledge)
        .result_
    )
    assert result.audit().counts()["kept"] == len(knowledge)


def test_categories_of_people_start_the_documents_that_mention_them(vague):
    categories = {name: list(range(k, 30, 3)) for k, name in enumerate("abc")}
    knowledge = cg.Knowledge()
    for name, people in categories.items():
        knowledge = knowledge.category(name, people=people)
    method = cg.make("chinc", n_clusters=3, n_entity_clusters=3)
    from colligate.methods.information.start import seed_labels

    problem = method.problem(vague, knowledge.compile(vague.names).guidance)
    seeds = seed_labels(problem, "documents")
    assert set(seeds) == {-1, 0, 1, 2}
    assert seed_labels(problem, "words") is None


def test_knowledge_on_a_type_in_no_relation_is_refused():
    base = planted({"documents": 30, "words": 20}, {("documents", "words"): (0.6, 0.05)})
    network = cg.Network({**base.types, "people": cg.ObjectType("people", range(4))}, base.relations)
    knowledge = cg.Knowledge().together(people=[(0, 1)])
    with pytest.raises(cg.errors.RefusedKnowledgeError, match="links on people cannot be used"):
        cg.make("chinc", n_clusters=2).fit(network, knowledge=knowledge)
    with pytest.raises(
        cg.errors.RefusedKnowledgeError, match=r"hinc does not accept links on people.* chinc"
    ):
        cg.make("hinc", n_clusters=2).fit(network, knowledge=knowledge)
