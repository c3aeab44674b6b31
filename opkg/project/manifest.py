"""`generated/manifest.json`: which file came from which spec and target, and checksums of all of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple, TypedDict

from opkg.project import files

PATH = "generated/manifest.json"
FORMAT = 2
_WITHOUT_SHARED = 1  # the format of when every package had headers of its own
_HEAD = '{\n"checksum": "sha256:'


class Made(TypedDict):
    """What one target made of one spec. `by`: who generated it; `spec`: checksum of the spec it was made from."""

    by: str
    spec: str
    files: dict[str, str]  # generated files and their checksums (with unix line ends)
    shared: list[str]  # files it needs that other specs and targets may need, too: names in generated/opkg/
    yours: list[str]  # files that are the user's: only that they exist is of interest


class SpecEntry(TypedDict):
    """One spec: its package, the targets it asks for, and what each of them made."""

    package: str
    targets: list[str]
    made: dict[str, Made]


Specs = dict[str, SpecEntry]


class Manifest(NamedTuple):
    """The manifest as found. `shared`: checksums of shared files by their names in generated/opkg/. `fault`: why it
    cannot be trusted ("" when it can); the rest is then empty."""

    specs: Specs
    shared: Mapping[str, str] = MappingProxyType({})
    fault: str = ""


def load(root: str) -> Manifest:
    """The manifest of a project."""
    try:
        data = files.read(f"{root}/{PATH}", follow=False)
    except FileNotFoundError:
        return Manifest({}, fault="is missing")
    except OSError as failure:
        return Manifest({}, fault=f"cannot be read ({failure.strerror})")
    return parse(data)


def parse(data: bytes) -> Manifest:
    """The manifest from its bytes; never raises."""
    try:
        text = files.unix(data).decode()
        head, _, rest = text.removeprefix(_HEAD).partition('",\n')
        if sha256(rest.encode()).hexdigest() != head:
            return Manifest({}, fault="has merge conflicts" if "<<<<<<<" in text else "was edited")
        value = json.loads(text)
        if value["format"] not in (FORMAT, _WITHOUT_SHARED):
            return Manifest({}, fault="is of another opkg version")
        specs: Specs = value["specs"]
        shared: dict[str, str] = value["shared"] if value["format"] == FORMAT else _unshared(specs)
        names = all(_is_name(name) and isinstance(checksum, str) for name, checksum in shared.items())
        if not names or not all(_well_formed(entry) for entry in specs.values()):
            return Manifest({}, fault="is damaged")
        return Manifest(specs, shared)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Manifest({}, fault="is damaged")


def _unshared(specs: Specs) -> dict[str, str]:
    """Completes what an opkg wrote that shared nothing; the shared files it has."""
    for entry in specs.values():
        for made in entry["made"].values():
            made["shared"] = []
    return {}


def _is_name(name: str) -> bool:
    """Whether a shared file's name stays below generated/opkg/."""
    return not any(part in ("", ".", "..") for part in name.split("/"))


def _well_formed(entry: Any) -> bool:
    """Whether a spec's entry has the shape we write, and names no file outside of `generated/`."""
    if not isinstance(entry["package"], str) or not all(isinstance(name, str) for name in entry["targets"]):
        return False
    for made in entry["made"].values():
        if not isinstance(made["by"], str) or not isinstance(made["spec"], str) or not isinstance(made["yours"], list):
            return False
        if not isinstance(made["shared"], list) or not all(map(_is_name, made["shared"])):
            return False
        for path, checksum in made["files"].items():
            if not path.startswith("generated/") or ".." in path.split("/") or not isinstance(checksum, str):
                return False
        if not all(isinstance(path, str) for path in made["yours"]):
            return False
    return True


def text(specs: Specs, shared: Mapping[str, str] = MappingProxyType({})) -> bytes:
    """The bytes of the manifest: a line per file, in order, the same on every machine."""
    quote = json.dumps
    lines = [f'"format": {FORMAT},', '"shared": {']
    lines += _separated([f' {quote(name)}: "{shared[name]}"' for name in sorted(shared)])
    lines += ["},", '"specs": {']
    for spec, entry in sorted(specs.items()):
        lines.append(f"{quote(spec)}: {{")
        lines.append(f' "package": {quote(entry["package"])}, "targets": {quote(entry["targets"])}, "made": {{')
        for target, made in sorted(entry["made"].items()):
            lines.append(f"  {quote(target)}: {{")
            lines.append(f'   "by": {quote(made["by"])},')
            lines.append(f'   "spec": {quote(made["spec"])},')
            lines.append('   "files": {')
            lines += _separated([f'    {quote(path)}: "{made["files"][path]}"' for path in sorted(made["files"])])
            lines.append(f'   }}, "shared": {quote(sorted(made["shared"]))}, "yours": {quote(sorted(made["yours"]))}')
            lines.append("  },")
        _close(lines)
        lines.append(" }")
        lines.append("},")
    _close(lines)
    lines.append("}\n}\n")
    body = "\n".join(lines).encode()
    return b'{\n"checksum": "sha256:%b",\n%b' % (sha256(body).hexdigest().encode(), body)


def _separated(lines: list[str]) -> list[str]:
    return [line + "," for line in lines[:-1]] + lines[-1:]


def _close(lines: list[str]) -> None:
    """The last entry of an object takes no comma."""
    if lines[-1].endswith("},"):
        lines[-1] = lines[-1][:-1]
