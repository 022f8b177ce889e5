"""What messages change of lines that were drawn."""

from __future__ import annotations

from dataclasses import replace

from animato.errors import OptionError
from animato.studio.desk import Fields
from animato.studio.drawing.lines import Drawn, DrawnStroke, distance, redrawn, reshaped

MOVED, SCALED, TURNED = "line moved", "line scaled", "line turned"


def with_reshaped(fields: Fields, source: Drawn, how: str) -> tuple[DrawnStroke, ...]:
    """The lines with those that a message is about moved, scaled or turned.

    Args:
        fields: `strokes`, the numbers of lines; `by`, two lengths [m], a factor or an angle [rad]; `about`, what stays
            where it is on the board [m].
        source: The drawing.
        how: MOVED, SCALED or TURNED.

    Raises:
        OptionError: A field that is wrong.
    """
    chosen = chosen_lines(fields, source)
    u, v = fields.numbers("about", (2,)).tolist() if fields.has("about") else (0.0, 0.0)
    x, y = fields.numbers("by", (2,)).tolist() if how == MOVED else (0.0, 0.0)
    scale = fields.number("by", least=1e-3, most=1e3) if how == SCALED else 1.0
    turn = fields.number("by") if how == TURNED else 0.0
    return tuple(
        reshaped(stroke, by=(x, y), scale=scale, turn=turn, about=(u, v)) if number in chosen else stroke
        for number, stroke in enumerate(source.strokes)
    )


def with_redrawn(source: Drawn, over: DrawnStroke, near: float) -> tuple[DrawnStroke, ...]:
    """The lines with a part of the nearest one replaced.

    Args:
        source: The drawing.
        over: What was drawn over it; on any board that lies where that of the line does.
        near: How far from the line it may begin and end [m].

    Raises:
        AnimatoError: There is no such line, or it begins or ends elsewhere.
    """
    laid = {}
    for number, one in enumerate(source.strokes):
        places, off = one.board.from_world(over.world.points)
        if one.point == over.point and off <= near:
            laid[number] = replace(over, board=one.board, places=places)
    if not laid:
        raise OptionError("No line of this point lies on this board, so none can be drawn over.")
    nearest = min(laid, key=lambda number: distance(source.strokes[number], laid[number].places[[0, -1]]))
    strokes = list(source.strokes)
    strokes[nearest] = redrawn(strokes[nearest], laid[nearest], near)
    return tuple(strokes)


def chosen_lines(fields: Fields, source: Drawn) -> set[int]:
    """Numbers of lines that a message is about; all where it does not say.

    Raises:
        OptionError: There is no such line.
    """
    if not fields.has("strokes"):
        return set(range(len(source.strokes)))
    numbers = {int(value) for value in fields.numbers("strokes", (None,))}
    if not numbers or not numbers <= set(range(len(source.strokes))):
        raise OptionError(f"Lines have numbers from 0 to {len(source.strokes) - 1}; given {sorted(numbers)[:8]}.")
    return numbers
