"""Tensor properties: the spec's own, or what the kernels' layouts and placements amount to."""

from __future__ import annotations

from opkg.spec.model import Layout, Op, Placement, TensorSpec
from opkg.targets.qnn_common.kernel_api import views_crouton

MACRO = "DEF_TENSOR_PROPERTIES"


def declarations(op: Op) -> list[str]:
    """The macro calls for an op: those of the spec, one for its loose terms; without any of them the derived one.

    An op without any has flat tensors in main memory.
    """
    if op.tensor_properties:
        return _given(op)
    if not _wanted(op):
        return []
    return [f"{MACRO}({', '.join([*_names(op), *_derived(op)])})"]


def _given(op: Op) -> list[str]:
    """The spec's entries in the canonical layout. The checker of rules found no error in them."""
    from opkg.rules.text.from_spec import declarations_of
    from opkg.rules.text.printer import declaration_text

    return [declaration_text(declaration) for declaration in declarations_of(op, [])]


def free(op: Op) -> bool:
    """Whether HTP may choose where tensors lie: with properties, kernels in main memory and in TCM both have a use."""
    return bool(op.tensor_properties) or _wanted(op)


def _wanted(op: Op) -> bool:
    return any(k.layout is Layout.CROUTON or k.placement is Placement.TCM for k in op.kernels)


def _names(op: Op) -> list[str]:
    inputs = [f'"{name}"' for name in (op.name, *(t.name for t in op.inputs))]
    inputs += [f'"{param.name}"' for param in op.params] if _positions_fixed(op) else []
    outputs = ", ".join(f'"{t.name}"' for t in op.outputs)
    return [f"Op({', '.join(inputs)})", f"Outputs({outputs})"]


def _positions_fixed(op: Op) -> bool:
    return not any(t.optional or t.variadic for t in op.inputs)


def _derived(op: Op) -> list[str]:
    """Terms for what all kernels agree on; where they differ, nothing is said."""
    layouts: dict[str, list[str]] = {"Crouton": [], "Flat": []}
    places: dict[str, list[str]] = {"Tcm": [], "MainMemory": []}
    for tensor in op.tensors:
        blocks = {views_crouton(kernel, tensor) for kernel in op.kernels}
        if len(blocks) == 1:
            layouts["Crouton" if True in blocks else "Flat"].append(tensor.name)
        where = _places(op, tensor)
        if len(where) == 1:
            places[where.pop()].append(tensor.name)
    if _positions_fixed(op):
        layouts["Flat"] += [param.name for param in op.params]
        places["MainMemory"] += [param.name for param in op.params]
    return [f"{term}({', '.join(_quoted(names))})" for term, names in (layouts | places).items() if names]


def _places(op: Op, tensor: TensorSpec) -> set[str]:
    """Where the kernels want a tensor; see `classes.class_of`."""
    anywhere = {"MainMemory"} if tensor.static else {"MainMemory", "Tcm"}
    terms = {Placement.DDR: {"MainMemory"}, Placement.TCM: {"Tcm"}, Placement.EITHER: anywhere}
    return set().union(*(terms[kernel.placement] for kernel in op.kernels))


def _quoted(names: list[str]) -> list[str]:
    return [f'"{name}"' for name in names]
