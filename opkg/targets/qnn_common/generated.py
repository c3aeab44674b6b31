"""Kernels that are generated from `compute:`: their files, the headers these include, and the findings about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from opkg.resources import plain
from opkg.spec.arriving import signed_alike
from opkg.spec.diagnostics import Diagnostic
from opkg.spec.expr import Binary, Call, Expression, Name, Num, Type
from opkg.spec.kept import keeps
from opkg.spec.model import Kernel, Op, OpPackage
from opkg.spec.print_expr import to_text
from opkg.targets.artifact import Artifact
from opkg.targets.qnn_common.kernel_api import element, header_path, kernel_api, param_element
from opkg.targets.qnn_common.names import snake
from opkg.targets.qnn_common.shared import header

if TYPE_CHECKING:  # loaded only for packages with computations
    from opkg.kernels.emit.parts import Source

_INCLUDE = re.compile(r'^#include "opkg/(\w+\.h)"', re.MULTILINE)
_OURS = frozenset(("kernel.h", "small.h"))  # every package has it (qnn_common.files)


@dataclass(frozen=True, slots=True)
class Generated:
    """The artifacts of generated kernels, and their sources relative to the interface's folder."""

    artifacts: tuple[Artifact, ...] = ()
    sources: tuple[str, ...] = ()


def generated(
    package: OpPackage, base: str, chosen: Callable[[Op], Sequence[Kernel]], unsigned: bool, keeping: bool = False
) -> Generated:
    """The files of all generated kernels. `chosen`: the kernels of an op that an interface registers; `unsigned`: signed
    elements of 8 and 16 bits arrive as unsigned ones; `keeping`: prepared graphs keep what they can of kernels. Packages
    without such kernels do not load `opkg.kernels`."""
    made = [(op, [k for k in chosen(op) if not k.body]) for op in package.ops]
    made = [(op, kernels) for op, kernels in made if kernels]
    if not made:
        return Generated()
    from opkg.kernels.emit.file import kernel_file
    from opkg.kernels.tuning import Tuning, parse

    tuning = parse(package.tuning) if package.tuning else Tuning()
    tuned = partial(tuning.unroll, package.name)

    artifacts: list[Artifact] = []
    headers: list[str] = []
    paths = source_paths(package)
    for op, kernels in made:
        sources = sources_of(op, kernels)
        if unsigned:
            sources = [replace(source, alike=signed_alike(op, source.kernel)) for source in sources]
        kept = [kernel.function for kernel in kernels if keeping and keeps(op, kernel)]
        file = kernel_file(op, header_path(package, op), package.cpp_namespace, sources, unsigned, {}, tuned, kept)
        artifacts.append(Artifact(f"{base}/{paths[op.name]}", file.text))
        headers += file.headers
    artifacts += [header(f"qnn/{name}") for name in sorted(_closure(headers))]
    return Generated(tuple(artifacts), tuple(paths[op.name] for op, _ in made))


def priced(package: OpPackage, unsigned: bool) -> OpPackage:
    """The package with the estimated cost of every generated kernel whose spec leaves it out."""
    if not any(_unpriced(kernel) for op in package.ops for kernel in op.kernels):
        return package
    return replace(package, ops=tuple(_priced(op, unsigned) for op in package.ops))


def _unpriced(kernel: Kernel) -> bool:
    return not kernel.body and "cost" not in kernel.spans


def _priced(op: Op, unsigned: bool) -> Op:
    chosen = [kernel for kernel in op.kernels if _unpriced(kernel)]
    if not chosen:
        return op
    from opkg.kernels.emit.file import cycles

    prices = {s.kernel.function: cycles(op, s, unsigned) for s in sources_of(op, chosen)}
    kernels = [_with_cost(op, kernel, prices.get(kernel.function)) for kernel in op.kernels]
    return replace(op, kernels=tuple(kernels))


def _with_cost(op: Op, kernel: Kernel, price: float | None) -> Kernel:
    """`cost: 0.03 * size(x)`, by the largest of the inputs that every call has."""
    sizes = [Call("size", (Name(t.name),)) for t in op.inputs if not t.optional and t.variadic is None]
    if price is None or not sizes:
        return kernel
    size = Call("max", tuple(sizes)) if len(sizes) > 1 else sizes[0]
    tree = Binary("*", Num(float(f"{price:.3g}")), size)
    return replace(kernel, cost=Expression(to_text(tree), tree, Type.FLOAT, kernel.spans.get("", op.span)))


def source_paths(package: OpPackage) -> dict[str, str]:
    """Where the generated kernels of each op are: `src/relu_kernels.cpp`."""
    stems = {snake(op.name) for op in package.ops}
    found = {}
    for op in package.ops:
        stem = f"{snake(op.name)}_kernels"
        while stem in stems:
            stem += "_"
        found[op.name] = f"src/{stem}.cpp"
    return found


def findings(package: OpPackage) -> list[Diagnostic]:
    """Computations from which no kernel can be generated."""
    ops = [op for op in package.ops if any(not kernel.body for kernel in op.kernels)]
    if not ops:
        return []
    from opkg.kernels.portable.check import check
    from opkg.kernels.unvectored import unvectored

    return [finding for op in ops for finding in check(op) or unvectored(op, sources_of(op, _made(op)))]


def _made(op: Op) -> list[Kernel]:
    """The kernels of an op that are generated."""
    return [kernel for kernel in op.kernels if not kernel.body]


def sources_of(op: Op, kernels: Sequence[Kernel]) -> list[Source]:
    """Kernels with their argument structs and element types."""
    from opkg.kernels.emit.parts import Source as Made

    functions = {function.name: function.args for function in kernel_api(op).functions}
    params = {param.name: param_element(param) for param in op.params if param.shape is not None}
    return [
        Made(k, functions[k.function], {t.name: element(t.dtype.of(k.combination)) for t in op.tensors} | params)
        for k in kernels
    ]


def _closure(headers: Sequence[str]) -> set[str]:
    """The names of headers of ours, with those that they include."""
    found: set[str] = set()
    todo = [name.removeprefix("opkg/") for name in headers]
    while todo:
        name = todo.pop()
        if name not in found and name not in _OURS:
            found.add(name)
            todo += _INCLUDE.findall(plain(f"qnn/{name}"))
    return found
