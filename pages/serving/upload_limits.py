"""`UploadLimits`: uploads that wait in memory until the app takes them: their sum, and their end with the session."""

import re
import time
from contextlib import contextmanager

from pages.serving.messages import MESSAGES
from pages.serving.seldom_log import SeldomLog

MB = 1_000_000
LEFT = 150.0  # seconds without a connection after which Streamlit has forgotten a session, which it keeps for 120
_PLACE = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+$")
_log = SeldomLog(__name__)


class UploadLimits:
    """Used by the server's event loop only.

    quotas : `Quotas`; largest : bytes of the largest file that Streamlit takes, which every limit allows.
    """

    def __init__(self, quotas, largest, clock=time.monotonic):
        self._largest, self._clock = largest, clock
        self._limits = {
            "uploads.tab": quotas.own_upload_megabytes,
            "uploads.browser": quotas.own_upload_megabytes,
            "uploads.address": quotas.address_upload_megabytes,
            "uploads.visitors": quotas.upload_megabytes,
        }
        self._whose = {}  # session -> (browser or None, network address)
        self._coming = {}  # number -> (session, bytes) of an upload that has not ended
        self._seen = {}  # session -> when it was connected

    @contextmanager
    def room(self, path, browser, address, announced, kept):
        """Context in which an upload comes; gives why it is refused, in words, or None.

        path : of its request; browser, address : that it comes from; announced : its bytes, None if they are not known;
        kept : {session: {file: record with `data`}}, as of Streamlit
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

    def _refusal(self, session, n_bytes, kept):
        used = {one: sum(len(file.data) for file in [*files.values()]) for one, files in [*kept.items()]}
        for one, coming in self._coming.values():
            used[one] = used.get(one, 0) + coming
        browser, address = self._whose[session]
        whose = {one: self._whose.get(one, (None, None)) for one in used}
        sums = (
            used.get(session, 0),
            sum(used[one] for one in used if browser is not None and whose[one][0] == browser),
            sum(used[one] for one in used if whose[one][1] == address),
            sum(used.values()),
        )
        for (name, megabytes), held in zip(self._limits.items(), sums, strict=True):
            if held + n_bytes > max(MB * megabytes, self._largest):
                whose = MESSAGES(name)
                _log.warning(MESSAGES("uploads.refused", whose=whose, megabytes=megabytes))
                return MESSAGES("uploads.full", whose=whose, megabytes=megabytes)
        return None

    def left(self, sessions, is_connected):
        """The sessions (texts) that are gone for good, whose uploads nobody can reach any more."""
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


def is_upload(scope):
    """Whether a request brings a file."""
    return scope["type"] == "http" and scope["method"] == "PUT" and _PLACE.search(scope["path"]) is not None
