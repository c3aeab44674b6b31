"""What an operation inserts into the files of a tree of onert, entry by entry, as the tree's era has them."""

from __future__ import annotations

from collections.abc import Iterable

from opkg.spec.model import Op, OpPackage
from opkg.targets.foreign import Era, TreeEdit
from opkg.targets.onert.layer import generator_lines
from opkg.targets.onert.lint import in_tree
from opkg.targets.onert.loader import circle_gen, circle_gen_parameters, entries
from opkg.targets.onert.names import snake
from opkg.targets.onert.operation import Operation
from opkg.targets.onert.operation_checks import OperationChecks
from opkg.targets.onert.shape_checks import ShapeChecks
from opkg.targets.onert.visits import definition, dynamic_lines, static_lines
from opkg.targets.portable_kernel.lines import brackets, fold


def edits(package: OpPackage, op: Op, era: Era) -> tuple[TreeEdit, ...]:
    """All insertions of an op; `place` names a row of `opkg.trees.onert.places`, `key` is the op's name.
    None for an op that has no files for a tree (OPK280, 281, 284)."""
    if not in_tree(op):
        return ()
    operation = Operation(op)
    texts = {
        **_lists(operation),
        **_core(operation, era),
        **entries(operation, era),
        **_cpu(operation, era),
        **_tests(operation, era),
    }
    return tuple(TreeEdit(place, op.name, text) for place, text in texts.items())


def _lists(operation: Operation) -> dict[str, str]:
    return {
        "operations_lst": f"OP({operation.name})\n",
        "operations_include": f'#include "ir/operation/{operation.name}.h"\n',
    }


def _declared(operation: Operation, variable: str, prefix: str = "ir::") -> str:
    return f"  void visit(const {prefix}operation::{operation.name} &{variable}) override;\n"


def _core(operation: Operation, era: Era) -> dict[str, str]:
    checks = OperationChecks(operation, era).lines()
    found = {
        "operation_validator_h": _declared(operation, "node", ""),
        "operation_validator_cc": definition("OperationValidator", operation, checks, prefix=""),
        "shape_validator_h": _declared(operation, "node"),
        "shape_validator_cc": definition("ShapeValidator", operation, ShapeChecks(operation, era).lines()),
        "static_shape_inferer_h": _declared(operation, "op"),
        "static_shape_inferer_cc": definition(
            "StaticShapeInferer", operation, static_lines(operation, era.own_operands), "op"
        ),
        "dynamic_shape_inferer_h": _declared(operation, "op"),
        "dynamic_shape_inferer_cc": definition("DynamicShapeInferer", operation, dynamic_lines(operation), "op"),
        "operation_dumper_h": _declared(operation, "", "").replace(" &)", " &node)"),
        "operation_dumper_cc": definition("OperationDumper", operation, dumper_lines(operation), prefix=""),
    }
    if operation.helper:
        head = brackets(f"ir::Shape infer{operation.name}Shape(", operation.parameters(), ")")
        body = [part for line in operation.infer_lines for part in fold(f"  {line}")]
        found["shape_inference_h"] = "\n".join(head) + ";\n"
        found["shape_inference_cc"] = "\n".join([*head, "{", *body, "}"]) + "\n"
    return found


def dumper_lines(operation: Operation) -> list[str]:
    """The visit of OperationDumper: operands, and params that are numbers."""
    parts = [
        f'"{p.name}(" + std::to_string(node.param().{p.name}) + ")"' for p in operation.op.params if p.shape is None
    ]
    if not parts:
        return ["dumpOpGeneric(node);"]
    lines = [f"std::string params = {parts[0]};"]
    lines += [f"params += {part.replace(chr(34), chr(34) + ' ', 1)};" for part in parts[1:]]
    return [*lines, "dumpOpGeneric(node, params);"]


def _cpu(operation: Operation, era: Era) -> dict[str, str]:
    if era.operation_lst:
        return {"cpu_operation_lst": f"OP({operation.name})\n"}
    found = {
        "cpu_kernel_generator_h": f"  void visit(const {operation.type} &) override;\n",
        "cpu_kernel_generator_cc": definition("KernelGenerator", operation, generator_lines(operation)),
        "cpu_kernel_generator_include": f'#include "ops/{operation.name}Layer.h"\n',
    }
    if era.validator_visits:
        found["cpu_validator_h"] = f"  void visit(const {operation.type} &) override {{ _supported = true; }}\n"
    return found


def _tests(operation: Operation, era: Era) -> dict[str, str]:
    name = operation.name
    head = brackets(f"  uint32_t addOperator{name}(", circle_gen_parameters(operation), ");")
    variable = snake(name) + "_op"
    found = {"circle_gen_h": "\n".join(head) + "\n", "circle_gen_cc": circle_gen(operation)}
    return {
        **(found if era.custom_gen or operation.op.builtin is not None else {}),
        "untrainable_generate": _generate(operation),
        "untrainable_use": f"  const auto {variable} = generate{name}();\n  verifyOp({variable});\n",
    }


def _indices(count: int, first: int) -> str:
    return ", ".join(str(first + i) for i in range(count))


def _generate(operation: Operation) -> str:
    """An instance for the test of operations that cannot be trained."""
    op = operation.op
    inputs, outputs = _indices(len(op.inputs), len(op.outputs)), _indices(len(op.outputs), 0)
    arguments = [f"OperandIndexSequence{{{inputs}}}", f"OperandIndexSequence{{{outputs}}}"]
    lines = [f"operation::{operation.name}::Param param;", ""] if op.params else []
    arguments += ["param"] if op.params else []
    return _function(f"operation::{operation.name} generate{operation.name}()", lines, operation, arguments)


def _function(head: str, lines: Iterable[str], operation: Operation, arguments: list[str]) -> str:
    body = [f"  {line}" if line else "" for line in lines]
    made = brackets(f"  return operation::{operation.name}{{", arguments, "};")
    return "\n".join([head, "{", *body, *made, "}"]) + "\n"
