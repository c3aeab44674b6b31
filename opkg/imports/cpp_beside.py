"""An op that another declaration (an OpDef XML) says more of than its C++: what kernels add to it."""

from __future__ import annotations

from dataclasses import replace

from opkg.imports.cpp_types import Tensors
from opkg.imports.form import ImportedOp, ImportedTensor


def beside(known: ImportedOp, made: ImportedOp, tensors: Tensors) -> ImportedOp:
    """The declared op with the properties and rules of the C++ one, and shapes where only its kernels say them."""
    names = {
        ours.name: theirs.name
        for ours, theirs in zip((*made.inputs, *made.outputs), (*known.inputs, *known.outputs), strict=False)
    }
    fits = (len(made.inputs), len(made.outputs)) == (len(known.inputs), len(known.outputs))
    shapes = {names[name]: shape for name, shape in tensors.shapes.items()} if fits else {}
    # dimensions are named in inputs: they are taken where no declared input has a shape of its own
    free = all(not tensor.shape for tensor in known.inputs if tensor.name in shapes)

    def told(tensor: ImportedTensor) -> ImportedTensor:
        shape = shapes.get(tensor.name, "")
        if not shape or not free or (tensor.shape and not any(todo.what == "shape" for todo in tensor.todos)):
            return tensor
        if isinstance(shape, str):
            shape = f"{names[shape.removesuffix('.shape')]}.shape"
        return replace(tensor, shape=shape, todos=tuple(todo for todo in tensor.todos if todo.what != "shape"))

    return replace(
        known,
        inputs=tuple(told(tensor) for tensor in known.inputs),
        outputs=tuple(told(tensor) for tensor in known.outputs),
        properties=made.properties,
        no_properties=made.no_properties,
        rules=made.rules,
        comments=(*known.comments, f"kernels and rules: {made.span.path}"),
    )
