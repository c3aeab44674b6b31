"""What a model computes: the values of its tensors, by the runtime that the model is for; and the inputs that it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from opkg.models.model import Model

Values = Mapping[str, Any]  # tensor -> numpy array


class Runtime(Protocol):
    """A model file that can be run."""

    name: str

    def values(self, inputs: Values, wanted: Sequence[str]) -> Values:
        """The values of tensors; those that the runtime cannot show are left out. Raises OpkgError (OPK762)."""


def drawn(model: Model, seed: int) -> Values:
    """Inputs of a model: floats of a normal distribution, whole numbers 0 and 1, quantized ones all that they can be; the
    same for the same seed."""
    import numpy as np

    from opkg.spec.dtypes import DTYPES

    random = np.random.default_rng(seed)
    found = {}
    for name in model.inputs:
        tensor = model.tensor(name)
        shape = tensor.fixed or ()
        row = DTYPES.get(tensor.dtype)
        kind = np.dtype("bool" if tensor.dtype == "bool8" else row.numpy if row is not None else "float64")
        if kind.kind == "f":
            found[name] = random.standard_normal(shape).astype(kind)
        elif tensor.quantization is not None and row is not None:
            low, high = row.limits
            found[name] = random.integers(low, high + 1, shape).astype(kind)
        else:
            found[name] = random.integers(0, 2, shape).astype(kind)
    return found
