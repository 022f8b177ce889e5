"""Broken files: each is refused in words, or is a character after all. Nothing else may happen."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from animato.character.character import Character
from animato.errors import AnimatoError
from animato.formats.character_files import load_character

YAML = """\
animato: 1
name: crane
materials:
  steel: &steel {density: 7850, youngs_modulus: 200 GPa}
bodies:
  base: {mass: 1.2, centre: [0, 0, 0.1], inertia: [0.1, 0.2, 0.25, 0, 0, 0]}
  arm:
    density: 1040
    shapes:
      - box: {size: [10 cm, 0.1, 0.2]}
        at: [0, 0, 0.1]
        colour: [0.9, 0.4, 0.2]
      - mesh: {path: arm.stl}
  hand: {mass: 20 g}
joints:
  stand: {type: ground, child: base}
  shoulder:
    type: revolute
    parent: base
    child: arm
    at: [0, 0, 0.2]
    axis: z
    limits: {lower: -90 deg, upper: 90 deg, velocity: 77 rpm, curve: {speeds: [0, 8], torques: [3, 0]}}
    actuator: {servo: XM430-W210}
  wrist:
    type: universal
    parent: arm
    child: hand
    limits: [{lower: -1}, {upper: 1}]
  rod: {type: spherical, role: passive, parent: base, child: hand, child_at: [0, 0, 0.1]}
flexible_parts:
  whip:
    rod: {radius: 2.5 mm, length: 45 cm}
    material: *steel
    interfaces: [{body: hand, at: [0, 0, 0.1]}]
