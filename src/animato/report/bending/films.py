"""Films of characters that bend, with a ghost of what they should do."""

from __future__ import annotations

from pathlib import Path

from animato.character import Character
from animato.outcome import Progress
from animato.report.bending.figures import Figure
from animato.report.bending.overlays import COLOURS
from animato.view import save_gif, save_mp4
from animato.view.raster import Look


def save_overlaid(
    path: str | Path, character: Character, figure: Figure, ghost: Figure, *, progress: Progress | None = None
) -> Path:
    """Writes a film as the ending of its name says: .mp4 with ffmpeg, .gif without.

    Args:
        path: The file, written whole or not at all.
        character: Who moves.
        figure: Drawn solid.
        ghost: Drawn translucent in the colour of its kind.
        progress: Told of every frame.
    """
    save = save_mp4 if Path(path).suffix.lower() == ".mp4" else save_gif
    look = Look(supersampling=2, ghost_colour=COLOURS[ghost.kind], ghost_opacity=0.42)
    return save(path, character, figure.performance, ghost=ghost.performance, look=look, progress=progress)
