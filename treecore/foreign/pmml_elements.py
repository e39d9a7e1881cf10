"""`pmml_elements`: the elements of a PMML file, read without entities or a DTD."""

from __future__ import annotations

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from treecore.errors import TreeFormatError

MOST_BYTES = 64 * 1024 * 1024


def pmml_elements(content: bytes) -> Element:
    """Return the root element of a file, with tags without namespaces.

    Raise TreeFormatError for files that are not XML or PMML, are too large, or have a document type (DTD), which could
    declare entities.
    """
    if len(content) > MOST_BYTES:
        raise TreeFormatError(
            f"The PMML file has {len(content):,} bytes (maximum {MOST_BYTES:,}). Save a smaller model."
        )
    builder, parser = TreeBuilder(), expat.ParserCreate()

    def refuse(*_):
        raise TreeFormatError(
            "The PMML file declares a document type (DTD), which is not supported for security. Remove the line "
            "<!DOCTYPE ...>."
        )

    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.StartElementHandler = lambda name, attributes: builder.start(name.rpartition(":")[2], attributes)
    parser.EndElementHandler = lambda name: builder.end(name.rpartition(":")[2])
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise TreeFormatError(f"The file is not XML, or is damaged: {error!s:.80}.") from None
    root = builder.close()
    if root.tag != "PMML":
        raise TreeFormatError(f"The file is XML with the root element {root.tag!r:.40}, not PMML.")
    return root
