"""Close a websocket that sends an invalid frame, and log it once."""

from google.protobuf.message import DecodeError
from starlette.types import Message, Receive, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.serving.seldom_log import SeldomLog

PROTOCOL_ERROR = 1002
_log = SeldomLog(__name__)


def check_messages(receive: Receive, send: Send) -> tuple[Receive, Send]:
    """Return (receive, send) of ASGI for the app, to which an invalid frame looks like a disconnect."""
    ended = False

    async def receive_checked() -> Message:
        nonlocal ended
        message = await receive()
        if message["type"] == "websocket.receive" and not _is_of_the_page(message.get("bytes")):
            _log.warning("A websocket was closed: it sent an invalid frame.")
            ended = True
            await send({"type": "websocket.close", "code": PROTOCOL_ERROR})
            return {"type": "websocket.disconnect", "code": PROTOCOL_ERROR}
        return message

    async def send_until_end(message: Message) -> None:
        if not ended:
            await send(message)

    return receive_checked, send_until_end


def _is_of_the_page(frame: bytes | None) -> bool:
    try:
        return frame is not None and BackMsg.FromString(frame).WhichOneof("type") is not None
    except DecodeError:
        return False
