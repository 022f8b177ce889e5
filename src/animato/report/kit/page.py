"""What all pages have in common: one file that works offline, in one look."""

from __future__ import annotations

from importlib import resources

import animato
from animato.report.kit.markup import Markup, element

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_LOOK = "check_page.css"


def package_text(name: str) -> Markup:
    """A style sheet or script of this package, which is trusted."""
    return Markup(resources.files("animato.report").joinpath(name).read_text(encoding="utf-8"))


def whole_page(title: str, *content: Markup, styles: tuple[str, ...] = ()) -> str:
    """A page as HTML.

    Args:
        title: Of the window.
        content: Of the body.
        styles: Style sheets of this package, on top of the common one.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"animato {animato.__version__}"),
        element("title", title),
        element("style", Markup("".join(package_text(name) for name in (_LOOK, *styles)))),
    )
    return "<!doctype html>\n" + element("html", head, element("body", *content), lang="en") + "\n"
