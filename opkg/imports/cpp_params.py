"""What kernels say of their params: element types by class or use, which are tensors, which number dimensions."""

from __future__ import annotations

import re
from dataclasses import replace

from opkg.imports.cpp_facts import OpFacts, Param
from opkg.imports.cpp_kernels import function_name, function_text

_AXES = re.compile(r"LIST_PACKAGE_AXIS_PARAMS\s*\(([^()]*)\)")
_NUMBERS = {"float": "float32", "double": "float32", "unsigned": "uint32", "uint32_t": "uint32", "bool": "bool8"}


def told(op: OpFacts, number: int, code: str) -> Param:
    """A param of an op with what its kernels tell. `number`: its place; `code`: all C++ without comments."""
    param = op.params[number]
    axes = {name for found in _AXES.findall(code) for name in re.findall(r'"([^"]*)"', found)}
    param = replace(param, is_axis=param.name in axes)
    for registered in op.registered:
        found = registered.signature
        at = len(found.inputs) - len(op.params) + number if found is not None else -1
        if found is None or at < 0:
            continue
        given = found.inputs[at]
        if given.dtype in ("float32", "int32"):
            param = replace(param, dtype=given.dtype, sure=True)
        text = function_text(code, function_name(registered.function))
        return _used(param, given.name, text) if given.name else param
    return param


def _used(param: Param, name: str, text: str) -> Param:
    """How a kernel's text uses a param: beyond its first element it is a tensor; a variable that takes it has its type."""
    beyond = rf"\b{name}\.(?:dims?|total_storage_elements)\(|\b{name}\((?:\s*0\s*,)*(?!\s*0\s*[,)])"
    param = replace(param, is_tensor=re.search(beyond, text) is not None)
    if param.sure:
        return param
    taken = re.search(rf"(?:\b(\w+)\s+\w+\s*=\s*|\((\w+)\)\s*){name}\(", text)
    kind = (taken[1] or taken[2]) if taken is not None else ""
    return replace(param, dtype=_NUMBERS.get(kind, "int32" if "int" in kind or kind == "size_t" else ""))
