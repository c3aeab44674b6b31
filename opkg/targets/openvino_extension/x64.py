"""Emitters of x64 code for elementwise ops of float32, out of the graph that kernels are made of: AVX2 and AVX-512."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.kernels.emit.parts import parts
from opkg.kernels.graphs.graph import REDUCE, Graph, Node
from opkg.kernels.portable.plain import source_of
from opkg.resources import plain, render
from opkg.spec.compute.types import Type
from opkg.spec.model import Op, OpPackage, ParamSpec
from opkg.targets.artifact import Artifact
from opkg.targets.openvino_extension.types import computed, usable
from opkg.targets.qnn_common.names import snake
from opkg.targets.qnn_common.validation_params import float_literal

HEADERS = ("x64_emitter.h", "x64_rows.h")
MOST_AUX = 8  # of 16 registers, beside those of inputs and outputs
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


class NoEmitter(Exception):
    """Why an op has no emitter."""


@dataclass(frozen=True, slots=True)
class EmitterCode:
    """The statements of `emit_impl`, how many registers they take beside inputs and outputs, and the params they read."""

    lines: tuple[str, ...]
    aux: int
    params: tuple[ParamSpec, ...]


def emitter_code(op: Op) -> EmitterCode:
    """The code of an op's float32 kernel. Raises NoEmitter."""
    floats = [c for c in usable(op) if all(t.dtype.of(c).name == "float32" for t in op.tensors)]
    if not floats:
        raise NoEmitter("it computes no float32 of float32")
    if any(t.optional for t in op.inputs):
        raise NoEmitter("an input may be absent")
    snippets = next(parts(op, source_of(op, floats[0]), False))
    if len(snippets) != 1:
        raise NoEmitter("its outputs have different shapes")
    graph = snippets[0].graph
    for node in graph.nodes:
        _check(op, node)
    return _Writer(op, graph).code()


def _check(op: Op, node: Node) -> None:
    if node.op in REDUCE:
        raise NoEmitter("it reduces dimensions")
    if node.op not in _OPS:
        raise NoEmitter(f"{node.op} has no code for vectors")
    if node.type is Type.INTEGER and node.op not in ("param", "const"):
        raise NoEmitter("it computes with whole numbers")
    if node.op == "param":
        param = next(p for p in op.params if p.name == node.name)
        if param.shape is not None or computed(param):
            raise NoEmitter(f"'{param.name}' is no number that is known when code is made")


