"""Typesets the formulas of the docs as MathML while they are built, so that pages need no script and no network.

`pymdownx.arithmatex` finds `$...$` and `$$...$$` outside code and leaves TeX between `\\(...\\)` and `\\[...\\]`; this
hook of MkDocs turns that TeX into MathML, which browsers set by themselves. TeX that cannot be converted is a warning,
and so an error of `mkdocs build --strict`.
"""

from __future__ import annotations

import html
import logging
import re
from typing import Any

from math_core import LatexError, LatexToMathML

log = logging.getLogger("mkdocs.hooks.mathml")

FORMULA = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">(?:\\\((?P<inline>.*?)\\\)|\s*\\\[(?P<display>.*?)\\\]\s*)</(?P=tag)>',
    re.DOTALL,
)
CONVERTER = LatexToMathML(fancy_error=False)
THREE_DOTS = (
    "<mo>\u20db</mo>",
    "<mo>\u2026</mo>",
)  # the combining sign has no place of its own and is drawn beside the letter


def mathml(tex: str, *, display: bool) -> str:
    """MathML of a formula; one that stands by itself is in a box that scrolls where the page is too narrow.

    Args:
        tex: The formula without its dollar signs.
        display: Whether it has a paragraph of its own.

    Raises:
        LatexError: Where the formula is not valid TeX, or uses a command that is not known.
    """
    text = CONVERTER.convert_with_local_state(tex.strip(), displaystyle=display).replace(*THREE_DOTS)
    return f'<div class="equation" tabindex="0">{text}</div>' if display else text


def with_mathml(page: str, name: str) -> str:
    """The HTML of a page with all its formulas typeset.

    Args:
        page: HTML as Markdown with arithmatex makes it.
        name: What the page is called in warnings.
    """

    def typeset(found: re.Match[str]) -> str:
        display = found["display"] is not None
        tex = html.unescape(found["display"] if display else found["inline"])
        try:
            return mathml(tex, display=display)
        except LatexError as error:
            log.warning("%s: this formula cannot be typeset: %s\n%s", name, tex.strip(), error)
            return f"<code>{html.escape(tex)}</code>"

    return FORMULA.sub(typeset, page)


def on_page_content(html: str, *, page: Any, **_: Any) -> str:
    """Called by MkDocs with the HTML of each page."""
    return with_mathml(html, page.file.src_path)
