"""The page and words of a design."""

from animato.report.design.charts import draw_errors
from animato.report.design.page import chart_style, save_design_page
from animato.report.design.pictures import draw_before_after
from animato.report.design.progress import DesignProgress
from animato.report.design.words import design_text

__all__ = [
    "DesignProgress",
    "chart_style",
    "design_text",
    "draw_before_after",
    "draw_errors",
    "save_design_page",
]
