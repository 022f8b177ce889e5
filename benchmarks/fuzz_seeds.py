"""Small valid files of every format that animato reads: what the fuzzer damages."""

from __future__ import annotations

import io
import json
import struct
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from animato.formats.capture.bvh_writer import bvh_text
from animato.formats.tables.clip_csv import clip_csv_text
from animato.formats.tables.npz import npz_bytes
from animato.formats.tables.point_csv import markers_csv_text, stroke_csv_text
from animato.motion import CapturedMotion, Clip, MarkerMotion, Posture, Stroke
from animato.spatial import quaternions
from benchmarks.fuzz_robots import robot_files


@dataclass(frozen=True)
class Seed:
    """A file, and who reads it.

    Attributes:
        reader: Name of a function of `fuzz_worker.READERS`.
        name: Of the file; its suffix tells the format.
        data: All of it.
        beside: Files that stand beside it, by name.
    """

    reader: str
    name: str
    data: bytes
    beside: dict[str, bytes] = field(default_factory=dict)


YAML = """animato: 1
name: arm
description: "a small arm"
gravity: [0, 0, -9.81]
bodies:
  base: {mass: 1 kg, centre: [0, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
  arm: &arm
    mass: 0.2
    centre: [0, 0, 5 cm]
    inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0]
    shapes: [{box: {size: [2 cm, 2 cm, 10 cm]}, at: [0, 0, 0.05], colour: [0.2, 0.4, 0.6, 1]}]
  hand: {density: 700 kg/m^3, shapes: [{sphere: {radius: 2 cm}}]}
joints:
  ground: {type: ground, child: base}
  shoulder:
    {type: revolute, parent: base, child: arm, axis: [0, 1, 0], limits: {lower: -90 deg, upper: 90 deg, torque: 2 N.m}}
  slide: {type: prismatic, parent: arm, child: hand, axis: [0, 0, 1], limits: {lower: 0, upper: 3 cm, velocity: 0.5}}
end_points: {tip: {body: hand, at: [0, 0, 0.02]}}
postures: {up: {shoulder: 10 deg}}
"""

URDF = """<?xml version="1.0"?>
<robot name="crank">
  <link name="ground"/>
  <link name="crank"><inertial><origin xyz="0 0 .02" rpy="0 0.1 0"/><mass value="0.1"/>
    <inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><box size=".02 .02 .04"/></geometry><material name="m"><color rgba="1 0 0 1"/></material></visual>
    <collision><geometry><cylinder radius=".01" length=".04"/></geometry></collision></link>
  <link name="rod"><visual><geometry><mesh filename="package://crank/rod.stl" scale="1 1 1"/></geometry></visual></link>
  <link name="rocker"/><link name="a"/><link name="b"/>
  <joint name="motor" type="revolute"><parent link="ground"/><child link="crank"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" velocity="3" effort="2"/></joint>
  <joint name="pin" type="continuous"><parent link="crank"/><child link="rod"/><origin xyz="0 0 .04"/>
    <axis xyz="0 1 0"/></joint>
  <joint name="axle" type="continuous"><parent link="ground"/><child link="rocker"/><origin xyz=".1 0 0"/>
    <axis xyz="0 1 0"/></joint>
  <joint name="end_a" type="fixed"><parent link="rod"/><child link="a"/><origin xyz=".1 0 0"/></joint>
  <joint name="end_b" type="fixed"><parent link="rocker"/><child link="b"/><origin xyz="0 0 .08"/></joint>
</robot>
"""

LOOPS = "closed_loop: [[end_a, end_b]]\ntype: [3d]\nname_mot: [motor]\n"

MJCF = """<mujoco model="four">
  <compiler angle="radian"/>
  <option gravity="0 0 -9.81"/>
  <default><joint damping="0.1"/><geom rgba="1 0 0 1"/></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="a" pos="0 0 1"><joint name="ja" axis="0 1 0" range="-1 1"/>
      <geom type="capsule" size=".01" fromto="0 0 0 0 0 .1"/>
      <body name="b" pos="0 0 .1"><joint name="jb" axis="0 1 0"/><geom type="box" size=".01 .01 .05" pos=".1 0 0"/>
        <site name="tip" pos=".2 0 0"/></body></body>
    <body name="c" pos=".2 0 1"><joint name="jc" axis="0 1 0"/><geom type="sphere" size=".02" pos="0 0 .1"/></body>
  </worldbody>
  <equality><connect name="loop" body1="b" body2="c" anchor=".2 0 0"/></equality>
  <actuator><motor name="m" joint="ja" ctrlrange="-1 1" gear="1"/></actuator>
  <keyframe><key name="home" qpos="0.1 -0.1 0"/></keyframe>
</mujoco>
"""

