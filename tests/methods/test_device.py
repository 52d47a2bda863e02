"""The parameter `device`: the same labels on a GPU, and errors that say what is missing."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

import colligate as cg
from colligate.errors import CancelledError, DeviceError, ParameterError
from colligate.kernels import make_kernels
from colligate.kernels.arrays import refuse_full_device
from colligate.kernels.cuda import device
from colligate.kernels.cuda import matrix as device_matrix
from colligate.kernels.numba import FastKernels
from colligate.methods.fit import RunOptions

needs_gpu = pytest.mark.skipif(not device.has_device(), reason="no GPU, or CuPy is not installed")
GROUPS = 4


def grouped_counts(n=2000, n_words=300, seed=0):
    """Documents of a few groups, each with words of its own among common ones."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, GROUPS, n)
    rate = np.full((n, n_words), 0.02)
    for k in range(GROUPS):
        rate[np.ix_(group == k, np.arange(n_words) % (GROUPS + 1) == k)] = 0.15
    return sparse.csr_array(rng.poisson(rate).astype(np.float32)), group


def label_knowledge(group, n=40):
    return cg.Knowledge().label({i: f"group {group[i]}" for i in range(0, 10 * n, 10)})


@needs_gpu
@pytest.mark.parametrize("method", ["itcc", "kmeans", "tnmf", "nmf", "colligate", "plsa", "strinmf"])
def test_a_gpu_gives_the_labels_of_the_cpu(method):
    matrix, _ = grouped_counts()
    on_cpu, on_gpu = (
        cg.make(method, n_clusters=GROUPS, n_init=1, random_state=0, device=name).fit(matrix)
        for name in ("cpu", "cuda")
    )
    np.testing.assert_array_equal(on_gpu.labels_, on_cpu.labels_)
    np.testing.assert_allclose(on_gpu.history_, on_cpu.history_, rtol=1e-7)
    for kind, memberships in on_gpu.result_.memberships.items():
        assert isinstance(memberships, np.ndarray)
        np.testing.assert_allclose(memberships, on_cpu.result_.memberships[kind], atol=1e-3)


@needs_gpu
@pytest.mark.parametrize("method", ["citcc", "cstrinmf", "colligate"])
def test_a_gpu_gives_the_labels_of_the_cpu_with_knowledge(method):
    matrix, group = grouped_counts(seed=1)
    on_cpu, on_gpu = (
        cg.make(method, n_clusters=GROUPS, n_init=1, random_state=0, device=name).fit(
            matrix, knowledge=label_knowledge(group)
        )
        for name in ("cpu", "cuda")
    )
    np.testing.assert_array_equal(on_gpu.labels_, on_cpu.labels_)


@needs_gpu
def test_a_stopped_run_resumes_on_the_other_device(tmp_path):
    matrix, _ = grouped_counts(seed=2)
    path = tmp_path / "checkpoint"
    seen = []

    def stop():
        seen.append(1)
        return len(seen) > 6

    whole = cg.make("tnmf", n_clusters=GROUPS, n_init=1, random_state=0, device="cpu").fit(matrix)
    options = RunOptions(checkpoint=path, checkpoint_interval=0.0, cancelled=stop)
    with pytest.raises(CancelledError):
        cg.make("tnmf", n_clusters=GROUPS, n_init=1, random_state=0, device="cuda").fit(
            matrix, options=options
        )
    resumed = cg.make("tnmf", n_clusters=GROUPS, n_init=1, random_state=0, device="cpu").fit(
        matrix, options=RunOptions(checkpoint=path)
    )
    np.testing.assert_array_equal(resumed.labels_, whole.labels_)


@pytest.fixture
def limit_device():
    """A function that leaves so many bytes of the GPU to CuPy."""
    import cupy

    pool = cupy.get_default_memory_pool()

    def limit(n_bytes):
        pool.free_all_blocks()
        pool.set_limit(size=pool.used_bytes() + n_bytes)

    yield limit
    pool.set_limit(size=0)


@needs_gpu
@pytest.mark.parametrize("method", ["itcc", "tnmf"])
def test_a_matrix_larger_than_the_memory_of_the_gpu_is_streamed(method, limit_device, monkeypatch):
    matrix, _ = grouped_counts(n=20_000, seed=3)
    parts, upload = [], device_matrix._upload
    monkeypatch.setattr(device_matrix, "_upload", lambda *args: parts.append(args[1:3]) or upload(*args))
    on_cpu = cg.make(method, n_clusters=GROUPS, n_init=1, random_state=0, device="cpu").fit(matrix)
    # both layouts of 250,000 entries take more than this
    limit_device(6_000_000)
    on_gpu = cg.make(method, n_clusters=GROUPS, n_init=1, random_state=0, device="cuda").fit(matrix)
    assert any(first > 0 for first, _ in parts)
    np.testing.assert_array_equal(on_gpu.labels_, on_cpu.labels_)


@needs_gpu
def test_a_gpu_without_enough_memory_is_one_clear_line(limit_device):
    matrix, _ = grouped_counts(n=20_000, seed=3)
    limit_device(50_000)
    with pytest.raises(DeviceError, match=r"GPU has .*choose fewer groups, or .*device='cpu'") as caught:
        cg.make("itcc", n_clusters=GROUPS, n_init=1, random_state=0, device="cuda").fit(matrix)
    assert "\n" not in str(caught.value)


def test_an_error_of_the_host_stays_as_it_is():
    with pytest.raises(MemoryError, match="of the host"), refuse_full_device():
        raise MemoryError("of the host")


def test_small_matrices_stay_on_the_cpu():
    assert isinstance(make_kernels("fast", 1, "auto", 1000), FastKernels)


def test_an_absent_extra_is_named(monkeypatch):
    device.check_device.cache_clear()
    monkeypatch.setattr(device.util, "find_spec", lambda name: None)
    with pytest.raises(
        DeviceError, match=r"device='cuda' needs CuPy, .* install colligate\[gpu\], or choose"
    ):
        cg.make("itcc", n_clusters=2, device="cuda").fit(np.eye(3))
    assert device.choose_device("auto", 10**9) == "cpu"
    device.check_device.cache_clear()


def refuse_count():
    raise RuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected\nat line 1")


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (lambda: 0, "found no GPU; check"),
        (refuse_count, r"no GPU that CuPy can use \(cudaErrorNoDevice: .*detected\);"),
    ],
)
def test_a_machine_without_a_gpu_is_one_clear_line(monkeypatch, count, message):
    runtime = SimpleNamespace(getDeviceCount=count)
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=SimpleNamespace(runtime=runtime)))
    monkeypatch.setattr(device.util, "find_spec", lambda name: True)
    device.check_device.cache_clear()
    with pytest.raises(DeviceError, match=message + ".* nvidia-smi, or choose device='cpu'") as caught:
        cg.make("itcc", n_clusters=2, device="cuda").fit(np.eye(3))
    assert "\n" not in str(caught.value)
    assert device.choose_device("auto", 10**9) == "cpu"
    device.check_device.cache_clear()


def test_an_unknown_device_is_refused():
    with pytest.raises(ParameterError, match="device must be one of 'auto', 'cpu', 'cuda'"):
        cg.make("itcc", n_clusters=2, device="abacus").fit(np.eye(3))
