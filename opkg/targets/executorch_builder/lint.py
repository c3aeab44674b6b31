"""What ExecuTorch's Qualcomm backend cannot carry, found before anything is generated (from OPK240 on)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opkg.spec.diagnostics import Diagnostic, Severity, Span, error, nearest, place
from opkg.spec.dtypes import DTYPES, DType
from opkg.spec.model import Op, OpPackage
from opkg.spec.names import snake
from opkg.spec.torch_calls import WORDS, Step
from opkg.targets.executorch_builder.fusion_samples import samples
from opkg.targets.executorch_builder.names import BACKENDS_OWN
from opkg.targets.executorch_builder.profiles import KNOWN, Profile, profile_of


def lint(package: OpPackage, profile: Profile) -> list[Diagnostic]:
    """All findings of a package."""
    found = [*_names(package), *_steps(package)]
    for op in package.ops:
        found += [*_tensors(op, profile), *_params(op, profile), *_outputs(op), *_pattern(op)]
    return found


def generation(package: OpPackage) -> list[Diagnostic]:
    """Whether there is a row for the spec's ExecuTorch, and what that one cannot do."""
    profile = profile_of(package.executorch)
    where = place(package.spans, "executorch", place(package.spans, "package", Span(package.path)))
    if profile is None:
        hint = f"known: {', '.join(KNOWN)}"
        return [error("OPK367", f"no builders are known for ExecuTorch '{package.executorch}'", where, hint)]
    fused = [op.name for op in package.ops if op.pattern is not None and not profile.passes]
    if not fused:
        return []
    message = f"ExecuTorch {package.executorch} has no place for fusions: pattern: of {', '.join(fused)} is left out"
    return [Diagnostic("OPK368", message, where, "", Severity.INFO)]


def _names(package: OpPackage) -> Iterator[Diagnostic]:
    first: dict[str, str] = {}
    for op in package.ops:
        other = first.setdefault(snake(op.name), op.name)
        if other != op.name:
            message = f"'{op.name}' and '{other}' would both be the torch op '{snake(op.name)}'"
            yield error("OPK240", message, op.span, "rename one of them")
    taken: dict[str, tuple[str, bool]] = {}
    for op in package.ops:
        for call in op.torch:
            other, lowered = taken.setdefault(call.op, (op.name, call.lowered))
            if other != op.name and not (lowered and call.lowered):
                message = f"'{op.name}' and '{other}' both implement '{call.op}'"
                hint = "several ops share a torch op in the lowered graph only: lowered: true for each"
                yield error("OPK245", message, call.span, hint)
    if package.name == BACKENDS_OWN and any(text.text != "executorch-builder" for text in package.targets):
        message = "ops of qti.aisw are the backend's own and have no kernels to generate"
        yield error(
            "OPK246", message, place(package.spans, "package", package.ops[0].span), "targets: [executorch-builder]"
        )


def _steps(package: OpPackage) -> Iterator[Diagnostic]:
    """Ops of the package that make inputs of another one."""
    ops = {op.name: op for op in package.ops}
    calls = [(call, expression) for op in package.ops for call in op.torch for _, expression in call.inputs]
    for call, expression in calls:
        for step in expression.steps:
            fault, hint = _step_fault(step, ops)
            if not fault and not call.lowered:
                fault, hint = "several ops for one node are made of the lowered graph only", "lowered: true"
            if fault:
                yield error("OPK494", fault, expression.span, hint)


def _step_fault(step: Step, ops: Mapping[str, Op]) -> tuple[str, str]:
    """What is wrong with a call of an op, and a hint; empty texts when nothing is."""
    op = ops.get(step.op)
    if op is None:
        near = nearest(step.op, [*ops])
        return f"the package has no op '{step.op}'", f"did you mean '{near}'?" if near else ""
    if len(op.outputs) != 1 or any(tensor.variadic for tensor in op.tensors):
        return f"'{op.name}' has several outputs, or takes any number of tensors", "call ops of one output"
    if not sum(not tensor.optional for tensor in op.inputs) <= step.inputs <= len(op.inputs):
        return f"'{op.name}' has {len(op.inputs)} inputs, not {step.inputs}", "inputs by position, params by name"
    known = [param.name for param in op.params]
    strange = [name for name in step.params if name not in known]
    missing = [param.name for param in op.params if not param.optional and param.name not in step.params]
    if strange:
        return f"'{op.name}' has no param '{strange[0]}'", f"it has {', '.join([*known, *WORDS])}"
    return (f"'{op.name}' needs its param '{missing[0]}'", f"{missing[0]}=...") if missing else ("", "")


def _tensors(op: Op, profile: Profile) -> Iterator[Diagnostic]:
    """Combinations of element types that no torch graph can hand to a builder."""
    blocked: dict[str, DType] = {}
    reachable = 0
    for combination in op.combinations:
        types = [t.dtype.of(combination) for t in op.tensors]
        outside = [dtype for dtype in types if dtype.qnn not in profile.tensors]
        blocked |= {dtype.name: dtype for dtype in outside}
        reachable += not outside
    for dtype in blocked.values():
        var = next((v for v in op.type_vars if dtype in v.dtypes), None)
        message = f"ExecuTorch has no tensors of element type '{dtype}'; its builder never chooses such a kernel"
        if not reachable:
            message = f"ExecuTorch has no tensors of element type '{dtype}', and {op.name} has no kernel without it"
        severity = Severity.INFO if reachable else Severity.ERROR
        hint = _hint(dtype, profile.tensors)
        yield Diagnostic("OPK241", message, var.span if var is not None else op.span, hint, severity)


def _params(op: Op, profile: Profile) -> Iterator[Diagnostic]:
    for param in op.params:
        if param.dtype.quantized or param.dtype.qnn not in profile.scalars:
            message = f"ExecuTorch cannot pass a param of element type '{param.dtype}'; it would be dropped silently"
            span = place(param.spans, "dtype", op.span)
            yield error("OPK242", message, span, _hint(param.dtype, profile.scalars))


def _outputs(op: Op) -> Iterator[Diagnostic]:
    several = [t for t in op.outputs if t.variadic]
    if several and len(op.outputs) > 1:
        message = f"output '{several[0].name}' is variadic and not the only one, which no torch op can return"
        span = place(several[0].spans, "variadic", op.span)
        yield error("OPK243", message, span, "make it the only output, or give the outputs names")
    for tensor in op.outputs:
        if tensor.optional:
            message = f"output '{tensor.name}' is optional; a torch op always returns it"
            span = place(tensor.spans, "optional", op.span)
            yield Diagnostic("OPK244", message, span, "", Severity.INFO)


def _pattern(op: Op) -> Iterator[Diagnostic]:
    if op.pattern is not None and not samples(op):
        message = f"no shapes of the inputs of {op.name} are found, and so its pattern is never fused"
        hint = "the fusion traces the pattern with shapes that the spec allows"
        yield Diagnostic("OPK247", message, op.pattern.span, hint, Severity.WARNING)


def _hint(dtype: DType, allowed: frozenset[str]) -> str:
    """The nearest type that works: the same kind, then the same name without its width."""
    same = [d for d in DTYPES.values() if d.kind is dtype.kind and d.qnn in allowed]
    if same:
        return f"use '{min(same, key=lambda d: abs(d.bits - dtype.bits))}'"
    near = nearest(dtype.name, [d.name for d in DTYPES.values() if d.qnn in allowed])
    return f"use '{near}'" if near else ""
