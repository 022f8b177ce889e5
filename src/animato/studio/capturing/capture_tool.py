"""The tool for captured people: opened, corrected, and brought onto the robot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from animato.character import Character
from animato.errors import AnimatoError, OptionError, unknown_name
from animato.motion import Clip
from animato.studio.capturing.capture_files import place_of, shipped_captures
from animato.studio.capturing.captured import Captured, place_from, stretches_from
from animato.studio.capturing.errands import follow, look, perform, transfer, warm
from animato.studio.capturing.landmarks import LANDMARKS, mirror_name
from animato.studio.capturing.seen import Followed, Seen
from animato.studio.capturing.showing import message_of
from animato.studio.desk import Answer, Desk, Fields, Page, Tool
from animato.studio.document import Document, Take
from animato.studio.watching import Moving, moving
from animato.studio.workers import Job, Workshop

_LABEL = "brought onto the robot"
_LANE = "capture"
_QUICK_BYTES = 3_000_000  # more is read as a job
_QUICK_S = 15.0  # longer ones are followed as a job
_REMEMBERED = 6


class CaptureTool(Tool):
    """Reads captures, shows who is who and what stands when, and has the robot do the same.

    The robot follows the person a moment after every change; in balance it does so when it is asked to.

    Attributes:
        name: Of the tool.
    """

    name = "capture"

    def __init__(self, desk: Desk, workshop: Workshop) -> None:
        """At a desk."""
        self._desk, self._workshop = desk, workshop
        self._known: list[tuple[Captured, Character, Seen]] = []
        self._asked: tuple[Captured, Character] | None = None
        self._shown: tuple[str, Captured, Character] | None = None
        self._solving: tuple[Captured, Job] | None = None
        self._following: Job | None = None

    def answers(self) -> Mapping[str, Answer]:
        """Its messages."""
        return {
            "capture.enter": self._enter,
            "capture.open": self._open,
            "capture.map": self._map,
            "capture.contacts": self._contacts,
            "capture.range": self._range,
            "capture.option": self._option,
            "capture.solve": self._solve,
            "capture.transfer": self._transfer,
            "capture.joint": self._joint,
        }

    def state(self) -> Mapping[str, Any]:
        """Captures that come with animato."""
        return {"shipped": shipped_captures()}

    def welcome(self, page: Page) -> None:
        """Shows the person to a page that has come."""
        self._follow_again()
        take, captured = self._here()
        seen = None if captured is None else self._seen(captured)
        if take is not None and captured is not None and seen is not None:
            self._tell(take, captured, seen, page)
        else:
            self._look()

    def changed(self, before: Document, after: Document) -> None:
        """Shows the person of the take that is open now."""
        self._follow_again()
        self._look()

    # --- What pages ask for -------------------------------------------------------------------------------------------
    def _enter(self, page: Page, fields: Fields) -> None:
        """Somebody is about to open a capture."""
        self._workshop.quickly("capture warm", warm, self._desk.document.character, then=lambda _: None)

    def _open(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """`file` in the project, or the name of a capture that comes with animato; becomes a take when it is read."""
        captured = Captured(fields.text("file"))
        place, character = self._place(captured), self._desk.document.character
        then = partial(self._opened, character, captured)
        self._work(f"reading '{Path(captured.file).name}'", place, captured, then)
        return {}

    def _map(self, page: Page, fields: Fields) -> None:
        """Who is who: `part` is a landmark.

        `person` are the bones or markers that it is made from, none leave it out; `body` and `at` [m] are where the
        robot has it; `weight` is how much it counts; `found` is "person", "robot" or "all" for what is found by itself.
        """
        take, captured = self._open_take()
        part = fields.choice("part", LANDMARKS)
        own = mirror_name(part) if captured.wishes.mirror else part
        person, robot, weights = dict(captured.person), dict(captured.robot), dict(captured.weights)
        if fields.has("found"):
            which = fields.choice("found", ("person", "robot", "all"))
            if which != "robot":
                person.pop(own, None)
            if which != "person":
                robot.pop(part, None)
        if fields.has("person"):
            person[own] = self._sources(captured, fields)
        if fields.has("body"):
            place = place_from(fields)
            bodies = [body.name for body in self._desk.document.character.bodies]
            if place[0] not in bodies:
                raise unknown_name("body", place[0], bodies, self._desk.document.character.name)
            robot[part] = place
        if fields.has("weight"):
            weights[part] = fields.number("weight", least=0.0, most=100.0)
        label = f"{part.replace('_', ' ')} corrected"
        self._edit(label, take, replace(captured, person=person, robot=robot, weights=weights), fields)

    def _contacts(self, page: Page, fields: Fields) -> None:
        """When a `part` stands, such as "left heel", or both of a `foot`: `intervals`; null for as it was found."""
        take, captured = self._open_take()
        seen = self._latest(captured)
        known = list(seen.contacts) if seen is not None else []
        if fields.has("foot"):
            side = fields.choice("foot", ("left", "right"))
            parts = [part for part in known if part in (f"{side} heel", f"{side} toe")]
        else:
            parts = [fields.choice("part", known)]
        contacts = {part: one for part, one in captured.contacts.items() if part not in parts}
        if fields.has("intervals"):
            stretches = stretches_from(fields, "intervals")
            contacts |= dict.fromkeys(parts, stretches)
        self._edit("contact changed", take, replace(captured, contacts=contacts), fields)

    def _range(self, page: Page, fields: Fields) -> None:
        """The part of the file from `start` to `end` [s]; null for its own beginning or end."""
        take, captured = self._open_take()
        start = fields.number("start") if fields.has("start") else None
        end = fields.number("end") if fields.has("end") else None
        if start is not None and end is not None and end - start < 0.3:
            raise OptionError(f"At least 0.3 s of a capture are needed; given {start:g} to {end:g} s.")
        self._edit("part of the capture", take, replace(captured, start_s=start, end_s=end), fields)

    def _option(self, page: Page, fields: Fields) -> None:
        """A wish by `name`, its `value`."""
        take, captured = self._open_take()
        wishes = captured.wishes.with_value(fields.text("name"), fields)
        changed = replace(captured, wishes=wishes)
        if wishes.mirror != captured.wishes.mirror:  # what was said of the left foot is about the right one now
            contacts = {mirror_name(part): one for part, one in captured.contacts.items()}
            changed = replace(changed, contacts=contacts)
        self._edit("wish changed", take, changed, fields)

    def _solve(self, page: Page, fields: Fields) -> Mapping[str, Any]:
        """The robot does it in balance and inside its limits; a job."""
        take, captured = self._open_take()
        seen = self._seen(captured)
        if seen is not None and seen.trouble:
            raise OptionError(seen.trouble)
        if self._solving is not None and not self._solving[1].over:
            if self._solving[0] is captured:
                return {"job": self._solving[1].number}
            self._solving[1].cancel()  # it was about another one
        character = self._desk.document.character
        job = self._workshop.start(
            f"bringing '{take.name}' onto {character.name}",
            perform,
            character,
            self._place(captured),
            captured,
            then=partial(self._performed, character, take),
        )
        self._solving = (captured, job)
        return {"job": job.number}

    def _transfer(self, page: Page, fields: Fields) -> None:
        """Angles of bones onto joints of the same names."""
        take, captured = self._open_take()
        self._hand_over(take, captured, partial(self._transferred, take))

    def _joint(self, page: Page, fields: Fields) -> None:
        """A `joint` takes over the angles of a `bone`; of the one that its name tells where that is ""."""
        take, captured = self._open_take()
        names = [joint.name for joint in self._desk.document.character.free_joints]
        joint, bone = fields.choice("joint", names), fields.text("bone", "")
        seen = self._latest(captured)
        if bone and seen is not None and bone not in seen.bones:
            raise unknown_name("bone", bone, seen.bones, captured.file)
        joints = {name: one for name, one in captured.joints.items() if name != joint}
        changed = replace(captured, joints={**joints, joint: bone} if bone else joints, plain=None)
        edited = take.made_anew(changed, take.motion)
        if seen is not None:
            self._remember(changed, self._desk.document.character, seen)
        self._desk.edit_take(f"{joint.replace('_', ' ')} takes over angles", edited, fields.text("gesture", ""))
        self._hand_over(edited, changed, partial(self._amended, edited))

    def _hand_over(self, take: Take, captured: Captured, then: Any) -> None:
        character, place = self._desk.document.character, self._place(captured)
        lane, joints = "capture transfer", dict(captured.joints)
        self._workshop.quickly(lane, transfer, character, place, joints, then=then, failed=self._trouble)

    # --- What came out ------------------------------------------------------------------------------------------------
    def _opened(self, character: Character, captured: Captured, followed: Followed) -> None:
        document = self._desk.document
        if document.character is not character:
            return
        opened = captured.beside(followed.pace)
        self._remember(opened, character, followed.seen)
        stem = Path(captured.file).stem
        name = document.free_name(stem if any(letter.isalnum() for letter in stem) else "capture")
        self._desk.edit_take("capture opened", Take(name, opened, followed.clip, remark=followed.words))

    def _followed(self, character: Character, asked: Take, followed: Followed) -> None:
        if not isinstance(asked.source, Captured):
            return
        captured = asked.source.beside(followed.pace or asked.source.pace)
        self._remember(captured, character, followed.seen)
        clip = followed.clip if followed.clip is not None else asked.motion
        self._desk.amend_take(asked, asked.made_anew(captured, clip, followed.words))

    def _performed(self, character: Character, asked: Take, found: Followed) -> None:
        document = self._desk.document
        if document.character is not character or not isinstance(asked.source, Captured):
            self._say(f"'{asked.name}' was brought onto a character that is no longer here.", "plain")
            return
        captured = asked.source.beside(found.pace, found.kinematic)
        self._remember(captured, character, found.seen)
        now = next((one for one in document.takes if one.name == asked.name), None)
        same = now is not None and isinstance(now.source, Captured) and _same(now.source, asked.source)
        take = asked if same else replace(asked, name=document.free_name(f"{asked.name} retargeted"))
        take = take.made_anew(captured, found.clip, found.words)
        self._desk.edit(_LABEL, document.with_take(take, opened=False))
        if not same:
            self._say(f"'{asked.name}' has changed meanwhile; what came out is the take '{take.name}'.", "plain")
        self._say(found.words, "good" if found.good else "bad")

    def _transferred(self, asked: Take, found: tuple[Clip, str]) -> None:
        now = next((one for one in self._desk.document.takes if one.name == asked.name), None)
        if now is not None and now.source is asked.source:
            self._desk.edit_take("angles taken over", _with_angles(now, *found))

    def _amended(self, asked: Take, found: tuple[Clip, str]) -> None:
        self._desk.amend_take(asked, _with_angles(asked, *found))

    # --- Its parts ----------------------------------------------------------------------------------------------------
    def _edit(self, label: str, take: Take, captured: Captured, fields: Fields) -> None:
        """Puts the edited take in its place; the robot follows a moment later."""
        captured = captured.beside(captured.pace)
        edited, character = take.made_anew(captured, take.motion), self._desk.document.character
        before = self._latest(captured)
        if before is not None:  # is shown until more is known
            self._remember(captured, character, before)
        self._asked = (captured, character)
        self._desk.edit_take(label, edited, fields.text("gesture", ""))
        then = partial(self._followed, character, edited)
        self._work(f"following '{Path(captured.file).name}'", self._place(captured), captured, then)

    def _work(self, title: str, place: str, captured: Captured, then: Any) -> None:
        """Follows the person: at once, or as a job where that takes a while."""
        character, file = self._desk.document.character, Path(place)
        seen = next((seen for one, _, seen in self._known if one.file == captured.file), None)
        first, last = (0.0, 0.0) if seen is None else seen.span
        length = (captured.end_s or last) - (captured.start_s or first)
        if self._following is not None and not self._following.over:
            self._following.cancel()  # it was about what there was before
        if length > _QUICK_S or (file.is_file() and file.stat().st_size > _QUICK_BYTES):
            self._following = self._workshop.start(title, follow, character, place, captured, then=then)
        else:
            self._workshop.quickly(_LANE, follow, character, place, captured, then=then, failed=self._trouble)

    def _follow_again(self) -> None:
        """A take whose motion is not in the project any more follows its person anew, once."""
        take, captured = self._here()
        if take is None or captured is None or take.motion is not None or self._seen(captured) is not None:
            return  # what was seen was followed too; where that gave no motion, it would not now
        character = self._desk.document.character
        if self._asked is not None and self._asked[0] is captured:
            return  # it is on its way
        try:
            place = self._place(captured)
        except AnimatoError:
            return  # told when it is looked at
        self._asked = (captured, character)
        self._work(f"following '{Path(captured.file).name}'", place, captured, partial(self._followed, character, take))

    def _look(self) -> None:
        """Shows the person of the open take, or that there is none."""
        take, captured = self._here()
        character = self._desk.document.character
        if take is None or captured is None:
            if self._shown is not None:
                self._shown = None
                self._desk.tell("capture.none", {}, newest_of="capture")
            return
        shown = self._shown
        if shown is not None and shown[0] == take.name and shown[1] is captured and shown[2] is character:
            return
        seen = self._seen(captured)
        if seen is not None:
            self._shown = (take.name, captured, character)
            self._tell(take, captured, seen)
        elif self._asked is None or self._asked[0] is not captured or self._asked[1] is not character:
            self._asked = (captured, character)
            try:
                place = self._place(captured)
            except AnimatoError as error:  # the file is gone; the motion that was made from it is not
                self._say(str(error), "bad")
                return
            then = partial(self._looked, captured, character)
            self._workshop.quickly("capture look", look, character, place, captured, then=then, failed=self._trouble)

    def _tell(self, take: Take, captured: Captured, seen: Seen, page: Page | None = None) -> None:
        """The person, and the motion before balance where there is one."""
        character = self._desk.document.character
        self._desk.show("capture", *message_of(take.name, character, captured, seen), page, newest_of="capture")
        if captured.plain is None:
            self._plain_shown(take.name, page, None)
        else:
            then = partial(self._plain_shown, take.name, page)
            self._workshop.quickly("capture plain", moving, character, captured.plain, then=then)

    def _plain_shown(self, take: str, page: Page | None, motion: Moving | None) -> None:
        arrays = {} if motion is None else motion.arrays()
        values = {"take": take, "frames": 0 if motion is None else len(motion.times)}
        self._desk.show("capture.plain", values, arrays, page, newest_of="capture plain")

    def _looked(self, captured: Captured, character: Character, seen: Seen) -> None:
        self._remember(captured, character, seen)
        self._look()

    def _here(self) -> tuple[Take | None, Captured | None]:
        take = self._desk.document.open_take
        return take, take.source if take is not None and isinstance(take.source, Captured) else None

    def _open_take(self) -> tuple[Take, Captured]:
        take, captured = self._here()
        if take is None or captured is None:
            raise OptionError("No capture is open; drop a file on the page, or choose one in the list.")
        return take, captured

    def _seen(self, captured: Captured) -> Seen | None:
        character = self._desk.document.character
        return next((seen for one, who, seen in self._known if one is captured and who is character), None)

    def _latest(self, captured: Captured) -> Seen | None:
        """What was seen last of the same file; it may have been read otherwise."""
        character = self._desk.document.character
        same = (seen for one, who, seen in self._known if one.file == captured.file and who is character)
        return self._seen(captured) or next(same, None)

    def _remember(self, captured: Captured, character: Character, seen: Seen) -> None:
        self._known = [(captured, character, seen), *self._known][:_REMEMBERED]

    def _place(self, captured: Captured) -> str:
        return place_of(self._desk.folder, captured.file)

    def _sources(self, captured: Captured, fields: Fields) -> tuple[str, ...]:
        names, seen = fields.raw("person"), self._latest(captured)
        known = () if seen is None else seen.bones
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            raise OptionError(f"`person` is a list of bones or markers; given {names!r:.60}.")
        for name in names:
            if name not in known:
                raise unknown_name("bone", name, known, captured.file)
        return tuple(names)

    def _trouble(self, words: str) -> None:
        self._say(words, "bad")

    def _say(self, words: str, kind: str) -> None:
        self._desk.tell("toast", {"words": words, "kind": kind})


def _same(one: Captured, other: Captured) -> bool:
    """Whether both say the same; the pace of the motion does not count."""
    return one is other or one.beside(()).__dict__ == other.beside(()).__dict__


def _with_angles(take: Take, clip: Clip, words: str) -> Take:
    return take.made_anew(take.source, clip, f"Angles of bones on joints, no more. {words}".strip())
