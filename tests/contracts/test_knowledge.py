import re

import numpy as np
import pytest

import colligate as cg
from colligate.methods.guidance import takes
from colligate.registry import find_method

KINDS = (
    "links:documents",
    "links:words",
    "labels:documents",
    "labels:words",
    "categories:words",
    "categories:documents",
    "outside:documents",
    "sizes:documents",
    "names:documents",
)
ON_ANY_TYPE = ("links:*", "labels:*", "categories:*")


def taken(method, kind):
    """Whether a method takes a kind of knowledge in the network of a documents × words matrix."""
    return takes(find_method(method), kind, cg.Network.from_matrix(np.eye(2)))


@pytest.mark.parametrize("kind", KINDS)
def test_knowledge_is_used_or_refused_by_name(method, kind, small, worded, knowledge):
    model = cg.make(method, n_clusters=3, random_state=0, n_init=1)
    # a name means something only beside words
    data = worded if kind == "names:documents" else small
    if taken(method, kind):
        result = model.fit(data, knowledge=knowledge[kind]).result_
        assert len(result.audit()) == len(knowledge[kind])
        assert set(result.audit().counts()) == {"kept", "broken", "contradicted", "unknown"}
        assert result.audit().counts()["kept"] == len(knowledge[kind])
        return
    what, of = kind.replace("outside", "outsiders").split(":")
    with pytest.raises(
        cg.errors.RefusedKnowledgeError, match=f"{method} does not accept {what} on {of}"
    ) as refused:
        model.fit(data, knowledge=knowledge[kind])
    takers = [name for name in (m.name for m in cg.methods()) if taken(name, kind)]
    assert all(name in str(refused.value) for name in takers)


def test_labels_by_y_are_used_or_their_neglect_is_told(method, small):
    y = np.full(len(small), -1)
    y[:6] = [0, 1, 2, 0, 1, 2]
    model = cg.make(method, n_clusters=3, random_state=0, n_init=1)
    if taken(method, "labels:documents"):
        result = model.fit(small, y).result_
        assert result.audit().counts()["kept"] == 6
    else:
        with pytest.warns(cg.errors.KnowledgeWarning, match=re.escape("The labels in y are not used")):
            model.fit(small, y)


def test_labels_of_another_length_are_refused(method, small):
    with pytest.raises(cg.errors.InputError, match="y has 3 labels for 90 documents"):
        cg.make(method, n_clusters=3).fit(small, [0, 1, 2])


def test_what_a_method_takes_is_spelt_as_the_contract_has_it(method):
    assert set(find_method(method).takes) <= {*KINDS, *ON_ANY_TYPE}
