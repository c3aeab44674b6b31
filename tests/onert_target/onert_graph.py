"""Builds generated operations into the stand-in of onert's core and cpu backend, and calls them through a graph."""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
from onert_kit import WARNINGS

from opkg.spec.model import Op, OpPackage
from opkg.targets.foreign import Era
from opkg.targets.onert.by_hand import carried, owned
from opkg.targets.onert.edits import edits
from opkg.targets.onert.files import CPU, files
from opkg.targets.onert.gtests import CORE_TEST, ONE_OP
from opkg.targets.onert.layout import Option
from opkg.targets.onert.types import data_type
from opkg.targets.portable_kernel.params import param_cpp
from opkg.verify.cases.case import Case
from opkg.verify.judge.results import RawOutput, RawResult
from opkg.verify.meaning.numbers import storage

SIM = Path(__file__).resolve().parents[2] / "opkg" / "sim" / "include" / "onert"
TYPES = [
    *("FLOAT32", "INT32", "UINT32", "QUANT_UINT8_ASYMM", "BOOL8", "UINT8", "QUANT_INT8_SYMM", "FLOAT16", "INT64"),
    *("QUANT_INT8_ASYMM", "QUANT_INT16_ASYMM", "QUANT_INT8_SYMM_PER_CHANNEL", "QUANT_INT16_SYMM"),
]
# Headers that generated files include -> the part of the stand-in that has what they declare.
HEADERS = {
    "ir/Operation.h": "ir", "ir/OperationVisitor.h": "ir", "ir/Graph.h": "ir", "backend/IPortableTensor.h": "tensors",
    "exec/IFunction.h": "tensors", "OperationUtils.h": "tensors", "exec/Execution.h": "runtime",
    "compiler/Compiler.h": "runtime", "compiler/CompilerFactory.h": "runtime", "util/ShapeInference.h": "core",
    "gtest/gtest.h": "gtest", "GenModelTest.h": "GenModelTest",
}  # fmt: skip
_PACKAGE = "const std::shared_ptr<ir::NNPkg>& package"
_OPTIONS = "std::vector<std::unique_ptr<onert::compiler::CompilerOptions>>"
CORE_INCLUDE = "runtime/onert/core/include"


class CallOperand(ctypes.Structure):
    """As `opkg/sim/include/onert/call.cc` has it."""

    _fields_ = (
        ("type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("dims", ctypes.c_int32 * 8),
        ("scale", ctypes.c_float),
        ("zero_point", ctypes.c_int32),
        ("kind", ctypes.c_int32),
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_size_t),
    )


@dataclass(frozen=True)
class Outcome:
    """What a call came to. `stage`: 0, or what refused it (call.cc); `shapes`: of the outputs after shape inference."""

    stage: int
    message: str
    shapes: tuple[tuple[int, ...], ...]
    result: RawResult


