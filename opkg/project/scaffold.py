"""`opkg new`: a project from the cookiecutter template, or one more op in an existing one; nothing half-written."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from opkg.spec.diagnostics import OpkgError, Span, error
from opkg.spec.names import snake

KINDS = ("elementwise", "reduction", "layout", "custom")
COMPUTED = ("elementwise", "reduction")  # their specs have `compute:`


@dataclass(frozen=True, slots=True)
class NewOp:
    """What `opkg new` wrote: the project root, the spec, and every file made or changed, relative to the root.

    `yours`: what a user changes next; the kernel and reference only for kinds that have no `compute:`.
    """

    root: str
    spec: str
    files: tuple[str, ...]
    created_project: bool
    yours: tuple[str, ...]


def new_op(name: str, kind: str, package: str | None, directory: str | None) -> NewOp:
    """Adds op `name` to the project in `directory` (default: here), or makes a project for it.

    A new project goes to `directory`, or to a folder named after the package. Raises OpkgError when the name does not
    do, the op exists, the spec to extend is not clear, or a file of the user's is in the way.
    """
    base = Path(directory or ".")
    specs = _specs(base)
    if specs:
        return _extend(base, _choose(specs, package), name, kind)
    slug = (package or "my.ops").split(".")[-1].replace("-", "_")
    target = base if directory else Path(slug)
    return _create(target, slug, package or "my.ops", name, kind)


def _fail(id: str, message: str, path: str, hint: str = "") -> OpkgError:
    return OpkgError([error(id, message, Span(path), hint)])


def _specs(base: Path) -> list[Path]:
    folder = base / "specs"
    if not folder.is_dir():
        return []
    return sorted(p for p in folder.rglob("*") if p.suffix in (".yaml", ".yml") and p.is_file())


def _choose(specs: list[Path], package: str | None) -> Path:
    from opkg.spec.reader import read_file

    names = {}
    for path in specs:
        found, findings = read_file(str(path), str(path))
        if found is None:
            raise OpkgError([d for d in findings if d.is_error])
        names[found.name] = path
    if package is None and len(names) == 1:
        return next(iter(names.values()))
    known = ", ".join(sorted(names))
    if package is None:
        raise _fail(
            "OPK340", f"this project has several packages: {known}", str(specs[0].parent), "name one: --package P"
        )
    if package not in names:
        hint = f"this project has {known}; for a new package use another folder (--dir)"
        raise _fail("OPK340", f"no package '{package}' in this project", str(specs[0].parent), hint)
    return names[package]


def _create(target: Path, slug: str, package: str, name: str, kind: str) -> NewOp:
    """The whole project is made beside its place and moved there when it is good."""
    if target.exists() and any(target.iterdir() if target.is_dir() else [target]):
        raise _fail(
            "OPK341", f"'{target}' exists and is not an opkg project", str(target), "choose an empty folder: --dir"
        )
    parent = target.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".opkg-new-", dir=parent) as staging:
        made = _cookiecut(Path(staging), slug, package)
        try:
            result = _extend(made, made / "specs" / f"{slug}.yaml", name, kind)
        except OpkgError as failed:  # nothing is left of the file that it speaks of
            raise OpkgError([replace(d, span=Span("")) for d in failed.diagnostics]) from None
        if target.is_dir():
            target.rmdir()
        made.rename(target)
    spec = str(target / "specs" / f"{slug}.yaml")
    files = tuple(sorted(str(p.relative_to(target)) for p in target.rglob("*") if p.is_file()))
    return NewOp(str(target), spec, files, True, result.yours)


def _cookiecut(staging: Path, slug: str, package: str) -> Path:
    from cookiecutter.main import cookiecutter

    from opkg import __version__
    from opkg.resources import data_folder

    context = {"slug": slug, "package": package, "opkg_version": __version__}
    made = cookiecutter(
        str(data_folder("templates") / "project"),
        no_input=True,
        extra_context=context,
        output_dir=str(staging),
        default_config=True,
    )
    root = Path(made)
    (root / ".opkg").mkdir()
    shutil.copy(data_folder("schemas") / "opspec.schema.json", root / ".opkg" / "opspec.schema.json")
    return root


def _extend(root: Path, spec: Path, name: str, kind: str) -> NewOp:
    """Adds the op's text to the spec; for a kind without `compute:` also to references.py, and writes its kernel file;
    all or nothing."""
    before = spec.read_bytes()
    package, ops = _read(before, str(spec))
    if name in ops:
        raise _fail("OPK342", f"op '{name}' exists already in package '{package}'", str(spec), "choose another name")
    body = f"kernels/{snake(name)}.cpp"
    context = {
        "name": name,
        "snake": snake(name),
        "body": body,
        "namespace": package.replace(".", "_").replace("-", "_"),
        "header": f"{package.replace('.', '_').replace('-', '_')}/{snake(name)}.h",
    }
    after = _insert(before.decode("utf-8"), _snippet(kind, "op.yaml.j2", context), str(spec)).encode()
    _read(after, str(spec))
    changes = {spec: after.decode()}
    if kind not in COMPUTED:
        changes = {**_by_hand(root, body, kind, context), **changes}
    _write_all(changes)
    written = _generate(str(spec))
    files = tuple([str(p.relative_to(root)) for p in changes])
    yours = ("the spec",) if kind in COMPUTED else ("the spec", "references.py", body)
    return NewOp(str(root), str(spec), (*files, *written), False, yours)


def _by_hand(root: Path, body: str, kind: str, context: dict[str, str]) -> dict[Path, str]:
    """The kernel file and references.py with the op's reference."""
    references = root / "references.py"
    text = references.read_text("utf-8") if references.exists() else _EMPTY_REFERENCES
    text = text.rstrip("\n") + "\n\n\n" + _snippet(kind, "reference.py.j2", context)
    kernel = root / body
    if kernel.exists():
        raise _fail("OPK343", f"'{kernel}' is in the way", str(kernel), "move it, or choose another op name")
    return {kernel: _snippet(kind, "kernel.cpp.j2", context), references: text}


