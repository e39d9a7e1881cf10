"""A file of skops as bytes."""


def skops_content(model) -> bytes:
    """Return the bytes that skops writes for a model.

    skops takes a second to load, so only the worker that needs it loads it.
    """
    import skops.io

    return skops.io.dumps(model)
