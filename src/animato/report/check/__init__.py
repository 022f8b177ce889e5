"""The page, text and JSON of a check."""

from animato.report.check.json_file import save_json
from animato.report.check.page import save_page
from animato.report.check.strip_section import KIND_WORDS, time_ticks
from animato.report.check.text import check_text

from animato.report.check.json_file import check_to_dict

__all__ = [
    "check_to_dict",
    "KIND_WORDS",
    "check_text",
    "save_json",
    "save_page",
    "time_ticks",
]
