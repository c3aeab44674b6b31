"""Emitters for whole numbers of 8 and 32 bits: computed in 32 bits, as Snippets does, and saturated where a store would."""

from __future__ import annotations

from opkg.kernels.graphs.graph import Graph, Node
from opkg.kernels.graphs.ranges import BOOL, Interval, Wraps, clamped, forward, needed
from opkg.spec.compute.types import Type
from opkg.spec.dtypes import DTYPES, DType, Kind
from opkg.spec.model import Combination, Op
from opkg.targets.openvino_extension.x64_registers import NoEmitter, RegisterWriter

ELEMENTS = {"float32": "kF32", "int32": "kI32", "int8": "kI8", "uint8": "kU8"}
INT32 = Interval(-(1 << 31), (1 << 31) - 1)
_SATURATED = {"add": "add_saturated", "sub": "sub_saturated", "mul": "mul_saturated"}
_PLAIN = {"add": "vpaddd", "sub": "vpsubd", "mul": "vpmulld", "min": "vpminsd", "max": "vpmaxsd",
          "bit_and": "vandps", "bit_or": "vorps", "bit_xor": "vxorps", "and": "vandps", "or": "vorps"}  # fmt: skip
_COMPARE = {"eq": 0, "lt": 1, "le": 2, "ne": 4, "ge": 5, "gt": 6}
_OPS = {
    *_PLAIN,
    *_COMPARE,
    "neg",
    "abs",
    "sign",
    "not",
    "select",
    "cast",
    "shift_left",
    "shift_right",
    "input",
    "param",
    "const",
}


def limits(dtype: DType) -> Interval:
    """What an element type holds."""
    return BOOL if dtype.kind is Kind.BOOL else Interval(*dtype.limits)


class IntegerWriter(RegisterWriter):
    """The code of a graph of whole numbers."""

    memory = frozenset(_PLAIN)
    commute = frozenset(("add", "mul", "min", "max", "bit_and", "bit_or", "bit_xor", "and", "or"))

    def __init__(self, op: Op, graph: Graph, combination: Combination) -> None:
        super().__init__(op, graph)
        self._combination = combination
        for node in graph.nodes:
            self._check(node)
        self._ranges = self._forward()
        stored = {r.node: limits(self._type(r.name)) for r in graph.results}
        for place, need in enumerate(needed(graph, self._ranges, stored)):
            wraps = graph[place].op == "shift_left" and self._ranges[place] not in INT32
            if graph[place].type is Type.INTEGER and (wraps or need not in INT32):
                raise NoEmitter("it needs more than 32 bits in between")

    def _type(self, name: str) -> DType:
        return next(t for t in self.op.tensors if t.name == name).dtype.of(self._combination)

    def _check(self, node: Node) -> None:
        if node.type is Type.REAL:
            raise NoEmitter("it computes with whole numbers and with floats")
        if node.op not in _OPS:
            raise NoEmitter(f"{node.op} has no code for vectors of whole numbers")

    def _forward(self) -> list[Interval]:
        found: list[Interval] = []
        for node in self.graph.nodes:
            if node.op == "input":
                found.append(limits(self._type(node.name)))
            elif node.op == "param":
                param = next(p for p in self.op.params if p.name == node.name)
                found.append(limits(param.dtype))
            elif node.op == "const":
                found.append(Interval(int(node.value or 0), int(node.value or 0)))
            elif node.op == "cast":
                found.append(clamped(found[node.args[0]], limits(DTYPES[node.dtype])))
            else:
                try:
                    found.append(forward(node, [found[arg] for arg in node.args]))
                except Wraps:
                    raise NoEmitter("it needs more than 64 bits in between") from None
        return found

    def constant(self, node: Node) -> str:
        value = node.value
        bits = 0xFFFFFFFF * value if isinstance(value, bool) else int(value or 0) & 0xFFFFFFFF
        return f"this->bits({f'{bits:#x}' if bits > 9 else bits})"

    def param(self, node: Node) -> str:
        if node.type is Type.BOOL:
            return f"this->bits(params_.{node.name} != 0 ? 0xffffffff : 0)"
        return f"this->bits(static_cast<uint32_t>(params_.{node.name}))"

    def scratch(self, place: int, node: Node) -> int:
        return 3 if self._saturates(place, node) else 0

    def _saturates(self, place: int, node: Node) -> bool:
        return node.op in _SATURATED and self._ranges[place] not in INT32

    def in_memory(self, place: int, node: Node) -> bool:
        return node.op in self.memory and not self._saturates(place, node)

    def simple(self, place: int, node: Node, to: str, args: list[str], extra: list[str]) -> None:
        text = ", ".join(args)
        match node.op:
            case op if self._saturates(place, node):
                self.lines.append(f"this->{_SATURATED[op]}({to}, {text}, {', '.join(extra)});")
            case op if op in _PLAIN:
                self.lines.append(f"h->{_PLAIN[op]}({to}, {text});")
            case op if op in _COMPARE:
                self.lines.append(f"this->compare_whole({to}, {text}, {_COMPARE[op]});")
            case "neg" | "abs":
                self.lines.append(f"this->{node.op}_whole({to}, {text});")
            case "sign":
                self.lines += [
                    f"h->vpminsd({to}, {text}, this->bits(1));",
                    f"h->vpmaxsd({to}, {to}, this->bits(0xffffffff));",
                ]
            case "not":
                self.lines.append(f"h->vxorps({to}, {text}, this->bits(0xffffffff));")
            case "select":
                self.lines.append(f"this->select({to}, {text});")
            case "cast":
                self._cast(node, to, text)
            case _:
                self.lines.append(f"this->{node.op}({to}, {text});")

    def _cast(self, node: Node, to: str, x: str) -> None:
        row, source = DTYPES[node.dtype], self.graph[node.args[0]].type
        if row.kind is Kind.BOOL:
            raise NoEmitter("it makes truth values of whole numbers")
        if source is Type.BOOL:
            self.lines.append(f"h->vandps({to}, {x}, this->bits(1));")
            return
        low, high = _ends(row)
        self.lines += [
            f"h->vpmaxsd({to}, {x}, this->bits({low:#x}));",
            f"h->vpminsd({to}, {to}, this->bits({high:#x}));",
        ]


def _ends(row: DType) -> tuple[int, int]:
    """The ends of what a type holds of 32 bits, as these bits."""
    kept = limits(row) & INT32 or INT32
    return kept.low & 0xFFFFFFFF, kept.high & 0xFFFFFFFF


def whole(op: Op, combination: Combination) -> bool:
    """Whether all tensors of a combination are whole numbers for which there are emitters."""
    return all(t.dtype.of(combination).name in ("int32", "int8", "uint8") for t in op.tensors)


__all__ = ["ELEMENTS", "IntegerWriter", "limits", "whole"]
