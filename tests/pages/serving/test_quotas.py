import pytest

from pages.serving.quotas import Quotas
from treecore.errors import TreecoreError


def test_a_quota_comes_from_the_environment_or_is_the_default():
    assert Quotas.of({}) == Quotas()
    assert Quotas.of({"TAO_VISITORS": " "}) == Quotas()
    assert Quotas.of({"TAO_VISITORS": "7"}).visitors == 7


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "٣", "9" * 5000])
def test_what_is_no_number_is_said_in_words(text):
    with pytest.raises(TreecoreError, match="TAO_VISITORS is .* must be a whole number > 0") as error:
        Quotas.of({"TAO_VISITORS": text})
    assert len(str(error.value)) < 200
