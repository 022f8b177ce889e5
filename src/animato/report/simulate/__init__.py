"""The page, words, table and film of a simulation."""

from animato.report.simulate.files import film_of, save_film, save_json, save_table
from animato.report.simulate.page import save_page
from animato.report.simulate.words import motors_suffice, simulate_text

__all__ = [
    "film_of",
    "motors_suffice",
    "save_film",
    "save_json",
    "save_page",
    "save_table",
    "simulate_text",
]
