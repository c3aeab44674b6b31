"""Which operation of a tree of onert is handled where: every touch point is a row, and none is found by running anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from opkg.spec.diagnostics import Diagnostic, Severity, Span
from opkg.trees import anchors
from opkg.trees.cpp_text import scan
from opkg.trees.found import Unexpected
from opkg.trees.onert.eras import MARK
from opkg.trees.onert.places import BASE_LOADER, CIRCLE_LOADER, CORE, FRONTEND, ROWS

_TFLITE = (
    f"{CORE}/src/loader/TFLiteLoader.cc",
    f"{CORE}/src/loader/tflite_loader.cc",
    f"{FRONTEND}/tflite/src/tflite_loader.cc",
)
_FACTORY = (
    "runtime/tests/nnapi/bridge/wrapper/OperationFactory.cc",  # since 2025-02
    "tests/nnapi/bridge/wrapper/OperationFactory.cc",
    "runtime/onert/api/nnapi/wrapper/OperationFactory.cc",
    f"{FRONTEND}/nnapi/wrapper/OperationFactory.cc",
)
_ONE_OP = (
    "runtime/tests/nnfw_api/src/GenModelTests/one_op_tests",
    "tests/nnfw_api/src/GenModelTests/one_op_tests",
    "tests/nnfw_api/src/one_op_tests",
)
_MENTION = r"\boperation::(\w+)"


@dataclass(frozen=True, slots=True)
class Point:
    """A touch point. `short`: its column; `words`: what an operation lacks that has none of it; `core`: every operation
    should have it. How it is found: entries of `row`; mentions in all of `files`; names of files in one of `folders`;
    or a backend's list of operations (`backend`), with visits of its KernelGenerator before there were lists.
    """

    name: str
    short: str
    words: str
    core: bool = False
    row: str = ""
    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    backend: str = ""


def _backend(name: str, core: bool = False) -> Point:
    return Point(name, name, f"kernel in backend {name}", core, backend=name)


POINTS = (
    Point("operation-validator", "valid", "OperationValidator", True, "operation_validator_h"),
    Point("shape-validator", "shape", "ShapeValidator", True, "shape_validator_h"),
    Point("static-shape", "static", "StaticShapeInferer", True, "static_shape_inferer_h"),
    Point("dynamic-shape", "dynam", "DynamicShapeInferer", True, "dynamic_shape_inferer_h"),
    Point("dumper", "dump", "OperationDumper", True, "operation_dumper_h"),
    Point("loader", "load", "loader", True, files=(*BASE_LOADER, *CIRCLE_LOADER, *_TFLITE)),
    _backend("cpu", core=True),
    _backend("acl_cl"),
    _backend("acl_neon"),
    _backend("ruy"),
    _backend("ggml"),
    Point("nnapi", "nnapi", "entry in OperationFactory of NNAPI", files=_FACTORY),
    Point("one-op-test", "one_op", "one-op test (by the name of its file)", folders=_ONE_OP),
    Point("untrainable-test", "untrain", "entry in the test of UntrainableOperation", False, "untrainable_generate"),
)


@dataclass(frozen=True, slots=True)
class Audit:
    """`operations`: name -> line in Operations.lst, in order. `points`: the touch points that the tree has, with the
    operations that have them. `problems`: files that do not look as expected, whose touch points are left out."""

    operations: dict[str, int]
    points: dict[Point, frozenset[str]]
    problems: tuple[Diagnostic, ...]

    def lacks(self, name: str, of: Sequence[Point]) -> list[Point]:
        return [point for point in of if point in self.points and name not in self.points[point]]

    @property
    def complete(self) -> tuple[str, ...]:
        """Operations that have all touch points of the core, as far as the tree has them."""
        core = [point for point in POINTS if point.core]
        return tuple(name for name in self.operations if not self.lacks(name, core))


def audit(read: Callable[[str], str | None], names_in: Callable[[str], Sequence[str]]) -> Audit:
    """Looks at a tree. `read`: the text of a file, None when there is none; `names_in`: the names of files in a folder.

    Raises Unexpected when Operations.lst has no operations.
    """
    lst = scan(read(MARK) or "")
    region = anchors.locate(lst, ROWS["operations_lst"])
    operations = {item.key: item.first + 1 for item in (*region.items, *region.others)}
    points: dict[Point, frozenset[str]] = {}
    problems = []
    for point in POINTS:
        try:
            found = _found(point, read, names_in)
        except _Elsewhere as reason:
            where = Span(reason.path, reason.line, reason.column, reason.line, reason.column)
            message = f"does not look as expected: {reason}; what it has of {point.words} is left out"
            problems.append(Diagnostic("OPK361", message, where, "", Severity.WARNING))
            continue
        if found is not None:
            points[point] = frozenset(found) & operations.keys()
    return Audit(operations, points, tuple(problems))


class _Elsewhere(Exception):
    """A file that does not look as expected."""

    def __init__(self, path: str, reason: Unexpected) -> None:
        super().__init__(reason.message)
        self.path, self.line, self.column = path, reason.line, reason.column


def _found(
    point: Point, read: Callable[[str], str | None], names_in: Callable[[str], Sequence[str]]
) -> set[str] | None:
    """The names that have a touch point; None when the tree has no such thing at all."""
    if point.row:
        return _entries(point.row, ROWS[point.row].paths, read)
    if point.backend:
        folder = f"runtime/onert/backend/{point.backend}"
        listed = _entries("cpu_operation_lst", (f"{folder}/Operation.lst",), read)
        return listed if listed is not None else _visits(f"{folder}/KernelGenerator.h", read)
    if point.folders:
        names = next((names for folder in point.folders if (names := names_in(folder))), None)
        return None if names is None else {name.partition(".")[0] for name in names if name.endswith(".cc")}
    texts = [text for path in point.files if (text := read(path)) is not None]
    return {name for text in texts for name in re.findall(_MENTION, scan(text).code)} if texts else None


def _entries(row: str, paths: Sequence[str], read: Callable[[str], str | None]) -> set[str] | None:
    for path in paths:
        text = read(path)
        if text is not None:
            try:
                return set(anchors.keys(text, ROWS[row]))
            except Unexpected as reason:
                raise _Elsewhere(path, reason) from None
    return None


def _visits(path: str, read: Callable[[str], str | None]) -> set[str] | None:
    """Operations that a KernelGenerator has visits for; None without one."""
    return _entries("cpu_kernel_generator_h", (path,), read)
