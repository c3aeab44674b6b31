"""C++ of numbers of rows: polynomials as `opkg::hvx::Numbers`, a word for each of several rows, and in double for one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from opkg.kernels.strategies.rows import poly
from opkg.kernels.strategies.rows.plan import Cannot, Plan
from opkg.kernels.strategies.rows.poly import Poly
from opkg.spec.compute.types import Type

Number = Callable[[str], str]


def polynomial(value: Poly, known: Collection[str], number: Number | None = None, by: str = "") -> str:
    """A polynomial. `known`: names that are Numbers; other names are numbers of the call, in double. `number`: makes one
    number of those of a term, and of `by`, which each of them is multiplied with. Raises Cannot."""
    parts = [_term(key, factor, known, number, by) for key, factor in sorted(value.items())]
    text = parts[0] if parts else "Numbers(0.0)"
    for part in parts[1:]:
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return f"({text})" if len(parts) > 1 else text


def _term(key: tuple[str, ...], factor: float, known: Collection[str], number: Number | None, by: str) -> str:
    calls = calls_of(key, known)
    rows = [name for name in key if name in known]
    if number is not None and (calls or by):
        return " * ".join([number(call_product(factor, [*calls, by])), *rows])
    factors = [f"Numbers({name})" for name in calls] + rows
    if abs(factor) != 1 or not factors:
        factors.insert(0, f"Numbers({float(abs(factor))!r})")
    return ("-" if factor < 0 else "") + " * ".join(factors)


def calls_of(key: tuple[str, ...], known: Collection[str]) -> list[str]:
    """The numbers of the call in a term. Raises Cannot."""
    calls = [name for name in key if name not in known]
    if any("." not in name and not name.endswith("_value") for name in calls):
        raise Cannot("a number of the row that is none of these")
    return calls


def call_product(factor: float, names: list[str]) -> str:
    """Numbers of the call multiplied in double."""
    words = ([] if abs(factor) == 1 else [repr(float(abs(factor)))]) + [name for name in names if name]
    return ("-" if factor < 0 else "") + " * ".join(words)


def in_double(value: Poly, integers: frozenset[str], made: Mapping[str, str], by: str = "") -> str:
    """A polynomial, and `by`, multiplied in double. `made`: what `prepare` has multiplied already, by its C++."""
    plain = poly.text(value, integers)
    if not any(_calls(key, factor, integers, by)[0] in made for key, factor in value.items()):
        bracketed = f"({plain})" if by and (" + " in plain or " - " in plain) else plain
        return f"{bracketed} * {by}" if by else plain
    parts = []
    for key, factor in sorted(value.items()):
        product, rows = _calls(key, factor, integers, by)
        known = made.get(product)
        if known is not None:
            parts.append(" * ".join([known, *([poly.text({rows: 1}, integers)] if rows else [])]))
        else:
            parts.append(poly.text({key: factor}, integers) + (f" * {by}" if by else ""))
    return poly.joined(parts)


def only_calls(value: Poly, by: str) -> str:
    """C++ of a polynomial of one term, times `by`, that has numbers of the call alone; empty where it is something else."""
    if len(value) != 1:
        return ""
    ((key, factor),) = value.items()
    product, rows = _calls(key, factor, frozenset(), by)
    return "" if rows else product


def _calls(key: tuple[str, ...], factor: float, integers: frozenset[str], by: str) -> tuple[str, tuple[str, ...]]:
    """A term's numbers of the call as one product, where there are several, and its other names."""
    calls = [name for name in key if name not in integers and ("." in name or name.endswith("_value"))]
    several = len(calls) + bool(by) + (abs(factor) != 1) > 1
    return call_product(factor, [*calls, by]) if several else "", tuple([name for name in key if name not in calls])


def uniform(plan: Plan, at: int, number: Number | None = None) -> str:
    """A number of the call, as Numbers. Raises Cannot."""
    node = plan.graph[at]
    if node.op == "const" and node.type is not Type.BOOL:
        return f"Numbers({float(node.value or 0)!r})"
    given = plan.shared.given.get(at)
    if given is None or node.type is Type.BOOL:
        raise Cannot("a number of the call that has no name")
    given = f"static_cast<double>({given})" if node.type is Type.INTEGER else given
    return f"Numbers({given})" if number is None else number(given)
