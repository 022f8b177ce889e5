"""The page, text and JSON of a check."""

from animato.report.check.film_section import film_of
from animato.report.check.json_file import check_to_dict, save_json
from animato.report.check.page import save_page
from animato.report.check.text import check_text

__all__ = [
    "check_text",
    "check_to_dict",
    "film_of",
    "save_json",
    "save_page",
]
