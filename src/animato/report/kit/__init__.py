"""What every page is made of: markup, the page itself, axes, scales and strips."""

from animato.report.kit.axes import Axes, chart_file, key, path
from animato.report.kit.film import DIRECTION, NOTHING, POINT, Film, Gaze
from animato.report.kit.heat_strip import ALL_KINDS, HeatStrip, build_heat_strip, draw_heat_strip
from animato.report.kit.markup import Markup, data_address, element, joined, script_data
from animato.report.kit.moving import packed, shape_outline
from animato.report.kit.page import package_text, whole_page
from animato.report.kit.parts import notes_section, photograph, section, sentence_list, strobe_picture, verdict_header
from animato.report.kit.player import PLAYER_STYLE, film_player, player_script, time_cursor
from animato.report.kit.scale import Scale, peak_keeping, round_ticks, tick_text

__all__ = [
    "ALL_KINDS",
    "DIRECTION",
    "NOTHING",
    "PLAYER_STYLE",
    "POINT",
    "Axes",
    "Film",
    "Gaze",
    "HeatStrip",
    "Markup",
    "Scale",
    "build_heat_strip",
    "chart_file",
    "data_address",
    "draw_heat_strip",
    "element",
    "film_player",
    "joined",
    "key",
    "notes_section",
    "package_text",
    "packed",
    "path",
    "peak_keeping",
    "photograph",
    "player_script",
    "round_ticks",
    "script_data",
    "section",
    "sentence_list",
    "shape_outline",
    "strobe_picture",
    "tick_text",
    "time_cursor",
    "verdict_header",
    "whole_page",
]
