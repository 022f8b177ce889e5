"""The page, text and JSON of a check."""

from animato.report.check.json_file import check_to_dict, save_json
from animato.report.check.page import save_page
from animato.report.check.strip_section import KIND_WORDS, time_ticks
from animato.report.check.text import check_text

__all__ = [
    "KIND_WORDS",
    "check_text",
    "check_to_dict",
    "save_json",
    "save_page",
    "time_ticks",
]