USDA = """#usda 1.0
(
    defaultPrim = "r"
    upAxis = "Z"
    metersPerUnit = 1
)
def Xform "r"
{
    def Xform "a" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 1
        double3 xformOp:translate = (0, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Cube "box" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {
            double size = 0.1
        }
    }
    def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 2
        float3 physics:diagonalInertia = (1, 1, 1)
        double3 xformOp:translate = (1, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def PhysicsRevoluteJoint "hinge" (prepend apiSchemas = ["PhysicsDriveAPI:angular"])
    {
        rel physics:body0 = </r/a>
        rel physics:body1 = </r/b>
        point3f physics:localPos0 = (1, 0, 0)
        uniform token physics:axis = "Y"
        float physics:lowerLimit = -90
        float physics:upperLimit = 45
        float drive:angular:physics:maxForce = 20
    }
}
"""

ASF = """:version 1.10
:name arm
:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name arm
    direction 0 1 0
    length 3.2
    axis 0 0 20 XYZ
    dof rx ry
    limits (-160 20) (-70 70)
  end
:hierarchy
  begin
    root arm
  end
"""

AMC = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 17 0 0 0 0\narm 10 20\n2\nroot 0 17.1 0 1 0 0\narm 11 21\n"

TRC = (
    "PathFileType\t4\t(X/Y/Z)\twalk.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
    "100\t100\t3\t2\tmm\t100\t1\t3\nFrame#\tTime\tHEAD\t\t\tHAND\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n"
    "1\t0.00\t1\t1700\t3\t4\t900\t6\n2\t0.01\t1\t1701\t3\t\t\t\n3\t0.02\t1\t1702\t3\t4\t902\t6\n"
)

SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100mm" height="100mm"
 viewBox="0 0 100 100"><defs><path id="p" d="M0 0 L10 10 C 20 20 30 0 40 10 A 5 5 0 0 1 50 10 z"/></defs>
 <g transform="rotate(30) scale(1.5)"><circle id="c" cx="30" cy="30" r="10"/>
 <rect x="1" y="2" width="3" height="4"/></g>
 <use xlink:href="#p" x="3" y="4"/><polyline id="l" points="0,0 5,5 10,0"/><ellipse cx="5" cy="5" rx="3" ry="2"/></svg>
"""

STROKES = {
    "animato": "strokes",
    "unit": "cm",
    "time_unit": "ms",
    "strokes": {"pen": {"points": [[0, 0], [1, 0.5], [2, 0]], "times": [0, 8, 16], "pressure": [0.5, 0.6, 0.5]}},
}

TARGETS = {
    "animato": "targets",
    "rate_hz": 60,
    "unit": "m",
    "targets": {
        "light": {"positions": [[0, 0, 0.1], [0, 0, 0.2]], "weight": 2},
        "base": {"orientations_wxyz": [[1, 0, 0, 0], [0.9, 0, 0, 0.1]]},
    },
}

MAPPING = (
    "animato_mapping: 1\nperson:\n  left_wrist: [LeftHand, l_hand]\nrobot:\n  left_wrist: {body: l_wrist}\n"
    "weights: {left_wrist: 2}\n"
)
CONTACTS = "animato_contacts: 1\nleft_foot:\n  - {from: 0.1, to: 0.5, state: planted}\n"
TARGET_LINES = '{"direction": [1, 0, 0.2], "time_s": 0.0}\n{"point": [0.4, 0.2, 0.2], "time_s": 0.1}\n0.3 0.1 0.2\n'

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
PLY = (
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\n"
    "property list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
)
DAE = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="s">
<float_array id="f" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#f" count="4" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p>
</triangles></mesh></geometry>
</library_geometries><library_visual_scenes><visual_scene id="x"><node id="n"><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#x"/></scene></COLLADA>
"""


