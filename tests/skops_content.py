"""A file of skops as bytes."""


def skops_content(model) -> bytes:
    """What skops writes for a model; skops, which takes a second to load, is loaded by the worker that needs it."""
    import skops.io

    return skops.io.dumps(model)
