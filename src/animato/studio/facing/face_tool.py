"""The tool of looking: a target that is dragged, postures that are switched while it looks, and a recording of it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from animato.character import Character
from animato.errors import AnimatoError, OptionError, unknown_name
from animato.motion import Clip
from animato.spatial import quaternions
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Document, Take
from animato.studio.facing.choosing import build_gaze, first_posture, posture_named, what_looks
from animato.studio.keys import Keyed
from animato.studio.posing import Figure, Stance, arrays_of, build_figure, stance_at, stood_clip, stood_root
from animato.studio.workers import Workshop

if TYPE_CHECKING:
    from animato.studio.facing.live_gaze import LiveGaze

_PICTURE_S = 1.0 / 60.0
_TOLD_S = 0.25  # between two messages about how it goes
_SAME_PLACE_M = 1e-6
_MANNER = {"smoothness": 0.15, "responsiveness": 1.0, "overshoot": 0.0}
_MOST = {"smoothness": 1.0, "responsiveness": 1.0, "overshoot": 0.6}


class FaceTool(Tool):
    """A character that looks at a target, live.

    Attributes:
        name: Of the tool.
    """

    name = "face"

    def __init__(self, desk: Desk, workshop: Workshop) -> None:
        """Looks at nothing yet."""
        self._desk = desk
        self._gaze: LiveGaze | None = None
        self._figure: Figure | None = None
        self._stance: Stance | None = None
        self._rest: Stance | None = None
        self._aimed: np.ndarray | None = None
        self._thread: threading.Thread | None = None
        self._timers: list[Any] = []
        self._making = False
        self._words = ""
        self._manner = dict(_MANNER)
        self._idle, self._target = False, np.zeros(3)
        self._end_point = self._posture = ""
        self._chosen_for(desk.document.character)

    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {
            "face.start": self._start,
            "face.stop": self._stop,
            "face.target": self._face,
            "face.posture": self._hold,
            "face.idle": self._breathe,
            "face.manner": self._tune,
            "face.record": self._record,
        }

    def state(self) -> Mapping[str, Any]:
        """What it does and could do."""
        gaze, look = self._gaze, None if self._gaze is None else self._gaze.now
        return {
            "on": gaze is not None,
            "making": self._making,
            "words": self._words,
            "end_points": what_looks(self._desk.document.character),
            "end_point": self._end_point,
            "posture": self._posture,
            "target": self._target.tolist(),
            "idle": self._idle,
            "manner": dict(self._manner),
            "recording": gaze is not None and gaze.records,
            "recorded_s": 0.0 if gaze is None else gaze.recorded_s,
            "rate_hz": 0.0 if gaze is None else round(gaze.rate_hz, 1),
            "off_rad": 0.0 if look is None else look.off_rad,
            "changing": look is not None and look.changing,
        }

    def changed(self, before: Document, after: Document) -> None:
        """Another character does not look yet."""
        if after.character is not before.character:
            self._end()
            self._chosen_for(after.character)
            self._tell()

    def left(self, page: Page) -> None:
        """Nobody looks at it any more: it rests; what was recorded is kept, as a reload is no wish to lose it."""
        if not self._desk.pages:
            if self._gaze is not None and self._gaze.records:
                self._keep_recording(self._gaze)
            self._end()

    def close(self) -> None:
        """Ends its thread."""
        self._end()

    def wait(self) -> None:
        """Waits until what was begun is made; then the desk has to be given its turn. For tests."""
        if self._thread is not None:
            self._thread.join()

    # --- Messages -----------------------------------------------------------------------------------------------------
    def _start(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """Looks, with an `end_point` and in a `posture` where they are given."""
        document = self._desk.document
        known = [*what_looks(document.character), *(body.name for body in document.character.bodies)]
        end_point = fields.text("end_point", "") or self._end_point
        if end_point and end_point not in known:
            raise unknown_name("end-point", end_point[:80], known[:40], document.character.name)
        if fields.has("posture"):
            self._posture = fields.text("posture")
        posture = posture_named(document.character, document.postures, self._posture)
        if fields.has("target"):
            self._target = fields.numbers("target", (3,))
        self._end()
        self._end_point, self._making, self._words = end_point, True, ""
        arguments = (document.character, posture, end_point or None, dict(self._manner))
        self._thread = threading.Thread(target=self._make, args=arguments, name="animato-facing", daemon=True)
        self._thread.start()
        self._tell()
        return self.state()

    def _stop(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        self._end()
        self._tell()
        return self.state()

    def _face(self, page: Page, fields: Fields) -> None:
        """The target is at a `place` in the world [m]."""
        self._target = fields.numbers("place", (3,))
        self._aim()

    def _hold(self, page: Page, fields: Fields) -> None:
        """Another `posture`, by name."""
        document, name = self._desk.document, fields.text("name", "")
        posture = posture_named(document.character, document.postures, name)
        if self._gaze is not None and not self._gaze.hold(posture):
            raise OptionError(f"The posture '{name}' cannot be held; it may be outside the limits.")
        self._posture = name
        self._tell()

    def _breathe(self, page: Page, fields: Fields) -> None:
        """Idle `on` or off."""
        on = fields.flag("on")
        if self._gaze is not None and not self._gaze.breathe(on):
            raise OptionError("What looks hangs on closed loops or gears, so nothing is left over that could breathe.")
        self._idle = on
        self._tell()

    def _tune(self, page: Page, fields: Fields) -> None:
        """Words of the motion filter, each from 0 to 1 or less: see `_MOST`."""
        manner = {word: fields.number(word, value, least=0.0, most=_MOST[word]) for word, value in self._manner.items()}
        if self._gaze is not None and not self._gaze.tune(manner):
            raise OptionError("This character cannot move in that manner.")
        self._manner = manner
        self._desk.tell("facing", self.state(), newest_of="facing")

    def _record(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """Recording `on`; off makes a take of it."""
        gaze = self._gaze
        if gaze is None:
            raise OptionError("The character does not look at anything yet; start it first.")
        if fields.flag("on"):
            gaze.record()
        else:
            name = self._keep_recording(gaze)
            if not name:
                raise OptionError("Nothing was recorded yet; let it run for a moment.")
            words = f"'{name}' was recorded: {self._desk.document.take(name).for_page()['duration']:.1f} s."
            self._desk.tell("toast", {"words": words, "kind": "good"})
        self._tell()
        return self.state()

    def _keep_recording(self, gaze: LiveGaze) -> str:
        """Makes a take of what was recorded; its name, "" where that is nothing."""
        clip = gaze.recording()
        if clip is None:
            return ""
        clip = self._stood(clip)
        name = self._desk.document.free_name("look")
        self._desk.edit_take("look recorded", Take(name, Keyed.of(clip), clip))
        return name

    # --- The thread that makes it, and the timers that show it --------------------------------------------------------
    def _make(self, character: Character, *arguments: Any) -> None:
        gaze, figure, words = None, None, ""
        try:
            figure, gaze = build_figure(character), build_gaze(character, *arguments)
        except AnimatoError as error:
            words = str(error)
        except Exception as error:  # a thread that dies in silence leaves people waiting
            words = f"'{character.name}' cannot look ({type(error).__name__}: {error})."
        self._desk.post(partial(self._made, threading.current_thread(), gaze, figure, words))

    def _made(self, thread: threading.Thread, gaze: LiveGaze | None, figure: Figure | None, words: str) -> None:
        if thread is not self._thread:
            return  # something else was wished for meanwhile
        self._making, self._words, self._gaze, self._figure = False, words, gaze, figure
        self._rest = self._stance = self._aimed = None
        if gaze is not None and figure is not None:
            self._rest = stance_at(figure, None, 0.0) if figure.root_freedoms else None
            if not np.any(self._target):
                self._target = self._before_the_eye(gaze)
            self._stand(figure, gaze.now.coordinates)
            self._aim()
            if self._idle:
                self._idle = gaze.breathe(True)
            gaze.start()
            self._timers = [self._desk.every(_PICTURE_S, self._show), self._desk.every(_TOLD_S, self._tell)]
        self._tell()

    def _end(self) -> None:
        """Ends what runs; the motion is shown again."""
        for timer in self._timers:
            timer.cancel()
        self._timers, self._thread, self._making = [], None, False
        if self._gaze is not None:
            self._gaze.stop()
            self._gaze = self._stance = None
            self._desk.show("pose", {"figure": "main", "off": True, "by": "face"}, {}, newest_of="pose")

    def _show(self) -> None:
        gaze, figure = self._gaze, self._figure
        if gaze is None or figure is None or not self._desk.pages:
            return
        look = gaze.now
        stance = self._stand(figure, look.coordinates)
        self._aim()
        values = {"figure": "main", "by": "face", "off_rad": round(look.off_rad, 4), **self._sight(gaze, figure)}
        self._desk.show("pose", values, arrays_of(figure, stance), newest_of="pose")

    def _sight(self, gaze: LiveGaze, figure: Figure) -> dict[str, list[float]]:
        """Eye and line of sight in the world, for pages to draw."""
        end_point = gaze.problem.end_points[0]
        names = [body.name for body in figure.character.bodies]
        if self._stance is None or end_point.body not in names:
            return {}
        places, turns = figure.bodies(self._stance)
        at = names.index(end_point.body)
        eye = places[at] + quaternions.rotate(turns[at], end_point.frame.position)
        forward = quaternions.rotate(turns[at], end_point.frame.transform.rotation @ np.array(end_point.forward))
        return {"eye": eye.round(4).tolist(), "forward": forward.round(4).tolist()}

    def _before_the_eye(self, gaze: LiveGaze) -> np.ndarray:
        """Where a target is to begin with [m], [3]: before the eye, so that nothing moves yet."""
        figure = self._figure
        assert figure is not None
        self._stand(figure, gaze.now.coordinates)
        sight = self._sight(gaze, figure)
        return np.array(sight["eye"]) + figure.size * np.array(sight["forward"]) if sight else np.array([1.0, 0.0, 0.5])

    def _stand(self, figure: Figure, coordinates: np.ndarray) -> Stance:
        """The pose on the stage: what floats stands with the sole it stands on at rest."""
        stance = figure.stance(coordinates, self._rest.root if self._rest is not None else None, self._stance)
        root = stance.root if self._rest is None else stood_root(figure, stance, self._rest)
        self._stance = stance = replace(stance, root=root)
        return stance

    def _stood(self, clip: Clip) -> Clip:
        """A recording that stands where it was seen."""
        figure, rest = self._figure, self._rest
        if figure is None or rest is None:
            return clip
        return stood_clip(figure, clip, rest)

    def _aim(self) -> None:
        """Has the loop look at the target, as it is seen from where the character's file has the root."""
        if self._gaze is None or self._figure is None or self._stance is None:
            return
        place = self._target
        if self._figure.root_freedoms:
            root, there = self._stance.root, self._figure.rest_root
            local = quaternions.rotate(quaternions.conjugate(root[3:]), place - root[:3])
            place = there[:3] + quaternions.rotate(there[3:], local)
        if self._aimed is None or np.abs(place - self._aimed).max() > _SAME_PLACE_M:
            self._aimed = place
            self._gaze.face(place)

    def _chosen_for(self, character: Character) -> None:
        looks = what_looks(character)
        self._end_point, self._posture = looks[0] if looks else "", first_posture(character)
        self._target = np.zeros(3)
        self._words = ""
        if not looks:
            self._words = (
                f"'{character.name}' has no end-point that could look at something; "
                f"choose one of its bodies, and it looks along the body's x axis."
            )

    def _tell(self) -> None:
        self._desk.tell("facing", self.state(), newest_of="facing")
