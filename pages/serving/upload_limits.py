"""Limit the uploads that wait in memory, and release them when their session ends."""

import re
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from starlette.types import Scope

from pages.serving.quotas import Quotas
from pages.serving.seldom_log import SeldomLog

MB = 1_000_000
LEFT = 150.0  # seconds without a connection after which a session has ended; Streamlit keeps a session for 120
_PLACE = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+$")
Uploads = Mapping[str, Mapping[str, Any]]  # uploads by session and file; each is a record of Streamlit with `data`
_log = SeldomLog(__name__)


class UploadLimits:
    """Limit the waiting uploads. Use it in the event loop of the server only.

    quotas : `Quotas`; largest : bytes of the largest file that Streamlit accepts. Every limit is at least as large.
    """

    def __init__(self, quotas: Quotas, largest: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._largest, self._clock = largest, clock
        self._limits = {
            "from this browser tab": quotas.own_upload_megabytes,
            "from this browser": quotas.own_upload_megabytes,
            "from your network address": quotas.address_upload_megabytes,
            "from all visitors": quotas.upload_megabytes,
        }
        self._whose = {}  # session -> (browser or None, network address)
        self._coming = {}  # key of an upload in progress -> (session, bytes)
        self._seen = {}  # session -> time of its last connection

    @contextmanager
    def room(
        self, path: str, browser: str | None, address: str, announced: int | None, kept: Uploads
    ) -> Generator[str | None]:
        """Count an upload while it arrives, and yield the reason for its refusal, or None.

        path : path of the request; browser, address : sender of the upload; announced : its size in bytes, or None if
        unknown; kept : {session: {file: record with `data`}}, as stored by Streamlit.
        """
        session = found[1] if (found := _PLACE.search(path)) else ""
        self._whose[session] = browser, address
        n_bytes = self._largest if announced is None else announced
        words = self._refusal(session, n_bytes, kept)
        upload = object()
        if words is None:
            self._coming[upload] = session, n_bytes
        try:
            yield words
        finally:
            self._coming.pop(upload, None)

    def _refusal(self, session: str, n_bytes: int, kept: Uploads) -> str | None:
        used = {one: sum(len(file.data) for file in [*files.values()]) for one, files in [*kept.items()]}
        for one, coming in self._coming.values():
            used[one] = used.get(one, 0) + coming
        browser, address = self._whose[session]
        senders = {one: self._whose.get(one, (None, None)) for one in used}
        sums = (
            used.get(session, 0),
            sum(used[one] for one in used if browser is not None and senders[one][0] == browser),
            sum(used[one] for one in used if senders[one][1] == address),
            sum(used.values()),
        )
        for (whose, megabytes), held in zip(self._limits.items(), sums, strict=True):
            if held + n_bytes > max(MB * megabytes, self._largest):
                _log.warning(f"Upload refused: the uploads {whose} have reached the limit of {megabytes:,} MB.")
                return (
                    f"The uploads {whose} have reached the limit of {megabytes:,} MB. Wait until the app has "
                    "read them, then upload this file again."
                )
        return None

    def ended_sessions(self, sessions: Sequence[str], is_connected: Callable[[str], bool]) -> list[str]:
        """Return the sessions that have ended for good. Nothing can use their uploads any more."""
        now = self._clock()
        for one in sessions:
            if is_connected(one):
                self._seen[one] = now
        gone = [one for one in sessions if now - self._seen.setdefault(one, now) > LEFT]
        coming = {session for session, _ in self._coming.values()}
        for known in (self._seen, self._whose):
            for one in [one for one in known if one in gone or one not in sessions and one not in coming]:
                del known[one]
        return gone


def is_upload(scope: Scope) -> bool:
    """Test whether a request uploads a file."""
    return scope["type"] == "http" and scope["method"] == "PUT" and _PLACE.search(scope["path"]) is not None
