"""The tool that designs: target paths are dragged, the mechanism follows, and what is found can be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from animato.character import Character
from animato.errors import AnimatoError, OptionError
from animato.motion import Clip
from animato.studio.designing.accepting import accepted, closed_again, has_loops
from animato.studio.designing.asking import making_of
from animato.studio.designing.bending import handle_places, handle_times, places_at
from animato.studio.designing.freedoms import WORDS, choices_at, far_words
from animato.studio.designing.showing import found_message, paths_message, state_for_page
from animato.studio.designing.solving import freed_character, warm_up
from animato.studio.designing.targets import Targets, shipped_for
from animato.studio.designing.wish import KINDS, Wish
from animato.studio.designing.workbench import Workbench
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Document, Take
from animato.studio.watching import lift_of
from animato.studio.workers import Workshop

_MOST_POINTS = 6
_DONE = "The character is built anew; undo brings the old one back."


class DesignTool(Tool):
    """Designs the mechanism.

    Attributes:
        name: Of the tool.
    """

    name = "design"

    def __init__(self, desk: Desk, workshop: Workshop) -> None:
        """Begins when a page comes."""
        self._desk, self._workshop = desk, workshop
        self._bench = Workbench(workshop, self._show_found)
        self._origin: tuple[Any, ...] = ()  # what the targets were made of
        self._is_warm = False
        self._by_hand = False  # whether an edit is one of its own, which says itself what is to be done

    # --- As a tool ----------------------------------------------------------------------------------------------------
    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {
            "design.enter": self._enter,
            "design.begin": self._begin,
            "design.target_from": self._begin,
            "design.handle": self._handle,
            "design.straighten": self._straighten,
            "design.choices": self._choices,
            "design.free": self._free,
            "design.set": self._set,
            "design.solve": self._solve,
            "design.accept": self._accept,
            "design.discard": self._discard,
        }

    def state(self) -> Mapping[str, Any]:
        """What can be begun with, what is free, and what was found."""
        bench = self._bench
        return state_for_page(self._desk.document, self._wish, bench.found, working=bench.working, words=bench.words)

    def welcome(self, page: Page) -> None:
        """Shows what there is, and begins where a project that was opened again asks for a design."""
        self._show_paths(page)
        self._show_found(page)
        if self._wish.kind and self._bench.targets is None and not self._bench.working:
            self._make_targets()

    def changed(self, before: Document, after: Document) -> None:
        """Solves again where something that matters is another: by undo, by an option, by another take."""
        old, new = Wish.from_values(before.settings.get("design", {})), self._wish
        if after.character is not before.character or old.freed != new.freed:
            self._bench.forget()
        if not new.kind:
            if old.kind or self._bench.targets is not None:
                self._end()
            elif old != new or after.character is not before.character:
                self._show_found()
            return
        if not _same(self._origin, _origin(after, new)):
            self._make_targets()
        elif old != new:
            self._show_paths()
            if not self._by_hand:
                self._bench.wholly(after.character, new)

    def close(self) -> None:
        """Ends its work."""
        self._bench.cancel()

    # --- What pages ask for -------------------------------------------------------------------------------------------
    def _enter(self, page: Page, fields: Fields) -> None:
        """Somebody is about to design: what that needs is loaded meanwhile, once."""
        if not self._is_warm:
            self._is_warm = True
            self._workshop.quickly("design warm", warm_up, then=lambda _: None)

    def _begin(self, page: Page, fields: Fields) -> None:
        """Takes target paths from a take, a drawing, or what comes with animato."""
        document = self._desk.document
        kind = fields.choice("kind", KINDS, "take")
        name = fields.text("name", document.current if kind != "shipped" else "")
        points: tuple[str, ...] = ()
        if kind == "shipped" and name not in shipped_for(document.character):
            raise OptionError(f"No target called '{name}' comes with animato for '{document.character.name}'.")
        if kind == "take":
            given = fields.raw("points")
            if not isinstance(given, list) or not 1 <= len(given) <= _MOST_POINTS:
                raise OptionError(f"`points` is a list of one to {_MOST_POINTS} points; given {given!r:.60}.")
            points = tuple(dict.fromkeys(map(str, given)))
        wish = replace(self._wish, kind=kind, name=name, points=points, handles={}, weights={}, keep_motors=False)
        self._make_targets(replace(wish, turns=fields.flag("turns", False)))

    def _handle(self, page: Page, fields: Fields) -> None:
        """Drags a handle to a place; `done` when it is let go."""
        wish, targets = self._wish, self._known_targets()
        point, index, place = fields.text("point"), fields.whole("index"), fields.numbers("place", (3,))
        pulls = wish.handles.get(point, ())
        path = next((one.positions for one in targets.motion.targets if one.name == point), None)
        if path is None or index >= len(pulls):
            raise OptionError(f"There is no handle {index} on the path of '{point}'.")
        x, y, z = (place - self._lift - places_at(path, pulls[index][0] * targets.motion.rate_hz)).tolist()
        bent = wish.with_pull(point, index, (x, y, z))
        self._edit("target path bent", bent, fields.text("gesture", ""), by_hand=True)
        solve = self._bench.wholly if fields.flag("done", True) else self._bench.roughly
        solve(self._desk.document.character, bent)

    def _straighten(self, page: Page, fields: Fields) -> None:
        """Puts handles back to where they were: of one path, or of all."""
        wish, point = self._wish, fields.text("point", "")
        handles = {
            name: tuple((pull[0], 0.0, 0.0, 0.0) for pull in pulls) if point in ("", name) else pulls
            for name, pulls in wish.handles.items()
        }
        self._edit("target path as it was", replace(wish, handles=handles))

    def _choices(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """What may be freed at a joint."""
        return {"choices": choices_at(self._desk.document.character, fields.text("joint"), self._wish.freed)}

    def _free(self, page: Page, fields: Fields) -> None:
        """Frees something, or not any more."""
        name, what, on = fields.text("name"), fields.choice("what", list(WORDS)), fields.flag("on", True)
        far = far_words(what, fields.number("far", least=0.01, most=10_000.0)) if fields.has("far") else ""
        wish = self._wish.with_freedom(name, what, on=on, far=far)
        freed_character(self._desk.document.character, wish.freed)  # says what is wrong with it
        self._edit("freed" if on else "fixed again", wish)

    def _set(self, page: Page, fields: Fields) -> None:
        """Sets what counts: `keep_motors`, or how much a point counts."""
        wish = self._wish
        if fields.has("keep_motors"):
            wish = replace(wish, keep_motors=fields.flag("keep_motors"))
        if fields.has("point"):
            factor = fields.number("weight", least=0.0, most=1000.0)
            wish = replace(wish, weights={**wish.weights, fields.text("point"): factor})
        self._edit("design option", wish, fields.text("gesture", ""))

    def _solve(self, page: Page, fields: Fields) -> None:
        """Works it out once more."""
        self._known_targets()
        self._bench.wholly(self._desk.document.character, self._wish)

    def _accept(self, page: Page, fields: Fields) -> None:
        """The proposal becomes the character."""
        found, targets = self._bench.found, self._known_targets()
        if found is None or found.rough or self._bench.working:
            raise OptionError("The mechanism is still being worked out; accept it when it is there.")
        if not found.usable:
            raise OptionError(f"This mechanism cannot be built. {found.words}")
        before = self._desk.document
        document = accepted(before, self._wish, found, targets.begin)
        built = document.character is not before.character
        self._desk.edit("new mechanism" if built else "motion of a target path", document)
        if built:
            self._close_again(document)
            self._desk.tell("toast", {"words": _DONE, "kind": "good"})

    def _discard(self, page: Page, fields: Fields) -> None:
        """Away with the proposal, the handles and what was freed."""
        self._edit("design discarded", Wish())

    # --- Targets ------------------------------------------------------------------------------------------------------
    @property
    def _wish(self) -> Wish:
        return Wish.from_values(self._desk.document.settings.get("design", {}))

    @property
    def _lift(self) -> np.ndarray:
        """What floats is designed with its root at the origin, and stands on the floor of the stage [m], [3]."""
        return lift_of(self._desk.document.character)

    def _edit(self, label: str, wish: Wish, gesture: str = "", *, by_hand: bool = False) -> None:
        self._by_hand = by_hand
        try:
            self._desk.edit(label, self._desk.document.with_settings("design", **wish.values()), gesture)
        finally:
            self._by_hand = False

    def _known_targets(self) -> Targets:
        if self._bench.targets is None or not self._wish.kind:
            raise OptionError("There are no target paths yet: choose points of a take, a drawing or a shipped target.")
        return self._bench.targets

    def _make_targets(self, begun: Wish | None = None) -> None:
        """Works out the paths; what a person begins becomes a step of undo when they are there.

        Args:
            begun: What a person asks for; what the document asks for where not given.
        """
        wish, bench = begun or self._wish, self._bench
        origin = _origin(self._desk.document, wish)
        if begun is None:
            self._origin, bench.targets = origin, None
        try:
            function, arguments = making_of(self._desk.document, wish)
        except AnimatoError as error:
            if begun is not None:
                raise
            bench.failed(str(error))
            return
        bench.forget()
        bench.working, bench.words = True, ""
        self._show_found()
        self._workshop.quickly(
            "design targets",
            function,
            *arguments,
            then=lambda targets: self._take_targets(targets, origin, begun),
            failed=bench.failed,
        )

    def _take_targets(self, targets: Targets, origin: tuple[Any, ...], begun: Wish | None) -> None:
        if not _same(origin, _origin(self._desk.document, begun or self._wish)):
            return  # of something that is no more
        self._origin, self._bench.targets = origin, targets
        wish = begun or self._wish
        if begun is not None:
            keeps = targets.options.optimize == "design"
            wish = replace(begun, handles=handle_times(targets.motion), keep_motors=keeps)
            self._edit("target paths", wish, by_hand=True)
        self._show_paths()
        self._bench.wholly(self._desk.document.character, wish)

    def _end(self) -> None:
        self._bench.forget()
        self._bench.targets, self._bench.working, self._bench.words, self._origin = None, False, "", ()
        self._show_found()

    # --- Other takes --------------------------------------------------------------------------------------------------
    def _close_again(self, document: Document) -> None:
        """Passive joints of all takes follow the new mechanism, where there are loops."""
        takes = tuple(one for one in document.takes if one.motion is not None)
        if not takes or not has_loops(document.character):
            return
        clips = tuple(one.motion for one in takes if one.motion is not None)
        self._workshop.start(
            "takes follow the new mechanism",
            closed_again,
            document.character,
            clips,
            then=lambda found: self._take_closed(document.character, takes, found),
        )

    def _take_closed(self, character: Character, takes: tuple[Take, ...], found: list[Clip | str]) -> None:
        if self._desk.document.character is not character:
            return  # undone meanwhile
        for take, one in zip(takes, found, strict=True):
            self._desk.amend_take(take, replace(take, **({"remark": one} if isinstance(one, str) else {"motion": one})))

    # --- Showing ------------------------------------------------------------------------------------------------------
    def _show_paths(self, page: Page | None = None) -> None:
        """Target paths and handles, at once: they do not wait for the mechanism."""
        wish, targets = self._wish, self._bench.targets
        motion = self._bench.motion(wish)
        if targets is not None and motion is not None:
            message = paths_message(motion, handle_places(targets.motion, wish.handles), self._lift)
            self._desk.show("design.paths", *message, page, newest_of="design.paths")

    def _show_found(self, page: Page | None = None) -> None:
        bench = self._bench
        self._desk.tell("design", dict(self.state()), page, newest_of="design")
        if bench.found is not None and bench.targets is not None:
            message = found_message(bench.found, self._wish.name, bench.targets.begin, self._lift)
            self._desk.show("design.found", *message, page, newest_of="design.found")


def _origin(document: Document, wish: Wish) -> tuple[Any, ...]:
    """What target paths are made of: words, then things that are compared by being the same."""
    take = next((one for one in document.takes if one.name == wish.name), None)
    if take is None or wish.kind == "shipped":
        return wish.target, document.character, None
    return wish.target, document.character, take.source if wish.kind == "drawing" else take.clip


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return (
        bool(one)
        and bool(other)
        and one[0] == other[0]
        and all(a is b for a, b in zip(one[1:], other[1:], strict=True))
    )
