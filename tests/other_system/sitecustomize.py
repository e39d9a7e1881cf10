"""Hide from Python what only Unix has. Python imports this module at its start if PYTHONPATH contains this folder.

Modules that only Unix has cannot be imported. Members of `os` and `signal` that only Unix has are missing for modules
of this project; other packages test `sys.platform` and still need them. New processes of `multiprocessing` are spawned.
Processes that are started from here do the same.
"""

import contextlib
import os
import signal
import sys
import types

MODULES = ("resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "spwd", "crypt", "nis", "fcntl", "readline")
MEMBERS = {
    "os": {
        "fork", "forkpty", "register_at_fork", "killpg", "getpgid", "getpgrp", "setpgid", "setsid", "getsid", "getuid",
        "geteuid", "getgid", "getegid", "getgroups", "setuid", "setgid", "chown", "fchown", "lchown", "fchmod",
        "chroot", "nice", "getpriority", "setpriority", "PRIO_PROCESS", "sched_getaffinity", "sched_setaffinity",
        "sched_yield", "getloadavg", "sysconf", "statvfs", "fstatvfs", "uname", "mkfifo", "mknod", "openpty",
        "posix_fallocate", "posix_spawn", "pread", "pwrite", "readv", "writev", "sendfile", "set_blocking",
        "wait", "wait3", "wait4", "waitid", "WNOHANG", "WNOWAIT", "WEXITED", "P_PID", "WIFSIGNALED",
        "WTERMSIG", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "memfd_create", "pidfd_open", "getxattr",
    },
    "signal": {
        "SIGKILL", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGSTOP", "SIGCONT", "SIGQUIT", "SIGPIPE",
        "SIGTSTP", "setitimer", "getitimer", "alarm", "pause", "pthread_kill", "pthread_sigmask", "sigwait",
        "ITIMER_REAL", "siginterrupt",
    },
}  # fmt: skip
OURS = ("treecore", "viz", "sample_data", "pages", "app", "__main__")


def _is_ours(frame: types.FrameType | None) -> bool:
    return frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in OURS


class _Without(types.ModuleType):
    """Module without some members for the modules of this project."""

    def __getattribute__(self, name):
        hidden = MEMBERS[types.ModuleType.__getattribute__(self, "__name__")]
        if name in hidden and _is_ours(sys._getframe(1)):
            raise AttributeError(f"module has no attribute {name!r} on other systems")
        return types.ModuleType.__getattribute__(self, name)


# These modules need some of the modules above, and exist on every system.
import asyncio  # noqa: E402, F401
import getpass  # noqa: E402, F401
import multiprocessing  # noqa: E402
import pathlib  # noqa: E402, F401
import shutil  # noqa: E402, F401
import subprocess  # noqa: E402, F401
import tarfile  # noqa: E402, F401

with contextlib.suppress(ImportError):  # on Linux, these packages need some of the modules above
    import locket  # noqa: F401
    import psutil  # noqa: F401

for _name in MODULES:
    sys.modules[_name] = None  # type: ignore[assignment]
os.__class__ = signal.__class__ = _Without
multiprocessing.set_start_method("spawn")
