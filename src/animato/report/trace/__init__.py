"""The page and words of a trace."""

from animato.report.trace.curves import build_trace_curves
from animato.report.trace.film import clip_usage, film_of, reading_side
from animato.report.trace.json_file import save_json
from animato.report.trace.live_page import save_live_page
from animato.report.trace.page import save_page
from animato.report.trace.path_chart import coloured_line, draw_trace_paths, speed_legend, view_axes
from animato.report.trace.speed_chart import draw_trace_speeds
from animato.report.trace.words import better_by, trace_text

__all__ = [
    "better_by",
    "build_trace_curves",
    "clip_usage",
    "coloured_line",
    "draw_trace_paths",
    "draw_trace_speeds",
    "film_of",
    "reading_side",
    "save_json",
    "save_live_page",
    "save_page",
    "speed_legend",
    "trace_text",
    "view_axes",
]
