"""Documents that come later, in every method that can start from groups."""

import numpy as np
import pytest

import colligate as cg
from colligate.errors import InputError

LATE = ["cat dog zebra giraffe", "zebra giraffe loan bank", "wind storm violin"]


@pytest.mark.filterwarnings("ignore::colligate.methods.base.NotConvergedWarning")
def test_late_documents_with_new_words_join_the_groups_of_their_known_words(method, worded):
    result = cg.make(method, n_clusters=3, random_state=0).fit(worded).result_
    try:
        updated = result.update(LATE)
    except InputError as error:
        assert f"a result of {method} cannot be updated" in str(error)
        return
    assert np.array_equal(updated.labels["documents"][-3:], updated.labels["documents"][:3])
