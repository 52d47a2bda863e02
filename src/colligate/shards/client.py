"""The Dask cluster: the client that the user has, or one of this machine; and what its workers are."""

from __future__ import annotations

import atexit
import logging
import math
import platform
from contextlib import contextmanager
from importlib import util
from typing import TYPE_CHECKING, Any

from colligate.errors import ClusterError
from colligate.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LOCAL = "local"
CONNECT_TIMEOUT = 10
"""Seconds until a scheduler that does not answer is not there."""
WORKER_TIMEOUT, POLL = 60, 5
"""Seconds to wait for a worker where there is none, and between two looks at them."""
INSTALL = 'install it with `pip install "colligate[distributed]"`'
_LOCAL_CLIENTS: list[Any] = []


def is_collection(value: Any) -> bool:
    """Return whether this is a collection of Dask; nothing is imported for that."""
    return hasattr(value, "__dask_graph__") and type(value).__module__.partition(".")[0] == "dask"


def find_client() -> Any:
    """Return the client that is in use, or one of a cluster on this machine that lasts as long as Python."""
    _check_installed()
    import distributed

    try:
        client = distributed.get_client()
    except ValueError:
        client = _start_local()
    check_workers(client)
    return client


def connect(scheduler: str) -> Any:
    """Return a client of the scheduler at an address, or, for "local", of a cluster on this machine."""
    _check_installed()
    import distributed

    if scheduler == LOCAL:
        return find_client()
    try:
        client = distributed.Client(scheduler, timeout=CONNECT_TIMEOUT)
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterError(
            f"there is no scheduler of Dask at {scheduler!r:.100}: no answer within {CONNECT_TIMEOUT} s, or "
            "no address such as tcp://host:8786; start it with `dask scheduler`, or choose local"
        ) from error
    check_workers(client)
    return client


class LostWorkersError(ClusterError):
    """Workers were lost with values that Dask cannot compute again itself."""

    def __init__(self) -> None:
        super().__init__(
            "the cluster loses its workers again and again, probably for lack of memory; give them more "
            "memory, or use more partitions"
        )


@contextmanager
def ask_cluster(client: Any) -> Iterator[None]:
    """Turn what Dask raises for lost workers into a LostWorkersError, for a lost scheduler into one line."""
    from concurrent.futures import CancelledError

    from distributed import KilledWorker
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError

    lost = (KilledWorker, FutureCancelledError, CancelledError, CommClosedError, KeyError, OSError)
    try:
        yield
    except ClusterError:
        raise
    except lost as error:
        if is_connected(client):
            raise LostWorkersError() from error
        raise _describe_lost_scheduler(client) from error
    except Exception as error:
        # Dask has no class of its own for a client that is closed
        if is_connected(client):
            raise
        raise _describe_lost_scheduler(client) from error


def silence_log() -> None:
    """Leave out what Dask logs of lost connections and workers: one line says it in the end."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def is_connected(client: Any) -> bool:
    """Return whether a client has a connection to its scheduler."""
    return bool(client.status == "running")


def _describe_lost_scheduler(client: Any) -> ClusterError:
    address = getattr(client.scheduler, "address", None) or "of Dask"
    return ClusterError(
        f"the scheduler {address} was lost in the middle of the work; start it and its workers again. A run "
        "with a checkpoint goes on from there"
    )


def gather(client: Any, futures: Sequence[Any]) -> list[Any]:
    """Collect values from the workers; a ClusterError if there are no workers any more."""
    import distributed

    without_workers = 0
    try:
        while without_workers < WORKER_TIMEOUT:
            try:
                distributed.wait(futures, timeout=POLL)
            except TimeoutError:
                without_workers = 0 if client.nthreads() else without_workers + POLL
            else:
                # a step may raise a TimeoutError, which is not the one above
                return list(client.gather(list(futures)))
    except distributed.KilledWorker as error:
        raise LostWorkersError() from error
    except Exception as error:
        # a step may raise anything; without a connection, that is why
        if is_connected(client):
            raise
        raise _describe_lost_scheduler(client) from error
    raise _describe_no_worker(client)


def wait_for_worker(client: Any) -> None:
    """Wait until there is a worker; a ClusterError if there is none for long."""
    try:
        client.wait_for_workers(1, timeout=WORKER_TIMEOUT)
    except TimeoutError as error:
        raise _describe_no_worker(client) from error


def _describe_no_worker(client: Any) -> ClusterError:
    return ClusterError(
        f"the scheduler {client.scheduler.address} has no workers (waited {WORKER_TIMEOUT} s); start some "
        f"with `dask worker {client.scheduler.address}`, with more memory if they ended by themselves"
    )


def describe_workers(client: Any) -> tuple[int, float]:
    """Return the number of workers, and the bytes of memory for each thread of one; infinity if unknown."""
    workers = client.scheduler_info()["workers"].values()
    shares = (worker["memory_limit"] / max(worker["nthreads"], 1) for worker in workers)
    return max(len(client.nthreads()), 1), min((share for share in shares if share > 0), default=math.inf)


def _start_local() -> Any:
    import distributed

    client = distributed.Client(
        distributed.LocalCluster(threads_per_worker=1, dashboard_address=":0"), set_as_default=True
    )
    if not _LOCAL_CLIENTS:
        atexit.register(_close_local)
    _LOCAL_CLIENTS.append(client)
    return client


def _close_local() -> None:
    while _LOCAL_CLIENTS:
        client = _LOCAL_CLIENTS.pop()
        cluster = client.cluster
        client.close()
        if cluster is not None:
            cluster.close()


def _check_installed() -> None:
    if util.find_spec("distributed") is None:
        raise ClusterError(
            f"documents of Dask need the package distributed, which is not installed; {INSTALL}"
        )


def check_workers(client: Any) -> None:
    """Refuse workers with another version of Python or Colligate: they would count or compute otherwise."""
    wait_for_worker(client)
    python = platform.python_version_tuple()[:2]
    for address, versions in client.get_versions()["workers"].items():
        theirs = tuple(versions["host"]["python"].split(".")[:2])
        if theirs != python:
            raise ClusterError(
                f"the worker {address} has Python {'.'.join(theirs)}, and this is Python "
                f"{'.'.join(python)}; start all workers with the same version"
            )
    for address, version in client.run(_describe_version()).items():
        if version != __version__:
            what = "no Colligate" if version is None else f"Colligate {version}"
            raise ClusterError(
                f"the worker {address} has {what}, and this is Colligate {__version__}; install "
                f"`colligate[distributed]=={__version__}` there"
            )


def _describe_version() -> Callable[[], str | None]:
    def describe_version() -> str | None:
        # a nested function travels as code, so that a worker without Colligate can answer, too
        try:
            from colligate.version import __version__ as version
        except ImportError:
            return None
        return str(version)

    return describe_version
