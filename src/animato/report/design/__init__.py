"""The page, the words and the JSON of a design."""

from animato.report.design.charts import draw_errors
from animato.report.design.film import film_of
from animato.report.design.json_file import save_json
from animato.report.design.page import chart_style, save_page
from animato.report.design.pictures import draw_before_after
from animato.report.design.study_tables import choice_words, spread_words
from animato.report.design.words import design_text

__all__ = [
    "chart_style",
    "choice_words",
    "design_text",
    "draw_before_after",
    "draw_errors",
    "film_of",
    "save_json",
    "save_page",
    "spread_words",
]
