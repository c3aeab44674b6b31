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


def off(old: Any, new: Any) -> float:
    """The largest difference."""
    import numpy as np

    old, new = np.asarray(old, np.float64), np.asarray(new, np.float64)
    same = (old == new) | (np.isnan(old) & np.isnan(new))
    with np.errstate(invalid="ignore"):
        return float(np.max(np.where(same, 0.0, np.abs(old - new)), initial=0.0))


def share(expected: Values, got: Values) -> float | None:
    """The largest difference of any output, of its range; None where what is a number is none."""
    import numpy as np

    worst = 0.0
    for name, value in expected.items():
        old, new = np.asarray(value, np.float64), np.asarray(got[name], np.float64)
        fine = np.isfinite(old)
        if not np.array_equal(fine, np.isfinite(new)):
            return None
        if np.any(fine):
            span = float(np.max(old[fine]) - np.min(old[fine])) or 1.0
            worst = max(worst, float(np.max(np.abs(old[fine] - new[fine]))) / span)
    return worst
