"""Characters that bend on a page: figures that move, how far they are off, what their motors do, how they vibrate."""

from animato.report.bending.curves import Course, Curve, chart_style
from animato.report.bending.deviation_chart import draw_deviations
from animato.report.bending.figures import Figure
from animato.report.bending.films import save_overlaid
from animato.report.bending.mode_pictures import mode_cards
from animato.report.bending.motor_chart import draw_motors, turning_motors
from animato.report.bending.overlays import overlay_cards, render_figures, telling_moments
from animato.report.bending.playing import PLAYER, overlaid_film, worst_moment
from animato.report.bending.spectrum_chart import amplitude_spectrum, draw_spectra
from animato.report.bending.words import length

__all__ = [
    "PLAYER",
    "Course",
    "Curve",
    "Figure",
    "amplitude_spectrum",
    "chart_style",
    "draw_deviations",
    "draw_motors",
    "draw_spectra",
    "length",
    "mode_cards",
    "overlaid_film",
    "overlay_cards",
    "render_figures",
    "save_overlaid",
    "telling_moments",
    "turning_motors",
    "worst_moment",
]
