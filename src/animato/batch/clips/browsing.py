"""The page of a batch, from its rows: what the report needs of them, and which pages there are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from animato.batch.clips.job import Job
from animato.batch.clips.pages import page_name
from animato.batch.clips.performing import FULL_LEVEL
from animato.batch.engine import Storage
from animato.report.batch import Listing, batch_page

INDEX = "index.html"


def write_index(job: Job, rows: Iterable[dict[str, Any]], total: int) -> None:
    """Writes the page of all clips.

    Args:
        job: Of the batch.
        rows: The worst first.
        total: Rows there will be.
    """
    out = Storage(job.out)
    pages = {f"pages/{one.name}" for one in out.files("pages")}
    listing = Listing(job.verb, tuple(one.label for one in job.robots), total, job.version, FULL_LEVEL, _wishes(job))
    for row in rows:
        name = page_name(row)
        listing.add(row, name if name in pages else "")
    out.write(INDEX, batch_page(listing).encode("utf-8", "replace"))


def _wishes(job: Job) -> str:
    given = {**job.wishes.options, **job.wishes.reading}
    return ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in given.items())
