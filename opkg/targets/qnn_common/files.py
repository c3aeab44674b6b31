"""The files both QNN targets write: kernel API headers, build files, kernel stubs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from opkg.resources import device_script, plain, render
from opkg.spec.arriving import distinct_kernels
from opkg.spec.kept import KEPT, keeps, moves_blocks
from opkg.spec.model import Op, OpPackage
from opkg.targets.artifact import Artifact, Ownership
from opkg.targets.qnn_common.generated import source_paths
from opkg.targets.qnn_common.kernel_api import KernelApi, KernelFunction, header_path, kernel_api
from opkg.targets.qnn_common.names import comment, snake
from opkg.targets.qnn_common.shared import STYLE, shared

TO_ROOT = "../../.."
DEVICE_SCRIPTS = ("finish.py", "checks.py", "constructors.py", "swiv.py", "elf.py")  # of a Hexagon build


@dataclass(frozen=True, slots=True)
class Unit:
    """Sources that are compiled as one on the host."""

    name: str
    sources: tuple[str, ...]


def folder(package: OpPackage, interface: str) -> str:
    """Where an interface's files lie: `generated/acme_vision/qhpi`."""
    return f"generated/{package.cpp_namespace}/{interface}"


def bodies(op: Op) -> list[str]:
    """The user's kernel files of an op, each once, in order."""
    return list(dict.fromkeys(kernel.body for kernel in op.kernels if kernel.body))


def op_header(package: OpPackage, op: Op, api: KernelApi, qhpi: bool = False) -> str:
    """Text of the header that the op's kernel files include. `qhpi`: no generated kernel is made where another one serves its
    element types, and prepared graphs keep what they can of kernels, whose functions for single calls nothing asks for then."""
    made = distinct_kernels(op) if qhpi else op.kernels
    there = [(f, k) for f, k in zip(api.functions, op.kernels, strict=True) if k.body or k in made]
    functions = [f for f, _ in there]
    kept = [f for f, k in there if qhpi and keeps(op, k)]
    by_body: dict[str, list[KernelFunction]] = {}
    for function in [f for f in functions if f not in kept]:
        place = function.body or f"{source_paths(package)[op.name]}, made from the computation"
        by_body.setdefault(place, []).append(function)
    return render(
        "qnn/op_header.h.j2",
        op=op,
        api=api,
        namespace=package.cpp_namespace,
        guard=f"{package.cpp_namespace}_{snake(op.name)}_H_".upper(),
        summary=comment(op.summary),
        by_body=list(by_body.items()),
        by_hand=any(kernel.body for kernel in op.kernels),
        kept_namespace=KEPT,
        stem=snake(op.name),
        kept=kept,
        functions=functions,
        parted=next((f for f, k in there if qhpi and moves_blocks(op, k)), None),
    )


def op_headers(package: OpPackage, base: str, qhpi: bool = False) -> list[Artifact]:
    """One header an op."""
    return [
        Artifact(f"{base}/include/{header_path(package, op)}", op_header(package, op, kernel_api(op), qhpi))
        for op in package.ops
    ]


def build_files(
    package: OpPackage,
    base: str,
    interface: str,
    sources: Sequence[str],
    generated: Sequence[str] = (),
    defines: str = "",
    hexagon_defines: str = "",
    together: Sequence[str] = (),
) -> list[Artifact]:
    """Makefile and CMakeLists.txt of an interface folder. `generated`: the files of generated kernels, on top of the
    sources; `together`: those of the sources that may be compiled as one. Defines start with a blank; those of Hexagon
    come on top."""
    kernels = list(dict.fromkeys(body for op in package.ops for body in bodies(op)))
    context = {
        "package": package, "interface": interface, "sources": [*sources, *generated],
        "generated": generated, "bodies": kernels,
        "units": [*_units("wrappers", together, 16), *_units("kernels", generated, 8)],
        "to_root": TO_ROOT, "defines": defines, "hexagon_defines": hexagon_defines,
    }  # fmt: skip
    return [
        Artifact(f"{base}/Makefile", render("qnn/Makefile.j2", **context), comment="#"),
        Artifact(f"{base}/CMakeLists.txt", render("qnn/CMakeLists.txt.j2", **context), comment="#"),
        *_hexagon_files(),
        Artifact(f"{base}/.clang-format", STYLE, comment="#"),
    ]


@cache
def _hexagon_files() -> tuple[Artifact, ...]:
    """What builds for Hexagon need, shared."""
    scripts = (shared(f"hexagon/{name}", device_script(name), comment="#") for name in DEVICE_SCRIPTS)
    return (shared("hexagon.cmake", plain("qnn/hexagon.cmake"), comment="#"), *scripts)


def _units(name: str, sources: Sequence[str], most: int) -> list[Unit]:
    """The sources in as few units as have `most` of them each, all of about one length."""
    count = -(-len(sources) // most)
    ends = [len(sources) * number // count for number in range(count + 1)] if count else [0]
    parts = [tuple(sources[begin:end]) for begin, end in pairwise(ends)]
    return [Unit(f"{name}{number if number > 1 else ''}", part) for number, part in enumerate(parts, 1)]


def kernel_stubs(package: OpPackage) -> list[Artifact]:
    """The user's kernel files, for those that do not exist yet."""
    by_body: dict[str, list[Op]] = {}
    for op in package.ops:
        for body in bodies(op):
            by_body.setdefault(body, []).append(op)
    out = []
    for body, ops in by_body.items():
        functions = [f for op in ops for f in kernel_api(op).functions if f.body == body]
        text = render(
            "qnn/kernel_body.cpp.j2",
            body=body,
            ops=[op.name for op in ops],
            headers=[header_path(package, op) for op in ops],
            namespace=package.cpp_namespace,
            functions=functions,
        )
        out.append(Artifact(body, text, Ownership.YOURS))
    return out
