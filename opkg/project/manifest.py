"""`generated/manifest.json`: which file came from which spec and target, and checksums of all of them."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple, TypedDict

from opkg.project import files

PATH = "generated/manifest.json"
FORMAT = 1
_HEAD = '{\n"checksum": "sha256:'


class Made(TypedDict):
    """What one target made of one spec. `by`: who generated it; `spec`: checksum of the spec it was made from."""

    by: str
    spec: str
    files: dict[str, str]  # generated files and their checksums (with unix line ends)
    yours: list[str]  # files that are the user's: only that they exist is of interest


class SpecEntry(TypedDict):
    """One spec: its package, the targets it asks for, and what each of them made."""

    package: str
    targets: list[str]
    made: dict[str, Made]


Specs = dict[str, SpecEntry]


class Manifest(NamedTuple):
    """The manifest as found. `fault`: why it cannot be trusted ("" when it can); `specs` is then empty."""

    specs: Specs
    fault: str = ""

    def owner(self, path: str) -> tuple[str, str] | None:
        """Spec and target that made a generated file."""
        for spec, entry in self.specs.items():
            for target, made in entry["made"].items():
                if path in made["files"]:
                    return spec, target
        return None


def load(root: str) -> Manifest:
    """The manifest of a project."""
    try:
        data = files.read(f"{root}/{PATH}", follow=False)
    except FileNotFoundError:
        return Manifest({}, "is missing")
    except OSError as failure:
        return Manifest({}, f"cannot be read ({failure.strerror})")
    return parse(data)


def parse(data: bytes) -> Manifest:
    """The manifest from its bytes; never raises."""
    try:
        text = files.unix(data).decode()
        head, _, rest = text.removeprefix(_HEAD).partition('",\n')
        if sha256(rest.encode()).hexdigest() != head:
            return Manifest({}, "has merge conflicts" if "<<<<<<<" in text else "was edited")
        value = json.loads(text)
        if value["format"] != FORMAT:
            return Manifest({}, "is of another opkg version")
        specs: Specs = value["specs"]
        if not all(_well_formed(entry) for entry in specs.values()):
            return Manifest({}, "is damaged")
        return Manifest(specs)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Manifest({}, "is damaged")


def _well_formed(entry: Any) -> bool:
    """Whether a spec's entry has the shape we write, and names no file outside of `generated/`."""
    if not isinstance(entry["package"], str) or not all(isinstance(name, str) for name in entry["targets"]):
        return False
    for made in entry["made"].values():
        if not isinstance(made["by"], str) or not isinstance(made["spec"], str) or not isinstance(made["yours"], list):
            return False
        for path, checksum in made["files"].items():
            if not path.startswith("generated/") or ".." in path.split("/") or not isinstance(checksum, str):
                return False
        if not all(isinstance(path, str) for path in made["yours"]):
            return False
    return True


def text(specs: Specs) -> bytes:
    """The bytes of the manifest: a line per file, in order, the same on every machine."""
    quote = json.dumps
    lines = [f'"format": {FORMAT},', '"specs": {']
    for spec, entry in sorted(specs.items()):
        lines.append(f"{quote(spec)}: {{")
        lines.append(f' "package": {quote(entry["package"])}, "targets": {quote(entry["targets"])}, "made": {{')
        for target, made in sorted(entry["made"].items()):
            lines.append(f"  {quote(target)}: {{")
            lines.append(f'   "by": {quote(made["by"])},')
            lines.append(f'   "spec": {quote(made["spec"])},')
            lines.append('   "files": {')
            lines += _separated([f'    {quote(path)}: "{made["files"][path]}"' for path in sorted(made["files"])])
            lines.append(f'   }}, "yours": {quote(sorted(made["yours"]))}')
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
