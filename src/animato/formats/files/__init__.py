"""What every format needs: reading whole, writing whole or not at all, units, XML, YAML with line numbers."""

from animato.formats.files.atomic import check_writable, write_whole
from animato.formats.files.coordinate_units import COORDINATE_UNITS, units_of, units_of_joint
from animato.formats.files.json_text import load_json, parse_json
from animato.formats.files.mesh_paths import MeshPaths, is_file, is_folder, is_there
from animato.formats.files.places import Places
from animato.formats.files.printable import printable
from animato.formats.files.read_whole import decoded, read_bytes_whole, read_text_blocks, read_text_whole
from animato.formats.files.unique_names import UniqueNames
from animato.formats.files.units import (
    LARGEST,
    Dimension,
    Quantity,
    described,
    quantity,
    read_quantity,
    shortened,
    wanted,
    with_article,
)
from animato.formats.files.xml_tree import XmlElement, load_xml, parse_xml
from animato.formats.files.xml_values import XmlValues
from animato.formats.files.yaml_lines import Data, PathInFile, parse_yaml
from animato.formats.files.yaml_text import Value, yaml_text

__all__ = [
    "COORDINATE_UNITS",
    "LARGEST",
    "Data",
    "Dimension",
    "MeshPaths",
    "PathInFile",
    "Places",
    "Quantity",
    "UniqueNames",
    "Value",
    "XmlElement",
    "XmlValues",
    "check_writable",
    "decoded",
    "described",
    "is_file",
    "is_folder",
    "is_there",
    "load_json",
    "load_xml",
    "parse_json",
    "parse_xml",
    "parse_yaml",
    "printable",
    "quantity",
    "read_bytes_whole",
    "read_quantity",
    "read_text_blocks",
    "read_text_whole",
    "shortened",
    "units_of",
    "units_of_joint",
    "wanted",
    "with_article",
    "write_whole",
    "yaml_text",
]