def stand_in(folder: Path, package: OpPackage, era: Era = Era()) -> list[Path]:  # noqa: B008
    """Writes the stand-in with all entries of a package, and returns the sources."""
    by_place: dict[str, list[str]] = {}
    for op in package.ops:
        for edit in edits(package, op, era):
            by_place.setdefault(edit.place, []).append(edit.text)
        for artifact in files(package, op, era, Option("2026 Acme Inc.")):
            (folder / artifact.path).parent.mkdir(parents=True, exist_ok=True)
            (folder / artifact.path).write_text(artifact.text)
    include = folder / "include"
    by_place |= schema(package) | loaders(era)
    if not era.circle_custom:  # BaseLoader names custom operators
        for place in ("enum", "map", "switch"):
            by_place[f"base_custom_{place}"] = by_place.pop(f"circle_custom_{place}", [])
        for place in ("declaration", "definition"):
            more = by_place.pop(f"circle_custom_{place}", [])
            by_place[f"base_loader_{place}"] = by_place.get(f"base_loader_{place}", []) + more
    for path in SIM.iterdir():
        text = re.sub(
            r" *//@ (\w+)|/\*@ (\w+) \*/", lambda m: "\n".join(by_place.get(m[1] or m[2], [])), path.read_text()
        )
        _write(include / "onert" / path.name, of_era(text, era))
    for name, part in HEADERS.items():
        _write(include / name, f'#include "onert/{part}.h"\n')
    _write(include / "ir/Operations.lst", "".join(by_place["operations_lst"]))
    _write(include / "ir/Operations.Include.h", "#pragma once\n" + "".join(by_place["operations_include"]))
    _write(include / "Operation.lst", "".join(by_place.get("cpu_operation_lst", [])))
    operations = "\n".join(f'#include "ir/operation/{op.name}.h"' for op in package.ops)
    for name in ("KernelGenerator.h", "Validator.h"):
        _write(folder / CPU / name, f'#pragma once\n#include "onert/tensors.h"\n{operations}\n')
    _write(folder / "make.cc", _factory(package.ops))
    found = [include / "onert" / "core.cc", include / "onert" / "call.cc", folder / "make.cc"]
    found += [folder / CPU / "ops" / f"{op.name}Layer.cc" for op in package.ops]
    classes = [f'#include "{folder}/{CORE_TEST}/{op.name}.cc"' for op in package.ops]
    _write(folder / "classes.cc", "\n".join([*classes, ""]))
    return [*found, folder / "classes.cc"]


def of_era(text: str, era: Era) -> str:
    """The stand-in's text with the names of an older era."""
    if not (era.operation_lst or era.validator_visits):
        text = text.replace("_supported = false", "_supported = true")
    if not era.zero_point:
        text = text.replace("data_zero_point()", "data_offset()").replace("zero_point()", "offset()")
    if not era.output_constraint:
        text = text.replace(", OperandConstraint output_constr = OperandConstraint::createExact(1u)", "")
        text = re.sub(
            r".*!output_constr\.check.*\n", "", re.sub(r",\s+OperandConstraint output_constr[^)]*\)\)", ")", text)
        )
    if not era.attr_map:
        text = re.sub(r".*getCustomOpAttrMap.*\n", "", text)
    if not era.same_quant:
        text = text.replace("isSameQuantParam(", "hasSameQuantParam(")
    if era.options_list:
        text = re.sub(
            r"create\(std::unique_ptr<ir::NNPkg> package, .*\) \{", f"create({_PACKAGE}, {_OPTIONS}&) {{", text
        )
        text = text.replace("<ICompiler>(std::move(package))", "<ICompiler>(std::make_unique<ir::NNPkg>(*package))")
        text = re.sub(r".*auto options = .*\n", "", text)
        text = re.sub(r"( +auto compiler = .*), .*\);\n", rf"  {_OPTIONS} options;\n\1, options);\n", text)
        text = text.replace("outputInfo(const ir::IOIndex& index) const", "outputInfo(const ir::IOIndex& index)")
    if not era.validator_operands:
        text = re.sub(
            r"class OperationValidator .*?\n};", lambda m: m[0].replace("_operands", "_ctx"), text, flags=re.S
        )
    return text


def loaders(era: Era) -> dict[str, list[str]]:
    """How the classes of the loaders are declared."""
    more = ", typename SpecificLoader" if era.specific_loader else ""
    own = ", CircleLoader" if more else ""
    return {
        "base_loader_template": [f"template <typename LoaderDomain{more}>"],
        "base_loader_more": [", SpecificLoader" if more else ""],
        "base_loader_derived": [f"class CircleLoader : public BaseLoader<LoaderDomain{own}>"],
    }


