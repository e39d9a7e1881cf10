import pytest

from pages.serving.quotas import Quotas
from tests.refusals import refused
from treecore.errors import TreecoreError


def test_a_quota_comes_from_the_environment_or_is_the_default():
    assert Quotas.of({}) == Quotas()
    assert Quotas.of({"TAO_VISITORS": " "}) == Quotas()
    assert Quotas.of({"TAO_VISITORS": "7"}).visitors == 7


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "٣", "9" * 5000])
def test_text_instead_of_a_number_is_refused(text):
    with refused(TreecoreError, "TAO_VISITORS=…: expected an integer > 0 (default") as error:
        Quotas.of({"TAO_VISITORS": text})
    assert len(str(error.value)) < 200
