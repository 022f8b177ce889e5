# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender without a window, with the add-on switched on; the program animato runs beside it."""

import os
import sys
from pathlib import Path

import bpy
import pytest

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
os.environ.setdefault("ANIMATO", str(PROJECT / ".venv" / "bin" / "animato"))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import animato_bridge  # noqa: E402
from animato_bridge import jobs  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def add_on():
    animato_bridge.register()
    yield animato_bridge
    animato_bridge.unregister()


@pytest.fixture(autouse=True)
def empty_scene():
    """A scene without objects, actions and markers, at 24 frames a second."""
    jobs.cancel()
    for things in (bpy.data.objects, bpy.data.armatures, bpy.data.meshes, bpy.data.actions, bpy.data.materials):
        for thing in list(things):
            things.remove(thing)
    bpy.context.scene.timeline_markers.clear()
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 24, 1.0
    bpy.context.scene.frame_set(1)
    yield
    jobs.cancel()


_ended = []


def pytest_sessionfinish(session, exitstatus):
    _ended.append(int(exitstatus))


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    # Blender 4.5 as a module hangs while Python clears up after it; all has been said by now.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(_ended[0] if _ended else 3)
