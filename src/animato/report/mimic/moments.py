"""Person and robot side by side: at moments that tell the motion, and once with every landmark numbered."""

from __future__ import annotations

import io

import numpy as np

from animato.findings import seconds
from animato.report.kit import Markup, data_address, element
from animato.report.mimic.shown import Shown, plain
from animato.report.mimic.sticks import edges_of, stick_figure
from animato.report.mimic.words import millimetres
from animato.view.raster import Camera, Look, framing
from animato.view.scene import key_frames, outline_points, set_stage

_SIZE = 520


def moment_cards(shown: Shown, count: int = 6) -> Markup:
    """The person with mesh and markers beside the robot with its own, at a few moments."""
    cards = []
    for frame in key_frames(shown.solution.clip.resampled(shown.times), count):
        worst = int(np.argmax(shown.after[frame]))
        off = millimetres(float(shown.after[frame].mean()))
        name = plain(shown.solution.problem.landmarks[worst])
        caption = element(
            "figcaption",
            element("b", seconds(float(shown.times[frame]))),
            f": key-points {off} off, most the {name} ({millimetres(float(shown.after[frame, worst]))})",
        )
        moment = {"data_time": f"{shown.times[frame]:.4f}"}
        cards.append(element("figure", _pair(shown, frame, mesh=True), caption, class_="pair", **moment))
    return element("div", *cards, class_="moments")


def mapping_picture(shown: Shown) -> Markup:
    """The first frame with every landmark numbered on both sides."""
    return element("figure", _pair(shown, 0, numbers=True), class_="pair", style="max-width:760px")


def mapping_table(shown: Shown) -> Markup:
    """Which bones or markers of the capture are which landmark, and where the robot has it."""
    problem = shown.solution.problem
    rows = []
    for number, name in enumerate(shown.names, start=1):
        point = problem.anatomy.point(name)
        sources = problem.person.sources[problem.person.names.index(name)]
        where = ", ".join(f"{100.0 * value:.3g}" for value in point.position)
        cells = (", ".join(sources), point.body, f"({where}) cm", plain(point.joint) or "-")
        head = (element("td", number, class_="number-cell"), element("th", plain(name), scope="row"))
        rows.append(element("tr", *head, *(element("td", cell) for cell in cells)))
    heads = ("", "landmark", "of the capture", "body of the robot", "on it at", "joint")
    top = element("tr", *(element("th", head, scope="col") for head in heads))
    table = element("table", element("thead", top), element("tbody", *rows), class_="joints plain")
    return element("div", table, class_="scroll")


def render_moment(shown: Shown, frame: int, size: int = _SIZE) -> tuple[np.ndarray, Camera]:
    """The robot at a knot, sRGB bytes [size, size, 3], and the camera that sees the person as well."""
    solution = shown.solution
    character = solution.problem.character
    still = solution.clip.resampled(shown.times[frame : frame + 1])
    stage = set_stage(character, still, width=size, height=size, look=Look(labels=False))
    cloud = np.vstack([shown.person[frame], outline_points(stage.scene, stage.poses(still.times))])
    away = np.subtract(stage.camera.eye, stage.camera.target)
    camera = framing(cloud, direction=away, aspect=1.0, margin=0.05)
    return stage.picture(float(shown.times[frame]), camera=camera), camera


def _pair(shown: Shown, frame: int, *, mesh: bool = False, numbers: bool = False) -> Markup:
    image, camera = render_moment(shown, frame)
    person, robot = shown.person[frame], shown.robot[frame]
    edges = edges_of(person) if mesh else None
    left = stick_figure(person, shown.names, camera, _SIZE, edges=edges, numbers=numbers)
    marks = "marker" if numbers else "marker-robot"
    right = stick_figure(robot, shown.names, camera, _SIZE, bones=False, edges=edges, marks=marks, numbers=numbers)
    picture = element("img", src=_address(image), alt=f"The robot at {seconds(float(shown.times[frame]))}")
    sides = (element("div", left, class_="side"), element("div", picture, right, class_="side"))
    return element("div", *sides, class_="sides")


def _address(image: np.ndarray) -> str:
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(image).save(stream, "WEBP", quality=80, method=4)
    return data_address(stream.getvalue(), "image/webp")
