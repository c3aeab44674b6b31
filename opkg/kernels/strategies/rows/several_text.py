"""C++ of numbers of several rows: polynomials as `opkg::hvx::Numbers`, a word for each row."""

from __future__ import annotations

from collections.abc import Collection

from opkg.kernels.strategies.rows.plan import Cannot, Plan
from opkg.kernels.strategies.rows.poly import Poly
from opkg.spec.compute.types import Type


def polynomial(value: Poly, known: Collection[str]) -> str:
    """A polynomial. `known`: names that are Numbers; other names are numbers of the call, in double. Raises Cannot."""
    parts = [_term(key, factor, known) for key, factor in sorted(value.items())]
    text = parts[0] if parts else "Numbers(0.0)"
    for part in parts[1:]:
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return f"({text})" if len(parts) > 1 else text


def _term(key: tuple[str, ...], factor: float, known: Collection[str]) -> str:
    calls = [name for name in key if name not in known]
    for name in calls:
        if "." not in name and not name.endswith("_value"):
            raise Cannot("a number of the row that is none of these")
    rows = [name for name in key if name in known]
    factors = [f"Numbers({name})" for name in calls] + rows
    if abs(factor) != 1 or not factors:
        factors.insert(0, f"Numbers({float(abs(factor))!r})")
    return ("-" if factor < 0 else "") + " * ".join(factors)


def uniform(plan: Plan, at: int) -> str:
    """A number of the call, as Numbers. Raises Cannot."""
    node = plan.graph[at]
    if node.op == "const" and node.type is not Type.BOOL:
        return f"Numbers({float(node.value or 0)!r})"
    given = plan.shared.given.get(at)
    if given is None or node.type is Type.BOOL:
        raise Cannot("a number of the call that has no name")
    return f"Numbers(static_cast<double>({given}))" if node.type is Type.INTEGER else f"Numbers({given})"
