import pytest

from pages.serving.client_address import label, network


@pytest.mark.parametrize(
    ("host", "text"),
    [
        (None, "127.0.0.1"),
        ("::1", "127.0.0.1"),
        ("127.0.0.2", "127.0.0.1"),
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("unix:", "unix:"),
    ],
)
def test_an_address_counts_as_its_network(host, text):
    assert network(host) == text


def test_a_label_names_an_address_without_showing_it():
    assert label("192.0.2.7") == label("::ffff:192.0.2.7") != label("192.0.2.8")
    assert len(label("192.0.2.7")) == 16
