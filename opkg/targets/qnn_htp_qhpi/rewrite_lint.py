"""What of a rule QHPI cannot carry: findings at the construct, and whether the rule is a part of the package at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from opkg.rules import core
from opkg.rules.check import check_package
from opkg.rules.core import HtpType, ModifierKind, PropertyKind, RelationKind, SplitMethod, TypedRule
from opkg.rules.splitters import splitter
from opkg.rules.walk import below
from opkg.spec.diagnostics import Diagnostic, Severity, Span
from opkg.spec.model import Op, OpPackage
from opkg.targets.qnn_htp_qhpi.rewrite_build import axis_input, out_index
from opkg.targets.qnn_htp_qhpi.rewrite_limits import (
    CONCAT,
    CORE,
    IGNORED,
    OPTION_FLAGS,
    OPTIONS,
    OUT,
    QUIET_FLAGS,
    SLICE,
    UNSUPPORTED,
    is_early,
    made_name,
    moves_up,
    seen_name,
)  # fmt: skip
from opkg.targets.qnn_htp_qhpi.rewrite_lint_outputs import Found, of_outputs

CLASSIC = "qnn-htp-classic"


def lint_rules(package: OpPackage) -> list[Diagnostic]:
    """Findings of all rules of a package. What keeps a rule out is an error, a warning where the package is also made for
    the classic interface, which has the rule."""
    if not any(op.rules for op in package.ops):
        return []
    out = Severity.WARNING if any(target.text == CLASSIC for target in package.targets) else Severity.ERROR
    return [
        Diagnostic(id_, message, _span(rule, at), hint, severity or out)
        for rule in check_package(package).rules
        for id_, message, hint, at, severity in dict.fromkeys(findings(rule, package))
    ]


def is_carried(rule: TypedRule, package: OpPackage) -> bool:
    """Whether the QHPI package has the rule."""
    return all(severity is not None for *_, severity in findings(rule, package))


def _span(rule: TypedRule, at: core.At) -> Span:
    start, end = at if at != (0, 0) else (rule.syntax.start, rule.syntax.end)
    return rule.syntax.text.span(start, end)


def findings(rule: TypedRule, package: OpPackage) -> Iterator[Found]:
    """What is found about one rule; a severity of None keeps it out of the package."""
    early = is_early(rule)
    yield from _root(rule, package, early)
    if moves_up(rule):
        message = f"pass {rule.pass_text}: in the QHPI package the rule runs before TILING, where core ops can be seen and made"
        hint = "what it asks of sizes is asked of whole tensors, not of tiles"
        yield "OPK279", message, hint, _pass_at(rule), Severity.INFO
    for flag in rule.flags:
        if flag not in (*OPTION_FLAGS, *QUIET_FLAGS):
            yield "OPK268", f"flag {flag} is left out: QHPI has no place for it", "", _flags_at(rule), Severity.INFO
    for node in below(rule.match):
        if isinstance(node, core.MatchOp) and node is not rule.match:
            yield from _matched(node, early)
    for node in (*below(rule.when), *below(rule.replace)):
        check = _CHECKS.get(type(node))
        if check is not None:
            yield from check(node, early)
    yield from of_outputs(rule, _own(package, rule.root))


def _pass_at(rule: TypedRule) -> core.At:
    node = rule.syntax.pass_
    return (node.start, node.end) if node is not None else (0, 0)


def _flags_at(rule: TypedRule) -> core.At:
    flags = rule.syntax.flags
    return (flags.start, flags.end) if flags is not None else (0, 0)


# ---- names

_BEFORE = "only before TILING; what else is in the rule keeps it behind"
_BY_QNN_NAME = (
    'QHPI knows core ops by their QNN names, before TILING: FROM_DEFAULT_PACKAGE("QNN_...") with the QNN op\'s inputs'
)


def _own(package: OpPackage, name: str) -> Op | None:
    prefix, _, bare = name.rpartition("::")
    return next((op for op in package.ops if prefix == package.name and op.name == bare), None)


def _root(rule: TypedRule, package: OpPackage, early: bool) -> Iterator[Found]:
    root, at = rule.root, rule.match.at
    if _own(package, root) is not None:
        return
    if not root.startswith(CORE):
        message = f"the rule's root is '{root}': QHPI calls a package for its own ops and core ops"
        yield "OPK262", message, "make an op of this package the root of the match", at, None
    elif not early:
        message = f"the rule's root is the core op '{root}', which late rewrites are not called for"
        yield "OPK262", message, "use a pass before TILING", at, None
    elif seen_name(root, early):
        message = f"the rule is registered for '{seen_name(root, early)}', a core op; that this works is measured, not documented"
        yield "OPK273", message, "", at, Severity.INFO
    else:
        yield _unseen(root, early, at)


def _unseen(name: str, early: bool, at: core.At) -> Found:
    if early:
        message = f"core op '{name}' is not seen: before TILING core ops are called q::QNN_ and their QNN type"
        hint = 'write FROM_DEFAULT_PACKAGE("QNN_...") with the inputs and params of the QNN op'
    else:
        message = f"core op '{name}' is not seen: after TILING QHPI shows of core ops only slices and concats"
        hint = _BEFORE if seen_name(name, True) else _BY_QNN_NAME
    return "OPK263", message, hint, at, None


def _matched(node: core.MatchOp, early: bool) -> Iterator[Found]:
    if node.op == OUT:
        message = "`$Out` is not seen: in QHPI an operand is an op and the number of its output"
        yield "OPK269", message, "give the op of several outputs a tag's place", node.at, None
    elif not seen_name(node.op, early):
        yield _unseen(node.op, early, node.at)


def _relation(node: core.Relation, early: bool) -> Iterator[Found]:
    if node.kind in (RelationKind.IS_OP, RelationKind.PRODUCER_FOR) and not seen_name(node.name, early):
        yield _unseen(node.name, early, node.at)


def _made(name: str, early: bool, at: core.At) -> Iterator[Found]:
    if made_name(name, early):
        return
    when, hint = (
        ("an early", "a core op with the QNN name, q::QNN_..., can be made")
        if early
        else ("a late", _BEFORE if made_name(name, True) else _BY_QNN_NAME)
    )
    yield "OPK264", f"core op '{name}' cannot be made by {when} rewrite", hint, at, None


# ---- constructs


def _without(name: str, at: core.At, id_: str, note: str = "") -> Found:
    if name in IGNORED:
        return id_, f"{name} is left out of the QHPI package: {UNSUPPORTED[name]}", "", at, Severity.INFO
    return id_, f"QHPI has no {name}{note}: {UNSUPPORTED[name]}", "", at, None


def _build(node: core.Build, early: bool) -> Iterator[Found]:
    if node.op == OUT:
        several = node.inputs[0] if node.inputs else None
        known = isinstance(several, core.Existing) or (
            isinstance(several, core.Modified)
            and several.kind is ModifierKind.MULTI_OUT
            and isinstance(several.body, core.Build)
        )
        if out_index(node) is None or not known:
            message = "this `$Out` cannot be written for QHPI, where an output is chosen by its number"
            yield "OPK269", message, "use OpMultiOut, or OUTPUT_OF with a number", node.at, None
        return
    if node.op == CONCAT and axis_input(node) < 0:
        message = "QHPI joins along an axis that is given as a number"
        yield "OPK264", message, "make the axis gen_ConstScalar_i32(...)", node.at, None
    if node.op == SLICE and len(node.inputs) != 3:
        yield "OPK264", "a slice has an input, a start and a size", "", node.at, None
    yield from _made(node.op, early, node.at)


def _multi(node: core.BuildMulti, early: bool) -> Iterator[Found]:
    yield from _made(node.op, early, node.at)
    message = (
        f"QHPI wants all outputs of '{node.op}' described: those not chosen get the type and shape of the chosen one"
    )
    yield "OPK275", message, "", node.at, Severity.INFO


def _wrap(node: core.Wrap, early: bool) -> Iterator[Found]:
    yield from _made(node.op, early, node.at)


_LEFT_OUT = {
    ModifierKind.SAME_ID: "WITH_SAME_ID", ModifierKind.MEMOS: "WITH_MEMOS",
    ModifierKind.INHERIT_MEMOS: "INHERIT_MEMOS_FROM", ModifierKind.SPLIT_HISTORY: "WITH_SPLIT_HISTORY",
}  # fmt: skip


def _modified(node: core.Modified, early: bool) -> Iterator[Found]:
    if node.kind in _LEFT_OUT:
        yield _without(_LEFT_OUT[node.kind], node.at, "OPK266")


def _shape_function(node: core.ShapeFn, early: bool) -> Iterator[Found]:
    row = splitter(node.function) if node.split else None
    if row is not None and len(node.args) == 1 + len(row.roles):
        return
    yield _without(
        "AUTOSPLIT_SHAPEFN_APPLY" if node.split else "SHAPEFN_APPLY", node.at, "OPK265", f" of '{node.function}'"
    )


def _replace(node: core.ExternalRepl, early: bool) -> Iterator[Found]:
    yield _without("EXTERNAL_REPLACE", node.at, "OPK265")


def _constraint(node: core.ExternalScalar, early: bool) -> Iterator[Found]:
    yield _without("EXTERNAL_CONSTRAINT", node.at, "OPK265")


def _split(node: core.AutoSplit, early: bool) -> Iterator[Found]:
    if node.method in (SplitMethod.REDUCE, SplitMethod.THREAD_HMX):
        yield _without(str(node.method), node.at, "OPK270")


def _slice(node: core.TypicalSlice, early: bool) -> Iterator[Found]:
    if node.reduce:
        yield _without("TYPICAL_SLICE_REDUCE", node.at, "OPK270")


def _option(node: core.Option, early: bool) -> Iterator[Found]:
    if node.name not in OPTIONS:
        message = f"option '{node.name}' was not seen to be readable through QHPI; where it is not, it reads as 0"
        yield "OPK267", message, "", node.at, Severity.WARNING
    elif node.type is core.Type.FLOAT:
        yield "OPK267", f"QHPI reads option '{node.name}' as an int", "", node.at, Severity.WARNING


def _value(node: core.NamedConst | core.ChunkSize, early: bool) -> Iterator[Found]:
    if isinstance(node, core.NamedConst) or node.value is None:
        what = (
            node.name if isinstance(node, core.NamedConst) else f"LAYOUT_CHUNKSIZE({node.tensor_class}, {node.index})"
        )
        yield (
            "OPK271",
            f"the value of {what} is not known, and QHPI has no such name",
            "write the number",
            node.at,
            None,
        )


def _opaque(node: core.OpaqueRepl | core.OpaqueScalar, early: bool) -> Iterator[Found]:
    yield (
        "OPK271",
        f"what {node.name} stands for is not known, and QHPI has no such name",
        "write it out",
        node.at,
        None,
    )


def _message(node: core.Message, early: bool) -> Iterator[Found]:
    yield "OPK274", f"{node.kind} logs nothing in the QHPI package", "", node.at, Severity.INFO


def _signed(node: core.Apply, early: bool) -> Iterator[Found]:
    """A comparison of an element type with a signed one."""
    of = [arg for arg in node.args if isinstance(arg, core.Property) and arg.kind is PropertyKind.DTYPE]
    signed = {HtpType.QInt8, HtpType.QInt16}
    for arg in node.args:
        if of and node.operator in ("EQ", "NE") and isinstance(arg, core.Const) and arg.value in signed:
            name = HtpType(int(arg.value)).name
            message = f"{name} never occurs in QHPI: signed tensors show as {name.replace('QI', 'QUI')}, their zero offset moved"
            yield "OPK272", message, "ask for the unsigned type too", node.at, Severity.WARNING


_CHECKS: dict[type, Callable[[Any, bool], Iterator[Found]]] = {
    core.Apply: _signed,
    core.AutoSplit: _split,
    core.Build: _build,
    core.BuildMulti: _multi,
    core.ChunkSize: _value,
    core.ExternalRepl: _replace,
    core.ExternalScalar: _constraint,
    core.Message: _message,
    core.Modified: _modified,
    core.NamedConst: _value,
    core.OpaqueRepl: _opaque,
    core.OpaqueScalar: _opaque,
    core.Option: _option,
    core.Relation: _relation,
    core.ShapeFn: _shape_function,
    core.TypicalSlice: _slice,
    core.Wrap: _wrap,
}
