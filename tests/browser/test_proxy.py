"""Test the nginx and Caddy examples of docs/how_to/deploy.md: TLS, a base path, websockets, an upload."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.browser.conftest import PATIENCE, free_port, start_server

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("proxy")]
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "how_to" / "deploy.md"
NAME = "trees.example.edu"
SMALL = "data_set=iris&max_depth=3&n_lambdas=6"


@pytest.fixture(scope="module")
def app_port(tmp_path_factory):
    """Return the port of an app that is configured for the proxies of the examples."""
    flags = ["--server.baseUrlPath=/trees", "--server.allowedHosts=localhost", "--server.address=127.0.0.1"]
    port = free_port()
    process, _ = start_server(tmp_path_factory.mktemp("proxy"), flags=flags, port=port)
    yield port
    process.terminate()
    process.wait(timeout=20)


def example(first_line, app_port, port):
    """Return an example of the document, adapted to this machine."""
    text = next(block for block in re.findall(r"```text\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.S)
                if block.startswith(f"# {first_line}"))  # fmt: skip
    return text.replace("127.0.0.1:8501", f"127.0.0.1:{app_port}").replace("listen 443", f"listen {port}")


def nginx(folder, app_port, port):
    """Return the command that runs nginx with its example."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-keyout", folder / "key", "-out", folder / "pem"], check=True, capture_output=True,
    )  # fmt: skip
    text = example("/etc/nginx", app_port, port).replace(NAME, "localhost")
    text = text.replace("/etc/ssl/localhost.", f"{folder}/").replace("/var/log/nginx", str(folder))
    whole = f"events {{}}\npid {folder}/pid;\ndaemon off;\nerror_log {folder}/errors;\nhttp {{\n"
    whole += "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "conf").write_text(f"{whole}{text}}}\n")
    return ["nginx", "-c", folder / "conf", "-e", folder / "errors"]


def caddy(folder, app_port, port):
    """Return the command that runs Caddy with its example."""
    head = f"{{\n admin off\n auto_https disable_redirects\n skip_install_trust\n storage file_system {folder}\n}}\n"
    text = example("/etc/caddy", app_port, port).replace(f"{NAME} {{", f"https://localhost:{port} {{\n    tls internal")
    (folder / "Caddyfile").write_text(head + text)
    return ["caddy", "run", "--config", folder / "Caddyfile"]


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_the_example_of_a_proxy_works(browser, app_port, proxy, tmp_path):
    if shutil.which(proxy.__name__) is None:
        pytest.skip(f"{proxy.__name__} is not installed")
    port = free_port()
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(proxy(tmp_path, app_port, port), stdout=log, stderr=log)
    context = browser.new_context(ignore_https_errors=True, viewport={"width": 1440, "height": 900})
    try:
        page, complaints = context.new_page(), []
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.set_default_timeout(90_000)
        for _ in range(100):
            if (tmp_path / "log").exists() and process.poll() is None:
                try:
                    answer = page.goto(f"https://localhost:{port}/trees?{SMALL}")
                    break
                except Exception:  # noqa: BLE001  # not up yet
                    page.wait_for_timeout(100)
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert f"wss://localhost:{port}" in answer.headers["content-security-policy"]
        page.goto(f"https://localhost:{port}/trees/?{SMALL}")
        page.locator("[data-testid=stage][data-painted]").wait_for()
        page.goto(f"https://localhost:{port}/trees/data?from=file")
        rows = "a,b,kind\n" + "".join(f"{i % 7},{i % 5},{'xy'[i % 2]}\n" for i in range(60))
        page.locator("input[type=file]").set_input_files(
            {"name": "small.csv", "mimeType": "text/csv", "buffer": rows.encode()}
        )
        page.get_by_text("60 rows").first.wait_for()
        assert complaints == []
    finally:
        context.close()
        process.terminate()
        process.wait(timeout=20)
