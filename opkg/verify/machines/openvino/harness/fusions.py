"""Writes the graph of an op's pattern as a model, and has both passes put the op into it: the library's and Python's."""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import openvino as ov
from openvino.utils.node_factory import NodeFactory

from opkg.verify.machines.harness.records import Failed

_FACTORY = NodeFactory("opset13")


class Fusions:
    """The passes of a package. `patterns`: graph and inputs by the name of the op's class, as fusing.py has them."""

    def __init__(self, fuse_file: Any, module: Any) -> None:
        self._fuse_file, self._module = fuse_file, module
        self._patterns = {op.__name__: pattern for op, pattern in module.PATTERNS.items()}
        self._made = 0

    def has(self, op: str) -> bool:
        return op in self._patterns

    def fuse(self, case: dict[str, Any]) -> str:
        """The path of the model after the library's pass. Failed when one of the passes does not find the pattern."""
        model = self._model(case)
        stem = case["model"].removesuffix(".xml")
        before, after = f"{stem}.pattern.xml", f"{stem}.fused.xml"
        ov.serialize(model, before)
        count = self._fuse_file(before.encode(), after.encode())
        if count != 1:
            raise Failed(
                "prepare", count, f"the C++ pass puts {max(count, 0)} {case['op']} into the graph of its pattern"
            )
        found = [op for _, op in self._module.fuse(model)]
        if found != [case["fused"]]:
            raise Failed("prepare", 0, f"the Python pass puts {found} into the graph of the pattern of {case['op']}")
        left = sorted(node.get_type_name() for node in model.get_ops())
        if len(left) != len(case["inputs"]) + 2:
            raise Failed("prepare", 0, f"{left} is left of the graph of the pattern")
        return after

    def _model(self, case: dict[str, Any]) -> ov.Model:
        """The graph with unknown dimensions; each call takes the next of the forms that a part may have."""
        pattern, names = self._patterns[case["fused"]]
        given = {}
        for name, tensor in zip(names, case["inputs"], strict=True):
            type_ = ov.Type(np.dtype(tensor["type"]))
            given[name] = ov.op.Parameter(type_, ov.PartialShape([-1] * len(tensor["dims"])))
            given[name].output(0).set_names({tensor["name"]})
        self._made += 1
        number = np.dtype(case["inputs"][0]["type"])
        root = _node(pattern, given, number, self._made)
        return ov.Model([root], list(given.values()))


def _node(pattern: Any, given: Mapping[str, Any], number: Any, turn: int) -> Any:
    """A node of what a pattern says (see fusing.py), with the form number `turn` where there are several."""
    if isinstance(pattern, str):
        return given[pattern]
    kind, *parts = pattern
    if kind == "const":
        return ov.op.Constant(ov.Type(number), ov.Shape([]), [parts[0]])
    if kind == "or":
        return _node(parts[turn % len(parts)], given, number, turn)
    return _FACTORY.create(kind, [_node(part, given, number, turn).output(0) for part in parts])


def fusions_of(library: str, namespace: str, folder: str) -> Fusions | None:
    """The passes of a package; None when no op of it has a pattern."""
    if not os.path.isfile(f"{folder}/{namespace}_openvino/fusions.py"):
        return None
    fuse_file = getattr(ctypes.CDLL(library), f"{namespace}_fuse_file")
    fuse_file.argtypes, fuse_file.restype = [ctypes.c_char_p, ctypes.c_char_p], ctypes.c_int
    sys.path.insert(0, folder)
    return Fusions(fuse_file, importlib.import_module(f"{namespace}_openvino"))
