"""Values of params with named values, in messages: `linear (1)`."""

from __future__ import annotations

from opkg.spec.model import ParamSpec


def named(param: ParamSpec, number: float) -> str:
    """A value with its name, `linear (1)`; another value as it is."""
    return next((f"{name} ({value})" for name, value in param.enum if value == number), str(number))


def allowed(param: ParamSpec) -> str:
    """All values: `nearest (0), linear (1)`."""
    return ", ".join(f"{name} ({number})" for name, number in param.enum)
