import gc
import os
import weakref

import pytest

from colligate.entities.mentions.search import map_in_order
from colligate.errors import ColligateError


class Doubling:
    def __call__(self, number):
        return 2 * number


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_the_order_of_the_batches(jobs):
    assert list(map_in_order(Doubling(), range(30), jobs)) == list(range(0, 60, 2))


def test_nothing_of_the_work_stays_in_memory():
    work = Doubling()
    left = weakref.ref(work)
    assert list(map_in_order(work, [1, 2], 2)) == [2, 4]
    del work
    gc.collect()
    assert left() is None


def test_a_process_that_is_ended_from_outside_is_told():
    def end(_):
        os._exit(1)

    with pytest.raises(ColligateError, match=r"ended from outside, .* go on with fewer"):
        list(map_in_order(end, range(3), 2))
