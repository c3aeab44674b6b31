"""QHPI packages as imported ops: op records, kernels with their signatures, and the code of kernels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from opkg.imports.cpp_kernels import constant_of, function_name, function_text
from opkg.imports.cpp_report import Source
from opkg.imports.cpp_types import Tensors, typed
from opkg.imports.form import ImportedKernel, ImportedOp, ImportedParam, ImportedTensor, Todo
from opkg.imports.qhpi_calls import Call, scalars
from opkg.imports.qhpi_records import Array, Record, arrays, text_constants, text_value
from opkg.spec.diagnostics import Diagnostic, Span, warning
from opkg.spec.dtypes import DTYPES
from opkg.spec.names import op_name_fault, snake

_TYPES = {
    "quint8": "ufixed8", "quint16": "ufixed16", "qint16": "sfixed16", "float32": "float32", "int32": "int32",
    "qint32": "sfixed32", "qint8": "sfixed8", "float16": "float16", "int64": "int64",
}  # fmt: skip
_CALLBACKS = ("early_rewrite", "shape_required", "shape_legalized", "build_tile", "late_rewrite")


@dataclass(frozen=True, slots=True)
class QhpiOp:
    """An op and the calls of its kernels, by the files they stand in."""

    op: ImportedOp
    calls: tuple[tuple[str, Call], ...]


@dataclass(frozen=True, slots=True)
class _Kernel:
    """A kernel record that a spec can have: its record, types of results and inputs, layout, memory."""

    record: Record
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    layout: str
    placement: str


class Reader:
    """Reads the op records of all files of a package."""

    def __init__(self, sources: Sequence[Source], known: Sequence[ImportedOp]) -> None:
        self.sources = sources
        self.code = "\n".join(source.code for source in sources)
        self.known = {op.name: op for op in known}
        self.findings: list[Diagnostic] = []
        self.package = ""
        self.constants = text_constants(self.code)
        self.signatures = {array.name: array for s in sources for array in arrays(s.code, "Tensor_Signature")}
        self.kernels = {array.name: (s, array) for s in sources for array in arrays(s.code, "Kernel")}

    def ops(self) -> list[QhpiOp]:
        """The ops in order of their records."""
        out: list[QhpiOp] = []
        for source in self.sources:
            for array in arrays(source.code, "OpInfo"):
                for record in array.records:
                    op = self._op(source, record)
                    if op is not None and all(other.op.name != op.op.name for other in out):
                        out.append(op)
        return out

    def _say(self, id: str, message: str, span: Span, hint: str = "") -> None:
        self.findings.append(warning(id, message, span, hint))

    def _op(self, source: Source, record: Record) -> QhpiOp | None:
        span = place(source, record.offset)
        prefix, _, name = text_value(record["name"], self.constants).rpartition("::")
        self.package = self.package or prefix
        if not name or op_name_fault(name) is not None:
            shown = name or record["name"]
            self._say("OPK649", f"the name of an op could not be read: '{shown}'", span, "write it as a string literal")
            return None
        for callback in _CALLBACKS:
            if record[callback]:
                message = f"'{record[callback]}' ({callback} of '{name}') is not carried"
                self._say("OPK648", message, span, "state what it does: `rules` for rewrites, `tiling` for tiles")
        array = re.sub(r"^&|\.data\(\)$", "", record["kernels"])
        if array not in self.kernels:
            self._say("OPK649", f"the kernels of '{name}' could not be read: '{record['kernels']}'", span)
            return None
        where, found = self.kernels[array]
        kernels = [k for k in (self._kernel(where, each) for each in found.records) if k is not None]
        counts = {(len(k.outputs), len(k.inputs)) for k in kernels}
        if len(counts) > 1:
            most = max(counts, key=lambda count: count[1])
            kernels = [k for k in kernels if (len(k.outputs), len(k.inputs)) == most]
            message = f"kernels of '{name}' differ in their number of tensors: those with {most[1]} inputs are carried"
            self._say("OPK650", message, span)
        if not kernels:
            self._say("OPK642", f"no kernel of '{name}' could be carried over", span)
            return None
        return self._made(name, span, where, kernels)

    def _kernel(self, source: Source, record: Record) -> _Kernel | None:
        """A kernel, or what keeps it from being one of a spec."""
        span, name = place(source, record.offset), record["function"]
        for field in ("variable_inputs", "variable_outputs", "predicate", "function_with_precomputed_data"):
            if record[field]:
                self._say("OPK650", f"kernel '{name or record['function_name']}' not carried: it has {field}", span)
                return None
        out, given = self._signature(record, "output"), self._signature(record, "input")
        if not name or out is None or given is None:
            self._say("OPK649", f"the signatures of kernel '{record['function_name']}' could not be read", span)
            return None
        rows = [*out, *given]
        layouts = {_layout(row["layout"]) for row in rows}
        if len(layouts - {"flat"}) > 1 or "" in layouts:
            self._say("OPK650", f"kernel '{name}' not carried: a layout that kernels of a spec do not have", span)
            return None
        types = [_dtype(row["element_type"]) for row in rows]
        if not all(types):
            self._say("OPK650", f"kernel '{name}' not carried: it takes any element type", span)
            return None
        places = {_placement(row["mem_placement"]) for row in rows}
        layout = "crouton" if "crouton" in layouts else "flat"
        return _Kernel(
            record, tuple(types[: len(out)]), tuple(types[len(out) :]), layout, places.pop() if len(places) == 1 else ""
        )

    def _signature(self, record: Record, kind: str) -> tuple[Record, ...] | None:
        array: Array | None = self.signatures.get(re.sub(r"^&|\.data\(\)$|\[0\]$", "", record[f"{kind}_signature"]))
        count = record[f"min_{kind}s"]
        if array is None:
            return () if not count else None
        number = int(count) if count.isdigit() else len(array.records)
        return array.records[:number]

    def _made(self, name: str, span: Span, source: Source, kernels: Sequence[_Kernel]) -> QhpiOp:
        known = self.known.get(name)
        first = kernels[0]
        text = function_text(self.code, function_name(first.record["function"]))
        params = {} if known is not None else scalars(text, first.inputs)
        count = len(known.inputs) if known is not None else len(first.inputs) - len(params)
        tensors = _tensors(kernels, count)
        op = known or _op_of(name, span, tensors, params)
        records, calls, seen = [], [], set()
        for kernel in kernels:
            key = (kernel.outputs, kernel.inputs[:count], kernel.layout, kernel.placement)
            row = _combination(op, kernel, count)
            if key in seen or row is None:
                continue
            seen.add(key)
            again = any(k[:3] == key[:3] for k in seen if k != key)
            record, call = self._record(op, kernel, row, again, place(source, kernel.record.offset), source.path)
            records.append(record)
            calls.append((source.path, call))
        return QhpiOp(replace(op, kernels=tuple(records)), tuple(calls))

    def _record(
        self, op: ImportedOp, kernel: _Kernel, row: Mapping[str, str], again: bool, span: Span, path: str
    ) -> tuple[ImportedKernel, Call]:
        record = kernel.record
        suffix = "_".join(DTYPES[dtype].suffix for dtype in row.values())
        words = [
            snake(op.name),
            suffix,
            "crouton" if kernel.layout == "crouton" else "",
            kernel.placement if again else "",
        ]
        function = "_".join(word for word in words if word)
        resources = [word.lower() for word in ("HVX", "HMX") if word in record["resources"]]
        fields = (
            ("when", f"{{{', '.join(f'{name}: {dtype}' for name, dtype in row.items())}}}" if row else ""),
            ("layout", "crouton" if kernel.layout == "crouton" else ""),
            ("placement", kernel.placement),
            ("resources", f"[{', '.join(resources)}]" if resources and resources != ["hvx"] else ""),
            ("cost", self._cost(record, span)),
            ("source_destructive", "true" if record["source_destructive"] else ""),
            ("multithreaded", "true" if record["multithreaded"] else ""),
            ("body", f"kernels/{stem(path)}.cpp"),
            ("function", function if again else ""),
        )
        struct = f"{op.name.replace('.', '_')}Args{_camel(suffix)}{'Crouton' if kernel.layout == 'crouton' else ''}"
        call = Call(op, function, struct, record["function"], bool(record["multithreaded"]))
        return ImportedKernel(tuple(field for field in fields if field[1]), span), call

    def _cost(self, record: Record, span: Span) -> str:
        name = record["cost_function"]
        if not name:
            return ""
        constant = constant_of(function_text(self.code, name.rpartition("::")[2]))
        if constant is None:
            message = f"the cost function '{name}' is not carried; the spec says snail"
            self._say("OPK644", message, span, "state it: `cost: 100 + size(x) / 32`")
            return "snail"
        return constant


def place(source: Source, offset: int) -> Span:
    """Line and column of an offset."""
    line = source.code.count("\n", 0, offset) + 1
    column = offset - source.code.rfind("\n", 0, offset)
    return Span(source.path, line, column, line, column + 1)


def stem(path: str) -> str:
    """`src/ClipKernels.cpp` -> `clip_kernels`."""
    return snake(re.sub(r"\W+", "_", path.rpartition("/")[2].rpartition(".")[0])) or "kernels"


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_") if part)


def _word(text: str) -> str:
    return text.rpartition("::")[2].removeprefix("QHPI_").lower()


def _dtype(text: str) -> str:
    return _TYPES.get(_word(text), "")


def _layout(text: str) -> str:
    word = _word(text).removeprefix("layout_").replace("_", "")
    return (
        "flat"
        if word in ("flat4", "flat5", "flat6")
        else "crouton"
        if word in ("crouton8", "crouton16", "crouton32")
        else ""
    )


def _placement(text: str) -> str:
    word = _word(text)
    return "" if "or_tcm" in word else "tcm" if "tcm" in word else "ddr"


def _tensors(kernels: Sequence[_Kernel], count: int) -> Tensors:
    """Types of the tensors by the kernels' signatures."""
    first = kernels[0]
    inputs = ["x"] if count == 1 else [f"in{i}" for i in range(count)]
    outputs = ["y"] if len(first.outputs) == 1 else [f"out{i}" for i in range(len(first.outputs))]
    return typed(inputs, outputs, [(*k.outputs, *k.inputs[:count]) for k in kernels], 0)


