import signal

import pytest


@pytest.fixture(autouse=True)
def _listening_to_ctrl_c():
    """A shell that starts the tests in the background lets them ignore Ctrl-C, and their children too."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)