end_points: {tip: {body: hand, forward: z, up: x}}
soles: {foot: {body: base, corners: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}
markers: {nose: {body: hand, at: [0, 0, 1 cm]}}
postures: {rest: {shoulder: 10 deg, wrist.first: 0.2}}
ignored_collisions: [[base, arm]]
"""

URDF = """\
<?xml version="1.0"?>
<robot name="crane">
  <material name="red"><color rgba="0.9 0.1 0.1 1"/></material>
  <link name="world"/>
  <link name="base">
    <inertial><origin xyz="0 0 0.1" rpy="0.1 0 0"/><mass value="1.2"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.25"/></inertial>
    <visual><geometry><box size="0.1 0.2 0.3"/></geometry><material name="red"/></visual>
    <collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
  </link>
  <link name="arm">
    <inertial><mass value="0.5"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial>
    <visual><origin xyz="0 0 0.1"/><geometry><mesh filename="package://crane/arm.stl" scale="0.1 0.1 0.1"/></geometry>
    </visual>
  </link>
  <link name="hand"><visual><geometry><sphere radius="0.1"/></geometry></visual></link>
  <link name="finger"><collision><geometry><cylinder radius="0.1" length="0.2"/></geometry></collision></link>
  <joint name="stand" type="fixed"><parent link="world"/><child link="base"/></joint>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.2" rpy="0 0.1 0"/>
    <parent link="base"/>
    <child link="arm"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1.5" upper="1.5" effort="3" velocity="8"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/><axis xyz="0 1 0"/></joint>
  <joint name="grip" type="prismatic">
    <parent link="hand"/><child link="finger"/>
    <limit lower="0" upper="0.1" effort="0" velocity="0"/><mimic joint="wrist" multiplier="0.1" offset="0.01"/>
  </joint>
</robot>
"""

MJCF = """\
<mujoco model="crane">
  <compiler angle="degree" meshdir="meshes"/>
  <default><default class="arm"><joint damping="0.1" armature="0.01"/></default></default>
  <asset><mesh name="arm" file="arm.stl"/><material name="red" rgba="1 0 0 1"/></asset>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="base" pos="0 0 0.5"><geom type="box" size="0.1 0.1 0.2" material="red"/>
      <body name="arm" pos="0 0 0.2" childclass="arm" euler="10 20 30">
        <inertial pos="0 0 0.1" mass="0.5" diaginertia="0.01 0.02 0.02"/>
        <joint name="yaw" axis="0 0 1" range="-90 90" ref="10"/>
        <joint name="pitch" axis="0 1 0" pos="0 0 0.1"/>
        <geom type="mesh" mesh="arm"/>
        <site name="tip" pos="0 0 0.3"/>
        <body name="hand" pos="0 0 0.3"><joint name="twist" type="ball" range="0 50"/><geom size="0.05"/></body>
      </body>
      <body name="rod" pos="0.1 0 0.2"><joint name="lean" type="slide" axis="1 0 0"/><geom size="0.01"/>
      </body>
    </body>
  </worldbody>
  <equality>
    <joint joint1="lean" joint2="yaw" polycoef="0 0.1 0 0 0"/>
    <connect body1="rod" body2="hand" anchor="0 0 0.1"/>
  </equality>
  <actuator><motor joint="yaw" gear="10" ctrlrange="-2 2"/><position joint="pitch" kp="3" forcerange="-5 5"/></actuator>
  <contact><exclude body1="base" body2="arm"/></contact>
  <keyframe><key name="rest" qpos="0.1 0.2 1 0 0 0 0.3"/></keyframe>
</mujoco>
"""

VALUES = ["nan", ".nan", "inf", "-1", "0", "1e308", "-1e308", "1e999", "9" * 20, "text", "[1, 2]", "{a: 1}", "<"]
VALUES += ["", "true", "null", "~", "5 deg", "3 cm", "*steel", "&x 1", "!!int 3", "world", "base", "shoulder", "\t"]


def delete_line(lines: list[str], rng: random.Random) -> None:
    del lines[rng.randrange(len(lines))]


def repeat_line(lines: list[str], rng: random.Random) -> None:
    at = rng.randrange(len(lines))
    lines.insert(rng.choice([at, rng.randrange(len(lines))]), lines[at])


def swap_lines(lines: list[str], rng: random.Random) -> None:
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]


def indent_line(lines: list[str], rng: random.Random) -> None:
    at = rng.randrange(len(lines))
    lines[at] = rng.choice([" " + lines[at], "  " + lines[at], lines[at].lstrip(), "\t" + lines[at]])


def flip_byte(lines: list[str], rng: random.Random) -> None:
    at = rng.randrange(len(lines))
    data = bytearray(lines[at].encode("utf-8", "surrogateescape") or b" ")
    data[rng.randrange(len(data))] = rng.randrange(256)
    lines[at] = data.decode("utf-8", "surrogateescape")


def other_value(lines: list[str], rng: random.Random) -> None:
    """Another value in the place of a number, of a quoted text, or behind a key."""
    places = [
        (number, match)
        for number, line in enumerate(lines)
        for match in re.finditer(r"(?<=: )[^,{}\[\]]+|-?\d+\.?\d*|(?<=\")[^\"]*(?=\")", line)
    ]
    if not places:
        return
    number, match = rng.choice(places)
    lines[number] = lines[number][: match.start()] + rng.choice(VALUES) + lines[number][match.end() :]


def other_word(lines: list[str], rng: random.Random) -> None:
    """A word of the file in the place of another one: wrong references, renamed keys, cyclic parents."""
    words = [(n, match) for n, line in enumerate(lines) for match in re.finditer(r"[A-Za-z_]+", line)]
    if not words:
        return
    number, match = rng.choice(words)
    word = rng.choice([rng.choice(words)[1][0], match[0][:-1], match[0] + "x"])
    lines[number] = lines[number][: match.start()] + word + lines[number][match.end() :]


def cut_off(lines: list[str], rng: random.Random) -> None:
    at = rng.randrange(len(lines))
    lines[at:] = [lines[at][: rng.randrange(len(lines[at]) + 1)]]


MUTATIONS: list[Callable[[list[str], random.Random], None]] = [
    delete_line,
    repeat_line,
    swap_lines,
    indent_line,
    flip_byte,
    other_value,
    other_value,
    other_value,
    other_word,
    other_word,
    cut_off,
]


def mutated(text: str, seed: int) -> bytes:
    rng = random.Random(seed)
    lines = text.splitlines()
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if lines:
            rng.choice(MUTATIONS)(lines, rng)
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def outcome(path: Path, content: bytes) -> str:
    """Loads a file and says what came of it; anything but an error of animato escapes."""
    path.write_bytes(content)
    try:
        character = load_character(path)
    except AnimatoError as error:
        assert str(error)
        assert "\n" not in str(error)
        return "refused"
    assert isinstance(character, Character)
    return "read"


def printed(capfd: pytest.CaptureFixture[str]) -> str:
    """What was printed by anybody, C++ included, apart from the one note that kernels are compiled."""
    out, err = capfd.readouterr()
    return out + err.replace("animato: compiling kernels; this happens once and is cached.\n", "")


def outcomes(text: str, suffix: str, count: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    monkeypatch.chdir(folder)
    found = {outcome(folder / f"crane{suffix}", mutated(text, seed)) for seed in range(count)}
    assert os.listdir(folder) == [f"crane{suffix}"]  # noqa: PTH208 - no log file is left behind
    return found


@pytest.mark.parametrize(("text", "suffix"), [(YAML, ".yaml"), (URDF, ".urdf")], ids=["yaml", "urdf"])
def test_mutated_files_are_refused_in_words_or_read(
    text: str, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    assert outcome(tmp_path / f"crane{suffix}", text.encode()) == "read"
    assert outcomes(text, suffix, 100, tmp_path, monkeypatch) == {"refused", "read"}
    assert printed(capfd) == ""


def test_mutated_mjcf_is_refused_in_words_or_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    pytest.importorskip("mujoco")
    assert outcome(tmp_path / "crane.xml", MJCF.encode()) == "read"
    assert outcomes(MJCF, ".xml", 50, tmp_path, monkeypatch) == {"refused", "read"}
    assert printed(capfd) == ""
