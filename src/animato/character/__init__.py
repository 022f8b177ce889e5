"""The character: bodies, joints, limits, servos, shapes and landmarks."""

from animato.character.body import Body
from animato.character.character import Character
from animato.character.flexible_part import Bar, FlexiblePart, Interface, Material, MaterialModel, Rod
from animato.character.frame import HERE, Frame
from animato.character.joint import FREEDOM, LIMIT_COUNT, WORLD, Coupling, Joint, JointRole, JointType
from animato.character.landmarks import EndPoint, Marker, NamedPosture, Sole
from animato.character.limits import Limits, TorqueSpeedCurve
from animato.character.manner import MANNER_WORDS, MOST_OVERSHOOT, Manner
from animato.character.mass_properties import MassProperties, combined, mass_properties_of
from animato.character.mesh_file import LARGEST_MESH, MESH_SUFFIXES, load_mesh
from animato.character.servo import SERVOS, Actuator, Servo
from animato.character.shape import Box, Capsule, Cylinder, Ellipsoid, Geometry, Mesh, Shape, Sphere
from animato.character.vectors import (
    AXES,
    IDENTITY,
    X_AXIS,
    Y_AXIS,
    Z_AXIS,
    ZERO,
    Quaternion,
    Vector,
    Vector3,
    finite_vector,
)
from animato.character.wiring import COUNTED, COUNTS_PER_TURN, Bus, BusKind, Scale, Wire, scale_of
from animato.lazy import lazily

__all__ = [
    "AXES",
    "COUNTED",
    "COUNTS_PER_TURN",
    "FREEDOM",
    "HERE",
    "IDENTITY",
    "LARGEST_MESH",
    "LIMIT_COUNT",
    "MANNER_WORDS",
    "MESH_SUFFIXES",
    "MOST_OVERSHOOT",
    "SERVOS",
    "WORLD",
    "X_AXIS",
    "Y_AXIS",
    "ZERO",
    "Z_AXIS",
    "Actuator",
    "Bar",
    "Body",
    "Box",
    "Bus",
    "BusKind",
    "Capsule",
    "Character",
    "Coupling",
    "Cylinder",
    "Ellipsoid",
    "EndPoint",
    "FlexiblePart",
    "Frame",
    "Geometry",
    "Interface",
    "Joint",
    "JointRole",
    "JointType",
    "Limits",
    "Manner",
    "Marker",
    "MassProperties",
    "Material",
    "MaterialModel",
    "Mesh",
    "NamedPosture",
    "Quaternion",
    "Rod",
    "Scale",
    "Servo",
    "Shape",
    "Sole",
    "Sphere",
    "TorqueSpeedCurve",
    "Vector",
    "Vector3",
    "Wire",
    "combined",
    "finite_vector",
    "load_mesh",
    "mass_properties_of",
    "scale_of",
]

__getattr__, __dir__ = lazily(__name__, {}, rooms=("structure",))
