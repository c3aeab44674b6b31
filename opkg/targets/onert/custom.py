"""A package as custom kernels of onert: one shared library, which an application registers without building the runtime.

The runtime gives a custom kernel its tensors without their quantization, and the bytes of custom_options. A generated
entry reads these (a flexbuffer map), checks the call as QNN's validators do, and calls the kernel: that of the computation
(kernels/<Name>Kernel.h), or the package's own of the spec's `body:`.
"""

from __future__ import annotations

from dataclasses import dataclass

from opkg.resources import render
from opkg.spec.axis_params import fixed_rank
from opkg.spec.dtypes import DType
from opkg.spec.model import Combination, Kernel, Op, OpPackage, ParamSpec, TensorSpec
from opkg.spec.names import snake
from opkg.targets.artifact import Artifact
from opkg.targets.onert.by_hand import is_by_hand
from opkg.targets.onert.kernel import function_name, namespace
from opkg.targets.onert.types import flat_kernel, usable
from opkg.targets.portable_kernel.params import param_cpp
from opkg.targets.qnn_common.files import bodies, kernel_stubs, op_header
from opkg.targets.qnn_common.kernel_api import (
    KernelFunction,
    element,
    header_path,
    kernel_api,
    param_element,
)
from opkg.targets.qnn_common.names import local, string
from opkg.targets.qnn_common.shared import common_headers, header, qnn_abi, signed_elements
from opkg.targets.qnn_common.validation import Validation

MOST_RANK = 6  # of nnfw_tensorinfo
HELD = frozenset(("float32", "int32", "ufixed8", "uint8", "bool8"))  # element types that a custom kernel can be given
_HEADERS = ("custom_call.h", "custom_options.h")


@dataclass(frozen=True, slots=True)
class Overload:
    """What is called for one combination of element types: QNN's names of these, and the statements."""

    inputs: str
    outputs: str
    lines: tuple[str, ...]


def custom_files(package: OpPackage) -> list[Artifact]:
    """Everything in `onert/custom`, and the user's kernel files that do not exist yet. None when no op has a kernel."""
    ops = [op for op in package.ops if overloads(op)]
    if not ops:
        return []
    base = f"generated/{package.cpp_namespace}/onert/custom"
    space = package.cpp_namespace
    rows = [{"name": op.name, "stem": snake(op.name)} for op in ops]
    context = {"package": package, "namespace": space, "ops": rows}
    by_hand = [op for op in ops if is_by_hand(op)]
    headers = [header(f"onert/{name}") for name in _HEADERS]
    if by_hand:
        headers.append(header("onert/custom_kernel.h"))
        headers += [
            Artifact(f"{base}/include/{header_path(package, op)}", op_header(package, op, kernel_api(op)))
            for op in by_hand
        ]
    guard = f"{space}_ONERT"
    public = render("onert/custom_public.h.j2", guard=f"{guard}_H_".upper(), **context)
    table = render("onert/custom_table.cpp.j2", **context)
    declared = render("onert/custom_ops.h.j2", guard=f"{guard}_OPS_H_".upper(), **context)
    makefile = render(
        "onert/custom_makefile.j2",
        sources=[f"src/{row['stem']}.cpp" for row in rows],
        bodies=list(dict.fromkeys(body for op in by_hand for body in bodies(op))),
        **context,
    )
    return [
        Artifact(f"{base}/Makefile", makefile, comment="#"),
        Artifact(f"{base}/.clang-format", "BasedOnStyle: Google\nColumnLimit: 0\n", comment="#"),
        Artifact(f"{base}/include/{space}_onert.h", public),
        Artifact(f"{base}/src/table.cpp", table),
        Artifact(f"{base}/src/ops.h", declared),
        *(Artifact(f"{base}/src/{snake(op.name)}.cpp", _source(package, op)) for op in ops),
        *common_headers(),
        signed_elements(base, "onert"),
        qnn_abi(),
        *headers,
        *([] if not by_hand else kernel_stubs(package)),
    ]


def overloads(op: Op) -> list[Overload]:
    """The calls that an op can take as a custom kernel: none when its tensors have no place in one."""
    if any(tensor.variadic for tensor in op.tensors):
        return []
    held = [c for c in op.combinations if all(t.dtype.of(c).name in HELD for t in op.tensors)]
    if not is_by_hand(op):
        known = set(map(str, usable(op)))
        return [_overload(op, c, _computed(op, c)) for c in held if str(c) in known]
    functions = dict(zip(map(id, op.kernels), kernel_api(op).functions, strict=True))
    found = []
    for combination in held:
        kernel = flat_kernel(op, combination)
        if kernel is not None:
            found.append(_overload(op, combination, _called(op, kernel, functions[id(kernel)])))
    return found


