"""The C++ program that runs the kernels of a package on calls: a dispatch over the headers that `opkg generate` wrote."""

from __future__ import annotations

from opkg.spec.model import Kernel, Op, OpPackage
from opkg.spec.names import snake


def kernels_of(package: OpPackage) -> list[tuple[Op, Kernel]]:
    """The kernels of a package; a kernel's place is its number in the program."""
    return [(op, kernel) for op in package.ops for kernel in op.kernels]


def slice_member(op: Op) -> str:
    """The member with the slice of a multithreaded kernel: `slice`, unless a tensor or param has that name."""
    if not any(kernel.multithreaded for kernel in op.kernels):
        return ""
    taken = {tensor.name for tensor in op.tensors} | {param.name for param in op.params}
    name = "slice"
    while name in taken:
        name += "_"
    return name


def _bind(op: Op) -> str:
    members = [tensor.name for tensor in op.tensors] + [param.name for param in op.params]
    members += [slice_member(op)] if slice_member(op) else []
    lines = "".join(f"  call.bind(op.{name});\n" for name in members)
    return f"template <typename Args>\nvoid bind_{snake(op.name)}(Args& op, Call& call) {{\n{lines}}}\n"


def render(package: OpPackage) -> str:
    """Text of the program's one source file."""
    space = package.cpp_namespace
    ops = [op for op in package.ops if op.kernels]
    includes = "".join(f'#include "{space}/{snake(op.name)}.h"\n' for op in ops)
    cases = "".join(
        f"    case {number}:\n"
        f"      call.run({space}::{kernel.function}, [](auto& op, Call& c) {{ bind_{snake(op.name)}(op, c); }});\n"
        "      return true;\n"
        for number, (op, kernel) in enumerate(kernels_of(package))
    )
    return (
        f"// Runs the kernels of {package.name} on the calls of a file.\n"
        f'{includes}#include "call.h"\n\nnamespace {{\n\n'
        "using opkg::hexagon::Call;\nusing opkg::hexagon::CallReader;\n\n"
        + "\n".join(_bind(op) for op in ops)
        + "\nbool dispatch(uint32_t kernel, CallReader& reader) {\n  Call call(reader);\n  switch (kernel) {\n"
        + cases
        + "  }\n  return false;\n}\n\n}  // namespace\n\n"
        "int main(int argc, char** argv) { return opkg::hexagon::run_calls(argc, argv, dispatch); }\n"
    )
