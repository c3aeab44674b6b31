#!/usr/bin/env bash
# Sets up what `make demo` or `make test` needs: Debian packages that are missing, and a virtual environment.
# usage: scripts/setup.sh demo|test
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-demo}
python=${PYTHON:-python3}
venv=${OPKG_VENV:-.venv}

# command -> Debian package that brings it
packages=(g++:g++ make:make nm:binutils)
if [ "$what" = test ]; then
  packages+=(cmake:cmake git:git clang++-19:clang-19 ld.lld-19:lld-19 llvm-nm-19:llvm-19 qemu-hexagon:qemu-user)
fi
missing=()
for entry in "${packages[@]}"; do
  command -v "${entry%%:*}" >/dev/null 2>&1 || missing+=("${entry##*:}")
done
"$python" -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
if [ ${#missing[@]} -gt 0 ]; then
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  echo "setup: installing ${missing[*]}" >&2
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
stamp="$venv/.opkg-$what"
if [ ! -e "$stamp" ] || [ pyproject.toml -nt "$stamp" ]; then
  extras=$([ "$what" = test ] && echo "[htp,test]" || echo "[htp]")
  echo "setup: installing opkg$extras into $venv" >&2
  "$venv/bin/pip" install -q --disable-pip-version-check -e ".$extras" 2> >(grep -v '^WARNING: Location' >&2)
  touch "$stamp"
fi
if [ "$what" = test ] && [ -f scripts/setup-executorch.sh ]; then
  bash scripts/setup-executorch.sh .venv-executorch
fi
