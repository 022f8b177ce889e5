"""A player in a notebook: a page in a frame, so that neither its names nor its style can meet those around it.

Notebooks put HTML into their own page, where scripts may not run and two outputs share their names. A frame that holds
its page itself (`srcdoc`) runs in JupyterLab, in Visual Studio Code and in exported notebooks, asks for no other file,
and as many as there are stay apart.
"""

from __future__ import annotations

from animato.report.kit import Film, Markup, element
from animato.report.playing.page import framed_page

_HEIGHT = 640  # pixels, where the page may not say how high it is

# In a frame of the same origin the page makes it as high as itself.
_FIT = Markup(
    '"use strict";\n'
    "{ const frame = window.frameElement, page = document.querySelector('.framed');\n"
    "  if (frame && page) new ResizeObserver(() => { frame.style.height = `${Math.ceil(page.offsetHeight) + 4}px`; })"
    ".observe(page); }\n"
)


def film_frame(film: Film) -> Markup:
    """The film as an element for any page, its own page inside."""
    page = framed_page(film, element("script", _FIT))
    style = f"width:100%;height:{_HEIGHT}px;border:0;display:block"
    return element("iframe", srcdoc=page, title=film.description, style=style)
