"""The page of a batch: what it is given comes out, whatever names are in it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from animato.report.batch import Listing, batch_page, listing


def row(clip: str, status: str = "fits", **more: Any) -> dict[str, Any]:
    return {"clip": clip, "robot": "lamp", "status": status, "key": clip, **more}


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="batch" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_rows_measures_and_words_come_out() -> None:
    shown = Listing("fix", ("lamp", "pico"), 4, "1.0", 20)
    shown.add(row("a", "does not fit", worst=1.23456789, limits=["jerk", "balance"], verdict="x", frames=3), "p/a.html")
    shown.add(row("b", worst=float("inf"), measures={"longer": 1.5}, verdict="x"), "")
    shown.add(row("c", "failed", error="no"), "")
    data = data_of(batch_page(shown))
    columns = data["columns"]
    assert columns["clip"] == ["a", "b", "c"] and columns["page"] == ["p/a.html", "", ""]
    assert columns["worst"] == [1.2346, None, None] and columns["limits"] == [(1 << 3) + (1 << 5), 0, 0]
    assert data["measures"] == {"longer": [None, 1.5, None]}
    assert data["words"]["said"] == ["x", "no"] and columns["said"] == [0, 0, 1]
    assert "1 of 4 are not done yet" in batch_page(shown)


def test_names_cannot_break_out_of_the_page() -> None:
    shown = Listing("check", ("lamp",), 1, "1.0", 20, "</script><script>alert(1)</script>")
    shown.add(row("</script><img src=x onerror=alert(1)>"), "")
    page = batch_page(shown)
    assert page.count("</script>") == 2 and "<img" not in page
    assert data_of(page)["columns"]["clip"] == ["</script><img src=x onerror=alert(1)>"]


def test_a_page_has_the_worst_and_says_what_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MOST_ROWS", 2)
    shown = Listing("check", ("lamp",), 3, "1.0", 20)
    for name in "abc":
        shown.add(row(name), "")
    page = batch_page(shown)
    assert data_of(page)["columns"]["clip"] == ["a", "b"] and "1 rows that fit best" in page
    assert "fits 3" in page
