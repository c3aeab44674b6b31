"""Tensor properties: the spec's own text, or what the kernels' layouts and placements amount to."""

from __future__ import annotations

import re

from opkg.spec.model import Layout, Op, Placement, TensorSpec
from opkg.targets.qnn_common.kernel_api import views_crouton

MACRO = "DEF_TENSOR_PROPERTIES"

# Terms of DEF_TENSOR_PROPERTIES, some of which a generation of SDKs does not have.
TERMS = (
    *("Flat", "Crouton", "MainMemory", "Tcm", "PreferTcm", "Fixed", "FixedConstant", "UnalignedOk", "CroutonIf"),
    *("WhenFitsIfTCM", "EarlyCrouton", "Rename", "FlatAboveArg", "TilingOnly", "INVARIANT", "Outputs"),
)


def term_name(text: str) -> str:
    """The word in front: `Flat` of `Flat("x")`."""
    found = re.match(r"[A-Za-z_]\w*", text)
    return found[0] if found else ""


def declarations(op: Op) -> list[str]:
    """The macro calls for an op: one for each whole call in the spec, one for its loose terms; else the derived one.

    An op without any has flat tensors in main memory.
    """
    texts = [text.text.rstrip("; \n") for text in op.tensor_properties]
    whole = [text for text in texts if term_name(text) == MACRO]
    listed = [f"{MACRO}({text})" for text in texts if term_name(text) == "Op" or text.startswith('"')]
    terms = [text for text in texts if term_name(text) not in (MACRO, "Op", "")]
    if not texts:
        terms = _derived(op)
    named = any(term_name(text) == "Outputs" for text in terms)
    if terms or (not texts and _wanted(op)):
        listed.append(f"{MACRO}({', '.join([*_names(op, named), *terms])})")
    return whole + listed


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
    if not _wanted(op):
        return []
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
