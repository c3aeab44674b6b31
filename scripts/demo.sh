#!/usr/bin/env bash
# The main job on a real example: a new op, then validate -> generate -> build -> verify on every machine there is.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$(cd "${OPKG_VENV:-.venv}/bin" && pwd):$PATH"
say() { printf '\n$ %s\n' "$*"; "$@"; }

rm -rf build/demo
mkdir -p build/demo
say opkg new HardGate --kind elementwise --package acme.vision --dir build/demo/vision --no-input
say opkg -C build/demo/vision new Mean --kind reduction --no-input
cd build/demo/vision
say opkg validate
say opkg generate
say opkg check
say opkg build
say opkg verify
cd ../../..
cp -r examples/activations build/demo/activations
cd build/demo/activations
say opkg generate
say opkg verify
