"""Motion as tables and arrays: CSV, npz, npy."""

from animato.formats.tables.body_joints import load_npz_motion
from animato.formats.tables.clip_csv import clip_csv_text, save_clip_csv
from animato.formats.tables.csv_table import read_table, source_of
from animato.formats.tables.npy_clip import load_npy_clip
from animato.formats.tables.npz import load_npz, save_npz
from animato.formats.tables.point_csv import load_motion_csv, markers_csv_text, stroke_csv_text
from animato.formats.tables.point_paths import PointPaths, load_paths_json, paths_from_table
from animato.formats.tables.training import TRAINING_HZ, save_training_csv, save_training_npz

__all__ = [
    "TRAINING_HZ",
    "PointPaths",
    "clip_csv_text",
    "load_motion_csv",
    "load_npy_clip",
    "load_npz",
    "load_npz_motion",
    "load_paths_json",
    "markers_csv_text",
    "paths_from_table",
    "read_table",
    "save_clip_csv",
    "save_npz",
    "save_training_csv",
    "save_training_npz",
    "source_of",
    "stroke_csv_text",
]
