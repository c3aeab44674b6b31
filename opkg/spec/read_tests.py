"""Tests of an op: tolerances and the user's own cases."""

from __future__ import annotations

import re
from typing import Any

from opkg.spec.diagnostics import Span, nearest
from opkg.spec.dtypes import DTYPES, DType, Kind
from opkg.spec.fields import Fields, read_record
from opkg.spec.model import ParamSpec, TensorCase, TensorSpec, TestCase, Tests, Tolerance, Value
from opkg.spec.names import name_fault
from opkg.spec.nodes import Mapping, Node, Scalar, Sequence
from opkg.spec.read_types import OpTypes, take_dtype, unknown_dtype
from opkg.spec.records import CASE_TENSOR, TESTS
from opkg.spec.scalars import Findings, take_entries, take_list, take_number, take_scalar, wrong_type
from opkg.spec.values import fits

_PART = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\s*(lsb|ulp|abs|rel)\s*$")


class TestReader:
    """Reads the `tests:` of one op."""

    __test__ = False  # not a pytest class

    def __init__(
        self,
        tensors: tuple[TensorSpec, ...],
        params: tuple[ParamSpec, ...],
        output_types: tuple[DType, ...],
        types: OpTypes,
        findings: Findings,
    ) -> None:
        self.tensors = {spec.name: spec for spec in tensors}
        self.params = {spec.name: spec for spec in params}
        self.output_types = output_types
        self.types = types
        self.findings = findings

    def read(self, node: Node | None) -> Tests:
        fields = read_record(node, TESTS, self.findings) if node is not None else None
        stated = self.tolerances(fields.node("tolerance")) if fields is not None else {}
        tolerance = tuple([(dtype, stated[dtype.name]) for dtype in self.output_types if dtype.name in stated])
        cases = self.cases(fields.node("cases")) if fields is not None else ()
        return Tests(tolerance, cases)

    def tolerances(self, node: Node | None) -> dict[str, Tolerance]:
        result: dict[str, Tolerance] = {}
        findings = self.findings
        for name, (key, value) in take_entries(node, "tolerance", findings).items():
            dtype = DTYPES.get(name)
            if dtype is None:
                unknown_dtype(key, findings)
                continue
            if dtype not in self.output_types and not self.types.broken:
                known = ", ".join(map(str, self.output_types))
                findings.error("OPK194", f"no output has element type '{name}'", key.span, f"outputs have: {known}")
            tolerance = self.tolerance(value, dtype)
            if tolerance is not None:
                result[name] = tolerance
        return result

    def tolerance(self, node: Node, dtype: DType) -> Tolerance | None:
        scalar = take_scalar(node, "a tolerance", self.findings)
        if scalar is None:
            return None
        if scalar.text.strip() == "exact":
            return Tolerance()
        parts: dict[str, float] = {}
        at = 0
        for part in re.split(r"(?<![eE])\+", scalar.text):
            match = _PART.match(part)
            if match is None or match.group(2) in parts:
                hint = "write 1 lsb, 2 ulp, 1e-5 abs + 1e-5 rel, or exact"
                span = scalar.piece.at(at, at + len(part))
                self.findings.error("OPK136", f"'{part.strip()[:40]}' is no tolerance", span, hint)
                return None
            unit = match.group(2)
            if (unit == "ulp" and dtype.kind is not Kind.FLOAT) or (unit == "lsb" and dtype.kind is Kind.FLOAT):
                span = scalar.piece.at(at, at + len(part))
                other = "ulp, abs or rel" if unit == "lsb" else "lsb"
                self.findings.error("OPK194", f"{unit} is no unit of {dtype}", span, f"use {other}")
                return None
            parts[unit] = float(match.group(1))
            at += len(part) + 1
        return Tolerance(parts.get("lsb"), parts.get("ulp"), parts.get("abs"), parts.get("rel"))

    # Cases

    def cases(self, node: Node | None) -> tuple[TestCase, ...]:
        if node is None:
            return ()
        cases: list[TestCase] = []
        names: set[str] = set()
        for number, item in enumerate(take_list(node, "cases", self.findings)):
            if not isinstance(item, Mapping):
                wrong_type(item, "a mapping (a test case)", "{x: {shape: [1, 8]}, beta: 0.5}", self.findings)
                continue
            case = self.case(item, f"case_{number}")
            if case.name in names:
                self.findings.error("OPK152", f"two test cases are called '{case.name}'", item.span, "rename one")
            names.add(case.name)
            cases.append(case)
        return tuple(cases)

    def case(self, node: Mapping, name: str) -> TestCase:
        when: list[tuple[str, DType]] = []
        tensors: list[tuple[str, tuple[TensorCase, ...]]] = []
        params: list[tuple[str, Value]] = []
        for key, (key_scalar, value) in node.entries.items():
            if key == "name":
                name = self.case_name(value) or name
            elif key == "when":
                when = self.when(value)
            elif key in self.tensors:
                given = self.tensor(self.tensors[key], value)
                if given is not None:
                    tensors.append((key, given))
            elif key in self.params:
                param = self.param(self.params[key], value)
                if param is not None:
                    params.append((key, param))
            elif not self.types.broken:
                known = (*self.tensors, *self.params, "name", "when")
                near = nearest(key, known)
                hint = f"did you mean '{near}'?" if near else "known: " + ", ".join(known)
                self.findings.error("OPK193", f"there is no tensor or param '{key}'", key_scalar.span, hint)
        return TestCase(name, tuple(when), tuple(tensors), tuple(params), node.span)

    def case_name(self, node: Node) -> str | None:
        scalar = take_scalar(node, "a name", self.findings)
        if scalar is None:
            return None
        fault = name_fault(scalar.text)
        if fault is not None:
            self.findings.error(fault[0], fault[1], scalar.span, fault[2])
        return scalar.text

    def when(self, node: Node) -> list[tuple[str, DType]]:
        """Type variables of a case, one type each."""
        result: list[tuple[str, DType]] = []
        for name, (key, value) in take_entries(node, "when", self.findings).items():
            var = self.types.take_var(name, key)
            dtype = take_dtype(value, self.findings)
            if var is None or dtype is None:
                continue
            if dtype not in var.dtypes and not self.types.broken:
                message = f"'{dtype}' is not among the types of '{name}'"
                self.findings.error("OPK193", message, value.span, "types: " + ", ".join(map(str, var.dtypes)))
            result.append((name, dtype))
        return result

    def tensor(self, spec: TensorSpec, node: Node) -> tuple[TensorCase, ...] | None:
        if not isinstance(node, Sequence):
            one = self.one_tensor(spec, node)
            return (one,) if one is not None else None
        if spec.variadic is None:
            wrong_type(node, f"a mapping ('{spec.name}')", "{shape: [1, 8]}", self.findings)
            return None
        least, most = spec.variadic
        if not least <= len(node.items) <= most:
            message = f"'{spec.name}' stands for {least} to {most} tensors, not {len(node.items)}"
            self.findings.error("OPK193", message, node.span)
        every = [self.one_tensor(spec, item) for item in node.items]
        return tuple([one for one in every if one is not None])

    def one_tensor(self, spec: TensorSpec, node: Node) -> TensorCase | None:
        fields = read_record(node, CASE_TENSOR, self.findings)
        if fields is None:
            return None
        findings = self.findings
        absent = fields.flag("absent")
        if absent and not spec.optional:
            findings.error("OPK193", f"'{spec.name}' is not optional", fields.at("absent"), "it cannot be left out")
        scale = fields.number("scale")
        if scale is not None and scale <= 0:
            findings.error("OPK190", "a scale is greater than 0", fields.at("scale"))
        shape = self.shape(spec, fields)
        values = None
        node_values = fields.node("values")
        if node_values is not None:
            own, values = self.values(node_values, shape)
            if shape is None and own is not None and isinstance(node_values, Sequence):
                self.check_rank(spec, len(own), node_values.span, "lists in lists have a level for each dimension")
            shape = own
        return TensorCase(shape, values, scale, fields.whole("offset"), absent)

    def shape(self, spec: TensorSpec, fields: Fields) -> tuple[int, ...] | None:
        node = fields.node("shape")
        if node is None:
            return None
        dims: list[int] = []
        for item in take_list(node, "shape", self.findings):
            text = item.text if isinstance(item, Scalar) else ""
            if not (text.isascii() and text.isdigit() and text[0] != "0" and len(text) < 10):
                self.findings.error("OPK193", "a dimension of a test case is a number, at least 1", item.span)
                return None
            dims.append(int(text))
        if isinstance(node, Sequence):
            self.check_rank(spec, len(dims), node.span)
        return tuple(dims)

    def check_rank(self, spec: TensorSpec, rank: int, span: Span, hint: str = "") -> None:
        if rank in spec.ranks:
            return
        low, high = spec.ranks.low, spec.ranks.high
        message = f"'{spec.name}' has rank {low}" + (f" to {high}" if high > low else "") + f", not {rank}"
        self.findings.error("OPK193", message, span, hint)

    def values(
        self, node: Node, shape: tuple[int, ...] | None
    ) -> tuple[tuple[int, ...] | None, tuple[float, ...] | None]:
        """The flat values and the shape, which nested lists give when the case does not."""
        before = len(self.findings.list)
        flat: list[float] = []
        nested = self.flatten(node, flat)
        if len(self.findings.list) > before or nested is None:
            return shape, None
        shape = shape or nested or (1,)
        count = 1
        for dim in shape:
            count *= dim
        if count != len(flat):
            self.findings.error("OPK193", f"{len(flat)} values for a shape of {count} elements", node.span)
        return shape, tuple(flat)

    def flatten(self, node: Node, flat: list[float]) -> tuple[int, ...] | None:
        if not isinstance(node, Sequence):
            if isinstance(node, Scalar) and node.plain and node.text in ("true", "false"):
                flat.append(float(node.text == "true"))
                return ()
            value = take_number(node, self.findings, "a value")
            if value is not None:
                flat.append(value)
            return ()
        shapes = [self.flatten(item, flat) for item in node.items]
        if not shapes or any(shape != shapes[0] for shape in shapes) or shapes[0] is None:
            self.findings.error("OPK193", "lists of values must be as long as their neighbours", node.span)
            return None
        return (len(shapes), *shapes[0])

    def param(self, spec: ParamSpec, node: Node) -> Value | None:
        """A param's value in a case: a literal or an enum name."""
        if isinstance(node, Sequence):
            if spec.shape is None:
                self.findings.error("OPK193", f"param '{spec.name}' is a scalar", node.span)
                return None
            values = [self.element(spec, item) for item in node.items]
            return None if any(value is None for value in values) else tuple([v for v in values if v is not None])
        value: Value | None = self.element(spec, node)
        if value is not None and spec.shape is not None:
            self.findings.error("OPK193", f"param '{spec.name}' needs a list", node.span)
            return None
        return value

    def element(self, spec: ParamSpec, node: Node) -> Any:
        if isinstance(node, Scalar):
            named = dict(spec.enum).get(node.text)
            if named is not None:
                return named
            if node.plain and node.text in ("true", "false") and spec.dtype.kind is Kind.BOOL:
                return node.text == "true"
        if spec.enum and isinstance(node, Scalar) and node.text.isidentifier():
            names = ", ".join(name for name, _ in spec.enum)
            self.findings.error(
                "OPK193", f"param '{spec.name}' has no value '{node.text}'", node.span, f"values: {names}"
            )
            return None
        value = take_number(node, self.findings, f"param '{spec.name}'")
        if value is None:
            return None
        number: float | int = value
        if spec.dtype.kind is not Kind.FLOAT and value == int(value):
            assert isinstance(node, Scalar)
            number = int(node.text) if re.fullmatch("-?[0-9]+", node.text) else int(value)
        why = fits(number, spec.dtype)
        if why:
            self.findings.error("OPK193", f"param '{spec.name}': {number:g} {why}", node.span)
            return None
        return number