def _op_of(name: str, span: Span, tensors: Tensors, params: Mapping[str, str]) -> ImportedOp:
    shape = Todo("shape", "a kernel's record does not say it", span)
    inputs = tuple(
        ImportedTensor(n, dtype, span, ranks=(1, 4), todos=(Todo("name, shape, and whether it is a param", "", span),))
        for n, dtype in tensors.inputs
    )
    first = f"{inputs[0].name}.shape" if inputs else ("1",)
    return ImportedOp(
        name,
        span,
        inputs,
        tuple(ImportedTensor(n, dtype, span, shape=first, todos=(shape,)) for n, dtype in tensors.outputs),
        tuple(
            ImportedParam(n, dtype, span, todos=(Todo("name and default", "", span),)) for n, dtype in params.items()
        ),
        tensors.variables,
        tensors.combinations,
        todos=(Todo("summary and reference", "what the op computes stands in its kernels only", span),),
    )


def _combination(op: ImportedOp, kernel: _Kernel, count: int) -> dict[str, str] | None:
    """The types of a kernel by the op's type variables; None when the op does not take them."""
    out: dict[str, str] = {}
    variables = dict(op.types)
    pairs = [*zip(op.outputs, kernel.outputs, strict=False), *zip(op.inputs, kernel.inputs[:count], strict=False)]
    for tensor, dtype in pairs:
        if tensor.dtype in variables:
            if out.setdefault(tensor.dtype, dtype) != dtype or dtype not in variables[tensor.dtype]:
                return None
        elif tensor.dtype != dtype:
            return None
    return {name: out[name] for name in variables if name in out}
