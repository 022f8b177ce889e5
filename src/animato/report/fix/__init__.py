"""The page, text and JSON of a fix."""

from animato.report.fix.charts import draw_deviations
from animato.report.fix.evidence import Evidence, gather_evidence
from animato.report.fix.film_file import save_film
from animato.report.fix.film_section import film_of
from animato.report.fix.json_file import fix_to_dict, save_json
from animato.report.fix.page import save_page
from animato.report.fix.words import fix_text, headline

__all__ = [
    "Evidence",
    "draw_deviations",
    "film_of",
    "fix_text",
    "fix_to_dict",
    "gather_evidence",
    "headline",
    "save_film",
    "save_json",
    "save_page",
]
