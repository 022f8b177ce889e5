"""The character file as a table of what may stand where: one model a kind of section.

The models check structure, units and words. What only makes sense between sections (a joint that
names a body) is checked where the character is put together, in `character_yaml`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WrapValidator, model_validator

from animato.character import IDENTITY, X_AXIS, Z_AXIS, ZERO, MaterialModel
from animato.errors import did_you_mean
from animato.formats.character_yaml import values
from animato.formats.character_yaml.values import problem
from animato.formats.files import described

Item = TypeVar("Item")
Named = Annotated[dict[values.Name, Item], BeforeValidator(values.none_as_empty)]


class Section(BaseModel):
    """A mapping whose keys are known."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    @model_validator(mode="before")
    @classmethod
    def _check_keys(cls, value: object) -> object:
        allowed = list(cls.model_fields)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise problem(f"must be a mapping with keys of {', '.join(allowed)}, not {described(value)}.")
        for key in value:
            if key not in allowed:
                raise problem(f"is not a key.{did_you_mean(key, allowed)} Keys here: {', '.join(allowed)}.", key)
        return value

    def _check_one_of(self, *keys: str) -> None:
        given = [key for key in keys if getattr(self, key) is not None]
        if len(given) != 1:
            raise problem(f"needs exactly one of {', '.join(keys)}; given: {', '.join(given) or 'none'}.")


class BoxSection(Section):
    """A box."""

    size: values.Position


class SphereSection(Section):
    """A ball."""

    radius: values.Length


class EllipsoidSection(Section):
    """An ellipsoid."""

    radii: values.Position


class RoundSection(Section):
    """A cylinder, capsule or rod."""

    radius: values.Length
    length: values.Length


class BarSection(Section):
    """A bar of rectangular section."""

    width: values.Length
    height: values.Length
    length: values.Length


class MeshSection(Section):
    """Triangles from a file."""

    path: values.Name
    scale: values.Factors = (1.0, 1.0, 1.0)


class ShapeSection(Section):
    """A geometry on a body."""

    box: BoxSection | None = None
    sphere: SphereSection | None = None
    ellipsoid: EllipsoidSection | None = None
    cylinder: RoundSection | None = None
    capsule: RoundSection | None = None
    mesh: MeshSection | None = None
    at: values.Position = ZERO
    turn: values.Turn = IDENTITY
    colour: values.Colour | None = None
    visual: values.Flag = True
    collision: values.Flag = True

    @model_validator(mode="after")
    def _check_geometry(self) -> ShapeSection:
        self._check_one_of("box", "sphere", "ellipsoid", "cylinder", "capsule", "mesh")
        return self


class BodySection(Section):
    """A rigid body."""

    mass: values.Mass | None = None
    centre: values.Position | None = None
    inertia: values.Inertia6 | None = None
    density: values.Density | None = None
    shapes: list[ShapeSection] = Field(default_factory=list)


class CurveSection(Section):
    """Torque against speed."""

    speeds: values.AxisSpeeds
    torques: values.AxisTorques


class LimitsSection(Section):
    """Limits of one axis."""

    lower: values.AxisPosition | None = None
    upper: values.AxisPosition | None = None
    velocity: values.AxisSpeed | None = None
    acceleration: values.AxisAcceleration | None = None
    jerk: values.AxisJerk | None = None
    torque: values.AxisTorque | None = None
    curve: CurveSection | None = None


class ActuatorSection(Section):
    """What drives a joint."""

    servo: values.Name | None = None
    gear_ratio: values.Number = 1.0


class FollowsSection(Section):
    """A gear to another joint."""

    leader: values.Name
    ratio: values.Number = 1.0
    offset: values.AxisPosition | None = None


class MannerSection(Section):
    """How a joint moves inside its limits."""

    smoothness: values.Number | None = None
    responsiveness: values.Number | None = None
    softness: values.Number | None = None
    haste: values.Number | None = None
    overshoot: values.Number | None = None


def _as_list(value: object) -> object:
    """A joint of one axis states its limits without a list."""
    return [value] if isinstance(value, dict) else value


