"""A head on a universal joint, tilted by two cranks with rods between balls: a parallel neck, for tests."""

from __future__ import annotations

from animato.character import Body, Character, EndPoint, Frame, Joint, Limits

CRANK = 0.03  # [m]
HEIGHT = 0.12  # [m] from the cranks to the universal joint
BACK = 0.05  # [m] of the rods behind the joint
ASIDE = 0.04  # [m] of the rods beside the middle
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def differential_neck(reach: float = 1.2, *, nod_range: float | None = None) -> Character:
    """The end-point `eye` on a head; `left` and `right` cranks nod it together and tilt it against each other.

    Args:
        reach: Range of the cranks either way [rad].
        nod_range: Range of the passive nod either way [rad], free where not given.
    """
    names = ("base", "column", "cross", "head", "left_crank", "left_rod", "right_crank", "right_rod")
    nod = () if nod_range is None else (Limits(-nod_range, nod_range),)
    middle = Frame((0.0, 0.0, HEIGHT))
    joints = [
        Joint("stand", "ground", "world", "base"),
        Joint("pan", "revolute", "base", "column", "actuated", axis=Z, stated_limits=(Limits(-1.5, 1.5),)),
        Joint("nod", "revolute", "column", "cross", "passive", middle, axis=Y, stated_limits=nod),
        Joint("tilt", "revolute", "cross", "head", "passive", axis=X),
    ]
    for side, place in (("left", ASIDE), ("right", -ASIDE)):
        crank, rod = f"{side}_crank", f"{side}_rod"
        axle, pin, top = Frame((CRANK - BACK, place, 0.0)), Frame((-CRANK, 0.0, 0.0)), Frame((-BACK, place, 0.0))
        limits = (Limits(-reach, reach),)
        joints += [
            Joint(side, "revolute", "column", crank, "actuated", axle, axis=Y, stated_limits=limits),
            Joint(f"{side}_low", "universal", crank, rod, "passive", pin, axis=X, second_axis=Y),
            Joint(f"{side}_high", "spherical", rod, "head", "passive", middle, top),
        ]
    eye = EndPoint("eye", "head", Frame((0.08, 0.0, 0.03)), forward=X, up=Z, symmetric=False)
    return Character("differential neck", tuple(Body(name) for name in names), tuple(joints), end_points=(eye,))
