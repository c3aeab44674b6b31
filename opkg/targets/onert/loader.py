"""How a model's operator becomes the operation: the name of a custom one, its options, and the generator of test models."""

from __future__ import annotations

from opkg.spec.dtypes import Kind
from opkg.spec.expr import Expression
from opkg.spec.model import ParamSpec
from opkg.spec.requirements import requirements
from opkg.targets.foreign import Era
from opkg.targets.onert.operation import Operation
from opkg.targets.onert.shapes import Shapes, Unprintable
from opkg.targets.portable_kernel.lines import brackets, fold
from opkg.targets.portable_kernel.params import param_cpp


def _as(param: ParamSpec) -> str:
    """The method of a flexbuffers reference that reads a value."""
    if param.dtype.kind is Kind.FLOAT:
        return "AsFloat()"
    if param.dtype.kind is Kind.BOOL:
        return "AsBool()"
    sign = "UInt" if param.dtype.kind is Kind.UINT else "Int"
    return f"As{sign}{64 if param.dtype.bits == 64 else 32}()"


def _value(param: ParamSpec, reference: str) -> str:
    text = f"{reference}.{_as(param)}"
    narrow = param.dtype.bits < 32 and param.dtype.kind in (Kind.INT, Kind.UINT)
    return f"static_cast<{param_cpp(param)}>({text})" if narrow else text


def definition(operation: Operation, era: Era) -> str:
    """The text of `load<Name>`."""
    if era.circle_custom:
        head = [f"void CircleLoader::load{operation.name}(const Operator *op, ir::Graph &subg)"]
    else:
        more = ", typename SpecificLoader" if era.specific_loader else ""
        args = "LoaderDomain, SpecificLoader" if more else "LoaderDomain"
        graph = "ir::Graph &subg"
        start = f"void BaseLoader<{args}>::load{operation.name}("
        head = [f"template <typename LoaderDomain{more}>", *brackets(start, ["const Operator *op", graph], ")")]
    lines = [
        "ir::OperandIndexSequence inputs;",
        "ir::OperandIndexSequence outputs;",
        "",
        "loadOperationIO(op, inputs, outputs);",
        "",
        *_params(operation),
    ]
    arguments = ["inputs", "outputs", *(["param"] if operation.op.params else [])]
    lines += brackets(f"auto new_op = std::make_unique<{operation.type}>(", arguments, ");")
    lines.append("subg.addOperation(std::move(new_op));")
    body = [part for line in lines for part in fold(f"  {line}" if line else "")]
    return "\n".join([*head, "{", *body, "}"]) + "\n"


def _params(operation: Operation) -> list[str]:
    """Options to params: those that are missing keep their defaults."""
    params = operation.op.params
    if not params:
        return []
    lines = [f"{operation.type}::Param param;"]
    computed = [p for p in params if isinstance(p.default, Expression)]
    names = dict.fromkeys(
        n for p in computed if isinstance(p.default, Expression) for n in requirements(p.default.tree)
    )
    text: list[str] = []
    for param in params:
        text += _read(operation, param)
    for tensor in operation.op.inputs:
        if f"{tensor.name}_shape" in " ".join(text) or tensor.name in names:
            at = f"inputs.at({operation.type}::Input::{operation.enumerators[tensor.name]})"
            lines.append(f"const auto &{tensor.name}_shape = subg.operands().at({at}).shape();")
    lines.append("if (op->custom_options() != nullptr)")
    lines += ["{", "  const auto attr_map = getCustomOpAttrMap(op);", *(f"  {line}" for line in text), "}"]
    for param in computed:
        lines += ["else", "{"] if param is computed[0] else []
        lines += [f"  {line}" for line in _default(operation, param)]
        lines += ["}"] if param is computed[-1] else []
    return [*lines, ""]


def _default(operation: Operation, param: ParamSpec) -> list[str]:
    assert isinstance(param.default, Expression)
    try:
        if param.shape is not None:
            return []
        return [f"param.{param.name} = {Shapes(operation.op).text(param.default.tree)};"]
    except Unprintable:
        return []


def _read(operation: Operation, param: ParamSpec) -> list[str]:
    option = f'attr_map["{param.name}"]'
    if param.shape is not None:
        store = f"param.{param.name}.push_back({_value(param, 'values[i]')});"
        clear = [f"  param.{param.name}.clear();"] if param.default is not None else []
        return [
            f"if (!{option}.IsNull())",
            "{",
            *clear,
            "  const auto read = [&](const auto &values) {",
            "    for (size_t i = 0; i < values.size(); ++i)",
            f"      {store}",
            "  };",
            f"  if ({option}.IsTypedVector())",
            f"    read({option}.AsTypedVector());",
            "  else",
            f"    read({option}.AsVector());",
            "}",
        ]
    default = _default(operation, param) if isinstance(param.default, Expression) else []
    read = f"param.{param.name} = {_value(param, option)};"
    if not param.optional:
        return [read]
    lines = [f"if (!{option}.IsNull())", f"  {read}"]
    return [*lines, "else", f"  {default[0]}"] if default else lines


def circle_gen_parameters(operation: Operation) -> list[str]:
    """The parameters of `addOperator<Name>`."""
    found = ["const OperatorParams &params"]
    for param in operation.op.params:
        type_ = param_cpp(param)
        found.append(
            f"const std::vector<{type_}> &{param.name}" if param.shape is not None else f"{type_} {param.name}"
        )
    return found


def circle_gen(operation: Operation) -> str:
    """The definition of `CircleGen::addOperator<Name>`: a custom operator with its options as a flexbuffer."""
    head = brackets(f"uint32_t CircleGen::addOperator{operation.name}(", circle_gen_parameters(operation), ")")
    lines = ["flexbuffers::Builder options;", "const size_t start = options.StartMap();"]
    for param in operation.op.params:
        if param.shape is not None:
            lines.append(f'options.Vector("{param.name}", {param.name});')
            continue
        kind = {Kind.FLOAT: "Float", Kind.BOOL: "Bool", Kind.UINT: "UInt"}.get(param.dtype.kind, "Int")
        lines.append(f'options.{kind}("{param.name}", {param.name});')
    lines += ["options.EndMap(start);", "options.Finish();", ""]
    arguments = [
        "params",
        f'"{operation.name}"',
        "circle::BuiltinOptions_NONE",
        "0",
        "&options.GetBuffer()",
        "circle::CustomOptionsFormat::CustomOptionsFormat_FLEXBUFFERS",
        "nullptr",
        "nullptr",
    ]
    body = [part for line in lines for part in fold(f"  {line}" if line else "")]
    call = brackets("  return addCustomOperatorWithOptions(", arguments, ");")
    return "\n".join([*head, "{", *body, *call, "}"]) + "\n"
