"""`pmml_elements`: the elements of a PMML file, read without entities or a DTD."""

from __future__ import annotations

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from treecore.errors import TreeFormatError

MOST_BYTES = 64 * 1024 * 1024


def pmml_elements(content: bytes) -> Element:
    """The root element of a file, names without namespaces.

    Raises TreeFormatError for what is no XML, no PMML, too large, or has a document type, which can declare entities.
    ."""
    if len(content) > MOST_BYTES:
        raise TreeFormatError(f"The PMML file has {len(content):,} bytes; at most {MOST_BYTES:,} are read.")
    builder, parser = TreeBuilder(), expat.ParserCreate()

    def refuse(*_):
        raise TreeFormatError(
            "The PMML file declares a document type (DTD), which could name other files or grow without end: take the "
            "line <!DOCTYPE ...> out of it."
        )

    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.StartElementHandler = lambda name, attributes: builder.start(name.rpartition(":")[2], attributes)
    parser.EndElementHandler = lambda name: builder.end(name.rpartition(":")[2])
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise TreeFormatError(f"The file is no XML, or is damaged: {error!s:.80}.") from None
    root = builder.close()
    if root.tag != "PMML":
        raise TreeFormatError(f"The file is XML of {root.tag!r:.40}, not PMML.")
    return root
