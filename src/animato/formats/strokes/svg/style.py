"""What an SVG drawing says about how its shapes look, as far as a line needs it: hidden, painted and transformed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_PAINT = ("fill", "stroke", "opacity")
_KNOWN = ("display", "visibility", "transform", "transform-origin", "clip-path", *_PAINT)
_SINGLE = re.compile(r"[.#]?[\w-]+")
_MOST_RULES = 10_000
_MOST_SHEETS = 100


@dataclass(frozen=True)
class StyleSheet:
    """Rules of a drawing for single selectors: a tag, a class or an id.

    Attributes:
        rules: By selector ("path", ".st0", "#a"), what it says.
        knows_paint: Whether no combined selector, which is not read, says how shapes are painted.
    """

    rules: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    knows_paint: bool = True

    @classmethod
    def from_text(cls, text: str) -> StyleSheet:
        """The rules of all `style` elements of a file that matter to lines; combined selectors are not read."""
        found: dict[str, dict[str, str]] = {}
        knows_paint = True
        for sheet in _sheets(text):
            for rule in _without_comments(sheet).split("}")[:_MOST_RULES]:
                selectors, _, body = rule.partition("{")
                said = declared(body)
                for selector in selectors.split(",") if said else ():
                    found.setdefault(selector.strip(), {}).update(said)
                    if _SINGLE.fullmatch(selector.strip()) is None and any(name in said for name in _PAINT):
                        knows_paint = False
        return cls(found, knows_paint)

    def of(self, tag: str, attributes: Mapping[str, str]) -> dict[str, str]:
        """What is said about an element: by its attributes, then by rules, then by its own style, the last counts."""
        said = {name: attributes[name] for name in _KNOWN if name in attributes}
        names = [tag, *(f".{one}" for one in attributes.get("class", "").split()), f"#{attributes.get('id', '')}"]
        for name in names:
            said.update(self.rules.get(name, {}))
        said.update(declared(attributes.get("style", "")))
        return said


def declared(body: str) -> dict[str, str]:
    """Declarations "name: value; ..." that matter to lines."""
    said = {}
    for one in body.split(";"):
        name, colon, value = one.partition(":")
        if colon and name.strip().lower() in _KNOWN:
            said[name.strip().lower()] = value.replace("!important", "").strip()
    return said


def _sheets(text: str) -> list[str]:
    """Contents of the `style` elements. By hand: a pattern that looks for an end which is not there takes for ever."""
    sheets: list[str] = []
    at = text.find("<style")
    while at >= 0 and len(sheets) < _MOST_SHEETS:
        end = text.find("</style", at)
        if end < 0:
            break
        sheets.append(text[at:end].partition(">")[2].replace("<![CDATA[", " ").replace("]]>", " "))
        at = text.find("<style", end)
    return sheets


def _without_comments(sheet: str) -> str:
    first, *rest = sheet.split("/*")
    return " ".join([first, *(one.partition("*/")[2] for one in rest)])
