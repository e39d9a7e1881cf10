"""Write a file of skops as bytes."""


def skops_content(model) -> bytes:
    """Return the bytes that skops writes for a model.

    The import is inside the function, because skops takes a second to load.
    """
    import skops.io

    return skops.io.dumps(model)