def _overload(op: Op, combination: Combination, lines: list[str]) -> Overload:
    inputs, outputs = (", ".join(t.dtype.of(combination).qnn for t in side) for side in (op.inputs, op.outputs))
    return Overload(inputs, outputs, tuple(lines))


def _computed(op: Op, combination: Combination) -> list[str]:
    """The call of the computation's function."""
    space = namespace(op)
    arguments = ["params"] if op.params else []
    for tensor in op.tensors:
        arguments.append(_tensor(op, tensor, f"{space}::Tensor", tensor.dtype.of(combination).cpp))
    return [f"return {space}::{function_name(combination)}({', '.join(arguments)});"]


def _tensor(op: Op, tensor: TensorSpec, view: str, kind: str) -> str:
    """A tensor of the call, as a view of an element type."""
    if tensor in op.inputs:
        return f"given.input<{view}<const {kind}>>({op.inputs.index(tensor)})"
    return f"given.output<{view}<{kind}>>({op.outputs.index(tensor)})"


def _called(op: Op, kernel: Kernel, function: KernelFunction) -> list[str]:
    """The call of a kernel by hand: its arguments one by one."""
    lines = [f"{function.args} op;"]
    axes = {param.axis_of for param in op.params if param.axis_of is not None}
    for tensor in op.tensors:
        own = "true" if fixed_rank(tensor) else "false"
        given = _tensor(op, tensor, "opkg::Given", element(tensor.dtype.of(kernel.combination)))
        if tensor.name in axes:
            lines += [f"const auto {tensor.name}_given = {given};"]
            given = f"{tensor.name}_given"
        lines.append(f"op.{tensor.name} = opkg::flat({given}, {own});")
    for param in op.params:
        value = f"params.{param.name}"
        if param.shape is not None:
            lines.append(f"op.{param.name} = opkg::list({value});")
            continue
        if param.axis_of is not None:
            owner = next(t for t in op.tensors if t.name == param.axis_of)
            own = "true" if fixed_rank(owner) else "false"
            value = f"opkg::padded_axis({value}, opkg::padding({owner.name}_given, {own}))"
        lines.append(f"op.{param.name} = static_cast<decltype(op.{param.name})>({value});")
    return [*lines, f"return opkg::done({string(op.name)}, {function.name}(op));"]


def _source(package: OpPackage, op: Op) -> str:
    """The entry of an op."""
    by_hand = is_by_hand(op)
    types = {p.name: _member(p, by_hand) for p in op.params}
    members = [(types[p.name], p.name) for p in op.params] if by_hand else []
    header = header_path(package, op) if by_hand else f"kernels/{op.identifier}Kernel.h"
    return render(
        "onert/custom_op.cpp.j2",
        package=package,
        op=op,
        by_hand=by_hand,
        kernel_header=header,
        namespace=package.cpp_namespace,
        stem=snake(op.name),
        members=members,
        params_type="Params" if by_hand else f"{namespace(op)}::Params",
        checks=Validation(
            op, None, MOST_RANK, positional=True, more=tuple(map(_filled, op.params)), own_ranks=True
        ).lines(),
        inputs=_rows(op.inputs),
        outputs=_rows(op.outputs),
        params=", ".join(_row(p) for p in op.params),
        overloads=overloads(op),
    )


def _member(param: ParamSpec, by_hand: bool) -> str:
    """The type of a param in the struct that the checks fill."""
    if param.shape is not None:
        return f"std::vector<{param_element(param) if by_hand else param_cpp(param)}>"
    return param_cpp(param)


def _filled(param: ParamSpec) -> str:
    """The statement that hands a param on after the checks."""
    name = local(param.name)
    if param.shape is not None:
        return f"params_.{param.name} = opkg::elements<decltype(params_.{param.name})::value_type>({name});"
    return f"params_.{param.name} = static_cast<decltype(params_.{param.name})>({name});"


def _rows(tensors: tuple[TensorSpec, ...]) -> str:
    return ", ".join(f"{{{string(t.name)}, {'true' if t.static else 'false'}}}" for t in tensors)


def _row(param: ParamSpec) -> str:
    dtype: DType = param.dtype
    return f"{{{string(param.name)}, {dtype.qnn}, {'true' if param.shape is None else 'false'}}}"
