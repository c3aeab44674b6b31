"""Finds the graph of a pattern in another graph of torch.export or of the edge dialect."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node

from .checks import rounded
from .mapping import schema_of

Binding = Mapping[Node, Node]
ValueOf = Callable[[Node], torch.Tensor | None]

# Ops whose first two arguments may change places (`add` only without a factor).
COMMUTATIVE = frozenset(
    f"aten::{name}"
    for name in (
        *("add.Tensor", "mul.Tensor", "maximum", "minimum", "fmax", "fmin", "eq.Tensor"),
        *("ne.Tensor", "logical_and", "logical_or", "logical_xor", "bitwise_and.Tensor"),
        *("bitwise_or.Tensor", "bitwise_xor.Tensor"),
    )
)
LARGEST = 4096  # elements of a constant that are compared


@dataclass(frozen=True, eq=False)
class Template:
    """The graph that a pattern has become. `constants`: nodes that stand for values of the pattern."""

    inputs: tuple[Node, ...]
    outputs: tuple[Node, ...]
    constants: Mapping[Node, torch.Tensor]

    @cached_property
    def parts(self) -> tuple[Node, ...]:
        """Its calls, each after those that it uses."""
        found: dict[Node, None] = {}

        def visit(node: Node) -> None:
            if node in found or node in self.inputs or node in self.constants:
                return
            for source in node.all_input_nodes:
                visit(source)
            found[node] = None

        for output in self.outputs:
            visit(output)
        return tuple(found)

    @cached_property
    def free(self) -> frozenset[Node]:
        """Calls that hang on no input: they are constants, too, and may be shared."""
        found: set[Node] = set()
        for node in self.parts:
            if all(each in found or each in self.constants for each in node.all_input_nodes):
                found.add(node)
        return frozenset(found)

    @cached_property
    def text(self) -> str:
        """Equal texts: the same computation."""
        names: dict[Node, str] = {node: f"input{at}" for at, node in enumerate(self.inputs)}
        for node, value in self.constants.items():
            names[node] = f"{value.dtype}{value.tolist() if value.numel() <= 8 else node.name}"
        for at, node in enumerate(self.parts):
            names[node] = f"v{at}"

        def shown(value: Any) -> str:
            if isinstance(value, list | tuple):
                return f"[{', '.join(map(shown, value))}]"
            return names[value] if isinstance(value, Node) else repr(value)

        lines = [f"{names[n]} = {n.target}({shown(arguments(n))})" for n in self.parts]
        return "\n".join([*lines, shown(self.outputs)])


def template_of(
    inputs: Sequence[Node], outputs: Sequence[Any], value_of: ValueOf
) -> Template | None:
    """The graph behind `outputs`; None when it is no computation of all of the inputs."""
    if not all(isinstance(each, Node) and each.op == "call_function" for each in outputs):
        return None
    constants: dict[Node, torch.Tensor] = {}
    reached: set[Node] = set()
    stack = list(outputs)
    while stack:
        node = stack.pop()
        if node in reached or node in constants:
            continue
        value = value_of(node) if node not in inputs and node.op != "call_function" else None
        if value is not None:
            constants[node] = value
            continue
        if node.op != "call_function" and node not in inputs:
            return None
        reached.add(node)
        stack += [] if node in inputs else node.all_input_nodes
    complete = all(each in reached for each in inputs) and len({*outputs}) == len(outputs)
    return Template(tuple(inputs), tuple(outputs), constants) if complete else None


def arguments(node: Node) -> list[Any]:
    """Values of all arguments, defaults too."""
    if not hasattr(node.target, "_schema"):
        return [*node.args, *node.kwargs.values()]
    found = []
    for at, argument in enumerate(schema_of(node.target).arguments):
        default = argument.default_value if argument.has_default_value() else None
        given = node.args[at] if at < len(node.args) and not argument.kwarg_only else default
        found.append(node.kwargs.get(argument.name, given))
    return found


def orders(node: Node) -> Iterator[list[Any]]:
    """The arguments, and once more with the first two exchanged where that means the same."""
    values = arguments(node)
    yield values
    if not hasattr(node.target, "_schema"):
        return
    schema = schema_of(node.target)
    name = f"{schema.name}.{schema.overload_name}" if schema.overload_name else schema.name
    if name in COMMUTATIVE and all(each == 1 for each in values[2:]):
        yield [values[1], values[0], *values[2:]]


@dataclass(frozen=True)
class Matcher:
    """Places of a template in a graph. Not `exact`: literals and constants may have any value."""

    template: Template
    value_of: ValueOf
    exact: bool = True

    def at(self, anchor: Node) -> Iterator[Binding]:
        """Each way in which the first output is `anchor`; nothing inside has another use."""
        first, *others = self.template.outputs
        found = self._value(first, anchor, {})
        for output in others:
            found = self._also(found, output, anchor.graph)
        for binding in found:
            if self._closed(binding):
                yield binding

    def _also(self, found: Iterator[Binding], output: Node, graph: Graph) -> Iterator[Binding]:
        for binding in found:
            if output in binding:
                yield binding
                continue
            for node in graph.nodes:
                if node.op == output.op and node.target == output.target:
                    yield from self._value(output, node, binding)

    def _closed(self, binding: Binding) -> bool:
        template = self.template
        inside = {binding[part] for part in template.parts}
        if any(binding[each] in inside for each in template.inputs):
            return False
        hidden = {
            binding[each]
            for each in template.parts
            if each not in template.outputs and each not in template.free
        }
        return all(user in inside for node in hidden for user in node.users)

    def _value(self, wanted: Any, given: Any, binding: Binding) -> Iterator[Binding]:
        if isinstance(wanted, Node):
            if isinstance(given, Node):
                yield from self._node(wanted, given, binding)
        elif isinstance(given, Node):
            return
        elif isinstance(wanted, list | tuple) and isinstance(given, list | tuple):
            holds = any(isinstance(each, Node) for each in (*wanted, *given))
            if len(wanted) == len(given) and (holds or self.exact):
                yield from self._all(list(zip(wanted, given, strict=True)), binding)
            elif not holds and not self.exact:
                yield binding
        elif not self.exact or same(wanted, given):
            yield binding

    def _all(self, pairs: Sequence[tuple[Any, Any]], binding: Binding) -> Iterator[Binding]:
        if not pairs:
            yield binding
            return
        for each in self._value(*pairs[0], binding):
            yield from self._all(pairs[1:], each)

    def _node(self, wanted: Node, given: Node, binding: Binding) -> Iterator[Binding]:
        if wanted in binding:
            if binding[wanted] is given:
                yield binding
        elif wanted in self.template.inputs:
            yield {**binding, wanted: given}
        elif wanted in self.template.constants:
            if self._constant(self.template.constants[wanted], self.value_of(given)):
                yield {**binding, wanted: given}
        elif given.op == "call_function" and given.target == wanted.target:
            ours = arguments(wanted)
            if wanted.target is operator.getitem and ours[1:] != arguments(given)[1:]:
                return
            for theirs in orders(given):
                if len(theirs) == len(ours):
                    pairs = list(zip(ours, theirs, strict=True))
                    yield from self._all(pairs, {**binding, wanted: given})

    def _constant(self, wanted: torch.Tensor, given: torch.Tensor | None) -> bool:
        if given is None or given.dtype != wanted.dtype or given.shape != wanted.shape:
            return given is not None and not self.exact
        return not self.exact or given.numel() <= LARGEST and torch.equal(given, wanted)


def same(wanted: Any, given: Any) -> bool:
    """Equal literals, floats as float32 has them; 1 and 1.0 are equal, True and 1 are not."""
    if isinstance(wanted, bool) != isinstance(given, bool):
        return False
    if isinstance(wanted, float) and isinstance(given, float):
        return rounded(wanted, "f") == rounded(given, "f")
    return bool(wanted == given)


def values(graph_module: GraphModule, program: Any) -> ValueOf:
    """What constants of a graph are: attributes, and placeholders of the program that stand for some."""
    places: dict[str, str] = {}
    if program is not None:
        signature = program.graph_signature
        changed = set(signature.buffers_to_mutate.values())
        lifted = {**signature.inputs_to_buffers, **signature.inputs_to_lifted_tensor_constants}
        places = {node: name for node, name in lifted.items() if name not in changed}
        # A number that a pass has lifted has its name as torch.export writes it once it is decomposed.
        places.update({f"b_{name.replace('.', '_')}": name for name in [*places.values()]})

    def value(node: Node) -> torch.Tensor | None:
        found: Any = None
        if node.op == "get_attr":
            try:
                found = operator.attrgetter(str(node.target))(graph_module)
            except AttributeError:
                return None
        elif node.op == "placeholder" and node.name in places:
            name = places[node.name]
            found = program.state_dict.get(name, program.constants.get(name))
        constant = isinstance(found, torch.Tensor) and not isinstance(found, torch.nn.Parameter)
        return found if constant else None

    return value
