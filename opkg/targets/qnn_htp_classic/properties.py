"""Tensor properties: the spec's own, or what the kernels' layouts and placements amount to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opkg.spec.model import Layout, Op, Placement, TensorSpec, Text
from opkg.targets.qnn_common.kernel_api import views_crouton

if TYPE_CHECKING:
    from opkg.rules.syntax import Node

MACRO = "DEF_TENSOR_PROPERTIES"


def declarations(op: Op) -> list[str]:
    """The macro calls for an op: those of the spec, one for its loose terms; without any of them the derived one.

    An op without any has flat tensors in main memory.
    """
    if op.tensor_properties:
        return _given(op)
    if not _wanted(op):
        return []
    return [f"{MACRO}({', '.join([*_names(op, outputs_named=False), *_derived(op)])})"]


def _given(op: Op) -> list[str]:
    """The spec's entries in the canonical layout. The checker of rules found no error in them."""
    from opkg.rules.printer import call_text, to_text

    whole: list[str] = []
    terms: list[Node] = []
    for text in op.tensor_properties:
        arguments = arguments_of(text)
        if arguments and names_op(arguments[0]):
            whole.append(call_text(MACRO, arguments))
        else:
            terms += arguments
    if terms:
        named = any(to_text(term).startswith("Outputs(") for term in terms)
        whole.append(call_text(MACRO, (*_parsed(", ".join(_names(op, named))), *terms)))
    return whole


def arguments_of(text: Text) -> tuple[Node, ...]:
    """What an entry says: the arguments of a whole call, or the terms it lists; none when it cannot be read."""
    from opkg.rules.from_spec import source_of
    from opkg.rules.parse_rule import parse_arguments, parse_macro_call
    from opkg.rules.syntax import Declaration

    source = source_of(text)
    if source.text.startswith(MACRO):
        item, _ = parse_macro_call(source, "")
        return item.args if isinstance(item, Declaration) else ()
    return parse_arguments(source)[0] or ()


def names_op(first: Node) -> bool:
    """Whether the first argument says which op the declaration is for: `Op("name", ...)` or its bare name."""
    from opkg.rules.syntax import Call, Str

    return isinstance(first, Str) or (isinstance(first, Call) and first.name == "Op")


def _parsed(text: str) -> tuple[Node, ...]:
    from opkg.rules.parse_rule import parse_arguments
    from opkg.spec.source_text import SourceText

    return parse_arguments(SourceText("", text))[0] or ()


def free(op: Op) -> bool:
    """Whether HTP may choose where tensors lie: with properties, kernels in main memory and in TCM both have a use."""
    return bool(op.tensor_properties) or _wanted(op)


def _wanted(op: Op) -> bool:
    return any(k.layout is Layout.CROUTON or k.placement is Placement.TCM for k in op.kernels)


def _names(op: Op, outputs_named: bool) -> list[str]:
    inputs = [f'"{name}"' for name in (op.name, *(t.name for t in op.inputs))]
    inputs += [f'"{param.name}"' for param in op.params] if _positions_fixed(op) else []
    outputs = ", ".join(f'"{t.name}"' for t in op.outputs)
    return [f"Op({', '.join(inputs)})"] + ([] if outputs_named else [f"Outputs({outputs})"])


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
