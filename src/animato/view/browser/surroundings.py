"""What is around a character in the browser: floor, light, backdrop and the place from where it is seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from animato.view.raster import round_step
from animato.view.scene import Stage


def set_surroundings(server: Any, stage: Stage) -> None:
    """Puts a stage's floor, light, backdrop and camera onto a page.

    Args:
        server: A viser server.
        stage: Whose surroundings they are.
    """
    scene = server.scene
    server.gui.configure_theme(
        show_logo=False, show_share_button=False, control_width="medium", brand_color=(33, 133, 153)
    )
    scene.configure_environment_map(hdri="warehouse", environment_intensity=0.55)
    size, ground = stage.scene.size, stage.ground
    step = round_step(0.22 * size)
    edge = 5.0 * step * np.ceil(max(30.0 * size, 4.0 * ground.fade) / (5.0 * step))
    scene.add_grid(
        "/floor",
        width=float(edge),
        height=float(edge),
        cell_size=step,
        section_size=5.0 * step,
        cell_color=(205, 210, 216),
        section_color=(180, 187, 196),
        fade_distance=12.0 * size,
        shadow_opacity=0.28,
        plane_color=(224, 227, 230),
        plane_opacity=1.0,
        position=(
            5.0 * step * round(ground.middle[0] / (5.0 * step)),
            5.0 * step * round(ground.middle[1] / (5.0 * step)),
            ground.height,
        ),
    )
    top, bottom = np.array(stage.look.top), np.array(stage.look.bottom)
    share = np.linspace(0.0, 1.0, 256)[:, None, None]
    backdrop = np.rint(255.0 * (top + share * (bottom - top))).astype(np.uint8)
    scene.set_background_image(np.repeat(backdrop, 8, axis=1))
    camera, first = stage.camera, server.initial_camera
    first.position, first.look_at, first.up = camera.eye, camera.target, camera.up
    first.fov = camera.field_of_view


def take_viewers_back(server: Any, stage: Stage) -> None:
    """Takes every viewer back to where the stage's camera is."""
    camera = stage.camera
    for client in server.get_clients().values():
        with client.atomic():
            client.camera.position = np.array(camera.eye)
            client.camera.look_at = np.array(camera.target)
            client.camera.up_direction = np.array(camera.up)
            client.camera.fov = camera.field_of_view
