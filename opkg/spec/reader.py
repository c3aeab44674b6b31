"""Reads a spec file: bytes to an OpPackage and every finding on the way, in one run."""

from __future__ import annotations

import gc
import os
import re

from opkg.spec.diagnostics import Diagnostic, Span, error, sort_key
from opkg.spec.fields import Fields, read_record
from opkg.spec.model import Kernel, Op, OpPackage, Text
from opkg.spec.names import MAX_NAME, op_name_fault, package_faults, snake
from opkg.spec.nodes import Mapping, Node
from opkg.spec.read_op import OpReader
from opkg.spec.records import PACKAGE, SPEC
from opkg.spec.scalars import Findings, take_entries, take_list, take_plain_text, take_scalar
from opkg.spec.source import MAX_BYTES, read_tree

_VERSION = re.compile(r"(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})")
_TARGET = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SDK = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,31}")
DEFAULT_TARGET = "qnn-htp-qhpi"


def read_file(path: str | os.PathLike[str], display: str | None = None) -> tuple[OpPackage | None, list[Diagnostic]]:
    """Read the spec at `path`; `display` is the path that findings and provenance lines show (posix)."""
    shown = display if display is not None else os.fspath(path).replace(os.sep, "/")
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as failure:
        return None, [error("OPK100", f"cannot read the file: {failure.strerror or failure}", Span(shown))]
    return read(data, shown)


def read(data: bytes, path: str) -> tuple[OpPackage | None, list[Diagnostic]]:
    """Read a spec. The package is None exactly when there is an error among the findings, which are in order of place.

    `path` is what findings and provenance lines show. Never raises, whatever the bytes are.
    """
    findings = Findings(path)
    collecting = gc.isenabled()
    gc.disable()  # a tree of many small objects and no cycles: the collector would only walk it again and again
    try:
        package = _read(data, path, findings)
    finally:
        if collecting:
            gc.enable()
    diagnostics = sorted(findings.list, key=sort_key)
    if any(diagnostic.is_error for diagnostic in diagnostics):
        package = None
    return package, diagnostics


def _read(data: bytes, path: str, findings: Findings) -> OpPackage | None:
    """The package; the YAML tree dies with this frame, before the collector runs again."""
    root, found = read_tree(data, path)
    findings.list.extend(found)
    return _read_spec(root, findings) if root is not None else None


def _read_spec(root: Node, findings: Findings) -> OpPackage | None:
    fields = read_record(root, SPEC, findings, Span(findings.path, 1, 1, 1, 2))
    if fields is None:
        return None
    if not _format(fields.node("opkg"), findings):
        return None
    ops: list[Op] = []
    entries = take_entries(fields.node("ops"), "ops", findings)
    ops_node = fields.node("ops")
    if isinstance(ops_node, Mapping) and not entries:
        findings.error("OPK134", "this package has no ops", ops_node.span, "opkg new NAME adds one")
    stems: dict[str, str] = {}
    for name, (key, node) in entries.items():
        fault = op_name_fault(name)
        if fault is not None:
            findings.error(fault[0], fault[1], key.span, fault[2])
        other = stems.setdefault(snake(name), name)
        if other != name:
            message = f"ops '{name}' and '{other}' collide: both become '{snake(name)}'"
            findings.error("OPK152", message, key.span, "rename one")
        op = OpReader(name, key, findings).read(node)
        if op is not None:
            ops.append(op)
    _functions(ops, findings)
    package = fields.node("package")
    return _package(package, tuple(ops), fields, findings) if package is not None else None


def _format(node: Node | None, findings: Findings) -> bool:
    """Whether the file is of version 1 of the format (or does not say, which is a finding already)."""
    if node is None:
        return True
    scalar = take_scalar(node, "the format version", findings)
    if scalar is None or (scalar.text == "1" and scalar.plain):
        return True
    message = f"format version '{scalar.text[:20]}' is not known"
    findings.error("OPK132", message, scalar.span, "this opkg reads version 1: write opkg: 1")
    return False


