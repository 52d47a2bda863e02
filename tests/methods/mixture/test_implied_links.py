"""Groups of linked features, such as sub-types of entities: right ones help, others stay out."""

import numpy as np
import pytest

import colligate as cg
from colligate.methods.mixture.implied_links import joint_strength
from colligate.network import subtype_knowledge
from colligate.result.metrics import evaluate

N_CLASSES, N_DOCUMENTS, N_ENTITIES = 4, 160, 80


def planted(seed, signal=0.2):
    """Documents with weak words and two entities each, mostly of their class; sub-types are the classes."""
    rng = np.random.default_rng(seed)
    classes = np.repeat(np.arange(N_CLASSES), N_DOCUMENTS // N_CLASSES)
    texts, mentions = [], {"document": [], "name": [], "type": [], "subtype": []}
    for document, own in enumerate(classes.tolist()):
        topical = rng.random(25) < signal
        words = np.where(topical, 15 * own + rng.integers(15, size=25), rng.integers(60, size=25))
        texts.append(" ".join(f"w{chr(97 + word // 26)}{chr(97 + word % 26)}" for word in words))
        for _ in range(2):
            about = own if rng.random() < 0.85 else int(rng.integers(N_CLASSES))
            entity = 20 * about + int(rng.integers(20))
            for column, value in zip(
                mentions, (str(document), f"e{entity}", "people", f"s{about}"), strict=True
            ):
                mentions[column].append(value)
    corpus = cg.Corpus.from_texts(texts, ids=[str(number) for number in range(N_DOCUMENTS)])
    return cg.Network.from_tables(corpus, mentions), mentions, classes


def shuffled(mentions):
    """The same sub-types, given to other entities."""
    names = sorted(set(mentions["name"]))
    subtype = dict(zip(mentions["name"], mentions["subtype"], strict=True))
    drawn = np.random.default_rng(0).permutation([subtype[name] for name in names]).tolist()
    other = dict(zip(names, drawn, strict=True))
    return {**mentions, "subtype": [other[name] for name in mentions["name"]]}


def fitted(network, knowledge, seed, **parameters):
    model = cg.make("colligate", n_clusters=N_CLASSES, random_state=seed, **parameters)
    return model.fit(network, knowledge=knowledge).result_


def nmi(result, classes):
    return evaluate(classes, result.labels["documents"])["nmi"]


def test_right_subtypes_help():
    gains = []
    for seed in range(3):
        network, mentions, classes = planted(seed)
        with_subtypes = fitted(network, subtype_knowledge(mentions), seed)
        gains.append(nmi(with_subtypes, classes) - nmi(fitted(network, None, seed), classes))
        assert np.nanmean(with_subtypes.trust) > 0.6
    assert np.mean(gains) > 0.05


def test_subtypes_that_do_not_hold_stay_out():
    gains = []
    for seed in range(3):
        network, mentions, classes = planted(seed)
        with_subtypes = fitted(network, subtype_knowledge(shuffled(mentions)), seed)
        gains.append(nmi(with_subtypes, classes) - nmi(fitted(network, None, seed), classes))
        assert np.nanmax(with_subtypes.trust) < 0.2
    assert np.mean(gains) > -0.01


def test_subtypes_that_do_not_hold_stay_out_from_given_groups():
    network, mentions, classes = planted(0)
    start = fitted(network, None, 0).labels["documents"]
    with_subtypes = fitted(network, subtype_knowledge(shuffled(mentions)), 0, init=start)
    assert nmi(with_subtypes, classes) >= nmi(fitted(network, None, 0, init=start), classes) - 0.01


def test_one_right_subtype_is_trusted_beside_wrong_ones():
    network, mentions, _ = planted(1, signal=0.35)
    wrong = shuffled(mentions)["subtype"]
    subtypes = [
        right if right == "s0" else f"other {number}"
        for right, number in zip(mentions["subtype"], wrong, strict=True)
    ]
    result = fitted(network, subtype_knowledge({**mentions, "subtype": subtypes}), 1)
    right = np.array([statement.object == "s0" for statement in result.audit().statements])
    assert result.trust[right].min() > 0.5 > 0.3 > result.trust[~right].max()


def test_few_members_keep_their_links_in_full():
    network, _, _ = planted(0)
    few = cg.Knowledge().groups(people={"one": ["e0", "e1", "e2"], "two": ["e20", "e21", "e22"]})
    result = fitted(network, few, 0)
    assert result.trust is None


@pytest.mark.parametrize(
    ("n_members", "t", "strength"), [(2, 0.5, 0.5), (100, 1.0, 1.0), (100, 0.0, 0.0), (12, 0.5, 0.5 / 6)]
)
def test_doubtful_links_share_their_doubt(n_members, t, strength):
    assert joint_strength(n_members, t) == pytest.approx(strength)


def test_all_links_of_a_member_have_at_most_the_odds():
    assert (10_000 - 1) * joint_strength(10_000, 0.8) == pytest.approx(0.8 / 0.2, rel=1e-2)


def test_a_weight_of_zero_is_the_same_as_no_relation():
    network, _, _ = planted(0)
    weights = {each.name: 0.0 for each in network.relations if each.columns != "words"}
    without = fitted(network.corpus, None, 0)
    assert fitted(network, None, 0, relation_weights=weights).labels["documents"].tolist() == (
        without.labels["documents"].tolist()
    )
