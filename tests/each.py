"""Check many cases of data in one test, because each test of its own costs 5 ms in two processes."""

import functools
import inspect


def each(names, values, ids=repr):
    """Return a decorator that runs a test with every value, and reports every value that fails.

    It replaces ``pytest.mark.parametrize`` for cheap cases that only read their fixtures, because all cases share these
    fixtures. Several decorators give all combinations of their values.

    Parameters
    ----------
    names : str
        The arguments that each value sets, with commas between them.
    values : iterable
        A value for each case, or a tuple of values if there are several names.
    ids : callable, default=repr
        Name of a value in the report.
    """
    names = [name.strip() for name in names.split(",")]
    cases = [dict(zip(names, value if len(names) > 1 else (value,), strict=True)) for value in values]
    assert cases, "there are no cases"

    def decorate(test):
        single, inner = getattr(test, "each", (test, [("", {})]))
        labels = [", ".join(ids(value)[:60] for value in case.values()) for case in cases]
        both = [
            (", ".join(filter(None, (label, other))), case | rest)
            for label, case in zip(labels, cases, strict=True)
            for other, rest in inner
        ]

        @functools.wraps(test)
        def every_case(subtests, **fixtures):
            for label, case in both:
                with subtests.test(label):
                    single(**fixtures, **case)

        own = inspect.signature(single).parameters
        assert set(both[0][1]) <= set(own), f"{single.__name__} has no argument {names}"
        left = [parameter for name, parameter in own.items() if name not in both[0][1]]
        subtests = inspect.Parameter("subtests", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        every_case.__signature__ = inspect.Signature([subtests, *left])
        every_case.each = (single, both)
        del every_case.__wrapped__  # pytest would read the arguments of the single case
        return every_case

    return decorate
