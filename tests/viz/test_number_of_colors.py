"""Test that the remark about classes without their own colour has the number of colours."""

from sample_data.user_data.checks.messages import MESSAGES

from viz.palette import CLASS_COLORS


def test_the_number_of_colours_is_that_of_the_palette():
    assert {len(colors) for colors in CLASS_COLORS.values()} == {12}
    for name in ("target.many_classes", "target.many_even_classes"):
        assert "twelve" in MESSAGES(name, n=60)
