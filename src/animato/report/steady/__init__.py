"""The page and words of a steadied motion."""

from animato.report.steady.evidence import Evidence, courses, film_of, gather_evidence, save_film
from animato.report.steady.json_file import save_json
from animato.report.steady.page import draw_steady_errors, render_worst, save_page
from animato.report.steady.stiffness_chart import draw_sensitivity
from animato.report.steady.words import steady_text, verdict_words

__all__ = [
    "Evidence",
    "courses",
    "draw_sensitivity",
    "draw_steady_errors",
    "film_of",
    "gather_evidence",
    "render_worst",
    "save_film",
    "save_json",
    "save_page",
    "steady_text",
    "verdict_words",
]
