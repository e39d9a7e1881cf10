import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.serving import page_messages
from pages.serving.seldom_log import SeldomLog
from tests.waiting import awaited


def heard(frame):
    """Return (message that the app receives, messages that the browser receives while the app continues to send)."""
    got = []

    async def receive():
        return {"type": "websocket.receive", **frame}

    async def send(message):
        got.append(message)

    async def talk():
        received, sent = page_messages.check_messages(receive, send)
        message = await received()
        await sent({"type": "websocket.send", "bytes": b"more"})
        return message

    return awaited(talk()), got


@pytest.mark.parametrize(
    "frame", [{"bytes": b"\xff" * 50}, {"text": "{}"}, {"bytes": b""}, {"bytes": None, "text": ""}]
)
def test_garbage_ends_the_connection_with_one_line(frame, caplog, monkeypatch):
    monkeypatch.setattr(page_messages, "_log", SeldomLog("test"))
    message, got = heard(frame)
    assert message == {"type": "websocket.disconnect", "code": 1002}
    assert got == [{"type": "websocket.close", "code": 1002}]
    (record,) = caplog.records
    assert record.exc_info is None
    assert "\n" not in record.getMessage()


def test_a_message_of_the_page_passes():
    message = BackMsg()
    message.rerun_script.query_string = "data_set=iris"
    frame = {"bytes": message.SerializeToString()}
    assert heard(frame) == ({"type": "websocket.receive", **frame}, [{"type": "websocket.send", "bytes": b"more"}])
