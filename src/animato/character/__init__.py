"""What the robot is: bodies, joints, actuators, flexible parts. Frozen."""

from animato.character.body import Body
from animato.character.character import Character
from animato.character.flexible_part import Bar, FlexiblePart, Interface, Material, MaterialModel, Rod
from animato.character.frame import Frame
from animato.character.joint import WORLD, Coupling, Joint, JointRole, JointType
from animato.character.landmarks import EndPoint, Marker, NamedPosture, Sole
from animato.character.limits import Limits, TorqueSpeedCurve
from animato.character.mass_properties import MassProperties, mass_properties_of
from animato.character.rigid import rigidified
from animato.character.servo import SERVOS, Actuator, Servo
from animato.character.shape import Box, Capsule, Cylinder, Ellipsoid, Mesh, Shape, Sphere
from animato.character.topology import Topology, TreeLink, topology_of

__all__ = [
    "SERVOS",
    "WORLD",
    "Actuator",
    "Bar",
    "Body",
    "Box",
    "Capsule",
    "Character",
    "Coupling",
    "Cylinder",
    "Ellipsoid",
    "EndPoint",
    "FlexiblePart",
    "Frame",
    "Interface",
    "Joint",
    "JointRole",
    "JointType",
    "Limits",
    "Marker",
    "MassProperties",
    "Material",
    "MaterialModel",
    "Mesh",
    "NamedPosture",
    "Rod",
    "Servo",
    "Shape",
    "Sole",
    "Sphere",
    "Topology",
    "TorqueSpeedCurve",
    "TreeLink",
    "mass_properties_of",
    "rigidified",
    "topology_of",
]
