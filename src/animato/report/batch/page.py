"""The page of a batch as one file: a list that stays quick with tens of thousands of rows, offline."""

from __future__ import annotations

from animato.report.batch.listing import LIMITS, Listing
from animato.report.kit import Markup, element, joined, notes_section, package_text, script_data, whole_page

_STATUSES = (("does not fit", "over"), ("failed", "near"), ("fits", "fits"))
_ORDERS = (
    ("worst", "worst first"),
    ("clip", "by name"),
    ("duration", "longest first"),
)


def batch_page(listing: Listing) -> str:
    """The whole page as HTML."""
    done = sum(listing.counts.values())
    robots = listing.robots[0] if len(listing.robots) == 1 else f"{len(listing.robots)} robots"
    title = (
        f"{listing.verb}: {_number(done)} clips on {robots}"
        if len(listing.robots) == 1
        else (f"{listing.verb}: {_number(done)} results on {robots}")
    )
    main = element(
        "main",
        element("p", "batch", class_="eyebrow"),
        element("h1", title),
        _left(listing, done),
        _filters(listing),
        element("p", id="shown", class_="lead", role="status"),
        element(
            "div",
            element("div", element("div", id="rows"), id="length"),
            id="list",
            class_="batch-list",
            tabindex="0",
            role="list",
            aria_label="Clips, the worst first",
        ),
        _notes(listing),
    )
    dialog = element(
        "dialog",
        element("div", id="told"),
        element("form", element("button", "Close"), method="dialog"),
        id="details",
    )
    script = element("script", package_text("batch_page.js"))
    return whole_page(title, main, dialog, script_data("batch", listing.data()), script, styles=("batch_page.css",))


def _left(listing: Listing, done: int) -> Markup | None:
    if done >= listing.total:
        return None
    left = listing.total - done
    return element("p", f"{_number(left)} of {_number(listing.total)} are not done yet.", class_="unfinished")


def _filters(listing: Listing) -> Markup:
    statuses = [
        _chip("status", name, f"{name} {_number(listing.counts[name])}", look)
        for name, look in _STATUSES
        if listing.counts[name]
    ]
    limits = [
        _chip("limit", name, f"{name} {_number(listing.over[name])}", "") for name in LIMITS if listing.over[name]
    ]
    robots = [_chip("robot", name, name, "") for name in listing.robots] if len(listing.robots) > 1 else []
    order = element(
        "select",
        *(element("option", words, value=name) for name, words in _ORDERS),
        id="order",
        aria_label="Order",
    )
    search = element("input", id="search", type="search", placeholder="Find a name", aria_label="Find a name")
    groups = (("Verdict", statuses), ("Too much", limits), ("Robot", robots))
    rows = [element("div", element("span", name), *chips, class_="chips") for name, chips in groups if chips]
    return element("section", *rows, element("div", search, order, class_="chips"), class_="batch-filters")


def _chip(kind: str, value: str, words: str, look: str) -> Markup:
    return element(
        "button", words, class_=f"chip {look}".strip(), data_kind=kind, data_value=value, aria_pressed="false"
    )


def _notes(listing: Listing) -> Markup:
    notes = [
        "Each strip is the clip's time from left to right; its colour is the largest share of any limit then. "
        "A per cent figure is the largest share of all: above 100 % is too much.",
        "A row with a triangle opens a page with a player; any other tells what was found.",
        "The same rows with all digits are in table.parquet beside this page.",
    ]
    if listing.left_out:
        notes.insert(0, f"{_number(listing.left_out)} rows that fit best are not on this page; the table has them.")
    if listing.wishes:
        notes.append(f"Options: {listing.wishes}.")
    return joined(notes_section([*notes, f"Made by animato {listing.version}."]))


def _number(count: int) -> str:
    return f"{count:,}"
