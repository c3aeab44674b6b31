"""How rows of the table are written: short makers, one a context."""

from __future__ import annotations

from typing import Any

from opkg.rules.constructs.model import Construct, ContextKind, signature


def _row(context: ContextKind, name: str, params: str, result: str, meaning: str, **more: Any) -> Construct:
    return Construct(name, context, signature(params), result, meaning, **more)


def scalar(name: str, params: str, result: str, meaning: str, **more: Any) -> Construct:
    """A construct that gives a number, a bool or an element type."""
    return _row(ContextKind.SCALAR, name, params, result, meaning, **more)


def constant(name: str, result: str, meaning: str, **more: Any) -> Construct:
    """A name that stands for a scalar, without brackets."""
    return _row(ContextKind.SCALAR, name, "", result, meaning, bare=True, **more)


def operand(name: str, params: str, meaning: str, **more: Any) -> Construct:
    """A construct that names a node which is already there."""
    return _row(ContextKind.OPERAND, name, params, "operand", meaning, **more)


def match(name: str, params: str, meaning: str, **more: Any) -> Construct:
    """A construct of patterns."""
    return _row(ContextKind.MATCH, name, params, "match", meaning, **more)


def op_name(name: str, params: str, meaning: str, **more: Any) -> Construct:
    """A construct that gives an op's name."""
    return _row(ContextKind.OP_NAME, name, params, "op name", meaning, **more)


def replacement(name: str, params: str, result: str, meaning: str, **more: Any) -> Construct:
    """A construct that builds: `result` is op, shape, constant or node."""
    return _row(ContextKind.REPLACEMENT, name, params, result, meaning, **more)


def rule(name: str, params: str, meaning: str, **more: Any) -> Construct:
    """A macro of its own, at the top of a file."""
    return _row(ContextKind.RULE, name, params, "", meaning, **more)