@dataclass
class _Writer:
    """Registers by a scan over the nodes in order: a value's is free after its last use, and may take the result then."""

    op: Op
    graph: Graph
    lines: list[str] = field(default_factory=list)
    held: dict[int, int] = field(default_factory=dict)  # node: its register
    free: list[int] = field(default_factory=list)
    used: int = 0

    def code(self) -> EmitterCode:
        last = {arg: place for place, node in enumerate(self.graph.nodes) for arg in node.args}
        last |= {result.node: len(self.graph) for result in self.graph.results}
        for place, node in enumerate(self.graph.nodes):
            if node.op not in ("input", "param", "const"):
                self._node(place, node, last)
        names = [t.name for t in self.op.outputs]
        for result in self.graph.results:
            self.lines.append(f"h->vmovups(out[{names.index(result.name)}], {self._operand(result.node)});")
        read = {node.name for node in self.graph.nodes if node.op == "param"}
        if self.used > MOST_AUX:
            raise NoEmitter(f"it takes {self.used} registers")
        return EmitterCode(tuple(self.lines), self.used, tuple(p for p in self.op.params if p.name in read))

    def _take(self) -> int:
        if self.free:
            return self.free.pop()
        self.used += 1
        return self.used - 1

    def _operand(self, place: int) -> str:
        """A value as the last operand of an instruction: a register, or memory."""
        node = self.graph[place]
        match node.op:
            case "input":
                return f"in[{[t.name for t in self.op.inputs].index(node.name)}]"
            case "param" if node.type is Type.BOOL:
                return f"this->bits(params_.{node.name} != 0 ? 0xffffffff : 0)"
            case "param":
                return f"this->number(params_.{node.name})"
            case "const":
                assert node.value is not None
                if isinstance(node.value, bool):
                    return f"this->bits({'0xffffffff' if node.value else '0'})"
                return f"this->number({float_literal(float(node.value))})"
        return f"aux[{self.held[place]}]"

    def _register(self, place: int, scratch: list[int]) -> str:
        """A value in a register; a constant is loaded into one of `scratch`."""
        text = self._operand(place)
        if not text.startswith("this->"):
            return text
        scratch.append(self._take())
        self.lines.append(f"h->vmovups(aux[{scratch[-1]}], {text});")
        return f"aux[{scratch[-1]}]"

    def _node(self, place: int, node: Node, last: dict[int, int]) -> None:
        args, scratch = list(node.args), list[int]()
        if node.op in _COMMUTE and self._operand(args[0]).startswith("this->"):
            args.reverse()
        texts = [
            self._operand(arg) if at == len(args) - 1 and node.op in _MEMORY else self._register(arg, scratch)
            for at, arg in enumerate(args)
        ]
        ending = [arg for arg in dict.fromkeys(node.args) if last[arg] == place and arg in self.held]
        if node.op in _FUNCTIONS:
            self._function(place, node, texts[0], ending)
        else:
            extra = self._take() if node.op in ("rsqrt", "sign") else None
            if node.op != "sign":  # whose operand is read after the first write
                self.free += [self.held.pop(arg) for arg in ending]
            self.held[place] = self._take()
            self._simple(node, f"aux[{self.held[place]}]", texts, f"aux[{extra}]")
            self.free += [self.held.pop(arg) for arg in ending if arg in self.held]
            self.free += [] if extra is None else [extra]
        self.free += scratch

    def _function(self, place: int, node: Node, x: str, ending: list[int]) -> None:
        self.free += [self.held.pop(arg) for arg in ending]
        self.held[place] = self._take()
        to = f"aux[{self.held[place]}]"
        if to != x:
            self.lines.append(f"h->vmovups({to}, {x});")
        registers = [self._take() for _ in range(_FUNCTIONS[node.op])]
        self.lines.append(f"this->{node.op}({', '.join((to, *(f'aux[{r}]' for r in registers)))});")
        self.free += registers

    def _simple(self, node: Node, to: str, args: list[str], extra: str) -> None:
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
                self.lines += [f"h->vsqrtps({to}, {text});", f"h->vmovups({extra}, this->number(1.0f));"]
                self.lines.append(f"h->vdivps({to}, {extra}, {to});")
            case "sign":
                self.lines.append(f"this->sign({to}, {text}, {extra});")
            case "select":
                self.lines.append(f"this->select({to}, {text});")


def emitter_files(package: OpPackage, ops: list[Op]) -> list[Artifact]:
    """A header for each op that has an emitter, and what they share."""
    space = package.cpp_namespace
    base = f"generated/{space}/openvino/x64"
    found = []
    for op in ops:
        try:
            code = emitter_code(op)
        except NoEmitter:
            continue
        text = render(
            "openvino_extension/x64_op.h.j2",
            op=op,
            namespace=space,
            guard=f"{space}_{snake(op.name)}_X64_H_".upper(),
            registers=f"{code.aux} registers beside those of inputs and outputs",
            params=[(p.name, _default(p)) for p in code.params],
            inputs=len(op.inputs),
            aux=code.aux,
            lines=code.lines,
        )
        found.append(Artifact(f"{base}/{space}/{snake(op.name)}_emitter.h", text))
    shared = [Artifact(f"{base}/opkg/{name}", plain(f"openvino_extension/{name}")) for name in HEADERS]
    style = Artifact(f"{base}/.clang-format", "BasedOnStyle: Google\nColumnLimit: 0\n", comment="#")
    return [style, *shared, *found] if found else []


def _default(param: ParamSpec) -> str:
    value = param.default
    return float_literal(float(value)) if isinstance(value, int | float) else "0.0f"
