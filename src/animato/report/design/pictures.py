"""Initial and optimized design side by side over the target, and where their joints are."""

from __future__ import annotations

import numpy as np

from animato.design.optimization import Performance, Solution
from animato.report.design.amounts import cm, deg
from animato.report.design.charts import step_times
from animato.report.design.marks import joint_marks, target_marks, wanted_bodies
from animato.report.design.views import DesignViews, set_views, telling_steps
from animato.report.kit import Markup, data_address, element, package_text

WIDTH, HEIGHT = 560, 460


def picture_sections(solution: Solution) -> list[Markup]:
    """Two sections: both designs over the target at a few moments, and the joints of both."""
    views, times = set_views(solution, width=WIDTH, height=HEIGHT), step_times(solution)
    figures = [
        _figure(
            _over_target(views, one, step),
            element("span", element("b", f"{name}, "), _miss(one, step)),
            data_time=f"{times[step]:.4f}",
        )
        for step in telling_steps(solution)
        for one, name in _both(solution)
    ]
    over = element(
        "section",
        element("h2", "Over the target"),
        element(
            "p",
            "Where the initial design is farthest off.",
            _swatch("wanted", "where points and bodies should be, with the whole way of a point"),
            _swatch("done", "where points are and go"),
            ". Broad axes: how a body should be turned; thin: how it is.",
            class_="lead",
        ),
        element("div", *figures, class_="pairs"),
    )
    return [over, _joints_section(views)]


def draw_before_after(solution: Solution) -> Markup:
    """Both designs over the target at the worst moment of the initial one, as a picture of its own."""
    views = set_views(solution, width=WIDTH, height=HEIGHT)
    step = telling_steps(solution, 1)[0]
    panels = []
    for n, (one, name) in enumerate(_both(solution)):
        label = element("text", f"{name}, {_miss(one, step)}", x=12, y=26)
        panels.append(element("g", _over_target(views, one, step), label, transform=f"translate({n * (WIDTH + 12)},0)"))
    words = "text { font: 600 15px system-ui, Arial, sans-serif; fill: #1d1d20; }"
    return element(
        "svg",
        element("title", f"{solution.problem.character.name}, initial and optimized"),
        element("style", Markup(package_text("design_marks.css") + words)),
        *panels,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {2 * WIDTH + 12} {HEIGHT}",
        width=2 * WIDTH + 12,
        height=HEIGHT,
        role="img",
    )


def _both(solution: Solution) -> tuple[tuple[Performance, str], tuple[Performance, str]]:
    return (solution.initial, "Initial"), (solution.optimized, "Optimized")


def _swatch(class_: str, words: str) -> Markup:
    return element("span", element("span", class_=f"swatch {class_}"), words)


def _over_target(views: DesignViews, performance: Performance, step: int) -> Markup:
    """A picture with all marks, as SVG."""
    return _drawn(
        views, views.jpeg(performance, step, wanted_bodies(performance, step)), target_marks(views, performance, step)
    )


def _drawn(views: DesignViews, jpeg: bytes, marks: list[Markup]) -> Markup:
    image = element("image", href=data_address(jpeg, "image/jpeg"), width=views.width, height=views.height)
    size = f"0 0 {views.width} {views.height}"
    return element("svg", image, *marks, viewBox=size, width=views.width, height=views.height, role="img")


def _figure(picture: Markup, words: Markup, **about: str) -> Markup:
    seen = element("div", picture, class_="seen")
    return element("figure", seen, element("figcaption", words), class_="pair", **about)


def _miss(performance: Performance, step: int) -> str:
    """When, and how far the worst target is off then."""
    errors, (motion, first) = performance.errors, performance.problem.motion_at(step)
    words = []
    for table, say, factor in ((errors.positions, cm, 100.0), (errors.orientations, deg, 180.0 / np.pi)):
        if np.isfinite(table[step]).any():
            words.append(say(factor * float(np.nanmax(table[step]))))
    return f"{(step - first) / motion.rate_hz:.2f} s: {' and '.join(words)} off"


def _joints_section(views: DesignViews) -> Markup:
    solution = views.solution
    figures = [
        _figure(_drawn(views, views.jpeg(one, 0), joint_marks(views, one, before)), element("b", name))
        for one, before, name in (
            (solution.initial, None, "Initial, first step"),
            (solution.optimized, solution.initial, "Optimized, first step; dashed: axes as they were"),
        )
    ]
    return element(
        "section",
        element("h2", "Joints"),
        element(
            "p",
            _swatch("actuated", "actuators"),
            _swatch("configurable", "configurable joints"),
            _swatch("passive", "other joints"),
            ". A line is the axis of a joint.",
            class_="lead",
        ),
        element("div", *figures, class_="pairs"),
    )
