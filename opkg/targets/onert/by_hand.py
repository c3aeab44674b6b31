"""Kernels by hand in a tree of onert: the header that declares them, what they include, and the user's own files.

The user's file is that of the other targets. In the tree it stands beside the layer, which includes it: lists of sources
name layers only. Its includes of generated headers become those of the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opkg.resources import plain, render
from opkg.spec.axis_params import fixed_rank
from opkg.spec.model import Combination, Op, OpPackage, ParamSpec
from opkg.targets.onert.kernel import function_name, namespace
from opkg.targets.onert.layout import Option
from opkg.targets.onert.lint import in_tree
from opkg.targets.onert.names import comment, guard
from opkg.targets.onert.samples import samples
from opkg.targets.onert.types import flat_kernel, usable
from opkg.targets.portable_kernel.lines import brackets
from opkg.targets.portable_kernel.params import default_text, param_cpp
from opkg.targets.qnn_common.files import bodies, op_header
from opkg.targets.qnn_common.kernel_api import header_path, kernel_api, param_element
from opkg.targets.qnn_common.names import string
from opkg.targets.qnn_common.shared import signed_header

_INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]*)"([^"\n]*)"', re.M)
_SIGNED = re.compile(
    r"^// Signed elements [^#]*#if __has_include\(.opkg/signed\.h.\)\n.*?^#endif\n", re.MULTILINE | re.DOTALL
)
_API = '#include "opkg/kernel.h"\n'


def is_by_hand(op: Op) -> bool:
    """Whether the op's kernels are the user's: nothing is computed by the spec."""
    return op.compute is None


def api_name(package: OpPackage) -> str:
    """The header of a package that has what kernels by hand see of tensors."""
    return f"{package.cpp_namespace}_kernel.h"


def api_header(options: Option) -> str:
    """Its text: the same for every package."""
    texts = (signed_header("onert", unsigned=False), plain("qnn/kernel.h"), plain("onert/custom_kernel.h"))
    parts = [_SIGNED.sub("", text).replace(_API, "") for text in texts]
    return f"{render('onert/licence.j2', licence=options.licence_lines())}// clang-format off\n" + "\n".join(parts)


def owned(package: OpPackage, op: Op, tested: bool = False) -> list[tuple[str, str]]:
    """The user's files that the layer of an op includes, each with its name in the tree. A file of several ops belongs to
    the first of them; `tested`: to the first that has tests."""
    found = []
    for number, body in enumerate(_bodies(op)):
        users = (each for each in package.ops if is_by_hand(each) and in_tree(each) and body in _bodies(each))
        first = next((each for each in users if not tested or samples(each, usable(each)[0])), None)
        if first is op:
            found.append((body, f"{op.identifier}Kernel{number + 1 if number else ''}.cpp"))
    return found


def _bodies(op: Op) -> list[str]:
    """The user's files with the kernels that the tree has."""
    wanted = {kernel.body for c in usable(op) if (kernel := flat_kernel(op, c)) is not None}
    return [body for body in bodies(op) if body in wanted]


def carried(package: OpPackage, text: str) -> str:
    """A user's file as it stands in the tree."""
    known = _headers(package)
    return _INCLUDE.sub(lambda m: f'{m[1]}"{known.get(m[2], m[2])}"', text)


def foreign(package: OpPackage, text: str) -> Iterator[tuple[str, int]]:
    """The files that a user's file includes and the tree will not have, with their lines (from 1)."""
    known = _headers(package)
    for match in _INCLUDE.finditer(text):
        if match[2] not in known:
            yield match[2], text[: match.start(2)].count("\n") + 1


def _headers(package: OpPackage) -> dict[str, str]:
    """Generated headers, as a user's file includes them, and their names in the tree."""
    ops = [op for op in package.ops if is_by_hand(op) and in_tree(op)]
    return {"opkg/kernel.h": api_name(package), **{header_path(package, op): f"{op.identifier}Kernel.h" for op in ops}}


def hand_header(package: OpPackage, op: Op, options: Option) -> str:
    """The text of `<Name>Kernel.h`: what the user's file implements, and functions that call it as the layer does."""
    declared = op_header(package, op, kernel_api(op)).partition(_API)[2].rpartition("#endif")[0]
    return render(
        "onert/hand_kernel.h.j2",
        licence=options.licence_lines(),
        guard=guard("BACKEND_CPU_OPS", f"{op.identifier}Kernel"),
        api=api_name(package),
        declared=declared.strip("\n").split("\n"),
        namespace=namespace(op),
        summary=comment(op.summary or op.name),
        params=[
            (f"std::vector<{param_cpp(p)}>" if p.shape else param_cpp(p), p.name, default_text(p)) for p in op.params
        ],
        functions=[(_head(op, c), _call(package, op, c)) for c in usable(op)],
    )


def _head(op: Op, combination: Combination) -> list[str]:
    parameters = ["const Params &params"] if op.params else []
    for tensor in op.tensors:
        const = "const " if tensor in op.inputs else ""
        parameters.append(f"const Tensor<{const}{tensor.dtype.of(combination).cpp}> &{tensor.name}")
    return brackets(f"inline void {function_name(combination)}(", parameters, ")")


def _call(package: OpPackage, op: Op, combination: Combination) -> list[str]:
    """The arguments of a kernel one by one, and its call."""
    kernel = flat_kernel(op, combination)
    functions = dict(zip(map(id, op.kernels), kernel_api(op).functions, strict=True))
    function = functions[id(kernel)]
    space = package.cpp_namespace
    lines = [f"{space}::{function.args} args_;"]
    for tensor in op.tensors:
        lines.append(f"args_.{tensor.name} = opkg::flat({tensor.name}, {_own_rank(op, tensor.name)});")
    for param in op.params:
        lines += _param(op, param)
    return [*lines, f"opkg::done({string(op.name)}, {space}::{function.name}(args_));"]


def _param(op: Op, param: ParamSpec) -> list[str]:
    value, to = f"params.{param.name}", f"args_.{param.name}"
    if param.shape is not None:
        copy = f"const std::vector<{param_element(param)}> {param.name}_({value}.begin(), {value}.end());"
        return [copy, f"{to} = opkg::list({param.name}_);"]
    if param.axis_of is not None:
        value = f"opkg::padded_axis({value}, opkg::padding({param.axis_of}, {_own_rank(op, param.axis_of)}))"
    return [f"{to} = static_cast<decltype({to})>({value});"]


def _own_rank(op: Op, name: str) -> str:
    tensor = next(t for t in op.tensors if t.name == name)
    return "true" if fixed_rank(tensor) else "false"
