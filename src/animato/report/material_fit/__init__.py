"""The page and words of a fitted material."""

from animato.report.material_fit.film import film_of
from animato.report.material_fit.page import fit_page, save_page
from animato.report.material_fit.words import fit_text, save_json

__all__ = ["film_of", "fit_page", "fit_text", "save_json", "save_page"]
