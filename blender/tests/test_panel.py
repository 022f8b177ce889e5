# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel draws in every state, with fields and buttons that exist; and the add-on is a valid extension."""

import tomllib
from pathlib import Path
from types import SimpleNamespace

import bpy
from animato_bridge import jobs, panel, preferences
from driving import imported


class _Layout:
    """Remembers what is drawn; refuses operators and properties that Blender does not know."""

    def __init__(self):
        self.drawn = []

    def label(self, text, icon="NONE"):
        self.drawn.append(text)

    def operator(self, name, icon="NONE", text=""):
        room, word = name.split(".")
        getattr(getattr(bpy.ops, room), word).get_rna_type()  # raises where there is none
        self.drawn.append(name)
        return SimpleNamespace()

    def prop(self, owner, name, **_):
        getattr(owner, name)
        self.drawn.append(name)

    def row(self):
        return self

    box = row

    def column(self, align=False):
        return self


def drawn():
    layout = _Layout()
    here = SimpleNamespace(layout=layout)
    here._draw_said = lambda job: panel.ANIMATO_PT_panel._draw_said(here, job)
    panel.ANIMATO_PT_panel.draw(here, bpy.context)
    return layout.drawn


def test_panel_in_every_state():
    jobs.state.job, jobs.state.said = None, ()
    assert drawn() == ["animato.import_character", "Select a robot's armature."]
    imported("lamp")
    said = drawn()
    assert {"animato.check", "animato.fix", "time_share", "lamp: 5 bones."} <= set(said)

    def endless():
        while True:
            yield jobs.Waiting("counting")

    jobs.start("count", endless()).tick()
    assert drawn() == ["count: counting", "animato.cancel"]
    jobs.cancel()
    jobs.state.job.error = "It is too dark."
    assert "It is too dark." in drawn()


def test_preferences_say_what_is_found():
    layout = _Layout()
    preferences.AnimatoPreferences.draw(SimpleNamespace(layout=layout, program=""), bpy.context)
    assert layout.drawn[-1].startswith("Found: ")


def test_manifest_says_what_blender_asks_for():
    told = tomllib.loads((Path(panel.__file__).parent / "blender_manifest.toml").read_text())
    asked = {
        "schema_version",
        "id",
        "version",
        "name",
        "tagline",
        "maintainer",
        "type",
        "blender_version_min",
        "license",
    }
    assert asked <= told.keys()
    assert len(told["tagline"]) <= 64
    assert not told["tagline"].endswith(".")
    assert len(told["permissions"]["files"]) <= 64
    assert not told["permissions"]["files"].endswith(".")
