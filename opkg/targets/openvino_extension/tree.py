"""An op in a source tree of OpenVINO: its class among those of Snippets, its emitter in the CPU plugin, entries in their lists.

The files are those of the extension, in folders of the package's own; what they include of one another is named by its place.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence

from opkg.resources import plain, render
from opkg.spec.diagnostics import Diagnostic, warning
from opkg.spec.model import Op, OpPackage
from opkg.targets.artifact import Artifact
from opkg.targets.foreign import OpenvinoEra, TreeEdit
from opkg.targets.openvino_extension.files import cpp_files
from opkg.targets.openvino_extension.lint import fits
from opkg.targets.openvino_extension.x64 import emitter_code, emitter_files
from opkg.targets.openvino_extension.x64_registers import NoEmitter
from opkg.targets.qnn_common.names import snake

HEADERS = "src/common/snippets/include"
SOURCES = "src/common/snippets/src"
PLUGIN = "src/plugins/intel_cpu/src"
EMITTERS = "emitters/plugin/x64"
_LEFT = ("extension.cpp", "fusions.cpp", "fusions.h", "fusing.h", "x64_rows.h")


def in_tree(op: Op) -> str:
    """Why an op is not put into a tree; "" when it is."""
    if not fits(op):
        return "it is no extension op of OpenVINO"
    if len(op.outputs) > 1:
        return "Snippets takes ops with one output"
    try:
        emitter_code(op)
    except NoEmitter as why:
        return f"it has no emitter of x64 code: {why}"
    return ""


def left_out(package: OpPackage) -> list[Diagnostic]:
    """What of a package is not put in."""
    found = [(op, in_tree(op)) for op in package.ops]
    return [warning("OPK378", f"{op.name} is not put in: {why}", op.span) for op, why in found if why]


def tree_files(package: OpPackage) -> dict[str, str]:
    """New files by their paths in the tree."""
    ops = [op for op in package.ops if not in_tree(op)]
    made = [*cpp_files(package, ops), *emitter_files(package, ops), *_emitters(package, ops)] if ops else []
    placed = {each.path: _place(package, each) for each in made if each.path.endswith((".h", ".cpp"))}
    placed = {path: place for path, place in placed.items() if place}
    names = {_included(package, path): _named(place) for path, place in placed.items()}
    texts = {each.path: each.text for each in made}
    return {place: _renamed(texts[path], names) for path, place in placed.items()}


def _emitters(package: OpPackage, ops: Sequence[Op]) -> list[Artifact]:
    """What the CPU plugin makes of the emitters."""
    space = package.cpp_namespace
    base = f"generated/{space}/openvino/x64"
    found = [Artifact(f"{base}/opkg/snippets_emitter.h", plain("openvino_extension/snippets_emitter.h"))]
    for op in ops:
        stem = snake(op.name)
        text = render(
            "openvino_extension/snippets_op.h.j2",
            op=op,
            namespace=space,
            stem=stem,
            guard=f"{space}_JIT_{stem}_EMITTER_H_".upper(),
            inputs=len(op.inputs),
            params=", ".join(f"static_cast<float>(params.{p.name})" for p in emitter_code(op).params),
        )
        found.append(Artifact(f"{base}/{space}/jit_{stem}_emitter.h", text))
    return found


def _place(package: OpPackage, file: Artifact) -> str:
    """Where a file goes, "" when it does not: with the suffix that headers have there."""
    name = posixpath.basename(file.path)
    if name in _LEFT:
        return ""
    space = package.cpp_namespace
    stem, suffix = posixpath.splitext(name)
    if suffix == ".cpp":
        return f"{SOURCES}/op/{space}/{name}"
    if "/x64/" in file.path and "kElements" in file.text:
        return ""  # of whole numbers: subgraphs compute with floats
    if "/x64/" in file.path:
        return f"{PLUGIN}/{EMITTERS}/{space}/{stem}.hpp"
    return f"{HEADERS}/snippets/op/{space}/{snake(stem)}.hpp"


def _included(package: OpPackage, path: str) -> str:
    """The name by which the extension's files include a file."""
    base = f"generated/{package.cpp_namespace}/openvino/"
    return re.sub(r"^(?:include|x64|src)/", "", path.removeprefix(base))


def _named(place: str) -> str:
    """The name by which files of the tree include one at a place."""
    return place.removeprefix(f"{HEADERS}/").removeprefix(f"{PLUGIN}/")


def _renamed(text: str, names: dict[str, str]) -> str:
    return re.sub(r'^#include "([^"\n]+)"', lambda m: f'#include "{names.get(m[1], m[1])}"', text, flags=re.M)


def tree_edits(package: OpPackage, era: OpenvinoEra) -> list[TreeEdit]:
    """The entries of a package's ops."""
    space = package.cpp_namespace
    edits = (
        _edits(f"{space}::{op.identifier}", f"{space}::Jit{op.identifier}Emitter", space, op, era)
        for op in package.ops
        if not in_tree(op)
    )
    return [edit for each in edits for edit in each]


def _edits(name: str, emitter: str, space: str, op: Op, era: OpenvinoEra) -> Iterable[TreeEdit]:
    stem = snake(op.name)
    header, code = f"snippets/op/{space}/{stem}", f"{EMITTERS}/{space}/jit_{stem}_emitter"
    kind = f"{name}::get_type_info_static()"
    for place, included in (
        ("extension_include", header),
        ("tokenize_include", header),
        ("generator_include", code),
        ("shapes_include", header),
    ):
        yield TreeEdit(place, included, f'#include "{included}.hpp"\n')
    yield TreeEdit("extension", name, f"    OP_EXTENSION({name})\n")
    listed = "tokenize_unary" if len(op.inputs) == 1 else "tokenize_binary"
    if era.type_lists:
        yield TreeEdit(listed, name, f"{' ' * 34}{name},\n")
    else:
        yield TreeEdit(f"{listed}_chain", name, f"            || ov::is_type<{name}>(n)\n")
    made = f"emitter_factory.from_node<{emitter}>()" if era.emitter_factory else f"CREATE_CPU_EMITTER({emitter})"
    yield TreeEdit("generator", name, f"    jitters[{kind}] = {made};\n")
    infers = "PassThroughShapeInfer" if len(op.inputs) == 1 else "NumpyBroadcastShapeInfer"
    if era.shape_registry:
        lines = (
            f"        {{{kind},",
            "         []([[maybe_unused]] const std::shared_ptr<ov::Node>&) {",
            f"             return std::make_shared<{infers}>();",
            "         }},",
        )
        yield TreeEdit("shapes", name, "".join(f"{line}\n" for line in lines))
    else:
        yield TreeEdit("shapes_macro", name, f"    SHAPE_INFER_PREDEFINED({name}, {infers}),\n")
