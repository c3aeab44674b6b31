"""Writes the exported program of a model file as opkg reads it: model.json and weights.bin. Run as a module.

usage: python -P -m opkg_executorch.export_model MODEL.py FOLDER. A fault of the model file is a model.json with a `fault`.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch.export.graph_signature import InputKind

from opkg_executorch.compare_model import Fault, Model, guarded, load

FORMAT = "opkg-model 2"
_CONSTANT = (InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR)


class Writer:
    """One exported program. Values of the graph have the names of its nodes, results of one node its name and a number."""

    def __init__(self, program: Any, weights: Any) -> None:
        self.program, self.weights = program, weights
        self.tensors: dict[str, Any] = {}
        self.constants: dict[str, Any] = {}
        self.names: dict[Any, str] = {}  # torch.fx.Node -> tensor
        self.inputs: list[str] = []

    def model(self, name: str) -> dict[str, Any]:
        """The whole form."""
        kinds = {spec.arg.name: spec for spec in self.program.graph_signature.input_specs}
        nodes = []
        results: list[Any] = []
        for node in self.program.graph.nodes:
            if node.op == "placeholder":
                self._placeholder(node, kinds[node.name])
            elif node.op == "call_function" and (made := self._node(node)) is not None:
                nodes.append(made)
            elif node.op == "output":
                torch.fx.map_arg(node.args, results.append)
        outputs = [self.names[each] for each in results if each in self.names]
        return {
            "format": FORMAT, "name": name, "inputs": self.inputs, "outputs": outputs, "nodes": nodes,
            "tensors": self.tensors, "constants": self.constants,
        }  # fmt: skip

    def _tensor(self, name: str, value: torch.Tensor) -> str:
        shape = [size if isinstance(size, int) else str(size) for size in value.shape]
        self.tensors[name] = {"dtype": str(value.dtype).removeprefix("torch."), "shape": shape}
        return name

    def _placeholder(self, node: Any, spec: Any) -> None:
        value = node.meta.get("val")
        if not isinstance(value, torch.Tensor):
            return
        self.names[node] = self._tensor(node.name, value)
        if spec.kind not in _CONSTANT:
            self.inputs.append(node.name)
            return
        data = held(self.program, spec).detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
        self.constants[node.name] = {"offset": self.weights.tell(), "bytes": len(data)}
        self.weights.write(data)

    def _node(self, node: Any) -> dict[str, Any] | None:
        """A node of the form; None for what only takes a result out of several."""
        target = str(node.target)
        if target == "<built-in function getitem>":
            self.names[node] = f"{node.args[0].name}.{node.args[1]}"
            return None
        values = node.meta.get("val")
        if isinstance(values, torch.Tensor):
            outputs = [self._tensor(node.name, values)]
            self.names[node] = node.name
        elif isinstance(values, (list, tuple)):
            pairs = [(f"{node.name}.{number}", value) for number, value in enumerate(values)]
            outputs = [self._tensor(name, value) if isinstance(value, torch.Tensor) else "" for name, value in pairs]
        else:
            outputs = []
        made = {"name": node.name, "op": target, "operands": self._operands(node), "outputs": outputs}
        return {**made, "call": _call(node)}

    def _operands(self, node: Any) -> list[dict[str, Any]]:
        """In the order of the op's schema: tensors, and numbers, texts and lists of them with the name of the operand."""
        schema = getattr(node.target, "_schema", None)
        names = [argument.name for argument in schema.arguments] if schema is not None else []
        given = {names[place] if place < len(names) else f"arg{place}": value for place, value in enumerate(node.args)}
        operands: list[dict[str, Any]] = []
        for name, value in {**given, **node.kwargs}.items():
            read: list[Any] = []
            torch.fx.map_arg(value, read.append)
            if read:
                operands += [{"tensor": self.names[each], "name": name} for each in read if each in self.names]
            elif value is not None:
                operands.append({"name": name, "value": _plain(value)})
        return operands


def held(program: Any, spec: Any) -> torch.Tensor:
    """The parameter, buffer or constant of an input of a program."""
    found = program.state_dict.get(spec.target)
    return program.constants[spec.target] if found is None else found


def _call(node: Any) -> list[str]:
    """The call as Python: its arguments, in which {0}, {1} ... stand for the tensors in the order of `operands`; nothing where
    a pattern cannot say one."""
    count = iter(range(1 << 30))
    try:
        given = [_written(value, count) for value in node.args]
        return given + [f"{name}={_written(value, count)}" for name, value in node.kwargs.items()]
    except ValueError:
        return []


def _written(value: Any, count: Iterator[int]) -> str:
    if isinstance(value, torch.fx.Node):
        return f"{{{next(count)}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_written(each, count) for each in value)}]"
    if isinstance(value, float) and not math.isfinite(value):
        return {math.inf: "torch.inf", -math.inf: "-torch.inf"}[value] if value == value else _unsaid(value)
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, str) and value.isidentifier():
        return repr(value)
    return str(value) if isinstance(value, torch.dtype) else _unsaid(value)


def _unsaid(value: Any) -> str:
    raise ValueError(f"{value!r} in a pattern")


def _plain(value: Any) -> Any:
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return str(value)


def exported(path: Path) -> tuple[Any, Model]:
    """The program of a model file, in which no tensor is changed in place. Raises Fault."""
    model = load(path)
    work = lambda: torch.export.export(model.module, model.inputs, strict=True).run_decompositions({})  # noqa: E731
    return guarded(path, "cannot be exported", work), model


def main(path: Path, folder: Path) -> None:
    """Exports the model of a file, and writes the form."""
    try:
        program, _ = exported(path)
        with (folder / "weights.bin").open("wb") as weights:
            found = Writer(program, weights).model(path.stem)
    except Fault as fault:
        found = {"format": FORMAT, "fault": {"message": str(fault), "line": fault.line, "hint": fault.hint}}
    (folder / "model.json").write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
