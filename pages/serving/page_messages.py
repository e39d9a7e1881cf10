"""Connect the websocket of a tab to the app: wait for its first message, and end it after an invalid frame."""

import asyncio

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.serving.places import Places
from pages.serving.seldom_log import SeldomLog
from pages.serving.sessions import Sessions

PROTOCOL_ERROR, POLICY = 1002, 1008  # reasons to close a websocket
SILENT = 30.0  # seconds after which a websocket without a message is closed
_log = SeldomLog(__name__)


async def connect(app: ASGIApp, scope: Scope, receive: Receive, send: Send, sessions: Sessions, places: Places) -> None:
    """Run the app for a websocket, from its first message on.

    The app creates a session, which needs three file descriptors, for each websocket that it sees. A tab that
    reconnects to its session may stay silent, so the app sees it at once.
    """
    names = [*scope.get("subprotocols", ()), "", "", ""]
    resumed = names[2] if sessions.is_known(names[2]) else None
    first = [await receive()]
    if first[0]["type"] != "websocket.connect":
        return
    if resumed is None:
        await send({"type": "websocket.accept", "subprotocol": names[0] or None})
        places.n_waiting += 1
        try:
            first.append(await asyncio.wait_for(receive(), SILENT))
        except TimeoutError:
            _log.warning("A websocket was closed: it sent no message for %g s.", SILENT)
            await send({"type": "websocket.close", "code": POLICY})
            return
        finally:
            places.n_waiting -= 1
        if await _has_ended(first[1], send):
            return
    tab = _Tab(first, receive, send, sessions, resumed)
    try:
        await app(scope, tab.receive, tab.send)
    finally:
        tab.leave()


class _Tab:
    """Channels of an accepted websocket for the app, to which an invalid frame looks like a disconnect."""

    def __init__(
        self, first: list[Message], receive: Receive, send: Send, sessions: Sessions, resumed: str | None
    ) -> None:
        self._first, self._receive, self._send, self._sessions = first, receive, send, sessions
        self._is_accepted, self._is_over = resumed is None, False
        self._session, self._is_sure = resumed, False
        if resumed is not None:
            sessions.enter(resumed)

    async def receive(self) -> Message:
        if self._first:
            return self._first.pop(0)
        message = await self._receive()
        if not await _has_ended(message, self._send):
            return message
        self._is_over = True
        self.leave()
        is_left = message["type"] == "websocket.disconnect"
        return message if is_left else {"type": "websocket.disconnect", "code": PROTOCOL_ERROR}

    async def send(self, message: Message) -> None:
        if message["type"] == "websocket.accept" and self._is_accepted:
            return
        if message["type"] == "websocket.send" and not self._is_sure:
            self._note_session(message.get("bytes") or b"")
        if not self._is_over:
            await self._send(message)

    def leave(self) -> None:
        """Note the end of the tab."""
        if self._session is not None:
            session, self._session, self._is_sure = self._session, None, True
            self._sessions.leave(session)

    def _note_session(self, frame: bytes) -> None:
        """Note the session, whose name the first message of each run contains."""
        found = ForwardMsg.FromString(frame)
        if found.WhichOneof("type") != "new_session":
            return
        name, self._is_sure = found.new_session.initialize.session_id, True
        if name != self._session:  # an unknown session cannot be resumed
            session, self._session = self._session, name
            self._sessions.enter(name)
            if session is not None:
                self._sessions.leave(session)


async def _has_ended(message: Message, send: Send) -> bool:
    """Test whether a message ends a websocket, and close the websocket if the message is invalid."""
    if message["type"] != "websocket.receive" or _is_of_the_page(message.get("bytes")):
        return message["type"] == "websocket.disconnect"
    _log.warning("A websocket was closed: it sent an invalid frame.")
    await send({"type": "websocket.close", "code": PROTOCOL_ERROR})
    return True


def _is_of_the_page(frame: bytes | None) -> bool:
    try:
        return frame is not None and BackMsg.FromString(frame).WhichOneof("type") is not None
    except DecodeError:
        return False
