"""Reads attributes of XML elements as numbers and names, and says where one is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from animato.errors import AnimatoError, FileFormatError
from animato.formats.files.units import LARGEST, shortened
from animato.formats.files.xml_tree import XmlElement

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"[-+]?inf(?:inity)?", re.IGNORECASE)

_LONGEST = 1500  # characters of a message


@dataclass(frozen=True)
class XmlValues:
    """Attributes of the elements of one file.

    Attributes:
        source: The file, for errors.
        owner: What is being read ("link 'arm'"), for errors.
    """

    source: str | Path
    owner: str = ""

    def of(self, owner: str) -> XmlValues:
        """The same file, with another owner named in errors."""
        return XmlValues(self.source, owner)

    def error(self, element: XmlElement, message: str) -> FileFormatError:
        """An error at the line of an element."""
        text = f"{self.owner}: {message}" if self.owner else message
        text = text if len(text) <= _LONGEST else text[:_LONGEST] + "..."  # names in a file can be of any length
        return FileFormatError(self.source, text, element.line)

    @contextmanager
    def at(self, element: XmlElement) -> Iterator[None]:
        """Gives errors that know no file the line of an element."""
        try:
            yield
        except FileFormatError:
            raise
        except AnimatoError as error:
            raise self.error(element, str(error)) from None

    def text(self, element: XmlElement, attribute: str) -> str:
        """An attribute that must be there and not be empty."""
        value = element.attributes.get(attribute, "").strip()
        if not value:
            raise self.error(element, f"<{element.tag}> has no '{attribute}'; add {attribute}=\"...\".")
        return value

    def numbers(
        self, element: XmlElement | None, attribute: str, count: int, default: tuple[float, ...] | None = None
    ) -> tuple[float, ...]:
        """So many numbers; the default where the attribute or the element is absent."""
        if element is None or attribute not in element.attributes:
            if default is not None:
                return default
            place = XmlElement("?", {}, 1) if element is None else element
            raise self.error(place, f"<{place.tag}> has no '{attribute}'; add {attribute}=\"...\".")
        # Commas are not in the standard, but in files.
        words = element.attributes[attribute].replace(",", " ").split()
        values = tuple(float(word) for word in words if _NUMBER.fullmatch(word))
        if len(values) != len(words) or len(values) != count or not all(abs(value) <= LARGEST for value in values):
            wanted = "a number" if count == 1 else f"{count} numbers"
            given = shortened(element.attributes[attribute])
            raise self.error(element, f'<{element.tag} {attribute}="{given}"> must be {wanted} of a possible size.')
        return values

    def number(self, element: XmlElement | None, attribute: str, default: float | None = None) -> float:
        """One number; the default where the attribute or the element is absent."""
        return self.numbers(element, attribute, 1, None if default is None else (default,))[0]

    def bound(self, element: XmlElement | None, attribute: str) -> float | None:
        """A number, or None where it is absent or infinite: both mean that nothing is limited."""
        if element is None or attribute not in element.attributes:
            return None
        if _INFINITE.fullmatch(element.attributes[attribute].strip()):
            return None
        return self.number(element, attribute)
