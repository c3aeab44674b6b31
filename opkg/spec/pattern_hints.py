"""Names in a `pattern:`: which are functions of torch that it may use, and what to write for one that is not."""

from __future__ import annotations

import ast

from opkg.spec.compute.text import fault
from opkg.spec.diagnostics import Span, nearest
from opkg.spec.pattern_names import FUNCTIONAL, FUNCTIONS, INSTEAD
from opkg.spec.torch_calls import OVERLOAD

_ANY = "any op: torch.ops.NAMESPACE.NAME.OVERLOAD(...)"


def path_of(node: ast.expr) -> tuple[str, ...]:
    """`torch.nn.functional.relu` as its words; empty when something else than names stands before a dot."""
    words: list[str] = []
    at: ast.AST = node
    while isinstance(at, ast.Attribute):
        words.append(at.attr)
        at = at.value
    return (at.id, *reversed(words)) if isinstance(at, ast.Name) else ()


def known_function(path: tuple[str, ...], at: Span) -> None:
    """Fault unless a dotted name is a function of torch that patterns may use."""
    path = ("torch", "nn", "functional", *path[1:]) if path[0] == "F" else path
    shown = ".".join(path)[:80]
    if path[:2] == ("torch", "ops"):
        if len(path) != 5 or not OVERLOAD.fullmatch(".".join(path[2:])):
            guess = ".".join([*path, "default"]) if len(path) == 4 else "torch.ops.aten.relu.default"
            raise fault(
                "OPK173", f"'{shown}' is no torch op: torch.ops.NAMESPACE.NAME.OVERLOAD", at, f"for example {guess}"
            )
        if path[3].endswith("_") and not path[3].startswith("_"):
            raise fault("OPK173", f"'{shown}' changes its operand", at, "a pattern computes new tensors")
        return
    known, before = (FUNCTIONAL, path[:3]) if path[:3] == ("torch", "nn", "functional") else (FUNCTIONS, path[:1])
    if len(path) != len(before) + 1:
        raise fault("OPK173", f"'{shown}' is no function of torch that a pattern may use", at, torch_name(path[-1]))
    if path[-1] not in known:
        raise fault(
            "OPK173", f"a pattern has no function '{shown}'", at, hint_for(path[-1], known, ".".join(before) + ".")
        )


def hint_for(name: str, known: frozenset[str], before: str) -> str:
    """What to write for a function that there is not."""
    if name.endswith("_") and name[:-1] in known:
        return f"{before}{name[:-1]}, which does not change its operand"
    if name in INSTEAD:
        return INSTEAD[name]
    elsewhere = torch_name(name) if name in FUNCTIONS or name in FUNCTIONAL else ""
    near = nearest(name, tuple(sorted(known)))
    return elsewhere or (f"did you mean '{before}{near}'? Else {_ANY}" if near else _ANY)


def torch_name(name: str) -> str:
    """A hint for a function that is not written as torch's."""
    if name in INSTEAD and name not in ("size", "shape", "dropout"):
        return INSTEAD[name]
    if name in FUNCTIONS:
        return f"torch.{name}(...)"
    if name in FUNCTIONAL:
        return f"torch.nn.functional.{name}(...)"
    near = nearest(name, tuple(sorted(FUNCTIONS | FUNCTIONAL)))
    if near is not None:
        return f"did you mean '{'torch.' if near in FUNCTIONS else 'torch.nn.functional.'}{near}'? Else {_ANY}"
    return _ANY


def nearest_name(name: str, known: tuple[str, ...]) -> str:
    known = tuple(sorted(known))
    near = nearest(name, known)
    if near is not None:
        return f"did you mean '{near}'?"
    return f"names: {', '.join(known[:12])}" if known else ""