def _generate(spec: str) -> tuple[str, ...]:
    """Writes what the spec asks for, so that the new op builds and verifies at once; the paths written."""
    from opkg.project.generate import generate

    result = generate((spec,))
    if not result.ok:
        raise OpkgError(result.findings)
    return tuple(action.path for action in result.actions)


_EMPTY_REFERENCES = (
    '"""What each op means, in numpy, on real values."""\n\nfrom __future__ import annotations\n\nimport numpy as np\n'
)


def _read(data: bytes, path: str) -> tuple[str, set[str]]:
    """Package name and op names of a spec; its errors are raised. A spec that has no ops yet is fine."""
    import yaml

    from opkg.spec.reader import read

    plain = yaml.safe_load(data)
    if isinstance(plain, dict) and not plain.get("ops") and isinstance(plain.get("package"), dict):
        return str(plain["package"].get("name", "")), set()
    package, findings = read(data, path)
    if package is None:
        raise OpkgError([d for d in findings if d.is_error])
    return package.name, {op.name for op in package.ops}


def _snippet(kind: str, file: str, context: dict[str, str]) -> str:
    from opkg.resources import render

    return render(f"op/{kind}/{file}", **context)


def _insert(text: str, snippet: str, path: str) -> str:
    """The spec with the op's lines at the end of `ops:`, in the indentation used there; all other lines untouched."""
    import yaml

    root = yaml.compose(text)
    entries = root.value if isinstance(root, yaml.MappingNode) else []
    for key, value in entries:
        if key.value == "ops":
            return _insert_at(text, snippet, key, value, path)
    return text.rstrip("\n") + "\n\nops:\n" + _indented(snippet, 2)


def _insert_at(text: str, snippet: str, key: object, ops: object, path: str) -> str:
    lines = text.splitlines(keepends=True)
    first = ops.start_mark  # type: ignore[attr-defined]
    if not ops.value:  # type: ignore[attr-defined]
        line = key.start_mark.line  # type: ignore[attr-defined]
        return "".join([*lines[:line], "ops:\n", _indented(snippet, 2), *lines[line + 1 :]])
    if ops.flow_style:  # type: ignore[attr-defined]
        message = "'ops' is written in braces; an op can be added only to an indented block"
        raise OpkgError([error("OPK344", message, Span(path, first.line + 1, first.column + 1))])
    end = min(ops.end_mark.line, len(lines))  # type: ignore[attr-defined]
    while end > first.line + 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    head = lines[:end]
    if not head[-1].endswith("\n"):
        head[-1] += "\n"
    return "".join([*head, "\n", _indented(snippet, first.column), *lines[end:]])


def _indented(snippet: str, columns: int) -> str:
    return "".join(" " * columns + line if line.strip() else line for line in snippet.splitlines(keepends=True))


def _write_all(changes: dict[Path, str]) -> None:
    """Writes every file beside its place first, then moves them; on any failure the old files are put back."""
    staged: list[tuple[Path, Path]] = []
    old = {path: path.read_bytes() if path.exists() else None for path in changes}
    try:
        for path, text in changes.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.opkg-new")
            temporary.write_text(text, "utf-8")
            staged.append((temporary, path))
        for temporary, path in staged:
            temporary.replace(path)
    except BaseException:
        for temporary, path in staged:
            temporary.unlink(missing_ok=True)
            data = old[path]
            if data is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(data)
        raise
