"""The GPU: whether there is one, how much memory it has, and the compiled kernels."""

from __future__ import annotations

import math
from functools import cache
from importlib import resources, util
from typing import Any

import numpy as np

from colligate.errors import DeviceError, Parameter

MIN_ENTRIES = 20_000_000
"""With `device="auto"`, smaller matrices stay on the CPU: transfers would cost more than the GPU saves."""
HEADROOM = 0.85
"""So much of the free memory may be used; the rest is for temporary arrays."""
MOST_GROUPS = 8
"""Packed products have a kernel for each number of groups in a row up to this; wider rows share one."""
# how the kernels are instantiated: values of the matrix, labels, whether sums need 64 bits
_UPDATES = [
    (value, label, wide)
    for value in ("float", "double")
    for label in ("unsigned char", "int")
    for wide in ("false", "true")
]
_HEADER = "entries.cuh"
_EXPRESSIONS = {
    "products.cu": [f"{name}<{v}>" for name in ("multiply_rows", "add_chunks") for v in ("float", "double")],
    "aggregate.cu": [
        f"{name}<{v}, {label}, {wide}>"
        for name in ("sum_chunks", "update_rows")
        for v, label, wide in _UPDATES
    ],
    "columns.cu": ["pack_entries", "pack_labels", "sum_column_blocks"],
    "narrow.cu": ["update_narrow<PackedEntries>", "update_narrow<PlainEntries>"],
    "packed.cu": [
        *(f"multiply_packed<{groups}>" for groups in range(MOST_GROUPS + 1)),
        *(f"pack_rows<{d}>" for d in ("float", "double")),
    ],
    "rows.cu": [
        *(
            f"{name}<{t}>"
            for name in ("softmax_rows", "sum_columns", "sum_costs", "add_row")
            for t in ("float", "double")
        ),
        *(f"overlap_rows<{a}, {b}>" for a in ("float", "double") for b in ("float", "double")),
        "prepare_step",
        "sum_newton",
        "finish_step",
        "scale_columns",
    ],
}


def choose_device(device: str, n_entries: int) -> str:
    """Return "cpu" or "cuda" for a parameter `device` and a matrix with so many entries."""
    if device == "cuda":
        check_device()
        return "cuda"
    if device == "cpu" or n_entries < MIN_ENTRIES or not has_device():
        return "cpu"
    return "cuda"


def has_device() -> bool:
    """Return whether CuPy and a GPU are there."""
    try:
        check_device()
    except DeviceError:
        return False
    return True


@cache
def check_device() -> None:
    """Raise an error that says what is missing, if this machine cannot compute on a GPU."""
    if util.find_spec("cupy") is None:
        raise DeviceError(
            Parameter("device", "cuda"),
            " needs CuPy, which is not installed; install colligate[gpu], or choose ",
            Parameter("device", "cpu"),
        )
    try:
        import cupy

        count = cupy.cuda.runtime.getDeviceCount()
    except Exception as error:
        # CuPy raises errors of its own where the driver is absent or too old
        raise DeviceError(
            Parameter("device", "cuda"),
            f" found no GPU that CuPy can use ({str(error).splitlines()[0]}); check the driver with "
            "nvidia-smi, or choose ",
            Parameter("device", "cpu"),
        ) from error
    if count == 0:
        raise DeviceError(
            Parameter("device", "cuda"),
            " found no GPU; check nvidia-smi, or choose ",
            Parameter("device", "cpu"),
        )


def free_memory() -> int:
    """Return the bytes of device memory that arrays may still take."""
    import cupy

    pool = cupy.get_default_memory_pool()
    free = int(cupy.cuda.runtime.memGetInfo()[0]) + int(pool.free_bytes())
    # CUPY_GPU_MEMORY_LIMIT, or a limit that the user's program has set
    limit = int(pool.get_limit())
    if limit:
        free = min(free, limit - int(pool.used_bytes()))
    return int(HEADROOM * max(free, 0))


def allocate(shape: tuple[int, ...], dtype: Any, purpose: str) -> Any:
    """Return a new array on the GPU, or raise an error that says what did not fit."""
    import cupy

    try:
        return cupy.empty(shape, dtype=dtype)
    except cupy.cuda.memory.OutOfMemoryError as error:
        raise refuse_size(math.prod(shape) * np.dtype(dtype).itemsize, purpose) from error


def refuse_size(n_bytes: int, purpose: str) -> DeviceError:
    """Return the error for something that does not fit, even with the matrix streamed."""
    return DeviceError(
        f"{purpose}: {n_bytes / 1e9:.1f} GB are needed, but the GPU has {free_memory() / 1e9:.1f} GB free; "
        "choose fewer groups, or ",
        Parameter("device", "cpu"),
    )


@cache
def _module(source: str) -> Any:
    import cupy

    folder = resources.files(__package__)
    code = (folder / source).read_text(encoding="utf-8")
    # the compiler of the driver sees no files
    code = code.replace(f'#include "{_HEADER}"', (folder / _HEADER).read_text(encoding="utf-8"))
    return cupy.RawModule(code=code, options=("--std=c++17",), name_expressions=_EXPRESSIONS[source])


@cache
def kernel(name: str) -> Any:
    """Return a compiled kernel by its name, such as `multiply_rows<float>`.

    Compilation takes a second or two; CuPy keeps the result on disk.
    """
    source = next(source for source, expressions in _EXPRESSIONS.items() if name in expressions)
    return _module(source).get_function(name)


@cache
def n_multiprocessors() -> int:
    """Return how many multiprocessors the GPU has."""
    import cupy

    return int(cupy.cuda.Device().attributes["MultiProcessorCount"])


@cache
def shared_memory() -> int:
    """Return how many bytes of shared memory one block may have."""
    import cupy

    return int(cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"])


def c_type(dtype: Any) -> str:
    """Return the name of a NumPy type in CUDA."""
    return {"float32": "float", "float64": "double", "uint8": "unsigned char", "int32": "int"}[str(dtype)]
