"""The page and words of a mimicked motion."""

from animato.report.mimic.charts import draw_contacts, draw_errors
from animato.report.mimic.exports import save_exports
from animato.report.mimic.footprints import draw_footprints
from animato.report.mimic.json_file import save_json
from animato.report.mimic.page import save_page
from animato.report.mimic.pair_pictures import render_pair, save_film
from animato.report.mimic.playing import film_of
from animato.report.mimic.shown import Shown, gather
from animato.report.mimic.words import mimic_text

__all__ = [
    "Shown",
    "draw_contacts",
    "draw_errors",
    "draw_footprints",
    "film_of",
    "gather",
    "mimic_text",
    "render_pair",
    "save_exports",
    "save_film",
    "save_json",
    "save_page",
]
