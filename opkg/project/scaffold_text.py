"""The texts that `opkg new` writes: the project template, an op's lines in a spec, references.py; nothing is touched."""

from __future__ import annotations

import json
from typing import Any

from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.spec.names import package_faults
from opkg.spec.nodes import Mapping, Node, Scalar

_EMPTY_REFERENCES = (
    '"""What each op means, in numpy, on real values."""\n\nfrom __future__ import annotations\n\nimport numpy as np\n'
)
SCHEMA = "opspec.schema.json"


def project_files(slug: str, package: str, target: str) -> dict[str, bytes]:
    """The files of a new project from the cookiecutter template, by path; all answers have been checked.

    Rendered here and not by cookiecutter's own generator: that one also takes the answers, and the path of the folder
    it writes to, for templates, writes to the home folder, and changes the current folder.
    """
    from cookiecutter.environment import StrictEnvironment

    from opkg import __version__
    from opkg.resources import data_folder

    top = data_folder("templates") / "project"
    context = json.loads((top / "cookiecutter.json").read_text("utf-8"))
    context |= {"slug": slug, "package": package, "target": target, "opkg_version": __version__}
    environment: Any = StrictEnvironment(context={"cookiecutter": context}, keep_trailing_newline=True)

    def rendered(text: str) -> str:
        result: str = environment.from_string(text).render(cookiecutter=context)
        return result

    tree = top / "{{cookiecutter.slug}}"
    files = {
        rendered(path.relative_to(tree).as_posix()): rendered(path.read_text("utf-8")).encode()
        for path in sorted(tree.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    return files | {f".opkg/{SCHEMA}": (data_folder("schemas") / SCHEMA).read_bytes()}


def names_in(data: bytes, path: str) -> tuple[str, set[str]]:
    """Package name and op names of a spec; its errors are raised. A spec that has no ops yet is fine."""
    from opkg.spec.reader import read
    from opkg.spec.source import read_tree

    package, findings = read(data, path)
    if package is not None:
        return package.name, {op.name for op in package.ops}
    root, _ = read_tree(data, path)
    name = _package_without_ops(root)
    if name:
        return name, set()
    raise OpkgError([d for d in findings if d.is_error])


def _package_without_ops(root: Node | None) -> str:
    """The package's name when the spec has no ops; empty otherwise."""
    entries = root.entries if isinstance(root, Mapping) else {}
    ops, package = entries.get("ops"), entries.get("package")
    if package is None or not isinstance(package[1], Mapping) or "name" not in package[1].entries:
        return ""
    name = package[1].entries["name"][1]
    empty = ops is None or (isinstance(ops[1], Mapping) and not ops[1].entries)
    empty = empty or (
        ops is not None and isinstance(ops[1], Scalar) and ops[1].plain and ops[1].text in ("", "~", "null")
    )
    return name.text if empty and isinstance(name, Scalar) and not package_faults(name.text) else ""


def snippet(kind: str, file: str, context: dict[str, str]) -> str:
    """What the templates have for an op of a kind."""
    from opkg.resources import render

    return render(f"op/{kind}/{file}", **context)


def with_reference(before: str, kind: str, context: dict[str, str], path: str) -> str:
    """references.py with the op's function behind what is there (nothing: a new file)."""
    name = context["snake"]
    for number, line in enumerate(before.splitlines(), 1):
        if line.startswith((f"def {name}(", f"async def {name}(", f"class {name}(", f"class {name}:", f"{name} =")):
            message = f"there is a '{name}' already"
            raise OpkgError([error("OPK343", message, Span(path, number), "rename it, or choose another op name")])
    return (before or _EMPTY_REFERENCES).rstrip("\n") + "\n\n\n" + snippet(kind, "reference.py.j2", context)


def with_op(text: str, lines: str, path: str) -> str:
    """The spec with the op's lines at the end of `ops:`, in the indentation used there; all other lines untouched."""
    import yaml

    root = yaml.compose(text)
    entries = root.value if isinstance(root, yaml.MappingNode) else []
    for key, value in entries:
        if key.value == "ops":
            return _at_end(text, lines, key, value, path)
    return text.rstrip("\n") + "\n\nops:\n" + _indented(lines, 2)


def _at_end(text: str, snippet: str, key: Any, ops: Any, path: str) -> str:
    lines = text.splitlines(keepends=True)
    first = ops.start_mark
    if not ops.value:
        line = key.start_mark.line
        return "".join([*lines[:line], "ops:\n", _indented(snippet, 2), *lines[line + 1 :]])
    if ops.flow_style:
        message = "'ops' is written in braces; an op can be added only to an indented block"
        raise OpkgError([error("OPK344", message, Span(path, first.line + 1, first.column + 1))])
    end = min(ops.end_mark.line, len(lines))
    while end > first.line + 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    head = lines[:end]
    if not head[-1].endswith("\n"):
        head[-1] += "\n"
    return "".join([*head, "\n", _indented(snippet, first.column), *lines[end:]])


def _indented(snippet: str, columns: int) -> str:
    return "".join(" " * columns + line if line.strip() else line for line in snippet.splitlines(keepends=True))