def seeds() -> list[Seed]:
    """All of them; those of formats whose library is not installed are left out."""
    rng = np.random.default_rng(1)
    robot = {"robot.urdf": URDF.encode()}
    found = [
        Seed("character", "robot.yaml", YAML.encode()),
        Seed("character", "robot.urdf", URDF.encode()),
        Seed("character", "robot.xml", MJCF.encode()),
        Seed("character", "robot.usda", USDA.encode()),
        Seed("loops", "loops.yaml", LOOPS.encode(), robot),
        Seed("motion", "walk.amc", AMC.encode(), {"walk.asf": ASF.encode()}),
        Seed("skeleton", "walk.asf", ASF.encode(), {"walk.amc": AMC.encode()}),
        Seed("motion", "walk.trc", TRC.encode()),
        Seed("motion", "walk.c3d", small_c3d(rng)),
        Seed("strokes", "drawing.svg", SVG.encode()),
        Seed("strokes", "strokes.json", json.dumps(STROKES, indent=1).encode()),
        Seed("strokes", "samples.json", json.dumps([{"x": n, "y": 1, "t": n / 9} for n in range(5)]).encode()),
        Seed("targets", "targets.json", json.dumps(TARGETS, indent=1).encode()),
        Seed("targets", "targets.csv", b"time [s],light.x [mm],light.y,light.z\n0,1,2,3\n0.1,2,,3\n0.2,3,2,1\n"),
        Seed("mapping", "mapping.yaml", MAPPING.encode()),
        Seed("contacts", "contacts.yaml", CONTACTS.encode()),
        Seed("target_lines", "course.jsonl", TARGET_LINES.encode()),
        Seed("mesh", "part.stl", small_stl(rng)),
        Seed("mesh", "part.obj", OBJ.encode()),
        Seed("mesh", "part.ply", PLY.encode()),
        Seed("mesh", "part.dae", DAE.encode()),
        Seed("mesh", "part.glb", small_glb(rng)),
        Seed("motion", "wave.glb", small_glb(rng)),
    ]
    found += _motions(rng)
    found += [Seed(*file) for file in robot_files()]
    return found + _usd()


def _motions(rng: np.random.Generator) -> list[Seed]:
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(6, 3)))
    clip = Clip(
        np.arange(6) / 30.0, ("neck", "lift"), rng.normal(size=(6, 2)), rng.normal(size=(6, 3)), turns, "made up"
    )
    bones = quaternions.quaternion_from_rotation_vector(rng.normal(size=(6, 4, 3)))
    bones[:, 3] = (1.0, 0.0, 0.0, 0.0)
    names = ("hips", "spine", "head", "head.end")
    capture = CapturedMotion(np.arange(6) / 30.0, names, np.array((-1, 0, 1, 2)), rng.normal(size=(4, 3)), bones)
    markers = MarkerMotion(np.arange(3.0), ("a", "b"), rng.normal(size=(3, 2, 3)))
    stroke = Stroke(rng.normal(size=(5, 2)), np.arange(5.0), rng.random(5))
    joints, array = io.BytesIO(), io.BytesIO()
    np.savez_compressed(joints, joints=rng.normal(size=(4, 22, 3)), fps=30)
    np.save(array, rng.normal(size=(5, 5)))
    found = [
        Seed("motion", "clip.csv", clip_csv_text(clip).encode()),
        Seed("motion", "sheet.csv", b"# fps: 30\nframe;neck (deg);lift [mm]\n0;0,5;1\n1;1,5;2\n2;2,5;3\n"),
        Seed("strokes", "stroke.csv", stroke_csv_text(stroke).encode()),
        Seed("motion", "markers.csv", markers_csv_text(markers).encode()),
        Seed("motion", "walk.bvh", bvh_text(capture)[0].encode()),
        Seed("motion", "joints.npz", joints.getvalue()),
        Seed("array", "walk.npy", array.getvalue()),
    ]
    motions = (clip, capture, markers, stroke, Posture(("a",), np.zeros(1)))
    return found + [Seed("motion", "motion.npz", npz_bytes(motion)) for motion in motions]


def _usd() -> list[Seed]:
    """The robot in USD's binary form and in its archive, where OpenUSD is installed."""
    try:
        from pxr import Usd
    except ImportError:
        return []
    with tempfile.TemporaryDirectory() as folder:
        text, binary = Path(folder) / "robot.usda", Path(folder) / "robot.usdc"
        text.write_text(USDA)
        Usd.Stage.Open(str(text)).Export(str(binary))
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as opened:
            info = zipfile.ZipInfo("robot.usdc")
            info.extra = b"\x00" * 0
            # the content begins at a multiple of 64 bytes, as USD wants it
            pad = -(30 + len(info.filename) + 4) % 64
            info.extra = struct.pack("<HH", 0x1986, pad) + b"\0" * pad
            opened.writestr(info, binary.read_bytes())
        referring = USDA + 'def Scope "x"\n{\n}\ndef Scope "y" (references = </x>)\n{\n}\n'
        return [
            Seed("character", "robot.usdc", binary.read_bytes()),
            Seed("character", "robot.usdz", archive.getvalue()),
            Seed("character", "robot.usda", referring.encode()),
        ]


