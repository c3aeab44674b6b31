"""Compiles generated kernel files into one library and runs the cases of `opkg verify` through it."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from opkg.spec.model import Combination, Op, OpPackage
from opkg.spec.reader import read
from opkg.targets.onert.kernel import function_name, kernel_header, namespace
from opkg.targets.onert.layout import Option
from opkg.targets.onert.types import usable
from opkg.targets.portable_kernel.params import param_cpp
from opkg.verify.cases.case import Case
from opkg.verify.judge.results import RawOutput, RawResult
from opkg.verify.meaning.numbers import Array, storage

WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic")


def package_of(text: str) -> OpPackage:
    """The package of a spec text; fails the test when it has errors."""
    package, findings = read(text.encode(), "kit.yaml")
    assert package is not None, [str(f) for f in findings]
    return package


class View(ctypes.Structure):
    """A tensor as kernels take it, for any element type."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("dims", ctypes.POINTER(ctypes.c_int32)),
        ("rank", ctypes.c_int32),
        ("scale", ctypes.c_float),
        ("zero_point", ctypes.c_int32),
    )


def symbol(op: Op, combination: Combination) -> str:
    return f"{op.name}_{combination.suffix}"


def _wrapper(op: Op, combination: Combination) -> str:
    """A C function that calls a kernel: params as doubles (a count in front of each tensor one), tensors as views."""
    space = namespace(op)
    lines = [
        f'extern "C" void {symbol(op, combination)}(const double *numbers, const View *views) {{',
        "  (void)numbers;",
    ]
    if op.params:
        lines.append(f"  {space}::Params params;")
    for param in op.params:
        type_ = param_cpp(param)
        if param.shape is None:
            lines.append(f"  params.{param.name} = static_cast<{type_}>(*numbers++);")
            continue
        lines.append(f"  params.{param.name}.resize(static_cast<size_t>(*numbers++));")
        lines.append(f"  for (auto &&value : params.{param.name}) value = static_cast<{type_}>(*numbers++);")
    names = ["params"] if op.params else []
    for place, tensor in enumerate(op.tensors):
        const = "const " if tensor in op.inputs else ""
        type_ = f"{const}{tensor.dtype.of(combination).cpp}"
        lines.append(f"  const View &v{place} = views[{place}];")
        values = (
            f"static_cast<{type_} *>(v{place}.data), v{place}.dims, v{place}.rank, v{place}.scale, v{place}.zero_point"
        )
        lines.append(f"  const {space}::Tensor<{type_}> t{place}{{{values}}};")
        names.append(f"t{place}")
    return "\n".join([*lines, f"  {space}::{function_name(combination)}({', '.join(names)});", "}"])


class Kernels:
    """A library with the kernels of some ops."""

    def __init__(self, folder: Path, ops: Sequence[Op], standard: str = "c++14") -> None:
        texts = []
        for op in ops:
            (folder / f"{op.name}Kernel.h").write_text(kernel_header(op, Option()))
            texts.append(f'#include "{op.name}Kernel.h"')
        view = "struct View { void *data; const int32_t *dims; int32_t rank; float scale; int32_t zero_point; };"
        texts += [view, *(_wrapper(op, c) for op in ops for c in usable(op))]
        (folder / "all.cc").write_text("\n".join(texts) + "\n")
        library = folder / "kernels.so"
        command = ["g++", f"-std={standard}", "-O1", *WARNINGS, "-shared", "-fPIC", "-o", library, folder / "all.cc"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        self.library = ctypes.CDLL(str(library))

    def run(self, case: Case) -> RawResult:
        """The outputs of one case."""
        kept: list[object] = []
        views = []
        outputs: list[Array] = []
        for tensor in case.tensors:
            data = tensor.stored
            if tensor.spec in case.op.outputs:
                data = np.zeros(tensor.shape, storage(tensor.dtype))
                outputs.append(data)
            dims = (ctypes.c_int32 * max(len(tensor.shape), 1))(*tensor.shape)
            data = np.ascontiguousarray(data) if data is not None else None
            if tensor.spec in case.op.outputs:
                assert data is not None
                outputs[-1] = data
            kept += [dims, data]
            pointer = None if data is None or tensor.absent else data.ctypes.data
            quant = tensor.quant
            scale, zero = (quant.scale, -quant.offset) if quant is not None else (0.0, 0)  # as onert has them
            views.append(View(pointer, dims, len(tensor.shape), scale, zero))
        numbers: list[float] = []
        for param in case.params:
            values = param.value if isinstance(param.value, tuple) else (param.value,)
            numbers += [len(values)] if param.shape is not None else []
            numbers += [float(value) for value in values]
        array = (View * len(views))(*views)
        doubles = (ctypes.c_double * max(len(numbers), 1))(*numbers)
        getattr(self.library, symbol(case.op, case.combination))(doubles, array)
        found = [
            RawOutput(tensor.name, tensor.shape, data.tobytes())
            for tensor, data in zip(case.outputs, outputs, strict=True)
        ]
        return RawResult(0, "ok", outputs=tuple(found))
