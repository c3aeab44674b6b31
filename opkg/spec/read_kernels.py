"""Kernels of an op: one record of the spec stands for one kernel per combination it matches."""

from __future__ import annotations

from opkg.spec.diagnostics import Span
from opkg.spec.expr import Expression, Type
from opkg.spec.fields import Fields, read_record
from opkg.spec.model import (
    Combination,
    CostName,
    Flag,
    Kernel,
    Layout,
    Placement,
    Resource,
    Storage,
    Tiling,
)
from opkg.spec.names import CPP_WORDS, name_fault, path_fault, snake
from opkg.spec.nodes import Node, Scalar, Sequence
from opkg.spec.parse_expr import parse
from opkg.spec.read_types import OpTypes
from opkg.spec.records import KERNEL
from opkg.spec.scalars import Findings, take_list, take_plain_text, take_scalar, take_words, wrong_type
from opkg.spec.scope import Scope

_BODIES = (".cpp", ".cc", ".cxx")
_COSTS = tuple(CostName)


def function_name(op: str, combination: Combination, layout: Layout) -> str:
    """`relu_u8`, `relu_u8_crouton`, `relu` when the op has one fixed signature, `not_` of `Not` then: `not` is a word of C++."""
    parts = [snake(op), combination.suffix, "crouton" if layout is Layout.CROUTON else ""]
    name = "_".join([part for part in parts if part])
    return f"{name}_" if name in CPP_WORDS else name


def body_path(op: str) -> str:
    """Where a kernel's body is unless the spec says otherwise."""
    return f"kernels/{snake(op)}.cpp"


