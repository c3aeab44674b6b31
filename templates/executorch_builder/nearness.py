"""Where a graph nearly has a pattern: the first difference, in words."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

import torch
from torch.fx import Node

from .mapping import schema_of
from .matching import Template, ValueOf, arguments, orders, same

Bound = Mapping[Node, Node]

LEAST = 4  # calls of a pattern of which one may be missing
PLAIN = (["add"], ["sub"], ["mul"], ["div"])


def difference(template: Template, anchor: Node, value_of: ValueOf, literals: bool) -> str:
    """Why the pattern is not at `anchor`, when most of its calls are; else empty. `literals`: numbers count.

    Most: all of a pattern of up to three calls, of a larger one more than half, among them one that is no plain
    sum or product, which any graph has.
    """
    if len(template.parts) < 2 or anchor.target != template.outputs[0].target:
        return ""
    walk = _Walk(template, value_of, literals)
    bound, reason = walk.node(template.outputs[0], anchor, {})
    calls = [part for part in template.parts if part in bound]
    if len(calls) < len(template.parts) and not _is_most(calls, template):
        return ""
    reason = reason or _shared(template, bound)
    if not reason and len(calls) < len(template.parts):
        missing = next(part for part in template.parts if part not in bound)
        reason = f"there is no {_name(missing)} for another result"
    return f"{len(calls)} of {len(template.parts)} calls; {reason}" if reason else ""


def _is_most(calls: Sequence[Node], template: Template) -> bool:
    special = any(_name(part).split(".")[-2:-1] not in PLAIN for part in calls)
    return len(template.parts) >= LEAST and 2 * len(calls) > len(template.parts) and special


def place(node: Node) -> str:
    """Where in the model a call is written, ` (model.py:12)`: the innermost frame that is none of torch's; or nothing."""
    frames = re.findall(r'File "([^"]+)", line (\d+)', str(node.meta.get("stack_trace") or ""))
    users = [each for each in frames if "site-packages" not in each[0] and each[0][:1] != "<"]
    return f" ({PurePath(users[-1][0]).name}:{users[-1][1]})" if users else ""


class _Walk:
    """The pattern and a graph side by side, up to the first difference."""

    def __init__(self, template: Template, value_of: ValueOf, literals: bool) -> None:
        self.template, self.value_of, self.literals = template, value_of, literals

    def node(self, wanted: Node, given: Any, bound: Bound) -> tuple[Bound, str]:
        """What stands for what, and the first difference (empty: none)."""
        if not isinstance(given, Node):
            return bound, f"{given} stands where the pattern has {self._words(wanted)}"
        if wanted in bound:
            same_node = bound[wanted] is given
            again = f"{given.name} stands where the pattern has {bound[wanted].name} again"
            return bound, "" if same_node else again
        if wanted in self.template.inputs:
            return {**bound, wanted: given}, ""
        if wanted in self.template.constants:
            return {**bound, wanted: given}, self._constant(wanted, given)
        if given.op != "call_function" or given.target != wanted.target:
            return bound, f"{given.name} is {_name(given)}; the pattern has {_name(wanted)}"
        return self._call(wanted, given, bound)

    def _call(self, wanted: Node, given: Node, bound: Bound) -> tuple[Bound, str]:
        if wanted.target is operator.getitem and arguments(wanted)[1] != arguments(given)[1]:
            at, ours = arguments(given)[1], arguments(wanted)[1]
            return bound, f"{given.name} is result {at}, the pattern has result {ours}"
        found: list[tuple[Bound, str]] = []
        names = _names(wanted)
        for theirs in orders(given):
            now: Bound = {**bound, wanted: given}
            reason = ""
            for at, (ours, other) in enumerate(zip(arguments(wanted), theirs, strict=False)):
                now, said = self._argument(ours, other, now)
                if said and not reason:
                    inner = isinstance(ours, Node) and isinstance(other, Node)
                    name = names[at] if at < len(names) else str(at)
                    reason = said if inner else f"argument '{name}' of {given.name}: {said}"
            found.append((now, reason))
        return max(found, key=lambda each: (not each[1], len(each[0])))

    def _argument(self, wanted: Any, given: Any, bound: Bound) -> tuple[Bound, str]:
        if isinstance(wanted, Node):
            return self.node(wanted, given, bound)
        if isinstance(given, Node):
            return bound, f"{given.name} stands where the pattern has {wanted}"
        lists = isinstance(wanted, list | tuple) and isinstance(given, list | tuple)
        if lists and any(isinstance(each, Node) for each in wanted) and len(wanted) == len(given):
            reason = ""
            for ours, theirs in zip(wanted, given, strict=True):
                bound, said = self._argument(ours, theirs, bound)
                reason = reason or said
            return bound, reason
        if not self.literals or same(wanted, given):
            return bound, ""
        return bound, f"it is {given}, the pattern has {wanted}"

    def _constant(self, wanted: Node, given: Node) -> str:
        ours, theirs = self.template.constants[wanted], self.value_of(given)
        if theirs is None:
            return f"{given.name} stands where the pattern has the constant {_value(ours)}"
        if not self.literals or ours.shape == theirs.shape and torch.equal(ours, theirs):
            return ""
        return f"{given.name} is the constant {_value(theirs)}, the pattern has {_value(ours)}"

    def _words(self, wanted: Node) -> str:
        if wanted in self.template.inputs:
            return "a tensor"
        value = self.template.constants.get(wanted)
        return _name(wanted) if value is None else f"the constant {_value(value)}"


def _shared(template: Template, bound: Bound) -> str:
    """A result inside that something else uses."""
    inside = {bound[part] for part in template.parts if part in bound}
    for part in template.parts:
        if part in template.outputs or part in template.free or part not in bound:
            continue
        user = next((user for user in bound[part].users if user not in inside), None)
        if user is not None:
            name = "the result" if user.op == "output" else user.name
            return f"{bound[part].name} is used by {name}, too"
    return ""


def _names(node: Node) -> list[str]:
    known = hasattr(node.target, "_schema")
    return [each.name for each in schema_of(node.target).arguments] if known else []


def _name(node: Node) -> str:
    return (
        str(getattr(node.target, "__name__", node.target))
        if node.op != "placeholder"
        else "an input"
    )


def _value(tensor: torch.Tensor) -> str:
    return f"{tensor.item():.7g}" if tensor.numel() == 1 else f"of shape {list(tensor.shape)}"
