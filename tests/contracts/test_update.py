"""Documents that come later, in every method that can start from groups."""

import numpy as np
import pytest

import colligate as cg
from colligate.errors import InputError
from colligate.methods.start_file import supports_start
from colligate.registry import find_method

LATE = ["cat dog zebra giraffe", "zebra giraffe loan bank", "wind storm violin"]


@pytest.mark.filterwarnings("ignore::colligate.methods.base.NotConvergedWarning")
def test_late_documents_with_new_words_join_the_groups_of_their_known_words(method, worded):
    result = cg.make(method, n_clusters=3, random_state=0).fit(worded).result_
    if not supports_start(find_method(method)):
        with pytest.raises(InputError, match=f"a result of {method} cannot be updated"):
            result.update(LATE)
        return
    updated = result.update(LATE)
    assert np.array_equal(updated.labels["documents"][-3:], updated.labels["documents"][:3])
