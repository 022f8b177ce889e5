"""Where on the body the markers of common sets are, told by their names.

Known are Plug-in Gait, Helen Hayes and OpenSim's, CMU's, OptiTrack's Baseline, sets after ISB and Rizzoli, and names of
body-model joints. Names are compared in capitals, without a subject's name in front and without separators; the side is
the first letter. All markers of the first row of spellings that exist are the landmark's, whose centre is their mean.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from animato.mimic.person.person import SIDES

_Rows = tuple[tuple[str, ...], ...]

_MEDIAL_LATERAL = ("", "L", "M", "O", "I", "LAT", "MED", "LATERAL", "MEDIAL", "OUT", "IN", "OUTER", "INNER")


def _around(*stems: str) -> tuple[str, ...]:
    """A place with what sets append to it for the outer and the inner side."""
    return tuple(stem + end for stem in stems for end in _MEDIAL_LATERAL)


PAIRED_MARKERS: dict[str, _Rows] = {
    "hip": (("HJC", "HIPJC", "HIPJOINTCENTER", "HIPCENTER"), ("HIP", "TRO", "GTR", "GTRO", "TROCH", "TROCHANTER")),
    "asis": (("ASI", "ASIS", "IAS", "FWT", "WAISTFRONT", "PEL"),),
    "psis": (("PSI", "PSIS", "IPS", "BWT", "WAISTBACK"),),
    "knee": (
        ("KJC", "KNEEJC", "KNEEJOINTCENTER", "KNEECENTER"),
        (*_around("KNE", "KNEE"), "KNM", "KNI", "MKNE", "LKNE", "MKNEE", "LKNEE", "FLE", "FME"),
    ),
    "ankle": (
        ("AJC", "ANKLEJC", "ANKLEJOINTCENTER", "ANKLECENTER"),
        (*_around("ANK", "ANKLE"), "MANK", "LANK", "MANKLE", "LANKLE", "MED", "FAL", "TAM"),
    ),
    "heel": (("HEE", "HEEL", "CAL", "CALC", "CALCANEUS", "HEELBACK", "FCC"),),
    "toe": (
        (
            "TOE",
            "TOES",
            "MT1",
            "MT2",
            "MT5",
            "MTP1",
            "MTP5",
            "MTH1",
            "MTH5",
            "1MT",
            "5MT",
            "FM1",
            "FM2",
            "FM5",
            "TOEIN",
            "TOEOUT",
            "TOEMED",
            "TOELAT",
            "BIGTOE",
            "SMALLTOE",
            "FOOT",
            "FOREFOOT",
        ),
        ("TOETIP", "HLX", "HALLUX"),
        ("PINKY", "THUMB"),
    ),
    "shoulder": (
        ("SJC", "SHOULDERJC", "SHOULDERJOINTCENTER", "SHOULDERCENTER"),
        ("SHO", "SHOULDER", "ACR", "ACROMION", "ACROMIUM", "SHOULDERTOP", "SAE"),
        ("SHOULDERBACK",),
    ),
    "elbow": (
        ("EJC", "ELBOWJC", "ELBOWJOINTCENTER", "ELBOWCENTER"),
        (*_around("ELB", "ELBOW"), "MELB", "LELB", "MELBOW", "LELBOW", "HLE", "HME"),
    ),
    "wrist": (
        ("WJC", "WRISTJC", "WRISTJOINTCENTER", "WRISTCENTER"),
        (
            *_around("WRI", "WRIST"),
            "WRA",
            "WRB",
            "WRR",
            "WRU",
            "WRISTR",
            "WRISTU",
            "WRISTTOP",
            "USP",
            "RSP",
            "IWR",
            "OWR",
        ),
    ),
    "hand": (("FIN", "HAND", "HANDOUT", "HANDIN", "MP", "HM2", "HM5", "MC2", "MC5", "FINGER", "KNU", "MIDDLE1"),),
}
"""Spellings without the letter of the side."""

CENTRAL_MARKERS: dict[str, _Rows] = {
    "pelvis": (("PELVIS", "MIDHIP", "ROOT"),),
    "sacrum": (("SACR", "SACRUM", "SAC", "VSACRAL", "VSACRUM", "S1", "L5"),),
    "chest": (
        ("SPINE3",),
        (
            "CLAV",
            "STRN",
            "STERNUM",
            "STERNUP",
            "STERNLOW",
            "CHEST",
            "C7",
            "CV7",
            "T1",
            "T7",
            "T8",
            "T10",
            "TV8",
            "TV10",
            "BACKTOP",
            "IJ",
            "PX",
            "SJN",
            "SXS",
        ),
    ),
    "neck": (("NECK",), ("C7", "CV7", "T1", "CLAV", "STERNUP", "IJ", "SJN", "BACKTOP")),
    "head": (
        ("HEADTOP", "TOPHEAD", "VERTEX"),
        (
            "LFHD",
            "RFHD",
            "LBHD",
            "RBHD",
            "HEADF",
            "HEADR",
            "HEADL",
            "FRONTHEAD",
            "REARHEAD",
            "HEADFRONT",
            "HEADSIDE",
            "HEADBACK",
            "ARIEL",
            "HEAD",
        ),
    ),
}

_JOINTS = tuple(f"{side}{place}" for side in "LR" for place in ("HIP", "KNEE", "ANKLE", "SHOULDER", "ELBOW", "WRIST"))
_INFIX = re.compile(r"(WAIST|BACK|HEAD)([LR])(FRONT|BACK)")


def plain_names(names: Sequence[str]) -> list[str]:
    """Names as the tables spell them: "Subject:L.Knee.Lat", "Anna_LKneeLat" and "left_knee_lat" are "LKNEELAT"."""
    bare = [name.rpartition(":")[2] for name in names]
    prefixes = Counter(name.partition("_")[0] for name in bare if "_" in name)
    common, count = prefixes.most_common(1)[0] if prefixes else ("", 0)
    if count > 0.8 * len(bare) and common.lower() not in (*SIDES, "l", "r"):
        bare = [name.removeprefix(f"{common}_") for name in bare]
    result = []
    for name in bare:
        plain = re.sub(r"[^A-Z0-9]", "", name.upper())
        plain = re.sub("^LEFT", "L", re.sub("^RIGHT", "R", plain))
        result.append(_INFIX.sub(r"\2\1\3", plain))
    return result


def are_joints(plain: Sequence[str]) -> bool:
    """Whether the names are those of a body model's joints, not of markers on the skin."""
    return set(_JOINTS) <= set(plain) and bool({"PELVIS", "MIDHIP", "SPINE1", "NECK"} & set(plain))


def marker_places(plain: Sequence[str]) -> dict[str, list[list[int]]]:
    """Markers of each place: rows of the tables of which some exist, the surest first.

    Args:
        plain: Names from `plain_names`.

    Returns:
        Such as {"left_knee": [[3, 4]], "sacrum": [[9]]}; indices of markers.
    """
    at = {name: index for index, name in reversed(list(enumerate(plain)))}
    tables = {
        **CENTRAL_MARKERS,
        **{
            f"{side}_{place}": tuple(tuple(side[0].upper() + word for word in row) for row in rows)
            for side in SIDES
            for place, rows in PAIRED_MARKERS.items()
        },
    }
    found = {place: [[at[word] for word in row if word in at] for row in rows] for place, rows in tables.items()}
    return {place: [row for row in rows if row] for place, rows in found.items() if any(rows)}
