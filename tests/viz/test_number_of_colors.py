"""Test that the remarks about classes without their own colour have the number of colours."""

import inspect

from sample_data.user_data.checks import target_problems
from viz.palette import CLASS_COLORS


def test_the_number_of_colours_is_that_of_the_palette():
    assert {len(colors) for colors in CLASS_COLORS.values()} == {12}
    assert inspect.getsource(target_problems).count("only twelve classes have their own colour") == 2