def _package(node: Node, ops: tuple[Op, ...], spec: Fields, findings: Findings) -> OpPackage | None:
    fields = read_record(node, PACKAGE, findings)
    if fields is None:
        return None
    name = _name(fields.node("name"), findings)
    version = _version(fields.node("version"), findings)
    targets = _targets(fields.node("targets"), fields.span, findings)
    sdk = _release(fields.node("sdk"), "an SDK profile", "2.17", findings)
    executorch = _release(fields.node("executorch"), "a version of ExecuTorch", "1.5", findings)
    spans = {**fields.spans, **{key: span for key, span in spec.spans.items() if key in ("opkg", "package", "ops")}}
    summary = fields.text("summary")
    return OpPackage(name, version, summary, targets, sdk, ops, findings.path, spans, executorch=executorch)


def _release(node: Node | None, what: str, example: str, findings: Findings) -> str:
    """A version of something that specs may be for; whether it is known is for the target to say."""
    scalar = take_plain_text(node, what, findings) if node is not None else None
    if scalar is None:
        return ""
    if not _SDK.fullmatch(scalar.text):
        wrong = f"'{scalar.text[:40]}' is no {what.partition(' ')[2]}"
        findings.error("OPK136", wrong, scalar.span, f'for example "{example}"')
    return scalar.text


def _name(node: Node | None, findings: Findings) -> str:
    """The package's name: dotted lower-case words that C++ and Python can carry."""
    scalar = take_plain_text(node, "the package's name", findings) if node is not None else None
    if scalar is None:
        return ""
    faults = package_faults(scalar.text)
    for id, message, hint in faults:
        findings.error(id, message, scalar.span, hint)
    return "" if any(id == "OPK150" for id, _, _ in faults) else scalar.text


def _version(node: Node | None, findings: Findings) -> tuple[int, int, int]:
    scalar = take_scalar(node, "the version", findings) if node is not None else None
    if scalar is None:
        return 1, 0, 0
    match = _VERSION.fullmatch(scalar.text)
    if match is None:
        hint = "write MAJOR.MINOR.PATCH"
        if re.fullmatch(r"[0-9]+\.[0-9]+", scalar.text):
            hint += f": {scalar.text}.0 (YAML reads {scalar.text} as a decimal number)"
        findings.error("OPK130", f"'{scalar.text[:40]}' is no version", scalar.span, hint)
        return 1, 0, 0
    return int(match.group(1)), int(match.group(2)), int(match.group(3))


def _targets(node: Node | None, span: Span, findings: Findings) -> tuple[Text, ...]:
    """Names of targets; whether they exist is for the registry of targets to say."""
    if node is None:
        return (Text(DEFAULT_TARGET, span),)
    targets: list[Text] = []
    items = take_list(node, "targets", findings, or_one=True)
    for item in items:
        scalar = take_plain_text(item, "a target", findings)
        if scalar is None:
            continue
        text = Text(scalar.text, scalar.span)
        if not _TARGET.fullmatch(scalar.text) or len(scalar.text) > MAX_NAME:
            hint = "for example qnn-htp-qhpi; `opkg targets` lists them"
            findings.error("OPK150", f"'{scalar.text[:40]}' is no target name", scalar.span, hint)
        elif text in targets:
            findings.error("OPK135", f"target '{scalar.text}' stands twice", scalar.span, "delete one")
        else:
            targets.append(text)
    if not items and not findings.list:
        findings.error("OPK134", "the list of targets is empty", node.span, "name one, or delete the key")
    return tuple(targets)


def _functions(ops: list[Op], findings: Findings) -> None:
    """Kernel functions of a package share one namespace; body files share one tree."""
    functions: dict[str, tuple[str, Kernel]] = {}
    paths: dict[str, str] = {}
    for op in ops:
        for kernel in op.kernels:
            span = kernel.spans.get("function") or kernel.spans[""]
            other = functions.setdefault(kernel.function, (op.name, kernel))
            if other[1] is not kernel:
                line = other[1].spans[""].line
                message = f"two kernels have the function '{kernel.function}' (the other: {other[0]}, line {line})"
                findings.error("OPK154", message, span, "give one of them a 'function' of its own")
            known = paths.setdefault(kernel.body.lower(), kernel.body)
            if known != kernel.body:
                message = f"'{kernel.body}' and '{known}' are one file where case does not count"
                findings.error("OPK155", message, kernel.spans.get("body") or kernel.spans[""], "write both alike")
                paths[kernel.body.lower()] = kernel.body