def schema(package: OpPackage) -> dict[str, list[str]]:
    """What flatc makes of the schema, for the operators that ops name."""
    operators, options, tables, accessors = [], [], [], []
    for op in package.ops:
        if op.builtin is None:
            continue
        operators.append(f"  BuiltinOperator_{op.builtin.operator},")
        name = op.builtin.options
        if not name:
            continue
        options.append(f"  BuiltinOptions_{name},")
        accessors.append(
            f"  const {name}* builtin_options_as_{name}() const {{ return kind == BuiltinOptions_{name} ? "
            f"static_cast<const {name}*>(table.get()) : nullptr; }}"
        )
        members, adders = [], []
        for param in op.params:
            field, type_ = op.builtin.field(param.name), param_cpp(param)
            type_ = f"const std::vector<{type_}>*" if param.shape is not None else type_
            if param.enum:  # as flatc declares them
                tables.append(f"enum {name}_{field} : int8_t {{ {name}_{field}_NONE = 0 }};")
                type_ = f"{name}_{field}"
            members += [f"  {type_} {field}() const {{ return {field}_; }}", f"  {type_} {field}_{{}};"]
            adders.append(f"  void add_{field}({type_} value) {{ made->{field}_ = value; }}")
        tables += [f"struct {name} {{", *members, "};", f"struct {name}Builder {{"]
        tables += [f"  explicit {name}Builder(flatbuffers::FlatBufferBuilder&) {{}}", *adders]
        tables += [f"  flatbuffers::Offset<{name}> Finish() {{ return flatbuffers::Offset<{name}>(made); }}"]
        tables += [f"  std::shared_ptr<{name}> made = std::make_shared<{name}>();", "};"]
    found = {"operators": operators, "options": options, "tables": tables, "accessors": accessors}
    return {f"schema_{place}": ["\n".join(lines)] for place, lines in found.items()}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def _factory(ops: Sequence[Op]) -> str:
    """Makes operations by number, params from a list of doubles."""
    lines = ['#include "ir/Operations.Include.h"', "using namespace onert::ir;"]
    head = "std::unique_ptr<Operation> make_operation(int32_t number, const OperandIndexSequence &inputs, "
    lines += [head + "const OperandIndexSequence &outputs, const double *numbers)", "{", "  (void)numbers;"]
    for number, op in enumerate(ops):
        lines += [f"  if (number == {number})", "  {"]
        lines += [f"    operation::{op.name}::Param param;"] if op.params else []
        for param in op.params:
            type_ = param_cpp(param)
            if param.shape is None:
                lines.append(f"    param.{param.name} = static_cast<{type_}>(*numbers++);")
                continue
            lines.append(f"    param.{param.name}.resize(static_cast<size_t>(*numbers++));")
            lines.append(f"    for (auto &&value : param.{param.name}) value = static_cast<{type_}>(*numbers++);")
        more = ", param" if op.params else ""
        lines += [f"    return std::make_unique<operation::{op.name}>(inputs, outputs{more});", "  }"]
    return "\n".join([*lines, "  return nullptr;", "}", ""])


