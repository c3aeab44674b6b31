"""Writes what a model of a file computes, tensor by tensor: values.json and values.bin. Run as a module.

usage: python -P -m opkg_executorch.model_values MODEL.py FOLDER. The model runs on its own inputs(); FOLDER/wanted.json has the
names of tensors, as `export_model` writes them. What no tensor of the program is called is left out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch
from torch.export.graph_signature import InputKind
from torch.utils import _pytree as pytree

from opkg_executorch.compare_model import Fault, guarded
from opkg_executorch.export_model import FORMAT, exported, held


class Watch(torch.fx.Interpreter):  # type: ignore[misc]
    """A run that keeps the values of tensors by name."""

    def __init__(self, program: Any, wanted: frozenset[str]) -> None:
        super().__init__(program.graph_module)
        self.wanted = wanted
        self.seen: dict[str, torch.Tensor] = {}

    def run_node(self, n: torch.fx.Node) -> Any:
        value = super().run_node(n)
        several = value if isinstance(value, (list, tuple)) else ()
        for name, each in [(n.name, value), *((f"{n.name}.{at}", each) for at, each in enumerate(several))]:
            if name in self.wanted and isinstance(each, torch.Tensor):
                self.seen[name] = each.detach().clone()
        return value


def values(path: Path, wanted: frozenset[str]) -> dict[str, torch.Tensor]:
    """The tensors of these names, computed from the model file's inputs. Raises Fault."""
    program, model = exported(path)
    given = iter(pytree.tree_leaves(model.inputs))
    inputs = [
        next(given) if spec.kind is InputKind.USER_INPUT else held(program, spec)
        for spec in program.graph_signature.input_specs
    ]
    watch = Watch(program, wanted)
    with torch.no_grad():
        guarded(path, "fails in PyTorch", lambda: watch.run(*inputs))
    return watch.seen


def main(path: Path, folder: Path) -> None:
    """Writes the values, or the fault of the model file."""
    wanted = frozenset(json.loads((folder / "wanted.json").read_text("utf-8")))
    made: dict[str, Any] = {"format": FORMAT, "tensors": {}}
    try:
        with (folder / "values.bin").open("wb") as file:
            for name, tensor in values(path, wanted).items():
                data = tensor.cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
                facts = {"dtype": str(tensor.dtype).removeprefix("torch."), "shape": list(tensor.shape)}
                made["tensors"][name] = {**facts, "offset": file.tell(), "bytes": len(data)}
                file.write(data)
    except Fault as fault:
        made = {"format": FORMAT, "fault": {"message": str(fault), "line": fault.line, "hint": fault.hint}}
    (folder / "values.json").write_text(json.dumps(made), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
