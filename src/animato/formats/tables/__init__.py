"""Motion as tables and arrays: CSV, npz, npy."""

from animato.formats.tables.body_joints import load_npz_motion
from animato.formats.tables.clip_csv import check_name, clip_csv_text, save_clip_csv, times_of_table
from animato.formats.tables.csv_table import Column, CsvTable, read_table, source_of, written_table
from animato.formats.tables.npy_archive import Members, member_names, read_members
from animato.formats.tables.npy_clip import load_npy_clip
from animato.formats.tables.npz import load_npz, save_npz
from animato.formats.tables.point_csv import (
    load_motion_csv,
    markers_csv_text,
    motion_of_table,
    stroke_csv_text,
)
from animato.formats.tables.point_paths import PointPaths, load_paths_json, paths_from_table
from animato.formats.tables.stated_rate import RATE_ARRAYS, stated_rate

__all__ = [
    "RATE_ARRAYS",
    "Column",
    "CsvTable",
    "Members",
    "PointPaths",
    "check_name",
    "clip_csv_text",
    "load_motion_csv",
    "load_npy_clip",
    "load_npz",
    "load_npz_motion",
    "load_paths_json",
    "markers_csv_text",
    "member_names",
    "motion_of_table",
    "paths_from_table",
    "read_members",
    "read_table",
    "save_clip_csv",
    "save_npz",
    "source_of",
    "stated_rate",
    "stroke_csv_text",
    "times_of_table",
    "written_table",
]
