"""Writes the exported program of a model file as opkg reads it: model.json and weights.bin. Run as a module.

usage: python -P -m opkg_executorch.export_model MODEL.py FOLDER. A fault of the model file is a model.json with a `fault`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch
from torch.export.graph_signature import InputKind

from opkg_executorch.compare_model import Fault, guarded, load

FORMAT = "opkg-model 1"
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
        held = self.program.state_dict.get(spec.target)
        held = self.program.constants.get(spec.target) if held is None else held
        data = held.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
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
        return {"name": node.name, "op": target, "operands": self._operands(node), "outputs": outputs}

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
                operands += [{"tensor": self.names[each]} for each in read if each in self.names]
            elif value is not None:
                operands.append({"name": name, "value": _plain(value)})
        return operands


def _plain(value: Any) -> Any:
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return str(value)


def main(path: Path, folder: Path) -> None:
    """Exports the model of a file, and writes the form."""
    try:
        model = load(path)
        program = guarded(
            path, "cannot be exported", lambda: torch.export.export(model.module, model.inputs, strict=True)
        )
        with (folder / "weights.bin").open("wb") as weights:
            found = Writer(program, weights).model(path.stem)
    except Fault as fault:
        found = {"format": FORMAT, "fault": {"message": str(fault), "line": fault.line, "hint": fault.hint}}
    (folder / "model.json").write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
