"""Landmarks of a captured skeleton: by the names of its bones, else by its shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from animato.errors import MotionError
from animato.mimic.person.bone_chains import BoneTree
from animato.mimic.person.found import Found
from animato.mimic.person.named_bones import ARM, LEG, bones_called, limbs_by_name
from animato.mimic.person.person import LANDMARKS, SIDES
from animato.mimic.person.shaped_limbs import arms_by_shape, legs_by_shape
from animato.motion import CapturedMotion

_LOOKED_AT = 50  # frames by which the shape of a skeleton is judged
_SAME_PLACE = 0.02  # bones nearer than this share of the leg are at one place
_FAR = 0.5  # a bone farther than this share of the leg from the hips is no pelvis
_ENDS = ("end", "nub", "site", "top", "tip")
_PALM = ("middle", "fingerbase", "hand", "index", "finger", *_ENDS)  # what stands for the hand, the best first


def bone_landmarks(capture: CapturedMotion, sources: Mapping[str, Sequence[str] | None]) -> Found:
    """Landmarks of a skeleton.

    Args:
        capture: The motion.
        sources: Bones of landmarks that were said; None for a landmark to leave out.

    Raises:
        MotionError: It has no legs or no arms.
    """
    positions, turns = capture.world_poses()
    some = np.unique(np.linspace(0, capture.frame_count - 1, _LOOKED_AT).astype(np.int64))
    tree = BoneTree(capture.names, capture.parents.tolist(), positions[some])
    said = {landmark: [capture.bone(name) for name in names] for landmark, names in sources.items() if names}
    bones, notes = _limbs(tree, {landmark: found[0] for landmark, found in said.items()}, capture.source)
    for find in (_feet, _hands, _trunk):
        bones.update(find(tree, bones))
    chosen = {landmark: said.get(landmark, [bones[landmark]] if landmark in bones else []) for landmark in LANDMARKS}
    kept = {landmark: found for landmark, found in chosen.items() if found and sources.get(landmark, found) is not None}
    points = {landmark: positions[:, found].mean(axis=1) for landmark, found in kept.items()}
    if "pelvis" not in points:
        points["pelvis"] = 0.5 * (points["left_hip"] + points["right_hip"])
        notes.append("No bone is at the pelvis; the middle between the hips is taken.")
    return Found(
        points,
        {landmark: tuple(capture.names[bone] for bone in found) for landmark, found in kept.items()},
        tuple(notes),
        {side: turns[:, chosen[f"{side}_ankle"][0]] for side in SIDES},
    )


def _limbs(tree: BoneTree, said: Mapping[str, int], source: str) -> tuple[dict[str, int], list[str]]:
    """Bones of legs and arms, with what was said instead of what was found."""
    notes = []
    legs = limbs_by_name(tree, LEG)
    if not legs:
        legs = legs_by_shape(tree)
        if legs:
            notes.append(_shape_note("legs", legs, tree))
    legs.update({landmark: bone for landmark, bone in said.items() if landmark.rpartition("_")[2] in LEG})
    if len(legs) < 2 * len(LEG):
        raise _no_limbs("legs", LEG, tree, source)
    arms = limbs_by_name(tree, ARM)
    if not arms:
        arms = arms_by_shape(tree, legs)
        if arms:
            notes.append(_shape_note("arms", arms, tree))
    arms.update({landmark: bone for landmark, bone in said.items() if landmark.rpartition("_")[2] in ARM})
    if len(arms) < 2 * len(ARM):
        raise _no_limbs("arms", ARM, tree, source)
    return {**legs, **arms, **said}, notes


def _no_limbs(what: str, limb: tuple[str, str, str], tree: BoneTree, source: str) -> MotionError:
    shown = ", ".join(tree.names[:20]) + (", ..." if len(tree.names) > 20 else "")
    wanted = ", ".join(f"'{side}_{place}'" for side in SIDES for place in limb)
    return MotionError(
        f"No two {what} were found in '{source or 'the capture'}', by the names of its bones or by its shape; a person "
        f"for a humanoid has both. Its bones: {shown}. If it has them, say with `sources` which bones are {wanted}."
    )


def _shape_note(what: str, found: Mapping[str, int], tree: BoneTree) -> str:
    told = ", ".join(f"{landmark} {tree.names[bone]}" for landmark, bone in found.items())
    return f"The names of the bones do not tell the {what}; they were found by the shape of the skeleton: {told}."


def _leg_length(tree: BoneTree, bones: Mapping[str, int]) -> float:
    return tree.distance(bones["left_hip"], bones["left_knee"]) + tree.distance(bones["left_knee"], bones["left_ankle"])


def _feet(tree: BoneTree, bones: Mapping[str, int]) -> dict[str, int]:
    """Toes, and heels where there is a bone for them."""
    result: dict[str, int] = {}
    small = _SAME_PLACE * _leg_length(tree, bones)
    for side in SIDES:
        ankle = bones[f"{side}_ankle"]
        below = tree.below(ankle)
        heels = [bone for bone in bones_called(tree, "heel", side) if bone in below]
        if heels:
            result[f"{side}_heel"] = heels[0]
        named = [
            bone for place in ("toe", "ankle") for bone in sorted(bones_called(tree, place, side)) if bone in below
        ]
        chain = tree.farthest_end(ankle)[1:]
        toes = [bone for bone in (*named, *chain) if tree.distance(ankle, bone) > small and bone not in heels]
        if toes and f"{side}_toe" not in bones:
            result[f"{side}_toe"] = toes[0]
    return result


def _hands(tree: BoneTree, bones: Mapping[str, int]) -> dict[str, int]:
    """The base of the fingers, or the end of the hand."""
    result: dict[str, int] = {}
    small = _SAME_PLACE * _leg_length(tree, bones)
    for side in SIDES:
        wrist = bones[f"{side}_wrist"]
        far = [
            bone
            for bone in tree.below(wrist)
            if tree.distance(wrist, bone) > small
            and not any("thumb" in tree.names[one].lower() for one in tree.chain_to(bone, wrist))
        ]
        # The first joints beyond the wrist, one for each finger; what hangs on them is left aside.
        first = [bone for bone in far if not set(tree.above(bone)) & set(far)]
        if first and f"{side}_hand" not in bones:
            result[f"{side}_hand"] = min(first, key=lambda bone: _rank(tree.names[bone]))
    return result


def _rank(name: str) -> int:
    lower = name.lower()
    return next((rank for rank, word in enumerate(_PALM) if word in lower), len(_PALM))


def _trunk(tree: BoneTree, bones: Mapping[str, int]) -> dict[str, int]:
    """Pelvis, chest, neck and head."""
    result: dict[str, int] = {}
    pelvis = tree.common(bones["left_hip"], bones["right_hip"])
    if pelvis is not None and _near_hips(tree, pelvis, bones):
        result["pelvis"] = pelvis
    chest = tree.common(bones["left_shoulder"], bones["right_shoulder"])
    if chest is not None and chest != pelvis:
        result["chest"] = chest
    heads = bones_called(tree, "head", "")
    necks = bones_called(tree, "neck", "")
    if necks:
        result["neck"] = _apart(tree, sorted(necks), chest, bones)
    if not heads and chest is not None:
        upward = _upward_chain(tree, chest, bones)
        if upward:
            result.setdefault("neck", _apart(tree, upward, chest, bones))
            result["head"] = upward[-1]
    if heads:
        ends = [
            bone
            for bone in tree.children(heads[0])
            if len(tree.children(heads[0])) == 1 or any(word in tree.names[bone].lower() for word in _ENDS)
        ]
        result["head"] = ends[0] if ends else heads[0]
    return {landmark: bone for landmark, bone in result.items() if landmark not in bones}


def _apart(tree: BoneTree, necks: Sequence[int], chest: int | None, bones: Mapping[str, int]) -> int:
    """The first bone of a neck that does not begin where the chest does."""
    small = _SAME_PLACE * _leg_length(tree, bones)
    return next((bone for bone in necks if chest is None or tree.distance(chest, bone) > small), necks[0])


def _near_hips(tree: BoneTree, pelvis: int, bones: Mapping[str, int]) -> bool:
    middle = 0.5 * (tree.positions[:, bones["left_hip"]] + tree.positions[:, bones["right_hip"]])
    away = np.linalg.norm(tree.positions[:, pelvis] - middle, axis=-1).mean()
    return bool(away < _FAR * _leg_length(tree, bones))


def _upward_chain(tree: BoneTree, chest: int, bones: Mapping[str, int]) -> list[int]:
    """The chain on the chest that holds no arm and ends highest."""
    arms = {bones[f"{side}_shoulder"] for side in SIDES}
    arms |= {one for bone in arms for one in tree.above(bone)}
    chains = [tree.farthest_end(bone) for bone in tree.children(chest) if bone not in arms]
    return max(chains, key=lambda chain: float(tree.positions[:, chain[-1], 2].mean()), default=[])