class Graphs:
    """A library of the stand-in with the operations of a package."""

    def __init__(
        self,
        folder: Path,
        package: OpPackage,
        era: Era = Era(),  # noqa: B008
        by_hand: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`by_hand`: the user's kernel files."""
        self.package = package
        sources = stand_in(folder, package, era)
        for op in package.ops if by_hand else ():
            for body, name in owned(package, op):
                _write(folder / CPU / "ops" / name, carried(package, by_hand[body]))
        places = [folder / "include", folder / CORE_INCLUDE, folder / CPU]
        flags = ["-std=c++17", "-O0", "-fPIC", *WARNINGS, *(f"-I{place}" for place in places)]
        first = folder / "first.h"  # what every source reads, compiled once
        first.write_text('#include "GenModelTest.h"\n#include <cmath>\n#include <cstring>\n')
        subprocess.run(["g++", *flags, "-x", "c++-header", first, "-o", folder / "first.h.gch"], check=True)
        flags += ["-include", str(first)]

        def compiled(source: Path) -> Path:
            object_ = folder / f"{source.stem}-{source.parent.name}.o"
            done = subprocess.run(
                ["g++", *flags, "-c", source, "-o", object_], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr[:4000]
            return object_

        tests = [folder / CORE_TEST / f"{op.name}.test.cc" for op in package.ops if era.compiler_factory]
        models = [folder / ONE_OP / f"{op.name}.test.cc" for op in package.ops]
        models = [model for model in models if model.exists()] + [folder / "include" / "onert" / "loader.cc"]
        main = folder / "include" / "onert" / "gtest_main.cc"
        with ThreadPoolExecutor(2) as pool:
            objects = list(pool.map(compiled, sources))
            core, api = list(pool.map(compiled, [main, *tests])), list(pool.map(compiled, models))
        library = folder / "graphs.so"
        subprocess.run(["g++", "-shared", "-o", library, *objects], check=True)
        self.library = ctypes.CDLL(str(library))
        self.programs = (folder / "core_tests", folder / "model_tests")  # as onert has them
        for program, parts in zip(self.programs, (core, [core[0], *api]), strict=True):
            subprocess.run(["g++", "-o", program, *parts, library, f"-Wl,-rpath,{folder}"], check=True)

    def tests(self) -> str:
        """What the generated tests print; they pass."""
        shown = ""
        for program in self.programs:
            done = subprocess.run([program], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout
            shown += done.stdout
        return shown

    def run(self, case: Case, dynamic: bool = False, changed: dict[str, dict[str, object]] | None = None) -> Outcome:
        """One case. `changed`: other values of fields of a tensor's operand, by the tensor's name."""
        kept: list[object] = []
        operands = (CallOperand * len(case.tensors))()
        for operand, tensor in zip(operands, case.tensors, strict=True):
            is_output = tensor.spec in case.op.outputs
            data = np.zeros(tensor.shape, storage(tensor.dtype)) if is_output else tensor.stored
            operand.type = TYPES.index(data_type(tensor.dtype))
            operand.kind = 0 if tensor.absent else 2 if tensor.spec.static else 1
            shape = () if is_output else tensor.shape  # for inference to repair
            operand.rank = len(shape)
            operand.dims[: len(shape)] = shape
            if tensor.quant is not None:
                operand.scale, operand.zero_point = tensor.quant.scale, -tensor.quant.offset
            if data is not None and not tensor.absent:
                array = np.ascontiguousarray(data)
                kept.append(array)
                operand.data, operand.size = array.ctypes.data, array.nbytes
            for name, value in (changed or {}).get(tensor.name, {}).items():
                if name == "dims":
                    assert isinstance(value, tuple)
                    operand.rank = len(value)
                    operand.dims[: len(value)] = value
                    array = np.zeros(value, storage(tensor.dtype))
                    kept.append(array)
                    operand.data, operand.size = array.ctypes.data, array.nbytes
                else:
                    setattr(operand, name, value)
        message = ctypes.create_string_buffer(200)
        values = _numbers(case)
        numbers = (ctypes.c_double * max(len(values), 1))(*values)
        count = len(case.inputs)
        stage = self.library.onert_call(
            list(self.package.ops).index(case.op), operands, count, len(case.outputs), numbers, int(dynamic), message
        )
        results = operands[count:]
        shapes = tuple(tuple(operand.dims[: operand.rank]) for operand in results)
        outputs = tuple(
            RawOutput(tensor.name, tensor.shape, ctypes.string_at(operand.data, operand.size))
            for tensor, operand in zip(case.outputs, results, strict=True)
        )
        return Outcome(stage, message.value.decode(), shapes, RawResult(0, "ok", outputs=outputs))


def _numbers(case: Case) -> list[float]:
    found: list[float] = []
    for param in case.params:
        values = param.value if isinstance(param.value, tuple) else (param.value,)
        found += [len(values)] if param.shape is not None else []
        found += [float(value) for value in values]
    return found
