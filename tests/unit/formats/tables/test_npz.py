"""Motion in .npz: bit for bit, self-describing, without pickle."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.joint import Joint, JointType
from animato.errors import FileFormatError, MotionError
from animato.formats.tables.npz import load_npz, motion_from_npz, npz_bytes, save_npz
from animato.motion import Motion
from animato.motion.captured_motion import CapturedMotion
from animato.motion.clip import Clip
from animato.motion.marker_motion import MarkerMotion
from animato.motion.posture import Posture
from animato.motion.stroke import Stroke
from animato.spatial import quaternions


def motions(rng: np.random.Generator) -> list[Motion]:
    turns = quaternions.quaternion_from_rotation_vector(rng.normal(size=(5, 3, 3)))
    seen = rng.normal(size=(5, 2, 3))
    seen[1, 0] = np.nan
    return [
        Clip(np.sort(rng.random(5)), ("neck", "lift"), rng.normal(size=(5, 2)), source="a\nb"),
        Clip(np.arange(5) / 7, (), np.zeros((5, 0)), rng.normal(size=(5, 3)), turns[:, 0]),
        CapturedMotion(np.arange(5.0), ("a", "b", "ç"), np.array((-1, 0, 0)), rng.normal(size=(3, 3)), turns),
        CapturedMotion(
            np.arange(5.0), ("a", "b", "c"), np.array((-1, 0, 1)), np.eye(3), turns, rng.normal(size=(5, 3, 3)), "walk"
        ),
        MarkerMotion(np.arange(5.0), ("nose", "ear"), seen, "studio"),
        Posture(("neck",), np.array([-0.0]), "rest"),
        Stroke(rng.normal(size=(4, 2))),
        Stroke(rng.normal(size=(4, 3)), np.arange(4.0), rng.random(4), "pen"),
    ]


def same(a: Motion, b: Motion) -> bool:
    """Type, every array bit for bit, every name."""
    if type(a) is not type(b):
        return False
    for name in a.__dataclass_fields__:
        one, two = getattr(a, name), getattr(b, name)
        if isinstance(one, np.ndarray):
            if not isinstance(two, np.ndarray) or one.shape != two.shape or one.tobytes() != two.tobytes():
                return False
        elif one != two:
            return False
    return True


def rebuilt(data: bytes, **replaced: bytes | None) -> bytes:
    """The archive with some members replaced, or removed where None."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = replaced.get(name.removesuffix(".npy"), old.read(name))
            if content is not None:
                new.writestr(name, content)
    return out.getvalue()


def npy(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array(out, array, allow_pickle=True)
    return out.getvalue()


@pytest.mark.parametrize("index", range(8))
def test_every_kind_comes_back_bit_for_bit(index: int, rng: np.random.Generator, tmp_path: Path) -> None:
    motion = motions(rng)[index]
    path = save_npz(tmp_path / "deep" / "motion.npz", motion)
    assert same(load_npz(path), motion)


def test_the_comparison_sees_a_single_bit(rng: np.random.Generator) -> None:
    motion = motions(rng)[0]
    assert isinstance(motion, Clip)
    positions = motion.positions.copy()
    positions[2, 1] = np.nextafter(positions[2, 1], 10.0)
    assert not same(Clip(motion.times, motion.names, positions, source=motion.source), motion)


def test_the_file_explains_itself_to_plain_numpy(tmp_path: Path) -> None:
    joints = (
        Joint("stand", JointType.GROUND, "world", "base"),
        Joint("neck", JointType.REVOLUTE, "base", "head"),
        Joint("lift", JointType.PRISMATIC, "head", "hat"),
    )
    heron = Character("heron", (Body("base"), Body("head"), Body("hat")), joints)
    clip = Clip(np.arange(4) / 50, ("neck", "lift", "other"), np.zeros((4, 3)), source="drawn")
    path = save_npz(tmp_path / "clip.npz", clip, heron)
    with np.load(path, allow_pickle=False) as file:
        assert str(file["kind"]) == "clip"
        assert int(file["format_version"]) == 1
        assert file["names"].tolist() == ["neck", "lift", "other"]
        assert file["column_units"].tolist() == ["rad", "m", ""]
        assert float(file["rate_hz"]) == pytest.approx(50.0, rel=1e-12)
        assert "times: s" in file["units"].tolist()
        assert str(file["source"]) == "drawn"


def test_the_same_motion_gives_the_same_bytes(rng: np.random.Generator) -> None:
    motion = motions(rng)[3]
    assert npz_bytes(motion) == npz_bytes(motion)


def test_a_file_packed_again_by_numpy_is_read(rng: np.random.Generator, tmp_path: Path) -> None:
    motion = motions(rng)[0]
    with np.load(save_npz(tmp_path / "a.npz", motion)) as file:
        np.savez_compressed(tmp_path / "b.npz", **dict(file))
    assert same(load_npz(tmp_path / "b.npz"), motion)


def test_pickles_are_refused(rng: np.random.Generator) -> None:
    evil = npy(np.array([print], dtype=object))
    with pytest.raises(FileFormatError, match=r"times.*not a plain array"):
        motion_from_npz(rebuilt(npz_bytes(motions(rng)[0]), times=evil), "x.npz")


@pytest.mark.parametrize(
    ("member", "array", "message"),
    [
        ("kind", np.array("poem"), "kinds: clip"),
        ("format_version", np.array(2), "reads 1 to 1"),
        ("positions", np.zeros((5, 3)), "shape 5 x 2"),
        ("positions", np.full((5, 2), np.nan), "finite"),
        ("times", np.zeros(5), "must rise"),
        ("times", np.array(["a"]), "'times'"),
        ("names", np.array([1, 2]), "'names'"),
        ("column_units", np.array(["deg", "m"]), "'deg'"),
    ],
)
def test_wrong_contents_are_named(member: str, array: np.ndarray, message: str, rng: np.random.Generator) -> None:
    with pytest.raises(FileFormatError, match=message):
        motion_from_npz(rebuilt(npz_bytes(motions(rng)[0]), **{member: npy(array)}), "x.npz")


def test_a_missing_array_is_named(rng: np.random.Generator) -> None:
    data = npz_bytes(motions(rng)[0])
    with pytest.raises(FileFormatError, match="'positions' is missing"):
        motion_from_npz(rebuilt(data, positions=None), "x.npz")
    with pytest.raises(FileFormatError, match=r"no array 'kind'.*Its arrays: format_version, times"):
        motion_from_npz(rebuilt(data, kind=None), "x.npz")


def test_claimed_sizes_are_not_believed(rng: np.random.Generator) -> None:
    data = npz_bytes(motions(rng)[0])
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (999999999, 999), }"
    bomb = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"\0" * 80
    with pytest.raises(FileFormatError, match="damaged"):
        motion_from_npz(rebuilt(data, positions=bomb), "x.npz")


def test_a_zip_bomb_is_not_unpacked() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("times.npy", b"\0" * 20_000_000)
    with pytest.raises(FileFormatError, match="claims 1 arrays of 20000000 bytes"):
        motion_from_npz(out.getvalue(), "x.npz")


def test_half_a_file_is_refused(rng: np.random.Generator) -> None:
    data = npz_bytes(motions(rng)[0])
    with pytest.raises(FileFormatError, match="damaged"):
        motion_from_npz(data[: len(data) // 2], "x.npz")


def test_a_text_that_numpy_would_shorten_is_refused() -> None:
    with pytest.raises(MotionError, match="null character"):
        npz_bytes(Posture(("neck\0",), np.zeros(1)))
