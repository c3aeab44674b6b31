"""The C++ files of a package's extension: a class for each op, the table of ops, and how they are built."""

from __future__ import annotations

from opkg.kernels.portable.plain import variable
from opkg.resources import plain, render
from opkg.spec.model import Combination, Op, OpPackage, ParamSpec, TensorSpec
from opkg.targets.artifact import Artifact
from opkg.targets.openvino_extension.expressions import CPP
from opkg.targets.openvino_extension.patterns import cpp_pattern, graph_pattern, has_pattern
from opkg.targets.openvino_extension.rules import RuleLines
from opkg.targets.openvino_extension.types import alike, computed, cpp, element, marked, quantized, unset, usable
from opkg.targets.portable_kernel.kernel import Style, function_name, kernel_header, namespace
from opkg.targets.qnn_common.names import comment, snake

_HEADERS = ("shape_rules.h", "extension_op.h")
_FUSING = (
    "openvino/core/op_extension.hpp",
    "openvino/pass/serialize.hpp",
    "openvino/runtime/core.hpp",
    "opkg/fusing.h",
)
_GOOGLE = "BasedOnStyle: Google\nColumnLimit: 0\n"


def library(package: OpPackage) -> str:
    """File name of the library with a package's ops."""
    return f"lib{package.cpp_namespace}_openvino.so"


def cpp_files(package: OpPackage, ops: list[Op]) -> list[Artifact]:
    """Everything in `openvino/` that is C++, for the ops that can be extension ops."""
    space = package.cpp_namespace
    base = f"generated/{space}/openvino"
    fused = [op for op in ops if has_pattern(op)]
    sources = [f"{snake(op.name)}.cpp" for op in ops] + ["extension.cpp", *(["fusions.cpp"] if fused else [])]
    context = {"package": package, "namespace": space, "library": library(package), "sources": sources}
    stems, names = sorted(snake(op.name) for op in ops), [op.identifier for op in ops]
    first = space < "openvino"  # as clang-format sorts
    places = {"before": stems if first else [], "behind": [] if first else stems}
    return [
        Artifact(f"{base}/CMakeLists.txt", render("openvino_extension/cmake.j2", **context), comment="#"),
        Artifact(f"{base}/Makefile", render("openvino_extension/makefile.j2", **context), comment="#"),
        Artifact(f"{base}/.clang-format", _GOOGLE, comment="#"),
        Artifact(f"{base}/kernels/.clang-format", plain("portable_kernel/clang-format"), comment="#"),
        *(Artifact(f"{base}/include/opkg/{name}", plain(f"openvino_extension/{name}")) for name in _HEADERS),
        *(Artifact(f"{base}/kernels/{op.identifier}Kernel.h", _kernel(package, op)) for op in ops),
        *(Artifact(f"{base}/include/{space}/{snake(op.name)}.h", _header(package, op)) for op in ops),
        *(Artifact(f"{base}/src/{snake(op.name)}.cpp", _source(package, op)) for op in ops),
        Artifact(
            f"{base}/src/extension.cpp",
            render("openvino_extension/extension.cpp.j2", names=names, **places, **context),
        ),
        *(_fusions(fused, {**context, "names": names}, stems) if fused else ()),
    ]


def _fusions(ops: list[Op], context: dict[str, object], stems: list[str]) -> list[Artifact]:
    """Passes that put ops with a pattern into models. `context`: of the package; `stems`: of the headers of all ops."""
    space = context["namespace"]
    base = f"generated/{space}/openvino"
    patterns: list[dict[str, object]] = []
    for op in ops:
        pattern = graph_pattern(op)
        row = {"name": op.identifier, "pattern": cpp_pattern(pattern), "inputs": len(pattern.inputs)}
        patterns.append({**row, "source": " ".join(op.pattern.text.split()) if op.pattern is not None else ""})
    includes = sorted((*_FUSING, *(f"{space}/{stem}.h" for stem in stems)))
    context = {**context, "includes": includes, "patterns": patterns, "guard": f"{space}_FUSIONS_OPENVINO_H_".upper()}
    return [
        Artifact(f"{base}/include/opkg/fusing.h", plain("openvino_extension/fusing.h")),
        Artifact(f"{base}/include/{space}/fusions.h", render("openvino_extension/fusions.h.j2", **context)),
        Artifact(f"{base}/src/fusions.cpp", render("openvino_extension/fusions.cpp.j2", **context)),
    ]


