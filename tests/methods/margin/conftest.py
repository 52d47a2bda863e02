"""One thread for linear algebra, as in a fit: on small matrices more only get in each other's way."""

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True)
def one_thread():
    with threadpool_limits(1):
        yield