class KernelReader:
    """Reads the `kernels:` of one op. `computed`: it has a `compute:`, so that kernels without `body` are generated."""

    def __init__(
        self,
        op: str,
        types: OpTypes,
        combinations: tuple[Combination, ...],
        scope: Scope,
        findings: Findings,
        computed: bool = False,
    ) -> None:
        self.op = op
        self.default_body = "" if computed else body_path(op)
        self.types = types
        self.combinations = combinations
        self.scope = scope
        self.findings = findings

    def read(self, node: Node | None, span: Span) -> tuple[Kernel, ...]:
        """All kernels; without the key one flat kernel per combination. `span`: the op's name."""
        if node is None:
            return tuple([self.default(combination, span) for combination in self.combinations])
        kernels: list[Kernel] = []
        broken = not isinstance(node, Sequence)
        for item in take_list(node, "kernels", self.findings):
            before = len(self.findings.list)
            fields = read_record(item, KERNEL, self.findings)
            kernels.extend(self.expand(fields) if fields is not None else ())
            broken |= len(self.findings.list) > before
        self.unique(kernels)
        if not broken:
            self.complete(kernels, node)
        return tuple(kernels)

    def default(self, combination: Combination, span: Span) -> Kernel:
        name = function_name(self.op, combination, Layout.FLAT)
        return Kernel(combination, name, self.default_body, also_blocks=not self.default_body, spans={"": span})

    def expand(self, fields: Fields) -> list[Kernel]:
        """The kernels of one record."""
        matched = self.matched(fields)
        body = self.body(fields.node("body"))
        wanted = Layout(fields.word("layout", "flat" if body else "either"))
        layout = Layout.FLAT if wanted is Layout.EITHER else wanted
        storage = Storage(fields.word("storage", "indirect" if layout is Layout.CROUTON else "direct"))
        placement = Placement(fields.word("placement", "either"))
        findings = self.findings
        resource_node, flag_node = fields.node("resources"), fields.node("flags")
        resources = tuple(map(Resource, take_words(resource_node, tuple(Resource), "resource", findings)))
        if resource_node is None:
            resources = (Resource.HVX,)
        flags = tuple(map(Flag, take_words(flag_node, tuple(Flag), "flag", findings)))
        cost = self.cost(fields.node("cost"))
        tiling = self.tiling(fields.node("tiling"))
        function = self.function(fields.node("function"), matched)
        return [
            Kernel(
                combination, function or function_name(self.op, combination, layout), body, layout, storage, placement,
                resources, cost, flags, fields.flag("source_destructive"), fields.said("multithreaded"), tiling,
                wanted is Layout.EITHER, fields.spans,
            )
            for combination in matched
        ]  # fmt: skip

    def matched(self, fields: Fields) -> list[Combination]:
        """The combinations that `when:` selects."""
        node = fields.node("when")
        if node is None:
            return list(self.combinations)
        when = self.types.read_when(node)
        if when is None:
            return []
        found = [c for c in self.combinations if all(c.dtype(name) in dtypes for name, dtypes in when.items())]
        if not found and not self.types.broken:
            message = f"this kernel is for no combination of {self.op}"
            self.findings.error("OPK185", message, node.span, "change 'when' or add the combination")
        return found

    def cost(self, node: Node | None) -> CostName | Expression:
        if node is None:
            return CostName.SNAIL
        scalar = take_scalar(node, "a cost", self.findings)
        if scalar is None:
            return CostName.SNAIL
        if scalar.text in _COSTS:
            return CostName(scalar.text)
        if scalar.text.lower() in _COSTS:
            hint = f"write {scalar.text.lower()}"
            self.findings.error("OPK126", f"there is no cost '{scalar.text}'", scalar.span, hint)
            return CostName.SNAIL
        before = len(self.findings.list)
        expression = parse(scalar.piece, self.scope, (Type.INT, Type.FLOAT), self.findings.list, "a cost in cycles")
        if expression is None and scalar.text.isidentifier():
            del self.findings.list[before:]
            hint = "free, fast, snail, glacial, or an expression in cycles"
            self.findings.error("OPK126", f"there is no cost '{scalar.text[:40]}'", scalar.span, hint)
        return expression or CostName.SNAIL

    def tiling(self, node: Node | None) -> Tiling | None:
        if node is None:
            return None
        hint = "tiling: [1, 8, 0, 32], a multiple per dimension; 0 is free, whole is never split"
        if not isinstance(node, Sequence):
            wrong_type(node, "a list (tiling)", hint, self.findings)
            return None
        multiples: list[int] = []
        for item in node.items:
            text = item.text if isinstance(item, Scalar) else ""
            if text == "whole":
                multiples.append(-1)
            elif text.isascii() and text.isdigit() and len(text) < 8 and (text == "0" or text[0] != "0"):
                multiples.append(int(text))
            else:
                shown = f"'{text}'" if text else "a list"
                self.findings.error("OPK196", f"{shown} is no multiple of a tile", item.span, hint)
                return None
        if len(multiples) != 4:
            message = f"a tiling has 4 multiples, not {len(multiples)}"
            self.findings.error("OPK196", message, node.span, "dimensions of the output padded in front to rank 4")
            return None
        return Tiling(tuple(multiples))

    def body(self, node: Node | None) -> str:
        if node is None:
            return self.default_body
        scalar = take_plain_text(node, "a path", self.findings)
        if scalar is None:
            return self.default_body
        fault = path_fault(scalar.text)
        if not fault and not scalar.text.endswith(_BODIES):
            fault = "is no C++ source (.cpp, .cc, .cxx)"
        if fault:
            message = f"path '{scalar.text[:60]}' {fault}"
            self.findings.error("OPK153", message, scalar.span, f"for example {body_path(self.op)}")
        return scalar.text

    def function(self, node: Node | None, matched: list[Combination]) -> str | None:
        if node is None:
            return None
        scalar = take_plain_text(node, "a function name", self.findings)
        if scalar is None:
            return None
        fault = name_fault(scalar.text)
        if fault is not None:
            self.findings.error(fault[0], fault[1], scalar.span, fault[2])
        elif len(matched) > 1:
            message = f"one function '{scalar.text}' for {len(matched)} signatures"
            self.findings.error("OPK186", message, scalar.span, "leave it out, or write one kernel per combination")
        return scalar.text

    def unique(self, kernels: list[Kernel]) -> None:
        """Two kernels of one combination and layout must differ in storage or placement."""
        for i, kernel in enumerate(kernels):
            for other in kernels[:i]:
                if kernel.combination == other.combination and _overlap(kernel, other):
                    which = str(kernel.combination) or "the op's only combination"
                    message = f"two {kernel.layout} kernels have one signature: {which}"
                    line = other.spans[""].line
                    hint = f"the other is in line {line}; tell them apart by when, layout, storage or placement"
                    self.findings.error("OPK183", message, kernel.spans[""], hint)
                    break

    def complete(self, kernels: list[Kernel], node: Node) -> None:
        """Every combination has a kernel."""
        have = {kernel.combination for kernel in kernels}
        missing = [c for c in self.combinations if c not in have]
        if missing:
            which = "; ".join(str(c) or "its only combination" for c in missing[:4])
            message = f"{self.op} has no kernel for {which}" + (f" and {len(missing) - 4} more" if missing[4:] else "")
            self.findings.error("OPK184", message, node.span, "add a kernel, or leave the combination out")


def _overlap(a: Kernel, b: Kernel) -> bool:
    placed = a.placement is b.placement or Placement.EITHER in (a.placement, b.placement)
    return a.layout is b.layout and a.storage is b.storage and placed
