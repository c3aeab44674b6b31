"""Emitters of x64 code for elementwise ops, out of the graph that kernels are made of: AVX2 and AVX-512."""

from __future__ import annotations

from contextlib import suppress

from opkg.kernels.emit.parts import parts
from opkg.kernels.graphs.graph import REDUCE, SCAN, Graph, Node
from opkg.kernels.portable.plain import source_of
from opkg.resources import plain, render
from opkg.spec.compute.types import Type
from opkg.spec.model import Combination, Op, OpPackage, ParamSpec
from opkg.targets.artifact import Artifact
from opkg.targets.openvino_extension.types import computed, usable
from opkg.targets.openvino_extension.x64_integers import ELEMENTS, IntegerWriter, whole
from opkg.targets.openvino_extension.x64_registers import EmitterCode, NoEmitter, RegisterWriter
from opkg.targets.qnn_common.names import snake
from opkg.targets.qnn_common.validation_params import float_literal

HEADERS = ("x64_emitter.h", "x64_functions.h", "x64_rows.h")
_BINARY = {"add": "vaddps", "sub": "vsubps", "mul": "vmulps", "div": "vdivps", "and": "vandps", "or": "vorps"}
_ORDER = {"min": "vminps", "max": "vmaxps"}
_COMMUTE = frozenset(("add", "mul", "and", "or", "eq", "ne"))
_COMPARE = {"eq": 0, "lt": 1, "le": 2, "ne": 4, "ge": 13, "gt": 14}
_ROUND = {"round": 0, "floor": 1, "ceil": 2, "trunc": 3}
_FUNCTIONS = {"exp": 3, "sigmoid": 3, "tanh": 5, "erf": 5, "log": 4}  # scratch registers
_OPS = {
    *_BINARY,
    *_ORDER,
    *_COMPARE,
    *_ROUND,
    *_FUNCTIONS,
    "neg",
    "not",
    "abs",
    "sqrt",
    "rsqrt",
    "sign",
    "select",
    "input",
    "param",
    "const",
}

_MEMORY = {*_BINARY, *_ORDER, *_COMPARE, *_FUNCTIONS, "sqrt", "rsqrt"}  # whose last operand may be in memory


def emitter_code(op: Op) -> EmitterCode:
    """The code of an op's float32 kernel. Raises NoEmitter."""
    floats = [c for c in usable(op) if all(t.dtype.of(c).name == "float32" for t in op.tensors)]
    if not floats:
        raise NoEmitter("it computes no float32 of float32")
    graph = _graph(op, floats[0])
    for node in graph.nodes:
        _check(op, node)
    return _FloatWriter(op, graph).code()


def _graph(op: Op, combination: Combination) -> Graph:
    """The graph of a combination whose outputs are computed together."""
    if any(t.optional for t in op.inputs):
        raise NoEmitter("an input may be absent")
    snippets = next(parts(op, source_of(op, combination), False))
    if len(snippets) != 1:
        raise NoEmitter("its outputs have different shapes")
    _params(op, snippets[0].graph)
    return snippets[0].graph


def _params(op: Op, graph: Graph) -> None:
    for name in {node.name for node in graph.nodes if node.op == "param"}:
        param = next(p for p in op.params if p.name == name)
        if param.shape is not None or computed(param):
            raise NoEmitter(f"'{name}' is no number that is known when code is made")


def whole_codes(op: Op) -> dict[Combination, EmitterCode | str]:
    """The code of each combination of whole numbers, or why it has none."""
    found: dict[Combination, EmitterCode | str] = {}
    for combination in usable(op):
        if whole(op, combination):
            try:
                found[combination] = IntegerWriter(op, _graph(op, combination), combination).code()
            except NoEmitter as why:
                found[combination] = str(why)
    return found


def _check(op: Op, node: Node) -> None:
    if node.op in REDUCE or node.op in SCAN:
        raise NoEmitter("it reduces dimensions")
    if node.op not in _OPS:
        raise NoEmitter(f"{node.op} has no code for vectors")
    if node.type is Type.INTEGER and node.op not in ("param", "const"):
        raise NoEmitter("it computes with whole numbers")


