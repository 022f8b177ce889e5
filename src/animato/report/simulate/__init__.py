"""The page, words, table and film of a simulation."""

from animato.report.simulate.files import save_film, save_json, save_table
from animato.report.simulate.page import save_page
from animato.report.simulate.words import simulate_text

__all__ = ["save_film", "save_json", "save_page", "save_table", "simulate_text"]
