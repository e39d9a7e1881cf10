"""Test the sign-in with a real OpenID Connect provider, which runs on this machine."""

import re

import pytest
from playwright.sync_api import expect

from pages.ui.data.data_panel import EXPLORE
from tests.browser.conftest import PATIENCE, free_port, start_server
from tests.browser.oidc_provider import OidcProvider

pytestmark = pytest.mark.browser
LINK = "/data?data_set=iris&max_depth=3"


@pytest.fixture(scope="module")
def provider():
    """Return the provider."""
    provider = OidcProvider()
    yield provider
    provider.shutdown()
    provider.server_close()


@pytest.fixture(scope="module")
def pages(browser, provider, tmp_path_factory):
    """Return a function that opens a path of an app with sign-in, in a separate browser."""
    folder, port = tmp_path_factory.mktemp("sign-in"), free_port()
    secrets = folder / "secrets.toml"
    secrets.write_text(f"""[auth]
redirect_uri = "http://127.0.0.1:{port}/oauth2callback"
cookie_secret = "0123456789abcdef0123456789abcdef"
client_id = "explorer"
client_secret = "secret of the test"
server_metadata_url = "{provider.issuer}/.well-known/openid-configuration"
""")
    process, url = start_server(folder, flags=[f"--secrets.files={secrets}"], port=port)
    contexts = []

    def open_page(path):
        contexts.append(browser.new_context(viewport={"width": 1440, "height": 900}))
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    process.terminate()
    process.wait(timeout=20)


def test_a_link_is_opened_once_its_visitor_has_signed_in(pages, provider):
    provider.person = "anna"
    page = pages(LINK)
    button = page.get_by_role("button", name="Sign in")
    button.wait_for()
    expect(page.get_by_role("link", name="Tree")).to_have_count(0)
    assert "iris" not in page.inner_text("body").lower()
    button.click()
    page.wait_for_url(re.compile("/data\\?.*data_set=iris"))
    page.get_by_text("Anna *Example*", exact=True).wait_for()
    page.get_by_role("button", name=EXPLORE).wait_for()
    assert provider.asked[-1]["response_type"] == "code"
    page.reload()
    page.get_by_role("button", name="Sign out").click()
    button.wait_for()


@pytest.mark.long
def test_a_wrong_code_does_not_sign_in(pages):
    page = pages("/oauth2callback?code=made-up&state=made-up")
    page.get_by_role("button", name="Sign in").wait_for()
