"""C++ functions that rules call: their declarations, in a file of the user's which also holds their code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opkg.spec.model import Op, OpPackage
from opkg.targets.artifact import Artifact, Ownership
from opkg.targets.qnn_common.names import snake

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opkg.rules.core import Expr, TypedRule

_CONSTRUCTS = ("EXTERNAL_", "SHAPEFN_APPLY")
_TYPES = {"bool": "bool", "int": "int", "int64": "int64_t", "size": "size_t", "float": "float", "dtype": "DType"}


@dataclass(frozen=True, slots=True)
class Function:
    """A function as a rule calls it: what it returns and takes (facts/rules.md, sections 4 and 5)."""

    name: str
    result: str
    parameters: tuple[str, ...]
    rule: str

    @property
    def signature(self) -> str:
        return f"{self.result} {self.name}({', '.join(self.parameters)})"


def header_path(op: Op) -> str:
    """Where the functions of an op's rules are, relative to the project's root."""
    return f"rules/{snake(op.name)}.h"


def functions(package: OpPackage, op: Op) -> list[Function]:
    """The functions that an op's rules call and the SDK does not have, each once."""
    texts = (t.text for r in op.rules for t in (r.when, r.replace, r.macro) if t is not None)
    if not any(word in text for text in texts for word in _CONSTRUCTS):
        return []
    from opkg.rules.check import check_package
    from opkg.rules.splitters import splitter

    out: dict[str, Function] = {}
    for rule in check_package(package).rules:
        if rule.name.rpartition(".")[0] == op.name:
            for found in _called(rule):
                if splitter(found.name) is None:
                    out.setdefault(found.name, found)
    return list(out.values())


def _called(rule: TypedRule) -> Iterator[Function]:
    from opkg.rules.core import ExternalRepl, ExternalScalar, Repl, ShapeFn
    from opkg.rules.walk import below

    name = rule.name.rpartition(".")[2]
    for node in (*below(rule.when), *below(rule.replace)):
        match node:
            case ExternalScalar():
                taken = ("Constraint&", "const OpRef&", *(_TYPES[argument.type] for argument in node.args))
                yield Function(node.function, _TYPES[node.type], taken, name)
            case ExternalRepl():
                yield Function(node.function, "OpRef", ("Replacement&", "const OpDef&"), name)
            case ShapeFn():
                split = ("const Split_Context&",) if node.split else ()
                given = ("const OpRef&" if isinstance(a, Repl) else _TYPES[_type(a)] for a in node.args)
                yield Function(node.function, "OpRef", ("Replacement&", *split, *given), name)


def _type(node: Expr) -> str:
    from opkg.rules.core import Type

    return str(getattr(node, "type", Type.SIZE))  # a ChunkSize is a size


def headers(package: OpPackage) -> list[Artifact]:
    """The user's files with the functions, for those that do not exist yet."""
    out = []
    for op in package.ops:
        found = functions(package, op)
        if found:
            out.append(Artifact(header_path(op), _text(package, op, found), Ownership.YOURS))
    return out


def _text(package: OpPackage, op: Op, found: list[Function]) -> str:
    path = header_path(op)
    guard = f"{package.cpp_namespace}_RULES_{snake(op.name)}_H_".upper()
    lines = [
        f"// {path}: functions that the rules of {op.name} call. This file is yours: opkg wrote it once and never touches",
        "// it again. Give each function a body here (and make it inline), or define it in a source file of yours.",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
    ]
    if any("Split_Context" in parameter for function in found for parameter in function.parameters):
        lines += ["#ifdef OPKG_HTP_CORE_OPTIMIZE_H_  // opkg's stand-in for the SDK's header"]
        lines += ["class Split_Context;", "#endif", ""]
    for function in found:
        lines += [f"// :::EXTERNAL_SHAPEFN::: {{ {function.signature}; }}", f"// Called by {function.rule}."]
        lines += [f"{function.signature};", ""]
    return "\n".join([*lines, f"#endif  // {guard}", ""])
