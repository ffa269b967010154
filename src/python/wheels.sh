#!/bin/sh
# SPDX-License-Identifier: MIT
# A source distribution, and a wheel for each Python named. The kernels are compiled once, the extension for each.
set -eu
if [ $# -lt 2 ]; then
	echo "Usage: src/python/wheels.sh FOLDER PYTHON...    PYTHON: an interpreter with numpy, its headers and pip" >&2
	exit 2
fi
folder=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ISAKERN_BUILD="${ISAKERN_BUILD:-$work/build}"
PYTHONPATH="$root/src/python" "$1" -c 'import sys, backend; print(backend.build_sdist(sys.argv[1]))' "$folder"
for python; do
	"$python" -m pip wheel -v --no-deps --no-index --wheel-dir "$folder" "$root"
done