class _FloatWriter(RegisterWriter):
    """The code of a graph of floats."""

    commute = _COMMUTE

    def constant(self, node: Node) -> str:
        assert node.value is not None
        if isinstance(node.value, bool):
            return f"this->bits({'0xffffffff' if node.value else '0'})"
        return f"this->number({float_literal(float(node.value))})"

    def param(self, node: Node) -> str:
        if node.type is Type.BOOL:
            return f"this->bits(params_.{node.name} != 0 ? 0xffffffff : 0)"
        return f"this->number(params_.{node.name})"

    def in_memory(self, place: int, node: Node) -> bool:
        return node.op in _MEMORY

    def scratch(self, place: int, node: Node) -> int:
        return int(node.op in ("rsqrt", "sign"))

    def keeps(self, node: Node) -> bool:
        return node.op == "sign"

    def emit_function(self, place: int, node: Node, x: str, ending: list[int]) -> bool:
        if node.op not in _FUNCTIONS:
            return False
        self.free += [self.held.pop(arg) for arg in ending]
        self.held[place] = self.take()
        to = f"aux[{self.held[place]}]"
        if to != x:
            self.lines.append(f"h->vmovups({to}, {x});")
        registers = [self.take() for _ in range(_FUNCTIONS[node.op])]
        self.lines.append(f"this->{node.op}({', '.join((to, *(f'aux[{r}]' for r in registers)))});")
        self.free += registers
        return True

    def simple(self, place: int, node: Node, to: str, args: list[str], extra: list[str]) -> None:
        text = ", ".join(args)
        match node.op:
            case op if op in _BINARY:
                self.lines.append(f"h->{_BINARY[op]}({to}, {text});")
            case op if op in _ORDER:
                self.lines.append(f"h->{_ORDER[op]}({to}, {text});")
            case op if op in _COMPARE:
                self.lines.append(f"this->compare({to}, {text}, {_COMPARE[op]});")
            case op if op in _ROUND:
                self.lines.append(f"this->round({to}, {text}, {_ROUND[op]});")
            case "neg":
                self.lines.append(f"h->vxorps({to}, {text}, this->bits(0x80000000));")
            case "not":
                self.lines.append(f"h->vxorps({to}, {text}, this->bits(0xffffffff));")
            case "abs":
                self.lines.append(f"h->vandps({to}, {text}, this->bits(0x7fffffff));")
            case "sqrt":
                self.lines.append(f"h->vsqrtps({to}, {text});")
            case "rsqrt":
                self.lines += [f"h->vsqrtps({to}, {text});", f"h->vmovups({extra[0]}, this->number(1.0f));"]
                self.lines.append(f"h->vdivps({to}, {extra[0]}, {to});")
            case "sign":
                self.lines.append(f"this->sign({to}, {text}, {extra[0]});")
            case "select":
                self.lines.append(f"this->select({to}, {text});")


def emitter_files(package: OpPackage, ops: list[Op]) -> list[Artifact]:
    """A header for each op and kind of numbers that has an emitter, and what they share."""
    space = package.cpp_namespace
    base = f"generated/{space}/openvino/x64"
    found = []
    for op in ops:
        with suppress(NoEmitter):
            found.append(_header(space, op, emitter_code(op), None))
        codes = whole_codes(op).items()
        found += [_header(space, op, code, combination) for combination, code in codes if not isinstance(code, str)]
    shared = [Artifact(f"{base}/opkg/{name}", plain(f"openvino_extension/{name}")) for name in HEADERS]
    style = Artifact(f"{base}/.clang-format", "BasedOnStyle: Google\nColumnLimit: 0\n", comment="#")
    return [style, *shared, *found] if found else []


def _header(space: str, op: Op, code: EmitterCode, combination: Combination | None) -> Artifact:
    """An emitter. `combination`: of whole numbers; None: of float32."""
    suffix = "" if combination is None else combination.suffix
    stem = "_".join(part for part in (snake(op.name), suffix) if part)
    elements = [] if combination is None else [ELEMENTS[t.dtype.of(combination).name] for t in op.tensors]
    text = render(
        "openvino_extension/x64_op.h.j2",
        op=op,
        name=op.identifier + suffix.upper(),
        of=" and ".join(sorted({t.dtype.of(combination).name for t in op.tensors})) if combination else "float32",
        elements=", ".join(f"opkg::X64Element::{each}" for each in elements),
        namespace=space,
        guard=f"{space}_{stem}_X64_H_".upper(),
        registers=f"{code.aux} registers beside those of inputs and outputs",
        params=[(p.name, _default(p, combination is not None)) for p in code.params],
        held="float" if combination is None else "int32_t",
        inputs=len(op.inputs),
        aux=code.aux,
        lines=code.lines,
    )
    return Artifact(f"generated/{space}/openvino/x64/{space}/{stem}_emitter.h", text)


def _default(param: ParamSpec, is_whole: bool) -> str:
    value = param.default
    if is_whole:
        return str(int(value)) if isinstance(value, int) else "0"
    return float_literal(float(value)) if isinstance(value, int | float) else "0.0f"
