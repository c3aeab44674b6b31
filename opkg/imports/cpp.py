"""C++ files of an op package as imported ops: registrations, params, types, costs, rules, and kernels with their code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from opkg.imports import qhpi_files
from opkg.imports.cpp_beside import beside
from opkg.imports.cpp_bodies import Bodies
from opkg.imports.cpp_facts import Facts, OpFacts, gather
from opkg.imports.cpp_files import sources_of
from opkg.imports.cpp_form import TARGETS, CppOp, imported
from opkg.imports.cpp_kernels import Choice, choices, function_name, function_text, is_mixed, record, wrapper
from opkg.imports.cpp_params import told
from opkg.imports.cpp_place import place_rules
from opkg.imports.cpp_report import PROPERTIES, Key, Source, in_op, of_facts, of_rules, of_text
from opkg.imports.cpp_rewrite import rewritten, without_macros
from opkg.imports.cpp_types import UNKNOWN, tensors_of
from opkg.imports.fit import fitted
from opkg.imports.form import Imported, ImportedOp
from opkg.imports.naming import package_name
from opkg.imports.read import Options
from opkg.imports.writer import spec_text
from opkg.rules.elaborate.defines import constants, defined_by
from opkg.spec.diagnostics import Diagnostic, OpkgError, Span, error, warning
from opkg.spec.names import name_fault, op_name_fault, snake

_NAME = re.compile(r"#[ \t]*define[ \t]+THIS_PKG_NAME(?:_STR)?[ \t]+\"?([\w.-]+)")
# what casts of stored numbers say of a kernel for any Tensor
_CASTS = {"float": "float32", "__fp16": "float16", "Float16": "float16", "uint8_t": "ufixed8", "int8_t": "sfixed8",
          "uint16_t": "ufixed16", "int16_t": "sfixed16", "int32_t": "int32"}  # fmt: skip
_PLACEHOLDER = "imported.ops"  # the name while no package is known: rules are checked, nothing is written


def read(paths: Sequence[str], options: Options) -> Imported:
    """The ops that the files (folders stand for the C++ files below them) register, with their kernels.

    Raises OpkgError when a file cannot be read or nothing is registered; MissingTool when rules are to be preprocessed and
    there is no compiler. Nothing is executed.
    """
    return read_with_notes(paths, options)[0]


def read_with_notes(paths: Sequence[str], options: Options) -> tuple[Imported, list[Diagnostic]]:
    """As `read`, and what is found in the spec's rules besides, at their places in the C++ files."""
    sources = sources_of(paths, options.expand)
    old = next((named[1] for s in sources if (named := _NAME.search(s.code))), "")
    package = options.package or package_name(old)
    defined = defined_by([s.text for s in sources])
    values = constants(defined)
    macros = {name: define for name, define in defined.items() if name not in values}
    sources = [replace(s, document=without_macros(s.document, macros)) for s in sources]
    prefixes = tuple(dict.fromkeys(p for p in (old, package) if p))
    facts = gather([s.document for s in sources], [s.code for s in sources], prefixes)
    findings = [_softened(f) for s in sources for f in s.findings]
    facts, found = _usable(facts, sources)
    findings += [*found, *_renamed("" if options.package else old, package, sources), *of_facts(facts)]
    code = "\n".join(s.code for s in sources)
    for op in facts.ops.values():
        op.params = [told(op, i, code) for i, param in enumerate(op.params) if name_fault(param.name) is None]
    if not facts.ops and any("QHPI_OpInfo" in s.code for s in sources):
        return qhpi_files.imported(sources, options), []
    if not facts.ops:
        hint = "name the files that have DEF_PACKAGE_OP or call qhpi_register_ops"
        raise OpkgError([*findings, error("OPK357", "no op is registered in these files", Span(sources[0].path), hint)])
    rules, found = of_rules(sources)
    findings += found
    bare = [replace(placed, rule=rewritten(placed.rule, prefixes, values)) for placed in rules]
    made, found, notes, files = _made(place_rules(facts, bare, prefixes), sources, options, package)
    shown = tuple(s.path for s in sources)
    return Imported(shown, made, package, targets=TARGETS, findings=tuple(findings + found), files=files), notes


def _made(
    ops: list[CppOp], sources: Sequence[Source], options: Options, package: str
) -> tuple[tuple[ImportedOp, ...], list[Diagnostic], list[Diagnostic], tuple[tuple[str, bytes], ...]]:
    """The ops, without the rules that would keep the spec from validating; what is said of them; notes; the kernel files."""
    code = "\n".join(s.code for s in sources)
    bodies = Bodies(sources, package)
    findings: list[Diagnostic] = []
    ops = [_of_one_kind(op, findings) for op in ops]
    base: dict[str, ImportedOp] = {}
    for op in ops:
        base[op.facts.name], found = _op(op, code, bodies, options)
        findings += found
    text, shown = "", package or _PLACEHOLDER
    path = f"specs/{shown.replace('.', '_')}.yaml"
    for _ in range(sum(len(op.rules) for op in ops) + 1):
        made = tuple(_with_rules(base[op.facts.name], op) for op in ops)
        text = spec_text(fitted(Imported(tuple(s.path for s in sources), made, shown, targets=TARGETS)), shown)
        found, bad, notes = of_text(text, path, ops)
        findings += found
        if not bad:
            break
        ops = [_without(op, bad) for op in ops]
    refused = {name for name in base if any(f.is_error and in_op(text, name, f.span.line) for f in notes)}
    files, found = bodies.files(ops, refused)
    return made, findings + found, notes, files


