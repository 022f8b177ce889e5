"""XML as elements that remember their lines. Nothing outside the file is ever read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from animato.errors import FileFormatError
from animato.formats.files.read_whole import read_bytes_whole
from animato.formats.files.units import shortened

LARGEST_FILE = 64_000_000  # bytes
MAX_DEPTH = 200
MAX_ELEMENTS = 1_000_000


@dataclass
class XmlElement:
    """An element.

    Attributes:
        tag: Its name.
        attributes: As written.
        line: 1-based line of its start.
        children: Elements in it; text between them does not count.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[XmlElement] = field(default_factory=list)

    def find(self, tag: str) -> XmlElement | None:
        """The first child of that name."""
        return next(self.find_all(tag), None)

    def find_all(self, tag: str) -> Iterator[XmlElement]:
        """The children of that name, in order."""
        return (child for child in self.children if child.tag == tag)

    def walk(self) -> Iterator[XmlElement]:
        """This element and all below it, parents first."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += reversed(element.children)


def load_xml(path: str | Path) -> XmlElement:
    """The root element of a file.

    Raises:
        FileFormatError: It cannot be read, is too large, or is not well-formed XML.
    """
    return parse_xml(read_bytes_whole(path, largest=LARGEST_FILE), path)


def parse_xml(content: bytes | str, source: str | Path) -> XmlElement:
    """The root element of a document; entities and documents elsewhere are refused."""
    return _Reading(source).root_of(content)


class _Reading:
    """Builds the tree as expat meets its elements."""

    def __init__(self, source: str | Path) -> None:
        self.source = source
        self.root: XmlElement | None = None
        self.open: list[XmlElement] = []
        self.count = 0
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.EntityDeclHandler = self.refuse_entity

    def root_of(self, content: bytes | str) -> XmlElement:
        try:
            self.parser.Parse(content, True)
        except expat.ExpatError as error:
            what = expat.errors.messages.get(error.code, str(error))
            if what == expat.errors.XML_ERROR_NO_ELEMENTS:
                what = "the file ends before its last element is closed"
            raise FileFormatError(self.source, f"not well-formed XML: {what}.", error.lineno) from None
        except (LookupError, ValueError) as error:
            # pyexpat asks Python's codecs about encodings it does not know
            raise FileFormatError(self.source, f"its encoding cannot be read ({error}). Save it as UTF-8.") from None
        if self.root is None:
            raise FileFormatError(self.source, "the file is empty.")
        return self.root

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        element = XmlElement(tag, attributes, line)
        self.count += 1
        if self.count > MAX_ELEMENTS:
            raise FileFormatError(self.source, f"it holds more than {MAX_ELEMENTS} elements.", line)
        if len(self.open) >= MAX_DEPTH:
            raise FileFormatError(self.source, f"it is nested more than {MAX_DEPTH} levels deep.", line)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, _tag: str) -> None:
        self.open.pop()

    def refuse_entity(self, name: str, *_rest: object) -> None:
        raise FileFormatError(
            self.source,
            f"it declares the entity '{shortened(name)}'; entities are not read. Write their text where they are used.",
            self.parser.CurrentLineNumber,
        )
