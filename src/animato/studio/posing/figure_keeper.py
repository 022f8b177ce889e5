"""The figure of the character that is open, made ready beside the desk's work."""

from __future__ import annotations

import threading
from collections.abc import Callable

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.errors import AnimatoError
from animato.studio.posing.figure import Figure
from animato.studio.posing.loop_figure import LoopFigure
from animato.studio.posing.tree_figure import TreeFigure


def build_figure(character: Character) -> Figure:
    """Makes a character ready to be posed; that takes up to a second, for one with large meshes or many loops.

    Raises:
        CharacterError: It cannot be assembled.
    """
    return TreeFigure(character) if topology_of(rigidified(character)).is_tree else LoopFigure(character)


class FigureKeeper:
    """Builds figures in a thread, as assembling loops and reading meshes takes longer than an answer may."""

    def __init__(self, post: Callable[[Callable[[], object]], None], ready: Callable[[], None]) -> None:
        """Without a character.

        Args:
            post: Does something in the desk's thread.
            ready: Called there when a figure is ready, or cannot be.
        """
        self._post, self._ready = post, ready
        self._character: Character | None = None
        self._figure: Figure | None = None
        self._thread: threading.Thread | None = None
        self.why_not = ""

    @property
    def figure(self) -> Figure | None:
        """The figure; None where it is not ready."""
        return self._figure

    def open(self, character: Character) -> None:
        """Makes another character ready."""
        if character is self._character:
            return
        self._character, self._figure, self.why_not = character, None, ""
        self._thread = threading.Thread(target=self._build, args=(character,), name="animato-posing", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Waits until the thread is through; the desk has still to be given its turn."""
        if self._thread is not None:
            self._thread.join()

    def _build(self, character: Character) -> None:
        try:
            figure, why = build_figure(character), ""
        except AnimatoError as error:
            figure, why = None, str(error)
        except Exception as error:  # a thread that dies in silence leaves people waiting
            figure, why = None, f"'{character.name}' cannot be posed ({type(error).__name__}: {error})."
        self._post(lambda: self._take(character, figure, why))

    def _take(self, character: Character, figure: Figure | None, why: str) -> None:
        if character is self._character:
            self._figure, self.why_not = figure, why
            self._ready()
