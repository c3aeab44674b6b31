#!/usr/bin/env bash
# All checks: style, types, tests. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${OPKG_VENV:-.venv}/bin
export PATH="$(cd "$bin" && pwd):$PATH"
ruff check .
ruff format --check -q .
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} # torch's threads wait on each other where two tests run on two cores
mypy & types=$!
trap 'kill "$types" 2>/dev/null || true' EXIT
python -m pytest -n 2 --dist loadgroup "$@"
wait $types
