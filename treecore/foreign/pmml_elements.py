"""`pmml_elements`: the elements of a PMML file, read without entities or a DTD."""

from __future__ import annotations

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from treecore.errors import TreeFormatError
from treecore.foreign.messages import MESSAGES

MOST_BYTES = 64 * 1024 * 1024


def pmml_elements(content: bytes) -> Element:
    """Return the root element of a file, with tags without namespaces.

    Raise TreeFormatError for files that are not XML or PMML, are too large, or have a document type (DTD), which could
    declare entities.
    """
    if len(content) > MOST_BYTES:
        raise TreeFormatError(MESSAGES("pmml.too_large", n_bytes=len(content), most=MOST_BYTES))
    builder, parser = TreeBuilder(), expat.ParserCreate()

    def refuse(*_):
        raise TreeFormatError(MESSAGES("pmml.document_type"))

    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.StartElementHandler = lambda name, attributes: builder.start(name.rpartition(":")[2], attributes)
    parser.EndElementHandler = lambda name: builder.end(name.rpartition(":")[2])
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise TreeFormatError(MESSAGES("pmml.not_xml", error=error)) from None
    root = builder.close()
    if root.tag != "PMML":
        raise TreeFormatError(MESSAGES("pmml.other_xml", tag=root.tag))
    return root
