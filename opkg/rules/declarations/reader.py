"""What the checks of a declaration share: its arguments, the context, and a list of findings."""

from __future__ import annotations

from dataclasses import dataclass, field

from opkg.rules.context import Context
from opkg.rules.core_ops import missing_op
from opkg.rules.syntax import Call, Declaration, Front, Name, Node, Paren, Str
from opkg.spec.diagnostics import Diagnostic, Severity

EXPANDED = "if it is a macro of an included file, --preprocess reads what it stands for"


@dataclass(slots=True)
class Reader:
    """One declaration while it is checked."""

    declaration: Declaration
    front: Front
    context: Context
    findings: list[Diagnostic] = field(default_factory=list)

    @property
    def args(self) -> tuple[Node, ...]:
        return self.declaration.args

    def add(self, severity: Severity, id: str, message: str, node: Node | Declaration, hint: str = "") -> None:
        end = node.name_end if isinstance(node, Call) and node.name_end else node.end
        if isinstance(node, Declaration):
            end = node.start + len(node.macro)
        span = self.declaration.text.span(node.start, end)
        self.findings.append(Diagnostic(id, message, span, hint, severity))

    def error(self, id: str, message: str, node: Node | Declaration, hint: str = "") -> None:
        self.add(Severity.ERROR, id, message, node, hint)

    def warning(self, id: str, message: str, node: Node | Declaration, hint: str = "") -> None:
        self.add(Severity.WARNING, id, message, node, hint)

    def info(self, id: str, message: str, node: Node | Declaration, hint: str = "") -> None:
        self.add(Severity.INFO, id, message, node, hint)


def bare(node: Node) -> Node:
    """The node without brackets around it."""
    while isinstance(node, Paren):
        node = node.inner
    return node


def is_op_name(node: Node) -> bool:
    """Whether the node can be an op's name: a string, FROM_DEFAULT_PACKAGE, or a C++ constant."""
    node = bare(node)
    return isinstance(node, Str | Name) or (isinstance(node, Call) and node.name == "FROM_DEFAULT_PACKAGE")


def check_op_exists(reader: Reader, node: Node) -> None:
    """Whether the op that a declaration is about is one of the package's (OPK566)."""
    node = bare(node)
    if isinstance(node, Str):
        package = reader.context.package
        full = node.value if "::" in node.value or not package else f"{package}::{node.value}"
        missing = missing_op(full, package, reader.context.known_ops)
        if missing:
            reader.warning("OPK566", f"{missing[0]}, so the declaration has no effect", node, missing[1])
