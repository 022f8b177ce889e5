from __future__ import annotations

import json
import math

import numpy as np
import pytest

from animato.character.limits import Limits
from animato.report.check.json_file import check_json, check_to_dict, save_json

TOP = {
    "animato_check": int,
    "animato_version": str,
    "character": str,
    "clip": str,
    "clip_source": str,
    "duration_s": float,
    "frame_count": int,
    "fits": bool,
    "verdict": str,
    "doubt": (str, type(None)),
    "coverage": (dict, type(None)),
    "left_out_frames": dict,
    "soles": dict,
    "playback_speed": (float, type(None)),
    "findings": list,
    "near_misses": list,
    "balance": (dict, type(None)),
    "axes": list,
    "suggestions": list,
    "notes": list,
}
MOMENT = {
    "share": (float, type(None)),
    "time_s": float,
    "frame": int,
    "value": (float, type(None)),
    "limit": (float, type(None)),
    "unit": str,
}
FINDING = {"axis": str, "joint": str, "kind": str, **MOMENT, "intervals_s": list, "sentence": str}
AXIS = {"axis": str, "joint": str, "label": str, "angular": bool, "maxima": dict}
KINDS = ["position", "velocity", "acceleration", "jerk", "torque"]


def check_keys(given: dict, wanted: dict) -> None:
    assert list(given) == list(wanted)
    for key, kind in wanted.items():
        assert isinstance(given[key], kind), key


def test_keys_and_types(mixed_result) -> None:
    data = check_to_dict(mixed_result)
    check_keys(data, TOP)
    assert data["animato_check"] == 1 and data["fits"] is False
    for finding in data["findings"] + data["near_misses"]:
        check_keys(finding, FINDING)
    assert len(data["findings"]) == 2 and len(data["near_misses"]) == 1
    for axis in data["axes"]:
        check_keys(axis, AXIS)
        assert list(axis["maxima"]) == KINDS
        for moment in axis["maxima"].values():
            assert moment is None or check_keys(moment, MOMENT) is None
    assert data["axes"][2]["maxima"]["torque"] is None
    first = data["findings"][0]
    assert (first["axis"], first["kind"], first["value"], first["limit"]) == ("left_elbow_joint", "velocity", 11.5, 8.0)
    assert first["unit"] == "rad/s" and data["axes"][0]["maxima"]["acceleration"]["unit"] == "rad/s^2"
    assert data["axes"][0]["label"] == "left elbow"


def test_text_and_back_loses_nothing(mixed_result, tmp_path) -> None:
    data = check_to_dict(mixed_result)
    assert json.loads(check_json(mixed_result)) == data
    assert json.loads(save_json(tmp_path / "check.json", mixed_result).read_text(encoding="utf-8")) == data
    assert json.dumps(json.loads(check_json(mixed_result)), indent=2, ensure_ascii=False) + "\n" == check_json(
        mixed_result
    )


@pytest.mark.parametrize("limit", [Limits(), Limits(velocity=1.0), Limits(lower=0.0)])
def test_what_is_not_known_is_null(make_result, limit) -> None:
    result = make_result({"a": limit}, {"a": {"velocity": [0.5, 2.0]}}, speed=None)
    if limit.velocity is not None:
        result.usage.shares["velocity"][0, 0] = math.inf
    text = check_json(result)
    assert "NaN" not in text and "Infinity" not in text
    data = json.loads(text)
    assert data["playback_speed"] is None
    assert data["axes"][0]["maxima"]["jerk"] is None


def test_an_infinite_share_is_null_and_still_a_finding(make_result) -> None:
    from animato.findings.finding import findings_of

    usage = make_result({"a": Limits(velocity=1.0)}, {"a": {"velocity": [0.5, 2.0]}}).usage
    usage.shares["velocity"][:, 0] = [0.0, np.inf]
    (finding,) = findings_of(usage)
    assert finding.is_over and math.isinf(finding.share)
    from dataclasses import replace

    result = replace(make_result({"a": Limits(velocity=1.0)}, {"a": {"velocity": [0.5, 2.0]}}), worst=(finding,))
    assert check_to_dict(result)["findings"][0]["share"] is None
