"""What every page must be: well formed, and one file that loads nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser

VOID = frozenset({"meta", "img", "input", "br", "link", "hr"})


class _Balance(HTMLParser):
    """Fails on tags that are not closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def assert_whole(page: str) -> None:
    """Every tag is closed, and nothing is asked of a network or of other files."""
    checker = _Balance()
    checker.feed(page)
    assert checker.open == []
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)
