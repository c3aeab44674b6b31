#!/bin/sh
# Compares what the device gave, in out/, with what is expected. usage: ./compare.sh
set -eu
cd "$(dirname "$0")"
exec "${PYTHON:-python3}" compare.py out
