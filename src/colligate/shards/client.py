"""The Dask cluster: the client that the user has, or one of this machine; and what its workers are."""

from __future__ import annotations

import atexit
import platform
from importlib import util
from typing import TYPE_CHECKING, Any

from colligate.errors import ClusterError
from colligate.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

LOCAL = "local"
CONNECT_TIMEOUT = 10
"""Seconds until a scheduler that does not answer is not there."""
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
    client.wait_for_workers(1, timeout=CONNECT_TIMEOUT * 3) if not client.scheduler_info()[
        "workers"
    ] else None
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