def _op(op: CppOp, code: str, bodies: Bodies, options: Options) -> tuple[ImportedOp, list[Diagnostic]]:
    """One op with its kernels; what its functions say goes to `bodies`."""
    known = next((other for other in options.known if other.name == op.facts.name), None)
    body = _longest(op.facts, code)
    guess = tuple(dict.fromkeys(_CASTS[cast] for cast in re.findall(r"\b(\w+)\s*\*\s*[)>]", body) if cast in _CASTS))
    tensors = tensors_of(op.facts, guess or UNKNOWN, body)
    made = imported(op, tensors, (), ())
    if known is not None:
        made = beside(known, made, tensors)
    chosen, findings = choices(made, op.facts)
    records = []
    params = _as_kernels_take_them(made, op.facts)
    for choice in chosen:
        kernel, found = record(made, choice, bodies.path_of(choice.calls[0].path), code)
        findings += [f for f in found if f not in findings]
        records.append(kernel)
        bodies.add(choice.calls[0].path, made.name, wrapper(made, choice, params))
    findings += _signed(made, chosen, code)
    return replace(made, kernels=tuple(records)), findings


def _as_kernels_take_them(op: ImportedOp, facts: OpFacts) -> tuple[str, ...]:
    """Names of the params in the order of kernels' arguments."""
    order = {snake(param.name): number for number, param in enumerate(facts.params)}
    named = sorted(op.params, key=lambda param: order.get(snake(param.origin or param.name), len(order)))
    return tuple(param.name for param in named)


def _of_one_kind(op: CppOp, findings: list[Diagnostic]) -> CppOp:
    """The op without tensor properties that only kernels with tensors of several layouts or memories can follow."""
    mixed = next((r for r in op.facts.registered if r.signature is not None and is_mixed(r.signature)), None)
    if mixed is None or not op.facts.properties:
        return op
    reason = f"'{mixed.function}' takes tensors of several layouts or memories, a kernel of a spec takes one"
    hint = "the classic package has its tensors flat in main memory, QHPI's anywhere"
    message = f"tensor properties of '{op.facts.name}' not carried: {reason}"
    findings.append(warning("OPK641", message, mixed.span, hint))
    return replace(op, no_properties=reason)


def _signed(op: ImportedOp, chosen: Sequence[Choice], code: str) -> list[Diagnostic]:
    """Kernels that read stored signed numbers themselves: QHPI hands those over as unsigned ones."""
    out = []
    for choice in chosen:
        call = choice.calls[0]
        if not any(dtype in ("sfixed8", "sfixed16") for _, dtype in choice.combination):
            continue
        text = function_text(code, function_name(call.function))
        if re.search(r"\b(raw_data|get_raw|raw_data_const|get_raw_addr|element_ptr|block_ptr|blocktab_ptr)\b", text):
            message = f"'{call.function}' reads stored numbers of a signed type, which QHPI hands over as unsigned ones"
            hint = "subtract interface_offset() from them, as its tensors do; right as it is in the classic package"
            out.append(warning("OPK645", message, call.span, hint))
    return out


def _longest(facts: OpFacts, code: str) -> str:
    """The text of the kernel with most tensors."""
    read = [r for r in facts.registered if r.signature is not None]
    longest = max(read, key=lambda r: len(r.signature.inputs) if r.signature else 0, default=None)
    return function_text(code, function_name(longest.function)) if longest is not None else ""


def _with_rules(made: ImportedOp, op: CppOp) -> ImportedOp:
    again = imported(op, tensors_of(op.facts), (), ())
    return replace(made, rules=again.rules, no_properties=op.no_properties)


def _without(op: CppOp, bad: dict[Key, str]) -> CppOp:
    """An op without what cannot be carried."""
    name = op.facts.name
    rules = tuple(replace(rule, reason=bad.get((name, rule.name), rule.reason)) for rule in op.rules)
    return replace(op, rules=rules, no_properties=bad.get((name, PROPERTIES), op.no_properties))


def _softened(finding: Diagnostic) -> Diagnostic:
    """A macro call that cannot be read is not carried; that does not stop the others."""
    if not finding.is_error:
        return finding
    return warning(finding.id, f"not carried: {finding.message}", finding.span, finding.hint)


def _renamed(old: str, package: str, sources: Sequence[Source]) -> list[Diagnostic]:
    if not old or old == package:
        return []
    message = f"package '{old}' is called '{package}' in the spec"
    return [
        warning("OPK351", message, Span(sources[0].path), "graphs name the package: convert models with the new name")
    ]


def _usable(facts: Facts, sources: Sequence[Source]) -> tuple[Facts, list[Diagnostic]]:
    """The ops that can be ops of a spec: registered (or all, when nothing is), with a name that C++ and Python take."""
    registered = any(op.registered for op in facts.ops.values())
    kept = Facts()
    findings: list[Diagnostic] = []
    stems: dict[str, str] = {}
    for name, op in facts.ops.items():
        if registered and not op.registered:
            continue
        fault = op_name_fault(name)
        other = stems.setdefault(snake(name), name)
        if fault is None and other == name:
            kept.ops[name] = op
            continue
        why = fault[1] if fault is not None else f"it becomes '{snake(name)}', as '{other}' does"
        span = op.registered[0].span if op.registered else Span(sources[0].path)
        message = f"op '{name}' cannot be an op of a spec: {why}"
        findings.append(warning("OPK352", message, span, "rename it in the package first, or write it by hand"))
    return kept, findings
