"""The C++ program that runs the kernels of a package on calls: a dispatch over the headers that `opkg generate` wrote."""

from __future__ import annotations

from dataclasses import replace

from opkg.spec.arriving import distinct_kernels, qhpi_types
from opkg.spec.kept import KEPT, bytes_call, keeps
from opkg.spec.model import Combination, Kernel, Op, OpPackage
from opkg.spec.names import snake


def arriving(op: Op, combination: Combination, interface: str) -> tuple[str, ...]:
    """The element types of a combination's tensors as an interface hands them over: under QHPI signed ones of 8 and 16 bits
    look like unsigned ones."""
    if interface == "qhpi":
        return qhpi_types(op, combination)
    return tuple(tensor.dtype.of(combination).name for tensor in op.tensors)


def called_kernels(package: OpPackage, op: Op, interface: str) -> tuple[Kernel, ...]:
    """The kernels that an interface calls: QHPI one for types that arrive alike. Those that take blocks as well
    stand twice under QHPI, once in blocks; not in packages with rules, which may forbid it."""
    if interface != "qhpi":
        return op.kernels
    kernels = distinct_kernels(op)
    if any(op.rules for op in package.ops) or not any(kernel.also_blocks for kernel in kernels):
        return kernels
    from opkg.kernels.blocks import settled, with_twins

    return with_twins(settled(replace(op, kernels=kernels))).kernels


def kernels_of(package: OpPackage, interface: str) -> list[tuple[Op, Kernel]]:
    """The kernels that a program runs; a kernel's place is its number in the program."""
    return [(op, kernel) for op in package.ops for kernel in called_kernels(package, op, interface)]


def generated_source(package: OpPackage, op: Op) -> str:
    """Where in an interface's folder the kernels lie that `opkg generate` wrote for an op."""
    stems = {snake(other.name) for other in package.ops}
    stem = f"{snake(op.name)}_kernels"
    while stem in stems:
        stem += "_"
    return f"src/{stem}.cpp"


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


def _keeps(op: Op, kernel: Kernel, interface: str) -> bool:
    """Whether a kernel is called as a prepared graph calls it."""
    return interface == "qhpi" and keeps(op, kernel)


def _run(package: OpPackage, op: Op, kernel: Kernel, interface: str) -> str:
    """The beginning of the statement that runs a kernel."""
    space = package.cpp_namespace
    if not _keeps(op, kernel, interface):
        return f"call.run({space}::{kernel.function}"
    return f"opkg::hexagon::run_kept(call, {space}::{KEPT}::{kernel.function}, {space}::{bytes_call(op)}"


def _case(package: OpPackage, op: Op, kernel: Kernel, interface: str) -> str:
    """What is done for a kernel's number."""
    bind = f"[](auto& op, Call& c) {{ bind_{snake(op.name)}(op, c); }}"
    return f"      {_run(package, op, kernel, interface)}, {bind});\n      return true;\n"


def render(package: OpPackage, interface: str) -> str:
    """Text of the program's one source file."""
    space = package.cpp_namespace
    ops = [op for op in package.ops if op.kernels]
    includes = "".join(f'#include "{space}/{snake(op.name)}.h"\n' for op in ops)
    cases = "".join(
        f"    case {number}:\n"
        + ("" if kernel.is_twin else _case(package, op, kernel, interface))  # before its flat one
        for number, (op, kernel) in enumerate(kernels_of(package, interface))
    )
    kept = any(_keeps(op, kernel, interface) for op, kernel in kernels_of(package, interface))
    return (
        f"// Runs the kernels of {package.name} on the calls of a file.\n"
        f'{includes}#include "{"call_kept.h" if kept else "call.h"}"\n\nnamespace {{\n\n'
        "using opkg::hexagon::Call;\nusing opkg::hexagon::CallReader;\n\n"
        + "\n".join(_bind(op) for op in ops)
        + "\nbool dispatch(uint32_t kernel, CallReader& reader) {\n  Call call(reader);\n  switch (kernel) {\n"
        + cases
        + "  }\n  return false;\n}\n\n}  // namespace\n\n"
        "int main(int argc, char** argv) { return opkg::hexagon::run_calls(argc, argv, dispatch); }\n"
    )
