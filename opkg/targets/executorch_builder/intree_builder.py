"""A generated builder as a module of upstream's folder: its names there, whom it stands before, and registered."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from opkg.spec.model import Op, OpPackage
from opkg.spec.names import snake
from opkg.targets.executorch_builder.builder import class_name, constants_name
from opkg.targets.executorch_builder.intree_stock import Stock
from opkg.targets.executorch_builder.layout import bracketed, import_lines
from opkg.targets.executorch_builder.names import BACKENDS_OWN, quoted, torch_op
from opkg.targets.foreign import MARK, tick

Chains = Mapping[str, Mapping[str, tuple[str, str]]]
"""Op -> torch op -> module and class of the builder that gets the calls that the op's spec does not allow."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names in the checkout: plain ones for QNN's own ops, as upstream has them; else with the package's before.

    `apart`: with the package's before in any case, because the ops stand before or beside upstream's.
    """

    package: OpPackage
    apart: bool = False

    @property
    def _prefix(self) -> str:
        return "" if self.package.name == BACKENDS_OWN and not self.apart else self.package.cpp_namespace

    @property
    def support(self) -> str:
        return f"{self.package.cpp_namespace}_package"

    @property
    def mark(self) -> str:
        """Behind a line that somebody else could have put in as well."""
        return f"{MARK}{self.package.name}"

    @property
    def own(self) -> tuple[str, ...]:
        """What stands in entries of the package, and of nobody else."""
        found = [self.support, f"edge.{self.package.cpp_namespace}.", f"{self.mark}\n", tick(self.package.name)]
        if self.package.name == BACKENDS_OWN:  # upstream's own constants of QNN's operators have no such name
            found.append(f"class {self.apart_constants}")
        return tuple(found)

    @property
    def apart_constants(self) -> str:
        """How names of classes of constants begin that have the package's name in front; another package's may, too."""
        return f"Op{_camel(self.package.cpp_namespace)}"

    def camel(self, op: Op) -> str:
        """`NnActivationsHardSwish`"""
        return _camel(self._prefix) + op.identifier

    def constants(self, op: Op) -> str:
        return f"Op{self.camel(op)}"

    def module(self, op: Op) -> str:
        """`op_nn_activations_hard_swish`"""
        return "_".join(part for part in ("op", self._prefix, snake(op.name)) if part)


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def first_for(package: OpPackage, target: str) -> Op:
    """The op that is asked first for a torch op."""
    return next(op for op in package.ops if any(call.op == target for call in op.torch))


def chains_of(package: OpPackage, names: Names, held: Stock) -> Chains:
    """Of several ops for a torch op, each stands before the next; the last before the checkout's own builder."""
    chains: dict[str, dict[str, tuple[str, str]]] = {op.name: {} for op in package.ops}
    for target in dict.fromkeys(call.op for op in package.ops for call in op.torch):
        ours = [op for op in package.ops if any(call.op == target for call in op.torch)]
        behind = [(names.module(op), class_name(op)) for op in ours[1:]]
        if target in held.builders:
            behind.append((held.builders[target].module, held.builders[target].name))
        for op, next_one in zip(ours, behind, strict=False):
            chains[op.name][target] = next_one
    return chains


def builder(text: str, op: Op, names: Names, chains: Chains) -> str:
    """The module: other homes of what it imports, the torch ops that it is the first for, and registered.

    By upstream's decorator, unless another op of ours calls the class: the decorator returns nothing.
    """
    lines = text.splitlines()
    module = ast.parse(text)
    relative = [node for node in module.body if isinstance(node, ast.ImportFrom) and node.level]
    visitor = next(n for n in module.body if isinstance(n, ast.ClassDef) and n.name == class_name(op))
    behind = chains[op.name]
    inner = _assigned(visitor, lines, _targets(op, names), {t: _alias(*each) for t, each in behind.items()})
    imports = _imports(relative, op, names, behind)
    first, last = relative[0].lineno - 1, relative[-1].end_lineno or 0
    above = lines[last : visitor.lineno - 1]
    if any(name == class_name(op) for chain in chains.values() for _, name in chain.values()):
        inner += ["", "", f"register_node_visitor({class_name(op)})"]
    else:
        above.append("@register_node_visitor")
    return "\n".join([*lines[:first], *imports, *above, *inner]) + "\n"


def _targets(op: Op, names: Names) -> list[str]:
    package = names.package
    calls = dict.fromkeys(call.op for call in op.torch)
    return [torch_op(package, op), *(target for target in calls if first_for(package, target) is op)]


def _imports(relative: list[ast.ImportFrom], op: Op, names: Names, behind: Mapping[str, tuple[str, str]]) -> list[str]:
    homes = {"node_visitor_manager": ["register_node_visitor"]}
    for node in relative:
        given = [alias.name for alias in node.names]
        if node.module == "constants" and constants_name(op) in given:
            given.remove(constants_name(op))
            alias = "" if names.constants(op) == constants_name(op) else f" as {constants_name(op)}"
            homes["qnn_constants"] = [names.constants(op) + alias]
        homes[f"{names.support}.{node.module}"] = given
    for home, name in dict.fromkeys(behind.values()):
        alias = _alias(home, name)
        homes.setdefault(home, []).append(name if alias == name else f"{name} as {alias}")
    return [line for home in sorted(homes) for line in import_lines(home, homes[home])]


def _alias(module: str, name: str) -> str:
    """Of our own builders their name, which no other has."""
    return name if name.endswith("Visitor") else f"Stock{name}"


def _assigned(visitor: ast.ClassDef, lines: list[str], targets: list[str], behind: Mapping[str, str]) -> list[str]:
    """The lines from the class on, with these torch ops and what stands behind them."""
    new = {
        "target": bracketed("target = [", [quoted(each) for each in targets], "]", 1),
        "stock": bracketed("stock: ClassVar = {", [f"{quoted(t)}: {name}" for t, name in behind.items()], "}", 1),
    }
    found = lines[visitor.lineno - 1 :]
    for node in reversed(visitor.body):
        name = ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""
        name = ast.unparse(node.target) if isinstance(node, ast.AnnAssign) else name
        if name in new:
            found[node.lineno - visitor.lineno : (node.end_lineno or 0) - visitor.lineno + 1] = new[name]
    return found
