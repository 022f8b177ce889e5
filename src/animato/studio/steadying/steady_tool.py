"""The tool for characters that bend: how they wobble, and a motion after which they do not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from animato.character import Character
from animato.errors import CharacterError, MotionError
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Document, Take
from animato.studio.fixing import land
from animato.studio.steadying.bent_scene import bent_scene
from animato.studio.steadying.making import Steadied, make_steady
from animato.studio.steadying.seeing import Seen, see
from animato.studio.steadying.showing import seen_message, state_for_page
from animato.studio.steadying.wishes import SOFTEST, STIFFEST, Wishes, wishes_from
from animato.studio.workers import Job, Workshop

_VERB, _LABEL = "steady", "steadied"
_NO_MOTION = "There is no motion yet. Open a take that has one, or make one."
_ONE_FRAME = "This take is a single pose; nothing moves, so nothing wobbles."


class SteadyTool(Tool):
    """Simulates the open take while somebody looks, and steadies it as a job.

    Attributes:
        name: Of the tool.
    """

    name = "steady"

    def __init__(self, desk: Desk, workshop: Workshop) -> None:
        """Without work, and nobody looks."""
        self._desk, self._workshop = desk, workshop
        self._lookers: set[str] = set()
        self._asked: tuple[Any, ...] = ()  # what is simulated, or was last
        self._rough = False  # whether that is done in large steps
        self._working = False
        self._words = ""
        self._shown: tuple[dict[str, Any], dict[str, Any]] | None = None
        self._scene: tuple[Character, dict[str, Any] | None] | None = None  # of whom; None while it is made
        self._job: tuple[Take, Job] | None = None

    # --- As a tool ----------------------------------------------------------------------------------------------------
    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {
            "steady.enter": self._enter,
            "steady.leave": self._leave,
            "steady.make": self._make,
            "steady.drop": self._drop,
            "steady.stiffness": self._stiffness,
            "steady.set": self._set,
        }

    def state(self) -> Mapping[str, Any]:
        """What is wanted, and whether there is anything to be seen."""
        document = self._desk.document
        words = self._trouble(document) or self._words
        return state_for_page(document.character, self._wishes, working=self._working, words=words)

    def changed(self, before: Document, after: Document) -> None:
        """Simulates again where what is simulated is another one, and somebody looks."""
        if self._lookers:
            self._look()

    def left(self, page: Page) -> None:
        """Where nobody looks, nothing is simulated."""
        self._lookers.discard(page.name)

    # --- What pages ask for -------------------------------------------------------------------------------------------
    def _enter(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        self._lookers.add(page.name)
        character = self._desk.document.character
        if self._scene is not None and self._scene[0] is character and self._scene[1] is not None:
            self._desk.tell("steady.scene", self._scene[1], page)
        if self._shown is not None and self._asked == self._wanted(self._desk.document):
            self._desk.show("steady.seen", *self._shown, page, newest_of="steady.seen")
        self._look()
        return self.state()

    def _leave(self, page: Page, fields: Fields) -> None:
        self._lookers.discard(page.name)

    def _make(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        document = self._desk.document
        if fields.has("options"):
            wanted = wishes_from(fields.fields("options"), document.character)
            document = document.with_settings(self.name, **wanted)
        trouble, take = self._trouble(document), document.open_take
        if trouble or take is None or take.motion is None:
            raise (CharacterError if not document.character.flexible_parts else MotionError)(trouble or _NO_MOTION)
        wishes = Wishes.from_values(document.settings.get(self.name, {}))
        if self._job is not None and not self._job[1].over:
            self._job[1].cancel()  # another wish, or another motion
        job = self._workshop.start(
            f"steadying '{take.name}'",
            make_steady,
            document.character,
            take.motion,
            wishes.options(),
            wishes.stiffness,
            wishes.tracked_of(document.character),
            then=partial(self._made, document.character, take),
        )
        self._job = (take, job)
        return {"job": job.number}

    def _drop(self, page: Page, fields: Fields) -> None:
        take = self._desk.document.open_take
        if take is not None and take.performed is not None:
            self._desk.edit_take("back to the artist's motion", take.performed_by("", None))

    def _stiffness(self, page: Page, fields: Fields) -> None:
        """Another stiffness of all parts that bend; roughly while the slider moves, well when it is let go."""
        value = fields.number("value", least=SOFTEST, most=STIFFEST)
        document, done = self._desk.document, fields.flag("done", True)
        if value != self._wishes.stiffness:
            after = document.with_settings(self.name, stiffness=value)
            lookers, self._lookers = self._lookers, set()  # it is looked at below, as roughly as is asked for
            try:
                self._desk.edit("stiffness of what bends", after, fields.text("gesture", ""))
            finally:
                self._lookers = lookers
        if self._lookers:
            self._look(rough=not done)

    def _set(self, page: Page, fields: Fields) -> None:
        document = self._desk.document
        after = document.with_settings(self.name, **wishes_from(fields, document.character))
        self._desk.edit("how it is steadied", after, fields.text("gesture", ""))
        self._tell()

    # --- What is seen -------------------------------------------------------------------------------------------------
    @property
    def _wishes(self) -> Wishes:
        return Wishes.from_values(self._desk.document.settings.get(self.name, {}))

    def _trouble(self, document: Document) -> str:
        """Why nothing can be simulated; "" where something can."""
        character, take = document.character, document.open_take
        if not character.flexible_parts:
            return (
                f"Nothing of '{character.name}' bends, so it does not wobble and there is nothing to steady. This is "
                "for characters with flexible parts, such as rod, dancer or drummer."
            )
        if take is None or take.motion is None:
            return _NO_MOTION
        return _ONE_FRAME if take.motion.frame_count < 2 else ""

    def _wanted(self, document: Document) -> tuple[Any, ...]:
        """What is to be simulated: all that it depends on, but for how roughly."""
        take, wishes = document.open_take, Wishes.from_values(document.settings.get(self.name, {}))
        if take is None or self._trouble(document):
            return ()
        tracked = wishes.tracked_of(document.character)
        steadied = take.verb == _VERB
        return document.character, take.motion, take.performed, steadied, wishes.stiffness, tracked

    def _look(self, *, rough: bool = False) -> None:
        document = self._desk.document
        wanted, take = self._wanted(document), document.open_take
        if not wanted or take is None:
            self._asked, self._shown, self._words, self._working = (), None, "", False
            self._tell()
            return
        self._make_scene(document.character)
        if wanted == self._asked and (rough or not self._rough) and (self._working or self._shown is not None):
            self._tell()  # it is there, or on its way
            return
        self._asked, self._rough, self._words = wanted, rough, ""
        self._working = True
        self._tell()
        name, verb = take.name, take.verb if take.performed is not None else ""
        self._workshop.quickly(
            "steady",
            see,
            *wanted,
            rough,
            then=partial(self._show, wanted, name, verb),
            failed=partial(self._lost, wanted),
        )

    def _show(self, wanted: tuple[Any, ...], take: str, verb: str, seen: Seen) -> None:
        if wanted[:4] != self._asked[:4]:
            return  # of another motion; while stiffness changes, what an older one does is better than nothing
        if wanted == self._asked and seen.rough == self._rough:
            self._working = False
        self._words = ""
        self._shown = seen_message(seen, take, verb)
        self._tell()
        self._desk.show("steady.seen", *self._shown, newest_of="steady.seen")

    def _lost(self, wanted: tuple[Any, ...], words: str) -> None:
        if wanted == self._asked:
            self._working, self._words, self._shown = False, words, None
            self._tell()

    def _make_scene(self, character: Character) -> None:
        """The look that bends, once for each character."""
        if self._scene is None or self._scene[0] is not character:
            self._scene = (character, None)
            done = partial(self._show_scene, character)
            self._workshop.quickly("steady scene", bent_scene, character, then=done)

    def _show_scene(self, character: Character, scene: dict[str, Any]) -> None:
        if self._scene is not None and self._scene[0] is character:
            self._scene = (character, scene)
            self._desk.tell("steady.scene", scene)

    def _tell(self) -> None:
        self._desk.tell("steady", self.state(), newest_of="steady")

    # --- What came out ------------------------------------------------------------------------------------------------
    def _made(self, character: Character, asked: Take, made: Steadied) -> None:
        land(self._desk, character, asked, made.clip, made.words, verb=_VERB, label=_LABEL)