def _kernel(package: OpPackage, op: Op) -> str:
    guard = f"{package.cpp_namespace}_{snake(op.name)}_KERNEL_H_".upper()
    return kernel_header(op, usable(op), Style(guard, (), "ov::float16", "openvino/core/type/float16.hpp"))


def _context(package: OpPackage, op: Op) -> dict[str, object]:
    return {
        "package": package,
        "op": op,
        "namespace": package.cpp_namespace,
        "stem": snake(op.name),
        "kernel": namespace(op),
        "scales": [t.name for t in quantized(op)],
        "settled": any(computed(p) for p in op.params),
        "alike": alike(op),
        "marked": [(p.name, unset(p)) for p in op.params if marked(p)],
    }


def _header(package: OpPackage, op: Op) -> str:
    arguments = ["const ov::OutputVector& inputs"]
    arguments += ["const Params& params = {}"] if op.params else []
    arguments += ["const Scales& scales = {}"] if quantized(op) else []
    return render(
        "openvino_extension/op.h.j2",
        guard=f"{package.cpp_namespace}_{snake(op.name)}_OPENVINO_H_".upper(),
        summary=comment(op.summary),
        arguments=", ".join(arguments),
        **_context(package, op),
    )


def _source(package: OpPackage, op: Op) -> str:
    scales = quantized(op)
    parameters = ["const ov::OutputVector& inputs"]
    parameters += ["const Params& params"] if op.params else []
    parameters += ["const Scales& scales"] if scales else []
    held = ["params"] if op.params else []
    held += ["scales"] if scales else []
    attributes = [(p.name, f"params_.{p.name}", _is_converted(p)) for p in op.params]
    for tensor in scales:
        attributes += [(f"{tensor.name}_scale", f"scales_.{tensor.name}.scale", False)]
        attributes += [(f"{tensor.name}_zero_point", f"scales_.{tensor.name}.zero_point", False)]
    return render(
        "openvino_extension/op.cpp.j2",
        parameters=", ".join(parameters),
        initializers=" : Op(inputs)" + "".join(f", {name}_({name})" for name in held),
        copied=["inputs", *(f"{name}_" for name in held)],
        attributes=attributes,
        types=[", ".join(f"ov::element::{element(t.dtype.of(c))}" for t in op.tensors) for c in usable(op)],
        rules=RuleLines(op, CPP).lines(),
        views=_views(op),
        written=[_view(t) for t in op.outputs],
        calls=[_call(op, c) for c in usable(op)],
        **_context(package, op),
    )


def _is_converted(param: ParamSpec) -> bool:
    """Whether files with the list are not read as it is: they have lists of int32, int64 and float32."""
    return param.shape is not None and param.dtype.integral and param.dtype.name not in ("int32", "int64")


def _views(op: Op) -> list[str]:
    """A view of each tensor."""
    scaled = {t.name for t in quantized(op)}
    found = []
    for side, tensors in (("inputs", op.inputs), ("outputs", op.outputs)):
        for place, tensor in enumerate(tensors):
            scale = f", scales_.{tensor.name}" if tensor.name in scaled else ""
            const = "const " if tensors is op.inputs else ""
            column = place if tensors is op.inputs else len(op.inputs) + place
            found.append(
                f"{const}opkg::View {_view(tensor)}({side}, {place}, k{op.identifier}Types[row][{column}]{scale});"
            )
    return found


def _view(tensor: TensorSpec) -> str:
    return f"{variable(tensor.name)}_view"


def _call(op: Op, combination: Combination) -> str:
    """The call of a combination's function."""
    arguments = [] if not op.params else ["params" if any(computed(p) for p in op.params) else "params_"]
    for tensor in op.tensors:
        const = "const " if tensor in op.inputs else ""
        held = f"{namespace(op)}::Tensor<{const}{cpp(tensor.dtype.of(combination))}>"
        arguments.append(f"{_view(tensor)}.as<{held}>()")
    return f"{namespace(op)}::{function_name(combination)}({', '.join(arguments)});"