def small_c3d(rng: np.random.Generator) -> bytes:
    """Three frames of two markers, numbers of an Intel processor."""

    def group(number: int, name: str) -> bytes:
        return struct.pack("bb", len(name), -number) + name.encode() + struct.pack("<hB", 3, 0)

    def parameter(number: int, name: str, kind: int, sizes: tuple[int, ...], content: bytes) -> bytes:
        body = struct.pack("bB", kind, len(sizes)) + bytes(sizes) + content + b"\0"
        return struct.pack("bb", len(name), number) + name.encode() + struct.pack("<h", len(body) + 2) + body

    parameters = b"\x01\x50\x01\x54" + group(1, "POINT")
    parameters += parameter(1, "LABELS", -1, (4, 2), b"HEADHAND") + parameter(1, "UNITS", -1, (2,), b"mm")
    parameters += parameter(1, "RATE", 4, (), struct.pack("<f", 100.0)) + b"\0\0"
    header = struct.pack("<BBHHHHHfHHf", 2, 0x50, 2, 0, 1, 3, 0, -1.0, 3, 0, 100.0)
    points = np.concatenate([rng.normal(size=(3, 2, 3)) * 500.0, np.ones((3, 2, 1))], axis=-1).astype("<f4").tobytes()
    return b"".join(part.ljust(512, b"\0") for part in (header, parameters, points))


def small_stl(rng: np.random.Generator) -> bytes:
    """A tetrahedron, binary."""
    points = np.eye(4, 3) + 0.1 * rng.random((4, 3))
    faces = points[[(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]][:, ::-1].astype("<f4")
    head = b"part".ljust(80, b"\0") + struct.pack("<I", 4)
    return head + b"".join(b"\0" * 12 + face.tobytes() + b"\0\0" for face in faces)


def small_glb(rng: np.random.Generator) -> bytes:
    """Two bones with linear, step and cubic keys, one sparse accessor, and a triangle."""
    keys = np.arange(4, dtype="<f4") / 10.0
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(4, 3)))[:, [1, 2, 3, 0]].astype("<f4")
    blocks = [keys.tobytes(), turns.tobytes(), rng.normal(size=(12, 3)).astype("<f4").tobytes()]
    blocks += [np.array([1, 3, 0, 0], dtype="<u2").tobytes(), rng.normal(size=(2, 3)).astype("<f4").tobytes()]
    blocks += [np.array([0, 1, 2, 0], dtype="<u2").tobytes()]
    starts = np.concatenate([[0], np.cumsum([len(block) for block in blocks])])
    kinds = [(0, 5126, 4, "SCALAR"), (1, 5126, 4, "VEC4"), (2, 5126, 12, "VEC3")]
    accessors: list[dict[str, object]] = [
        {"bufferView": view, "componentType": component, "count": count, "type": kind}
        for view, component, count, kind in kinds
    ]
    sparse = {"count": 2, "indices": {"bufferView": 3, "componentType": 5123}, "values": {"bufferView": 4}}
    accessors.append({"componentType": 5126, "count": 4, "type": "VEC3", "sparse": sparse})
    accessors.append({"bufferView": 5, "componentType": 5123, "count": 3, "type": "SCALAR"})
    targets = [(0, 0, "rotation"), (1, 1, "translation"), (2, 0, "translation")]
    modes = [(1, "LINEAR"), (2, "CUBICSPLINE"), (3, "STEP")]
    content = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"name": "root", "children": [1], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1], "mesh": 0},
            {"name": "tip", "matrix": np.eye(4).ravel().tolist()},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 2}, "indices": 4}]}],
        "skins": [{"joints": [0, 1]}],
        "accessors": accessors,
        "bufferViews": [
            {"buffer": 0, "byteOffset": int(start), "byteLength": len(block)}
            for start, block in zip(starts, blocks, strict=False)
        ],
        "buffers": [{"byteLength": int(starts[-1])}],
        "animations": [
            {
                "name": "wave",
                "channels": [{"sampler": s, "target": {"node": n, "path": what}} for s, n, what in targets],
                "samplers": [{"input": 0, "output": output, "interpolation": mode} for output, mode in modes],
            }
        ],
    }
    return glb_container(content, b"".join(blocks))


def glb_container(content: object, blob: bytes) -> bytes:
    """A binary glTF file."""
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(blob), b"BIN\0") + blob
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks
