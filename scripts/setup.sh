#!/usr/bin/env bash
# Sets up what `make demo`, `make docs` or `make test` needs: Debian packages that are missing, and a virtual environment.
# usage: scripts/setup.sh demo|docs|test
set -euo pipefail
cd "$(dirname "$0")/.."
what=${1:-demo}
python=${PYTHON:-python3}
venv=${OPKG_VENV:-.venv}

# The major version of qemu-hexagon; 0 when there is none.
qemu_version() {
  local said
  said=$(qemu-hexagon --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p;q') || true
  echo "${said:-0}"
}

# Debian 12 has qemu 7.2, which runs Hexagon v66; its backports have 10, which runs v68 and v73 too. Adds the suite as a copy
# of the distribution's own entry. Without it, or elsewhere, the plain package serves.
add_backports() {
  local list=${OPKG_APT_FOLDER:-/etc/apt}
  grep -qs '^VERSION_CODENAME=bookworm' "${OPKG_OS_RELEASE:-/etc/os-release}" || return 1
  grep -qsr bookworm-backports "$list/sources.list" "$list/sources.list.d" && return 0
  local entry=$list/sources.list.d/opkg-backports
  if [ -f "$list/sources.list.d/debian.sources" ]; then
    awk 'BEGIN { RS = ""; FS = "\n" }
      /(^|\n)Suites:[^\n]*bookworm( |\n|$)/ {
        for (i = 1; i <= NF; ++i) print ($i ~ /^Suites:/ ? "Suites: bookworm-backports" : $i)
        exit
      }' "$list/sources.list.d/debian.sources" | $sudo tee "$entry.sources" >/dev/null
  elif [ -f "$list/sources.list" ]; then
    sed -n 's/^\(deb .*\) bookworm main.*/\1 bookworm-backports main/p' "$list/sources.list" | head -n 1 |
      $sudo tee "$entry.list" >/dev/null
  else
    return 1
  fi
}

# command, header -> Debian package that brings it
packages=(g++:g++ make:make nm:binutils)
headers=()
if [ "$what" != demo ]; then
  packages+=(clang++-19:clang-19 ld.lld-19:lld-19 llvm-nm-19:llvm-19 qemu-hexagon:qemu-user)
fi
if [ "$what" = test ]; then
  packages+=(cmake:cmake git:git aarch64-linux-gnu-g++-12:g++-12-aarch64-linux-gnu flatc:flatbuffers-compiler ccache:ccache)
  headers=(xbyak/xbyak.h:libxbyak-dev flatbuffers/flexbuffers.h:libflatbuffers-dev)
fi
sudo=$([ "$(id -u)" = 0 ] || echo sudo)
missing=()
for entry in "${packages[@]}"; do
  command -v "${entry%%:*}" >/dev/null 2>&1 || missing+=("${entry##*:}")
done
for entry in "${headers[@]}"; do
  [ -e "/usr/include/${entry%%:*}" ] || missing+=("${entry##*:}")
done
"$python" -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
if [ ${#missing[@]} -gt 0 ]; then
  echo "setup: installing ${missing[*]}" >&2
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
if [ "$what" != demo ] && [ "$(qemu_version)" -lt 10 ] && add_backports; then
  echo "setup: installing qemu 10 from bookworm-backports" >&2
  # What fails here leaves the emulator that is there; the entry must not break later updates.
  $sudo apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends -t bookworm-backports qemu-user >/dev/null ||
    { echo "setup: no backports; v68 and v73 cannot be run" >&2; $sudo rm -f /etc/apt/sources.list.d/opkg-backports.*; }
fi

# The two environments are made at the same time.
if [ "$what" = test ]; then
  bash scripts/setup-executorch.sh .venv-executorch & executorch=$!
  trap 'kill "$executorch" 2>/dev/null || true' EXIT
fi
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
stamp="$venv/.opkg-$what"
if [ ! -e "$stamp" ] || [ pyproject.toml -nt "$stamp" ]; then
  extras="[htp$([ "$what" = demo ] || echo ",$what")]"
  echo "setup: installing opkg$extras into $venv" >&2
  "$venv/bin/pip" install -q --disable-pip-version-check -e ".$extras" 2> >(grep -v '^WARNING: Location' >&2)
  touch "$stamp"
fi
[ "$what" != test ] || wait "$executorch"
