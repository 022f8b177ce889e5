"""A loop with parts that bend is drawn closed: what motors do moves the passive joints."""

from __future__ import annotations

import numpy as np

from animato.formats import load_character
from animato.loading import load_clip
from animato.view.scene.posing import pose_bodies


def test_the_rapper_is_drawn_with_its_elbow_closed() -> None:
    rapper = load_character("rapper")
    clip = load_clip("rapper_verse", rapper)
    assert "elbow" not in clip.names
    poses = pose_bodies(rapper, clip, np.linspace(0.0, clip.duration, 21))
    bend = rapper.joint("elbow")
    on_elbow = poses.of("elbow").apply(bend.frame_parent.position)
    on_forearm = poses.of("forearm").apply(bend.frame_child.position)
    np.testing.assert_allclose(
        on_forearm, on_elbow, atol=1e-5
    )  # the clip's frames are exact, the spline between them is not
