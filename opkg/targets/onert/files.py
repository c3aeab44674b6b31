"""The new files of an operation in a tree of onert: class, layer, kernel, tests; paths are those of de7f4736."""

from __future__ import annotations

from opkg.resources import render
from opkg.spec.model import Op, OpPackage
from opkg.targets.artifact import Artifact
from opkg.targets.foreign import Era
from opkg.targets.onert.by_hand import api_header, api_name, hand_header, is_by_hand, owned
from opkg.targets.onert.gtests import test_files
from opkg.targets.onert.kernel import kernel_header, namespace
from opkg.targets.onert.layer import configure_parameters, generator_lines, run_lines
from opkg.targets.onert.layout import Option
from opkg.targets.onert.names import comment, guard, variable
from opkg.targets.onert.operation import Operation
from opkg.targets.onert.visits import definition
from opkg.targets.portable_kernel.lines import WIDTH, brackets, fold
from opkg.targets.portable_kernel.params import default_text, param_cpp

CORE = "runtime/onert/core"
CPU = "runtime/onert/backend/cpu"


def files(package: OpPackage, op: Op, era: Era, options: Option) -> tuple[Artifact, ...]:
    """The files that an op adds to a tree, by their paths in it; the user's own kernel files are not among them."""
    operation = Operation(op)
    hand = is_by_hand(op)
    return (
        Artifact(f"{CORE}/include/ir/operation/{op.identifier}.h", _class_header(operation, era, options)),
        Artifact(f"{CORE}/src/ir/operation/{op.identifier}.cc", _class_source(operation, era, options)),
        Artifact(
            f"{CPU}/ops/{op.identifier}Kernel.h",
            (hand_header(package, op, options) if hand else kernel_header(op, options)),
        ),
        *([Artifact(f"{CPU}/ops/{api_name(package)}", api_header(options))] if hand else []),
        Artifact(f"{CPU}/ops/{op.identifier}Layer.h", _layer_header(operation, era, options)),
        Artifact(f"{CPU}/ops/{op.identifier}Layer.cc", _layer_source(package, operation, era, options)),
        *test_files(package, op, era, options),
    )


def _open(era: Era, *names: str) -> str:
    if era.nested_namespaces:
        return f"namespace {'::'.join(names)}\n{{"
    return "\n".join(f"namespace {name}\n{{" for name in names)


def _close(era: Era, *names: str) -> str:
    if era.nested_namespaces:
        return f"}} // namespace {'::'.join(names)}"
    return "\n".join(f"}} // namespace {name}" for name in reversed(names))


_IR = ("onert", "ir", "operation")
_OPS = ("onert", "backend", "cpu", "ops")


def _constructor(operation: Operation, head: str, tail: str) -> list[str]:
    parameters = ["const OperandIndexSequence &inputs", "const OperandIndexSequence &outputs"]
    parameters += ["const Param &param"] if operation.op.params else []
    return brackets(head, parameters, tail)


def _class_header(operation: Operation, era: Era, options: Option) -> str:
    op = operation.op
    params = []
    for param in op.params:
        type_ = param_cpp(param)
        params.append((f"std::vector<{type_}>" if param.shape else type_, param.name, default_text(param)))
    return render(
        "onert/operation.h.j2",
        name=op.identifier,
        licence=options.licence_lines(),
        guard=guard("IR_OPERATION", op.identifier),
        summary=comment(op.summary or op.name),
        open=_open(era, *_IR),
        close=_close(era, *_IR),
        vectors=any(p.shape is not None for p in op.params),
        inputs=[operation.enumerators[t.name] for t in op.inputs],
        outputs=[operation.enumerators[t.name] for t in op.outputs],
        params=params,
        constructor=_constructor(operation, f"  {op.identifier}(", ");"),
    )


def _class_source(operation: Operation, era: Era, options: Option) -> str:
    op, least, most = operation.op, operation.least, len(operation.op.inputs)
    inputs = f"createExact({most}u)" if least == most else f"createInRange({least}u, {most}u)"
    parts = [f"OperandConstraint::{inputs}", "inputs", "outputs"]
    if len(op.outputs) != 1 and era.output_constraint:
        parts.append(f"OperandConstraint::createExact({len(op.outputs)}u)")
    made = brackets("  : Operation{", parts, "}")
    if op.params and len(made) == 1 and len(made[0]) + len(", _param{param}") <= WIDTH:
        made = [f"{made[0]}, _param{{param}}"]
    elif op.params:
        made = [*made[:-1], f"{made[-1]},", "    _param{param}"]
    return render(
        "onert/operation.cc.j2",
        name=op.identifier,
        licence=options.licence_lines(),
        open=_open(era, *_IR),
        close=_close(era, *_IR),
        constructor=_constructor(operation, f"{op.identifier}::{op.identifier}(", ")"),
        initializers=made,
    )


def _layer_header(operation: Operation, era: Era, options: Option) -> str:
    op = operation.op
    return render(
        "onert/layer.h.j2",
        name=op.identifier,
        licence=options.licence_lines(),
        guard=guard("BACKEND_CPU_OPS", f"{op.identifier}Layer"),
        summary=comment(op.summary or op.name),
        open=_open(era, *_OPS),
        close=_close(era, *_OPS),
        configure=brackets("  void configure(", configure_parameters(operation), ");"),
        kernel=namespace(op),
        inputs=[variable(t.name) for t in op.inputs],
        outputs=[variable(t.name) for t in op.outputs],
        params=bool(op.params),
    )


def _layer_source(package: OpPackage, operation: Operation, era: Era, options: Option) -> str:
    op = operation.op
    generator = definition("KernelGenerator", operation, generator_lines(operation)) if era.operation_lst else ""
    return render(
        "onert/layer.cc.j2",
        name=op.identifier,
        licence=options.licence_lines(),
        open=_open(era, *_OPS),
        close=_close(era, *_OPS),
        generator=generator,
        kernel=namespace(op),
        optional=any(t.optional for t in op.inputs),
        configure=brackets(f"void {op.identifier}Layer::configure(", configure_parameters(operation), ")"),
        asserted=[variable(t.name) for t in op.tensors if not t.optional],
        inputs=[variable(t.name) for t in op.inputs],
        outputs=[variable(t.name) for t in op.outputs],
        params=bool(op.params),
        bodies=[name for _, name in owned(package, op)] if is_by_hand(op) else [],
        zero="data_zero_point()" if era.zero_point else "data_offset()",
        run=[part for line in run_lines(operation) for part in fold(f"  {line}" if line else "")],
    )
