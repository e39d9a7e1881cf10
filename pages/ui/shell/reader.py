"""Start the processes that read uploaded files."""

import os
from typing import Any

from pages.jobs import readings
from pages.jobs.limited_process import LimitedCall, LimitedProcesses, Limits
from pages.serving.client_address import network
from pages.serving.quotas import Quotas
from pages.ui.shell.computed import once
from pages.ui.shell.owner import host


@once
def reader() -> LimitedProcesses:
    """Return the `LimitedProcesses` of the server, which are ready a second or two after the first call."""
    return LimitedProcesses(readings.MODULES, at_once=max(4, os.cpu_count() or 1))


def start(function: str, owner: str, **arguments: Any) -> LimitedCall:
    """Start a function of `reading_task` within the `Quotas` and return its `LimitedCall`."""
    return reader().start(f"{readings.TASK}.{function}", arguments, limits(), owner, network(host()))


def limits() -> Limits:
    """Return the `Limits` of each call."""
    quotas = Quotas.of()
    return Limits(quotas.read_seconds, quotas.read_megabytes)
