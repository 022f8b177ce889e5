"""The page of a batch: all clips in one list, the worst first."""

from animato.report.batch.listing import Listing
from animato.report.batch.page import batch_page

__all__ = [
    "Listing",
    "batch_page",
]
