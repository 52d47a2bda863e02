import pytest

from colligate.kernels import make_kernels


@pytest.fixture(params=["fast", "reference"])
def back_end(request):
    return make_kernels(request.param, n_jobs=2)
