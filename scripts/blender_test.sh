#!/bin/sh
# Tests of the Blender add-on, in an environment of its own: Blender as a Python module is 374 MB and brings its own
# numpy. Usage: scripts/blender_test.sh [VERSION of bpy] [arguments of pytest]
set -e
version=${1:-5.0.1}
[ $# -gt 0 ] && shift
place=.venv-blender/$version
if [ ! -x "$place/bin/python" ] || ! "$place/bin/python" -c 'import bpy, pytest' 2>/dev/null; then
  python=$(command -v python3.11) || { echo "bpy $version wants Python 3.11, and there is no python3.11." >&2; exit 2; }
  "$python" -m venv "$place"
  "$place/bin/python" -m pip install --quiet --disable-pip-version-check "bpy==$version" pytest
fi
ANIMATO=${ANIMATO:-$PWD/.venv/bin/animato} "$place/bin/python" -m pytest -q -p no:cacheprovider blender/tests "$@"
