"""The tool that shows what there is: the character, its motion, the artist's beside it, and what it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from animato.character import Character
from animato.errors import AnimatoError
from animato.motion import Clip
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Document
from animato.studio.watching.moving import Moving, is_at_once, moving
from animato.studio.watching.scene import scene_of
from animato.studio.watching.usage import Usage, no_usage, usage_of, words_of
from animato.studio.workers import Workshop
from animato.view.scene import has_meshes

MAIN, GHOST = "main", "ghost"
_IDLE_S = 0.3  # without an edit, until what takes longer is looked for
_AGAIN_S = 5.0  # until a check that failed is tried once more: a machine that was busy may have time then
_FIGURES = (MAIN, GHOST)
_NOTHING = "There is nothing to perform yet."


class WatchTool(Tool):
    """Keeps every page current: it sends what changed, once it is there, and nothing twice.

    Attributes:
        name: Of the tool.
    """

    name = "watch"

    def __init__(self, desk: Desk, workshop: Workshop) -> None:
        """Shows the document that there is as soon as the desk works."""
        self._desk, self._workshop = desk, workshop
        self._character: Character | None = None
        self._scene: dict[str, Any] | None = None  # None while it is made
        self._wanted: dict[str, tuple[str, Clip | None]] = dict.fromkeys(_FIGURES, ("", None))
        self._shown: dict[str, tuple[dict[str, Any], dict[str, np.ndarray]]] = {}
        self._compared = ""
        desk.post(self._begin)

    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {"watch.compare": self._compare, "watch.words": self._words}

    def state(self) -> Mapping[str, Any]:
        """Which take is beside the open one."""
        return {"compared": self._compared}

    def welcome(self, page: Page) -> None:
        """Shows all that there is to a page that has come."""
        if self._character is None:
            self._begin()  # tells all pages
            return
        if self._scene is None:
            return  # all pages are told when it is there
        self._desk.tell("scene", self._scene, page)
        for key, (values, arrays) in self._shown.items():
            self._desk.show(key.split()[0], values, arrays, page, newest_of=key)

    def changed(self, before: Document, after: Document) -> None:
        """Shows what is another one now."""
        self._refresh()

    # --- What pages ask for -------------------------------------------------------------------------------------------
    def _compare(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """Another take is shown as the ghost; "" for the artist's motion again."""
        name = fields.text("take", "")
        if name:
            self._desk.document.take(name)
        self._compared = name
        self._refresh()
        self._desk.tell("compared", self.state())
        return self.state()

    def _words(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """What the check says, in words."""
        values = self._shown["usage"][0] if "usage" in self._shown else no_usage(_NOTHING).values
        return {key: values[key] for key in ("outcome", "findings", "suggestions", "remarks")}

    # --- What is shown ------------------------------------------------------------------------------------------------
    def _begin(self) -> None:
        if self._character is None:
            self._refresh()

    def _refresh(self) -> None:
        document = self._desk.document
        character = document.character
        other = character is not self._character
        if other:
            self._character, self._scene = character, None
            if not has_meshes(character):
                self._scene = scene_of(character)
                self._desk.tell("scene", self._scene)
            else:  # their files are read elsewhere
                done, lost = partial(self._set_scene, character), partial(self._no_scene, character)
                self._workshop.quickly("watch scene", scene_of, character, then=done, failed=lost)
        if self._scene is not None:  # a motion is shown on a stage
            self._show_figures(character, other=other)

    def _set_scene(self, character: Character, scene: dict[str, Any]) -> None:
        if character is self._character and self._scene is None:
            self._scene = scene
            self._desk.tell("scene", scene)
            self._show_figures(character, other=True)

    def _no_scene(self, character: Character, words: str) -> None:
        if character is self._character:
            self._desk.tell("toast", {"words": f"'{character.name}' cannot be shown: {words}", "kind": "bad"})

    def _show_figures(self, character: Character, *, other: bool) -> None:
        document = self._desk.document
        for figure, wanted in zip(_FIGURES, self._figures(document), strict=True):
            if other or wanted[1] is not self._wanted[figure][1] or wanted[0] != self._wanted[figure][0]:
                same_clip = wanted[1] is self._wanted[figure][1] and not other
                self._wanted[figure] = wanted
                self._move(figure, character, *wanted)
                if figure == MAIN and not same_clip:
                    self._check(character, *wanted)

    def _figures(self, document: Document) -> tuple[tuple[str, Clip | None], tuple[str, Clip | None]]:
        """Take and clip of the main figure and of the ghost."""
        take = document.open_take
        main = ("", None) if take is None else (take.name, take.clip)
        compared = next((one for one in document.takes if one.name == self._compared), None)
        if compared is not None and compared is not take:
            return main, (compared.name, compared.clip)
        if take is not None and take.performed is not None:
            return main, (take.name, take.motion)
        return main, ("", None)

    def _move(self, figure: str, character: Character, take: str, clip: Clip | None) -> None:
        if clip is None:
            self._show_motion(figure, take, clip, None)
        elif is_at_once(character, clip):
            try:
                self._show_motion(figure, take, clip, moving(character, clip))
            except AnimatoError as error:
                self._lost(figure, take, clip, str(error))
        else:
            done = partial(self._show_motion, figure, take, clip)
            lost = partial(self._lost, figure, take, clip)
            self._workshop.quickly(f"watch motion {figure}", moving, character, clip, then=done, failed=lost)

    def _lost(self, figure: str, take: str, clip: Clip | None, words: str) -> None:
        """A motion that cannot be shown: the figure goes, and the words say why."""
        self._show_motion(figure, take, clip, None)
        self._desk.tell("toast", {"words": words, "kind": "bad"})

    def _show_motion(self, figure: str, take: str, clip: Clip | None, motion: Moving | None) -> None:
        if self._wanted[figure][1] is not clip:
            return  # something else is shown by now
        arrays = {} if motion is None else motion.arrays()
        times = np.zeros(1) if motion is None else motion.times
        values = {
            "figure": figure,
            "take": take,
            "begin": float(times[0]),
            "end": float(times[-1]),
            "frames": 0 if motion is None else len(times),
        }
        self._show(f"motion {figure}", values, arrays)

    def _check(self, character: Character, take: str, clip: Clip | None, *, again: bool = True) -> None:
        if clip is None:
            self._show_usage(take, clip, no_usage(_NOTHING))
            return

        def done(usage: Usage) -> None:
            self._show_usage(take, clip, usage)
            self._desk.later(_IDLE_S, lambda: self._ask_words(character, take, clip))

        def failed(words: str) -> None:
            self._show_usage(take, clip, no_usage(words))
            if again:
                self._desk.later(_AGAIN_S, once_more)

        def once_more() -> None:
            if clip is self._wanted[MAIN][1] and character is self._character:
                self._check(character, take, clip, again=False)

        self._workshop.quickly("watch check", usage_of, character, clip, then=done, failed=failed)

    def _show_usage(self, take: str, clip: Clip | None, usage: Usage) -> None:
        """While somebody drags, what an older clip asked for is better than nothing; it says that it is old."""
        name, newest = self._wanted[MAIN]
        if take == name:
            self._show("usage", {**usage.values, "take": take, "current": clip is newest}, usage.arrays)

    def _ask_words(self, character: Character, take: str, clip: Clip) -> None:
        if clip is self._wanted[MAIN][1]:  # nobody has edited since
            done = partial(self._show_words, take, clip)
            self._workshop.quickly("watch words", words_of, character, clip, then=done)

    def _show_words(self, take: str, clip: Clip, said: dict[str, Any]) -> None:
        """The whole verdict comes after the numbers: slower motions are tried for it."""
        if clip is not self._wanted[MAIN][1] or "usage" not in self._shown:
            return
        values, arrays = self._shown["usage"]
        values = {
            **values,
            "outcome": {**values["outcome"], "words": said["words"]},
            "suggestions": said["suggestions"],
        }
        self._shown["usage"] = (values, arrays)
        self._desk.tell("words", {"take": take, **said}, newest_of="words")

    def _show(self, key: str, values: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        self._shown[key] = (values, arrays)
        self._desk.show(key.split(maxsplit=1)[0], values, arrays, newest_of=key)
