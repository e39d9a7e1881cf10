"""Run a local cluster in a separate process: ``python -m pages.jobs.cluster``, started by the app.

The process reads its settings (JSON) from one line of standard input. It writes its address and keys to one line of
standard output. When the app ends, standard input closes, and the process ends with all its workers.
"""

import contextlib
import json
import os
import sys
import threading
import time
from datetime import datetime

import dask
import psutil
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from distributed import LocalCluster
from distributed.security import Security
from distributed.system import MEMORY_LIMIT
from distributed.utils import get_mp_context

from pages.jobs import processes

CONFIG = {
    "distributed.scheduler.allowed-failures": 0,  # the app decides whether to retry
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.events-cleanup-delay": "1 minute",
    "distributed.admin.low-level-log-length": 1000,
    # Otherwise, an idle worker would measure its own load 150 times a second and use 2.5 % of a core.
    "distributed.admin.tick.interval": "500ms",
    "distributed.worker.profile.interval": "100ms",
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": 0.95,
}
NICENESS = 5
FORK_SERVER = 0.2  # seconds between two searches for the process that forks the workers
SHARE = 0.8  # share of this machine's memory that all workers together may use
VALID = datetime(1970, 1, 1), datetime(9999, 1, 1)
TLS = ("tls_ca_file", "tls_client_cert", "tls_client_key")


def main() -> None:
    """Serve until standard input ends."""
    settings = json.loads(sys.stdin.readline())
    processes.give_way(NICENESS)
    threading.Thread(target=_end_with_the_app, daemon=True).start()
    dask.config.set(CONFIG)
    if sys.platform == "linux" and hasattr(os, "waitid"):
        _fork_workers()
    security = _security()  # stops other users of this machine from sending tasks
    cluster = LocalCluster(
        n_workers=settings["workers"], threads_per_worker=1, processes=True, security=security, silence_logs=False,
        memory_limit=int(SHARE * MEMORY_LIMIT / settings["workers"]), dashboard_address=settings["dashboard"],
    )  # fmt: skip
    keys = {name: getattr(security, name) for name in TLS}
    sys.stdout.write(json.dumps({"address": cluster.scheduler_address, "keys": keys}) + "\n")
    sys.stdout.flush()
    threading.Event().wait()


def _fork_workers() -> None:
    """Fork workers from a process that has loaded the engine.

    The workers start at once and share the memory of this process.
    """
    dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
    # must run after distributed has set its own list
    get_mp_context().set_forkserver_preload(["pages.jobs.loaded_engine"])
    threading.Thread(target=_end_with_the_fork_server, daemon=True).start()


def _end_with_the_fork_server() -> None:
    """End this process after the process that forks the workers.

    The workers end with it, and Dask does not replace them reliably. The app starts another cluster at once.
    """
    own = psutil.Process()
    while not (found := [one for one in own.children() if _is_fork_server(one)]):
        time.sleep(FORK_SERVER)
    with contextlib.suppress(ChildProcessError):  # it has ended before
        os.waitid(os.P_PID, found[0].pid, os.WEXITED | os.WNOWAIT)
    sys.stderr.write("The process that forks the workers has ended, so the cluster ends.\n")
    sys.stderr.flush()
    processes.end_group(os.getpgrp() if hasattr(os, "getpgrp") else os.getpid())


def _is_fork_server(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return any("multiprocessing.forkserver" in part for part in process.cmdline())
    return False


def _security() -> Security:
    """Return a `Security` like `Security.temporary`, but valid at any time that the system clock may show."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tao")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), *VALID)
    certificate = builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM).decode()
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    roles = ("client", "scheduler", "worker")
    certificates, keys = (
        {f"tls_{role}_{what}": text for role in roles} for what, text in (("cert", certificate), ("key", secret))
    )
    return Security(require_encryption=True, tls_ca_file=certificate, **certificates, **keys)


def _end_with_the_app() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    processes.end_group(os.getpgrp() if hasattr(os, "getpgrp") else os.getpid())


if __name__ == "__main__":
    main()