class JointSection(Section):
    """A joint."""

    type: values.TypeWord
    role: values.RoleWord | None = None
    parent: values.Name | None = None
    child: values.Name
    at: values.Position = ZERO
    turn: values.Turn = IDENTITY
    child_at: values.Position = ZERO
    child_turn: values.Turn = IDENTITY
    axis: values.Direction = X_AXIS
    second_axis: values.Direction | None = None
    limits: Annotated[list[LimitsSection], BeforeValidator(_as_list)] = Field(default_factory=list)
    actuator: ActuatorSection | None = None
    follows: FollowsSection | None = None
    configuration: values.AxisPositions = ()
    damping: values.Number = 0.0
    friction: values.AxisTorque | None = None
    armature: values.AxisInertia | None = None
    manner: MannerSection | None = None


class MaterialSection(Section):
    """An elastic material."""

    density: values.Density
    youngs_modulus: values.Pressure
    poisson_ratio: values.Number = 0.3
    mass_damping: values.Rate = 0.0
    stiffness_damping: values.Time = 0.0
    model: values.ModelWord = MaterialModel.NEO_HOOKEAN


def _name_or_material(value: object, read: Callable[[object], MaterialSection]) -> object:
    return value if isinstance(value, str) and value else read(value)


class InterfaceSection(Section):
    """Where a flexible part is clamped to a body."""

    body: values.Name
    at: values.Position = ZERO
    turn: values.Turn = IDENTITY
    part_at: values.Position = ZERO
    part_turn: values.Turn = IDENTITY
    extent: values.Length = 0.0


class FlexiblePartSection(Section):
    """A part that bends."""

    rod: RoundSection | None = None
    bar: BarSection | None = None
    mesh: MeshSection | None = None
    # A name in `materials` stays text; mypy is told the other half of the truth.
    material: Annotated[MaterialSection, WrapValidator(_name_or_material)]
    interfaces: list[InterfaceSection]

    @model_validator(mode="after")
    def _check_geometry(self) -> FlexiblePartSection:
        self._check_one_of("rod", "bar", "mesh")
        return self


class EndPointSection(Section):
    """A place that faces, points, holds or draws."""

    body: values.Name
    at: values.Position = ZERO
    turn: values.Turn = IDENTITY
    forward: values.Direction = X_AXIS
    up: values.Direction = Z_AXIS
    symmetric: values.Flag = False


class SoleSection(Section):
    """The patch of a foot."""

    body: values.Name
    corners: list[values.Position]


class MarkerSection(Section):
    """A named point."""

    body: values.Name
    at: values.Position = ZERO
    turn: values.Turn = IDENTITY


class BusSection(Section):
    """A line on which servos hang."""

    kind: values.BusWord
    port: values.Text = ""
    baud: values.Whole | None = None
    rate: values.Rate | None = None


class ServoSection(Section):
    """The servo that moves a coordinate."""

    bus: values.Name
    id: values.Whole
    zero: values.Number | None = None
    sign: values.Whole = 1
    gear: values.Number | None = None
    lowest: values.Number | None = None
    highest: values.Number | None = None
    travel: values.Angle | None = None
    reverse: values.Flag = False
    current: values.Current | None = None


class ServoMapSection(Section):
    """A servo map in a file of its own, for characters whose own file cannot hold it."""

    animato: values.Version
    name: values.Text = ""
    buses: Named[BusSection] = Field(default_factory=dict)
    servos: Named[ServoSection] = Field(default_factory=dict)


class CharacterSection(Section):
    """The whole file."""

    animato: values.Version
    name: values.Name
    description: values.Text = ""
    gravity: values.Gravity = (0.0, 0.0, -9.81)
    materials: Named[MaterialSection] = Field(default_factory=dict)
    bodies: Named[BodySection]
    joints: Named[JointSection] = Field(default_factory=dict)
    flexible_parts: Named[FlexiblePartSection] = Field(default_factory=dict)
    end_points: Named[EndPointSection] = Field(default_factory=dict)
    soles: Named[SoleSection] = Field(default_factory=dict)
    markers: Named[MarkerSection] = Field(default_factory=dict)
    postures: Named[Named[values.AxisPosition]] = Field(default_factory=dict)
    ignored_collisions: list[values.BodyPair] = Field(default_factory=list)
    buses: Named[BusSection] = Field(default_factory=dict)
    servos: Named[ServoSection] = Field(default_factory=dict)
