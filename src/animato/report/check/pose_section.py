"""The part of the page that shows the character itself: its worst moments and the poses that tell the motion."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np

from animato.errors import AnimatoError
from animato.findings import CheckResult, Finding, seconds, unbroken
from animato.report.check.film_section import PLAYER, said
from animato.report.kit import Markup, data_address, element
from animato.view.raster import Look
from animato.view.scene import Stage, key_frames, set_stage

PICTURE_COUNT = 8
WORST_COUNT = 4
SIZE = 380  # pixels along each side
TOGETHER = 0.03  # moments nearer than this share of the clip are one picture


@dataclass(frozen=True)
class Moment:
    """A moment to be drawn.

    Attributes:
        time: [s].
        frame: The clip's frame nearest to it.
        findings: What is too much about then; empty for a pose that merely tells the motion.
    """

    time: float
    frame: int
    findings: tuple[Finding, ...] = ()


def moments_to_draw(result: CheckResult) -> tuple[Moment, ...]:
    """The worst moments, those close in time together, and key poses between them, in the order of time."""
    near = TOGETHER * result.clip.duration
    worst: list[Moment] = []
    for finding in result.findings:
        known = next((n for n, moment in enumerate(worst) if abs(moment.time - finding.time) <= near), None)
        if known is not None:
            worst[known] = Moment(worst[known].time, worst[known].frame, (*worst[known].findings, finding))
        elif len(worst) < WORST_COUNT:
            worst.append(Moment(finding.time, finding.frame, (finding,)))
    moments = list(worst)
    for frame in key_frames(result.clip, min(PICTURE_COUNT - len(worst), result.clip.frame_count)):
        time = float(result.clip.times[frame])
        if all(abs(moment.time - time) > near for moment in worst):
            moments.append(Moment(time, frame))
    return tuple(sorted(moments, key=lambda moment: moment.time))


def pose_section(result: CheckResult) -> Markup:
    """Pictures of the character with their times; a ring is around each joint that is asked for too much."""
    moments = moments_to_draw(result)
    try:
        look = Look(supersampling=2)  # enough at this size, and quick
        stage = set_stage(result.character, result.clip, ghost=result.ghost, width=SIZE, height=SIZE, look=look)
        figures = [_figure(result, stage, moment) for moment in moments]
    except AnimatoError as error:  # a character that cannot be drawn can still be checked
        figures = [element("p", f"The character could not be drawn. {error}", class_="lead")]
    ringed = " A ring marks what is asked for too much." if result.findings else ""
    ghostly = " Translucent: the artist's motion." if result.ghost is not None else ""
    return element(
        "section",
        element("h2", "Key poses", id="poses"),
        element("p", "The motion at a glance.", ringed, ghostly, class_="lead"),
        element("div", *figures, class_="poses"),
    )


def _figure(result: CheckResult, stage: Stage, moment: Moment) -> Markup:
    words = said(result, moment.findings)
    when = f"{seconds(moment.time)}, frame {moment.frame}"
    picture = element(
        "img",
        src=data_address(_jpeg(stage.picture(moment.time)), "image/jpeg"),
        alt=f"{result.character.name} at {when}. {words}".strip(),
        width=SIZE,
        height=SIZE,
        loading="lazy",
    )
    joints = dict.fromkeys(finding.joint for finding in moment.findings)
    rings = [_ring(result, stage, moment.time, joint) for joint in joints]
    return element(
        "figure",
        element("div", picture, *rings, class_="pose-picture"),
        element("figcaption", element("b", when), element("span", unbroken(words)) if words else None),
        class_="pose over" if moment.findings else "pose",
        data_time=f"{moment.time:.4f}",
        data_player=PLAYER,
        data_joint=moment.findings[0].axis if moment.findings else None,
    )


def _ring(result: CheckResult, stage: Stage, time: float, name: str) -> Markup | None:
    """A ring around a joint, placed in percent so that it follows the picture's size."""
    joint = result.character.joint(name)
    place = (stage.poses([time]).of(joint.parent) @ joint.frame_parent.transform).position[0]
    (column, row), depth = stage.camera.project(place, stage.width, stage.height)
    if not (depth > 0.0 and 0.0 < column < stage.width and 0.0 < row < stage.height):
        return None
    where = f"left:{100.0 * column / stage.width:.1f}%;top:{100.0 * row / stage.height:.1f}%"
    return element("span", class_="ring", style=where, aria_hidden="true")


def _jpeg(picture: np.ndarray) -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(picture)).save(stream, format="JPEG", quality=84, optimize=True)
    return stream.getvalue()
