"""Optimization rules as QHPI callbacks: one function a rule, and for each root op what its two rewrites try."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opkg.rules import core
from opkg.rules.check import check_package
from opkg.rules.core import TypedRule
from opkg.rules.text.printer import to_text
from opkg.spec.model import Op, OpPackage
from opkg.targets.qnn_common.names import comment, snake, string, unique
from opkg.targets.qnn_common.unused import without_unused
from opkg.targets.qnn_htp_qhpi.rewrite_build import finish
from opkg.targets.qnn_htp_qhpi.rewrite_frame import UNUSED_TAGS, Frame, identifier, used_tags
from opkg.targets.qnn_htp_qhpi.rewrite_limits import CORE, OPTION_FLAGS, is_early, seen_name
from opkg.targets.qnn_htp_qhpi.rewrite_lint import is_carried
from opkg.targets.qnn_htp_qhpi.rewrite_scalars import refusals


@dataclass(frozen=True, slots=True)
class RuleFunction:
    """A rule's C++ function. `comment`: lines that say what it does; `lines`: its body."""

    name: str
    rule: TypedRule
    comment: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def literal(self) -> str:
        """The rule's name as a string literal."""
        return string(self.rule.name)


@dataclass(frozen=True, slots=True)
class Moment:
    """What one callback tries, in order. `name`: early_rewrite or late_rewrite."""

    name: str
    rules: tuple[RuleFunction, ...]


@dataclass(frozen=True, slots=True)
class Rewrites:
    """The rules of one root op. `root`: the name its record is registered under; `stem`: for names in C++."""

    root: str
    stem: str
    functions: tuple[RuleFunction, ...]

    @property
    def moments(self) -> tuple[Moment, ...]:
        """The callbacks that have rules: by priority, rules of one priority in order of the source."""
        ordered = sorted(self.functions, key=lambda function: function.rule.priority)
        early = tuple(f for f in ordered if is_early(f.rule))
        late = tuple(f for f in ordered if not is_early(f.rule))
        return tuple(Moment(name, fs) for name, fs in (("early_rewrite", early), ("late_rewrite", late)) if fs)


def has_rules(package: OpPackage) -> bool:
    return any(op.rules for op in package.ops)


def rewrites(package: OpPackage) -> tuple[dict[str, Rewrites], tuple[Rewrites, ...]]:
    """Rewrites of the package's ops by op name, and those of core ops."""
    if not has_rules(package):
        return {}, ()
    by_root: dict[str, list[TypedRule]] = {}
    for rule in check_package(package).rules:
        if is_carried(rule, package):
            by_root.setdefault(seen_name(rule.root, is_early(rule)), []).append(rule)
    own, foreign = {}, []
    for root, rules in by_root.items():
        prefix, _, name = root.rpartition("::")
        op = next((op for op in package.ops if prefix == package.name and op.name == name), None)
        made = Rewrites(root, snake(name), functions(rules, op))
        if op is not None:
            own[name] = made
        elif root.startswith(CORE):
            foreign.append(made)
    return own, tuple(foreign)


def functions(rules: list[TypedRule], root: Op | None) -> tuple[RuleFunction, ...]:
    """The C++ of rules of one root; `root` None: a core op."""
    names = unique(f"rule_{identifier(rule.name)}" for rule in rules)
    several = root is not None and (len(root.outputs) > 1 or root.outputs[0].variadic is not None)
    return tuple(_function(rule, name, several) for rule, name in zip(rules, names, strict=True))


def _function(rule: TypedRule, name: str, several_outputs: bool) -> RuleFunction:
    frame = Frame(is_early(rule))
    frame.line("opkg::Rewrite rewrite(op);")
    _match(rule, frame)
    for flag in rule.flags:
        if flag in OPTION_FLAGS:
            frame.line(f"if (opkg::option(op, {string(flag)}) == 0) return nullptr;")
    for refusal in refusals(rule.when, frame):
        frame.line(f"if ({refusal}) return nullptr;")
    finish(rule.replace, frame, several_outputs)
    return RuleFunction(name, rule, tuple(_comment(rule)), tuple(without_unused(frame.lines, UNUSED_TAGS)))


def _comment(rule: TypedRule) -> Iterator[str]:
    yield f"{comment(rule.name)}, pass {comment(rule.pass_text)}"
    yield f"  match    {comment(to_text(rule.syntax.match))}"
    if rule.syntax.when is not None and not isinstance(rule.when, core.Const):
        yield f"  when     {comment(to_text(rule.syntax.when))}"
    yield f"  replace  {comment(to_text(rule.syntax.replace))}"


# ---- match


@dataclass(frozen=True, slots=True)
class _Bound:
    """A tag of the match: how C++ reaches what it stands for."""

    tag: str
    value: str


def _match(rule: TypedRule, frame: Frame) -> None:
    """Structure first, then tags: one that stands twice has to be the same operand."""
    used = used_tags(rule.when, rule.replace)
    bound: list[_Bound] = []
    count = len(rule.match.inputs)
    sign = "<" if rule.match.open else "!="
    if not (rule.match.open and count == 0):
        frame.line(f"if (qhpi_op_num_inputs(op) {sign} {count}) return nullptr;")
    if "*" in used or any(isinstance(i, core.MatchOp) or i.tag in used for i in rule.match.inputs) or _repeats(rule):
        frame.line("const QHPI_OpRef root = {op, 0};")
    frame.tags["*"] = "root"
    for number, item in enumerate(rule.match.inputs):
        _structure(item, f"opkg::input(root, {number})", frame, used, bound)
    counts: dict[str, int] = {}
    for each in bound:
        counts[each.tag] = counts.get(each.tag, 0) + 1
    for each in bound:
        if each.tag in frame.tags:
            frame.line(f"if (!opkg::same({frame.tags[each.tag]}, {each.value})) return nullptr;")
        elif each.tag in used or counts[each.tag] > 1:
            frame.tags[each.tag] = frame.fresh(each.tag)
            frame.line(f"const QHPI_OpRef {frame.tags[each.tag]} = {each.value};")


def _repeats(rule: TypedRule) -> bool:
    tags = [item.tag for item in rule.match.inputs if isinstance(item, core.MatchTag)]
    return len(set(tags)) < len(tags)


def _structure(item: core.Match, value: str, frame: Frame, used: set[str], bound: list[_Bound]) -> None:
    if isinstance(item, core.MatchTag):
        bound.append(_Bound(item.tag, value))
        return
    name = frame.fresh(item.tag or item.op.rpartition("::")[2])
    frame.line(f"const QHPI_OpRef {name} = {value};")
    test = "is_open_op" if item.open else "is_op"
    seen = string(seen_name(item.op, frame.early))
    frame.line(f"if (!opkg::{test}({name}, {seen}, {len(item.inputs)})) return nullptr;")
    if item.tag:
        frame.tags[item.tag] = name
    for number, part in enumerate(item.inputs):
        _structure(part, f"opkg::input({name}, {number})", frame, used, bound)
