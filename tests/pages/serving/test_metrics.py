import pytest

from pages.serving import metrics
from tests.refusals import refused
from treecore.errors import TreecoreError


def scope(host, *headers):
    return {"client": (host, 1), "headers": [(name.encode(), b"192.0.2.1") for name in headers]}


def test_they_are_for_this_machine_or_the_networks_that_are_set():
    here = metrics.readers({})
    assert all(metrics.may_read(scope(host), here) for host in ("127.0.0.1", "::1", "::ffff:127.0.0.1"))
    assert not any(metrics.may_read(scope(host), here) for host in ("192.0.2.1", "unix:", ""))
    office = metrics.readers({"TAO_METRICS": "10.1.2.0/24, 2001:db8::7"})
    assert metrics.may_read(scope("10.1.2.3", "x-forwarded-for"), office)  # the header comes from a trusted proxy
    assert metrics.may_read(scope("2001:db8::7"), office)
    assert not metrics.may_read(scope("127.0.0.1"), office)


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "x-real-ip"])
def test_visitors_of_a_proxy_on_this_machine_are_not_this_machine(header):
    assert not metrics.may_read(scope("127.0.0.1", header), metrics.readers({}))


@pytest.mark.parametrize("text", ["admin", "10.1.2.3/99", "10.0.0.1 x"])
def test_an_invalid_network_is_reported(text):
    with refused(
        TreecoreError, "TAO_METRICS=…: expected addresses or networks separated by spaces, such as 10.1.2.0/24"
    ):
        metrics.readers({"TAO_METRICS": text})


def test_the_text_is_that_of_prometheus():
    assert metrics.text({("tao_a", "Of a."): 3, ("tao_b_total", "Of b."): 0.5}) == (
        "# HELP tao_a Of a.\n# TYPE tao_a gauge\ntao_a 3\n"
        "# HELP tao_b_total Of b.\n# TYPE tao_b_total counter\ntao_b_total 0.5\n"
    )
