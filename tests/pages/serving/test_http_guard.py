"""Test which requests are answered, and with which headers. tests/browser/test_serving.py tests the server itself."""

import asyncio

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState

from pages.serving import metrics, places
from pages.serving.http_guard import HEALTH, HttpGuard, is_allowed
from pages.serving.places import Places
from pages.serving.seldom_log import SeldomLog
from tests.waiting import awaited

HERE = ("192.0.2.7", 8501)
RERUN = BackMsg(rerun_script=ClientState()).SerializeToString()
FOREIGN = ["evil.example", "evil.example:8501", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.8", "",
           "a b", "localhost/x", "localhost@evil.example", "user@localhost", "localhost:x", "[::1", "[::2]", "0.0.0.0",
           "localhost, evil.example", "2130706433"]  # fmt: skip


@pytest.mark.parametrize(
    "host", ["localhost", "LocalHost.:8501", "127.0.0.1:1", "[::1]:8501", "192.0.2.7", "[::ffff:192.0.2.7]:80"]
)
def test_this_machine_and_the_address_asked_are_answered(host):
    assert is_allowed(host, HERE)


@pytest.mark.parametrize("host", FOREIGN)
def test_foreign_names_are_not(host):
    assert not is_allowed(host, HERE)
    assert not is_allowed(host, HERE, ["trees.example.edu", "*.class.example.edu"])


def test_names_that_are_given_stand_in_place_of_the_others():
    names = ["Trees.example.edu", "*.class.example.edu"]
    assert is_allowed("trees.example.EDU:443", HERE, names)
    assert is_allowed("a.class.example.edu", None, names)
    assert not is_allowed("class.example.edu", None, names)
    assert not is_allowed("evilclass.example.edu", None, names)
    assert not is_allowed("localhost", HERE, names)


async def _app(scope, receive, send):
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        await receive()
        await receive()  # waits as long as the visitor stays
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"inside"})


async def _ask(guard, host, path="/", kind="http", leave=None, accept=b"text/html", origin=None, client="192.0.2.9"):
    sent, messages = [], [{"type": "websocket.connect"}, {"type": "websocket.receive", "bytes": RERUN}]

    async def send(message):
        sent.append(message)

    async def receive():
        if messages:
            return messages.pop(0)
        await leave.wait()
        return {"type": "websocket.disconnect", "code": 1000}

    headers = [(b"host", host.encode()), (b"accept", accept)]
    headers += [] if origin is None else [(b"origin", origin.encode())]
    scope = {"type": kind, "method": "GET", "path": path, "headers": headers, "server": HERE, "client": (client, 1)}
    await guard(scope, receive, send)
    return sent


def test_a_foreign_request_is_refused_in_words():
    guard = HttpGuard(_app)
    start, body = awaited(_ask(guard, "evil.example"))
    assert start["status"] == 421
    assert b"the host name 'evil.example'" in body["body"]
    assert awaited(_ask(guard, "evil.example", kind="websocket")) == [{"type": "websocket.close", "code": 1008}]
    assert awaited(_ask(guard, "10.0.0.9", "/trees/_stcore/health"))[1]["body"] == b"inside"


@pytest.mark.parametrize(
    "origin", ["http://localhost:9999", "https://evil.example", "null", "http://localhost.evil:8501"]
)
def test_a_page_of_another_server_opens_no_websocket(origin):
    async def visit(origin):
        leave = asyncio.Event()
        leave.set()
        return await _ask(HttpGuard(_app), "localhost:8501", kind="websocket", leave=leave, origin=origin)

    assert awaited(visit(origin)) == [{"type": "websocket.close", "code": 1008}]
    for same in ("http://localhost:8501", "https://LocalHost:8501", None):
        assert awaited(visit(same)) == [{"type": "websocket.accept", "subprotocol": None}]


def test_answers_have_security_headers(monkeypatch):
    monkeypatch.setenv("TAO_FRAMES", "https://moodle.example.edu; https://b.example.edu")
    headers = dict(awaited(_ask(HttpGuard(_app), "localhost:8501"))[0]["headers"])
    policy = dict(part.split(" ", 1) for part in headers[b"content-security-policy"].decode().split("; "))
    assert policy["default-src"] == "'self'"
    assert "'unsafe-inline'" not in policy["script-src"]
    assert "'unsafe-eval'" not in policy["script-src"]
    assert "sha256-" in policy["script-src"]
    assert "ws://localhost:8501" in policy["connect-src"]
    assert policy["frame-ancestors"] == "'self' https://moodle.example.edu https://b.example.edu"
    assert headers[b"x-content-type-options"] == b"nosniff"


