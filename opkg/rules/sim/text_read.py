"""Reading the text form of graphs: one line a node, defined before it is read (docs/rules-graphs.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from opkg.rules.core import HtpType
from opkg.rules.sim.data import Data, Fill, Listed, Random
from opkg.rules.sim.model import CONST, INPUT, OUT, SHAPE, Graph, OptionValue, Output
from opkg.rules.sim.text_tokens import Line, Token, Wrong
from opkg.spec.diagnostics import Diagnostic, nearest

MAX_SIZE = (1 << 31) - 1
MAX_RANK = 8
_KEYWORDS = ("option", "input", "const", "shape", "output")
_TYPES = {**{t.name: t for t in HtpType}, "None": HtpType.NONE}


def read_text(text: str, path: str = "<graph>") -> tuple[Graph | None, tuple[Diagnostic, ...]]:
    """The graph of a text, None when it has errors. All errors are found, at most one a line."""
    reader = _Reader()
    findings: list[Diagnostic] = []
    for number, row in enumerate(text.split("\n"), 1):
        try:
            reader.line(Line(row.rstrip("\r"), path, number))
        except Wrong as wrong:
            findings.append(wrong.finding)
    if not findings:
        reader.graph.set_outputs(reader.outputs.items())
    return (None if findings else reader.graph), tuple(findings)


class _Reader:
    def __init__(self) -> None:
        self.graph = Graph()
        self.outputs: dict[str, int] = {}
        self._ids: dict[str, int] = {}
        self._broken: set[str] = set()  # defined by a line with an error: no second error for their use

    def line(self, line: Line) -> None:
        first, second = line.peek(), line.peek(1)
        if first.kind == "end":
            return
        keyword = first.text if first.kind == "word" and not line.is_mark(":", 1) else ""
        if keyword in _KEYWORDS:
            line.next()
            named = keyword not in ("option", "output")
            with_name = line.peek()
            try:
                getattr(self, f"_{keyword}")(line)
                line.done()
            except Wrong:
                if named and with_name.kind in ("word", "string"):
                    self._broken.add(_key(with_name))
                raise
        elif first.kind in ("word", "string") and second.text == ":":
            try:
                self._op(line)
            except Wrong:
                self._broken.add(_key(first))
                raise
        else:
            near = nearest(first.text, list(_KEYWORDS)) if first.kind == "word" else None
            hint = f"did you mean {near}?" if near else "write NAME: TYPE[SHAPE] = OP(INPUTS), or begin with a keyword"
            raise line.wrong("no line of a graph begins like this", first, hint)

    # ---- lines

    def _option(self, line: Line) -> None:
        name = line.name("the option's name")
        line.need("=", "after the option's name")
        self.graph.options[name.text] = _option_value(line)

    def _input(self, line: Line) -> None:
        name = self._new_name(line)
        self._define(name, INPUT, (), _output(line))

    def _const(self, line: Line) -> None:
        name = self._new_name(line)
        output = _output(line)
        line.need("=", "before the values")
        self._define(name, CONST, (), output, _data(line, output))

    def _shape(self, line: Line) -> None:
        name = self._new_name(line)
        self._define(name, SHAPE, (), Output(HtpType.Int32, _dims(line)))

    def _output(self, line: Line) -> None:
        while True:
            name = line.name("the output's name")
            node = line.name("the node's name") if line.skip("=") else name
            if name.text in self.outputs:
                raise line.wrong(f"a second output {name.text}", name, id="OPK582")
            self.outputs[name.text] = self._known(line, node)
            if not line.skip(","):
                break

    def _op(self, line: Line) -> None:
        name = self._new_name(line)
        output = _output(line)
        line.need("=", "before the op")
        op = line.name("the op's name")
        if line.skip("("):
            inputs = self._args(line)
            line.done()
            self._define(name, op.text, inputs, output)
            return
        multi, index = self._selected(line, op)
        line.done()
        count = self.graph.nodes[multi].output.count
        which = self.graph.add(SHAPE, (), Output(HtpType.Int32, (0, 0, count, index)))
        self._define(name, OUT, (multi, which.id), output)

    # ---- parts

    def _new_name(self, line: Line) -> Token:
        name = line.name("the node's name")
        line.need(":", "after the name")
        if _key(name) in self._ids:
            raise line.wrong(f"a second node {name.text}", name, id="OPK582")
        return name

    def _define(self, name: Token, op: str, inputs: Iterable[int], output: Output, data: Data | None = None) -> None:
        own = "" if _unnamed(name) else name.text
        self._ids[_key(name)] = self.graph.add(op, inputs, output, data, own).id

    def _known(self, line: Line, name: Token) -> int:
        id = self._ids.get(_key(name))
        if id is None:
            if _key(name) in self._broken:
                raise line.wrong(f"the line of {name.text} has an error", name, id="OPK581")
            near = nearest(name.text, list(self._ids))
            hint = f"did you mean {near}?" if near else "a node stands before those that read it"
            raise line.wrong(f"no node {name.text} above", name, hint, "OPK581")
        return id

    def _args(self, line: Line) -> list[int]:
        inputs: list[int] = []
        while not line.skip(")"):
            if inputs:
                line.need(",", "between two inputs")
            if line.is_mark("["):
                inputs.append(self.graph.add(SHAPE, (), Output(HtpType.Int32, _dims(line))).id)
            else:
                inputs.append(self._known(line, line.name("an input, or ')',")))
        return inputs

    def _selected(self, line: Line, op: Token) -> tuple[int, int]:
        """Multi-output op and number of `name.0`."""
        if op.kind == "string" and line.skip("."):
            multi, index = op, line.integer("the number of an output", 0, 65535)
        else:
            found = re.fullmatch(r"(.+)\.(\d{1,5})", op.text)
            if op.kind == "string" or not found:
                raise line.wrong("'(' is missing after the op's name")
            multi = Token("word", found.group(1), op.start, op.start + len(found.group(1)))
            index = int(found.group(2))
        id = self._known(line, multi)
        output = self.graph.nodes[id].output
        if not output.is_multi or index >= output.count:
            has = f"has {output.count} outputs" if output.is_multi else "has one output and is read by its name"
            raise line.wrong(f"{multi.text} {has}", op, id="OPK583")
        return id, index


def _unnamed(name: Token) -> bool:
    return name.kind == "word" and name.text.startswith("%")


def _key(name: Token) -> str:
    """Names in quotes and unnamed nodes (%12) do not meet."""
    return f"\0{name.text}" if _unnamed(name) else name.text


def _option_value(line: Line) -> OptionValue:
    token = line.peek()
    if token.kind == "string":
        return line.next().text
    if token.text in ("true", "false"):
        return line.next().text == "true"
    return line.number("the value (a number, true, false or text in quotes)")


def _dims(line: Line) -> tuple[int, ...]:
    opening = line.need("[", "before the sizes")
    dims: list[int] = []
    while not line.skip("]"):
        if dims:
            line.need(",", "between two sizes")
        dims.append(line.integer("a size", 0, MAX_SIZE))
    if len(dims) > MAX_RANK:
        raise line.wrong(f"{len(dims)} dimensions; {MAX_RANK} are the most", opening, id="OPK583")
    return tuple(dims)


def _output(line: Line) -> Output:
    token = line.name("the element type")
    dtype = _TYPES.get(token.text)
    if dtype is None:
        near = nearest(token.text, list(_TYPES))
        raise line.wrong(f"no element type {token.text}", token, f"did you mean {near}?" if near else "", "OPK583")
    if dtype is HtpType.Multi:
        line.need("(", "before the number of outputs")
        count = line.integer("the number of outputs", 1, 65535)
        line.need(")", "after the number of outputs")
        return Output(dtype, (count,))
    plain = Output(dtype, _dims(line))
    zero, step = 0, 1.0
    if line.peek().text == "zero":
        _need_quantized(line, plain)
        zero = line.integer("the zero offset", -(1 << 31), MAX_SIZE)
    if line.peek().text == "step":
        token = _need_quantized(line, plain)
        step = float(line.number("the step size"))
        if not 0 < step < float("inf"):
            raise line.wrong("the step size must be above 0", token, id="OPK583")
    return Output(dtype, plain.shape, zero, step)


def _need_quantized(line: Line, output: Output) -> Token:
    token = line.next()
    if not output.quantized:
        raise line.wrong(f"{output.dtype.name} is not quantized", token, id="OPK583")
    return token


def _data(line: Line, output: Output) -> Data | None:
    start = line.peek()
    if line.skip("?"):
        return None
    if start.text == "fill":
        line.next()
        return Fill(line.number("the value"))
    if start.text == "random":
        line.next()
        return Random(line.integer("the seed", 0, MAX_SIZE))
    line.need("[", "before the values (or write fill V, random SEED or ?)")
    values: list[int | float] = []
    while not line.skip("]"):
        if values:
            line.need(",", "between two values")
        values.append(line.number("a value"))
    if len(values) != output.elements:
        raise line.wrong(f"{len(values)} values for {output.elements} elements", start, id="OPK584")
    return Listed(tuple(values))
