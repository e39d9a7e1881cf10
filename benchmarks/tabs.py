"""Simulate browser tabs without a browser, by websockets on this machine that use Streamlit's protocol."""

import time

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

LARGE = 4000  # in bytes; a larger message contains data, and is never the end of a run


class Tab:
    """One browser tab on one page. Subclasses override `hear` to read messages.

    reads_all : whether to parse large messages too, which takes CPU time from the tabs; headers : headers of the
    connection.
    """

    def __init__(self, url, page, query, reads_all=True, headers=None):
        self.url, self.page, self.query, self.script = url, page, query, ""
        self.reads_all, self._headers = reads_all, headers
        self.kept, self.received = set(), 0

    async def __aenter__(self):
        self.socket = await websockets.connect(
            f"ws{self.url.removeprefix('http')}/_stcore/stream", subprotocols=["streamlit"], max_size=None,
            compression=None, origin=self.url, proxy=None, additional_headers=self._headers,
        )  # fmt: skip
        return self

    async def __aexit__(self, *_):
        await self.socket.close()

    def hear(self, kind, message):
        """Read a message of a kind. Subclasses override this method."""

    async def run(self, *changes, fragment=""):
        """Run the page, or a fragment, and return the seconds until all messages have arrived.

        changes : functions, each of which changes a widget. Raises RuntimeError if the page fails.
        """
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash, state.fragment_id = self.query, self.script, fragment
        state.page_name = "" if self.script else self.page
        state.cached_message_hashes.extend(self.kept)
        for change in changes:
            change(state.widget_states.widgets.add())
        began = time.perf_counter()
        await self.send(message)
        while not _ends_run(await self.next()):
            pass
        return time.perf_counter() - began

    async def send(self, message):
        """Send a message to the server."""
        await self.socket.send(message.SerializeToString())

    async def next(self):
        """Return the next message, or None for a large one that is not read. Raises RuntimeError if the page failed."""
        data = await self.socket.recv()
        self.received += len(data)
        if len(data) > LARGE and not self.reads_all:
            if data[0] == 0x0A:  # field 1 is the name under which browsers store the message
                self.kept.add(data[2 : 2 + data[1]].decode())
            return None
        message = ForwardMsg.FromString(data)
        kind = message.WhichOneof("type")
        if message.hash and kind != "ref_hash":
            self.kept.add(message.hash)
        if kind == "navigation":
            self.script = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.new_element.WhichOneof("type") == "exception":
            raise RuntimeError(f"/{self.page}: {message.delta.new_element.exception.message}")
        elif kind == "session_event" and message.session_event.HasField("script_compilation_exception"):
            raise RuntimeError(f"/{self.page}: {message.session_event.script_compilation_exception.message}")
        self.hear(kind, message)
        return message


def pressed(button):
    """Return the change that presses a button, for `Tab.run`."""

    def change(widget):
        widget.id, widget.trigger_value = button, True

    return change


def _ends_run(message):
    return (
        message is not None
        and message.WhichOneof("type") == "script_finished"
        and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
    )