@pytest.mark.parametrize(("scheme", "sent"), [("https", b"a=1; Path=/; Secure"), ("http", b"a=1; Path=/")])
def test_cookies_of_an_encrypted_page_stay_encrypted(scheme, sent):
    cookies = [(b"set-cookie", b"a=1; Path=/"), (b"set-cookie", b"b=secure; secure")]

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": cookies})

    found = []

    async def send(message):
        found.append(message)

    scope = {"type": "http", "path": "/", "scheme": scheme, "client": ("192.0.2.9", 1), "server": HERE,
             "headers": [(b"host", b"localhost:8501")]}  # fmt: skip
    awaited(HttpGuard(app)(scope, None, send))
    assert [value for name, value in found[0]["headers"] if name == b"set-cookie"] == [sent, b"b=secure; secure"]


@pytest.mark.parametrize(
    ("kind", "path", "is_set"),
    [
        ("text/html; charset=utf-8", "/", True),
        ("text/javascript", "/static/js/a.js", False),
        ("text/plain", "/_stcore/health", False),
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_pages_make_their_browser_known(kind, path, is_set, scheme):
    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind.encode())]})

    def cookies(sent=b""):
        found = []

        async def send(message):
            found.append(message)

        scope = {"type": "http", "path": path, "scheme": scheme, "client": ("192.0.2.9", 1), "server": HERE,
                 "headers": [(b"host", b"localhost:8501"), (b"cookie", sent)]}  # fmt: skip
        awaited(HttpGuard(app, cookie_hours=2)(scope, None, send))
        return [value.decode() for name, value in found[0]["headers"] if name == b"set-cookie"]

    if not is_set:
        assert cookies() == []
        return
    (first,) = cookies()
    (again,) = cookies(first.partition(";")[0].encode() + b"; other=1")
    assert first == again
    assert first.split("; ")[1:] == [
        "Path=/", "Max-Age=7200", "HttpOnly", "SameSite=Lax", *["Secure"] * (scheme == "https"),
    ]  # fmt: skip
    assert cookies(b"tao_owner=forged") != [first]


def test_one_address_does_not_take_all_places_and_the_health_check_needs_none(caplog, monkeypatch):
    async def visits():
        guard, leave = HttpGuard(_app, Places(3, 2)), asyncio.Event()
        inside = [asyncio.create_task(_ask(guard, "localhost", kind="websocket", leave=leave)) for _ in range(2)]
        await asyncio.sleep(0)
        for _ in range(50):
            assert (
                f"All {2} sessions for your network address are in use.".encode()
                in (await _ask(guard, "localhost"))[1]["body"]
            )
        assert (await _ask(guard, "localhost", client="192.0.2.10"))[0]["status"] == 200
        inside.append(asyncio.create_task(_ask(guard, "localhost", kind="websocket", leave=leave, client="192.0.2.10")))
        await asyncio.sleep(0)
        assert (await _ask(guard, "localhost", client="192.0.2.11"))[0]["status"] == 503
        assert (await _ask(guard, "localhost", HEALTH))[0]["status"] == 200
        leave.set()
        await asyncio.gather(*inside)
        assert (await _ask(guard, "localhost"))[0]["status"] == 200

    monkeypatch.setattr(places, "_log", SeldomLog(places.__name__))  # as in a server that has just started
    awaited(visits())
    assert [record.getMessage() for record in caplog.records] == [
        f"Session refused. All {2} sessions for your network address are in use.",
        f"Session refused. All {3} sessions of this server are in use.",
    ]


@pytest.mark.parametrize("path", ["/metrics", "/trees/metrics", "/_stcore/metrics", "/metrics/"])
def test_figures_of_the_server_are_for_its_administrator(path):
    guard = HttpGuard(_app, readers=metrics.readers({}))
    assert awaited(_ask(guard, "localhost", path, accept=b"*/*"))[0]["status"] == 403
    assert awaited(_ask(guard, "localhost", path, accept=b"*/*", client="127.0.0.1"))[0]["status"] == 200


def test_a_visitor_beyond_the_limit_gets_a_message():
    async def visits():
        guard, leave = HttpGuard(_app, Places(2)), asyncio.Event()
        inside = [asyncio.create_task(_ask(guard, "localhost", kind="websocket", leave=leave)) for _ in range(2)]
        await asyncio.sleep(0)
        start, body = await _ask(guard, "localhost")
        assert start["status"] == 503
        assert f"All {2} sessions of this server are in use.".encode() in body["body"]
        assert (await _ask(guard, "localhost", kind="websocket"))[0]["type"] == "websocket.close"
        assert (await _ask(guard, "localhost", "/media/x", accept=b"image/png"))[0]["status"] == 200
        leave.set()
        await asyncio.gather(*inside)
        assert (await _ask(guard, "localhost"))[0]["status"] == 200

    awaited(visits())
