"""End processes and lower their priority, with the means of the operating system."""

import contextlib
import os
import signal

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # on Windows, `os.kill` ends a process with any signal


def kill(pid: int) -> None:
    """End a process at once, if it exists."""
    with contextlib.suppress(OSError):
        os.kill(pid, KILL)


def end_group(pid: int) -> None:
    """End a process that leads a group, and all processes of the group.

    On systems without process groups, its descendants end instead.
    """
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, KILL)
        return
    import psutil  # slow import

    with contextlib.suppress(psutil.Error):
        top = psutil.Process(pid)
        for one in (*top.children(recursive=True), top):  # the process itself last, because it may be this one
            with contextlib.suppress(psutil.Error):
                one.kill()


def give_way(niceness: int) -> None:
    """Lower the priority of this process, so that other programs run first."""
    if hasattr(os, "nice"):
        os.nice(niceness)
        return
    import psutil  # slow import

    with contextlib.suppress(AttributeError, psutil.Error):  # only Windows has these classes
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
