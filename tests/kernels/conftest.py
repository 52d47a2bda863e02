import pytest

from colligate.kernels import kernels


@pytest.fixture(params=["fast", "reference"])
def back_end(request):
    return kernels(request.param, n_jobs=2)
