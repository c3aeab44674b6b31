"""How a model's operator becomes the operation: a custom name or the schema's, its options, and the generator of test models."""

from __future__ import annotations

from opkg.spec.dtypes import Kind
from opkg.spec.expr import Expression
from opkg.spec.model import Builtin, ParamSpec
from opkg.spec.requirements import requirements
from opkg.targets.foreign import Era
from opkg.targets.onert.names import camel, variable
from opkg.targets.onert.operation import Operation
from opkg.targets.onert.shape_trees import Unprintable
from opkg.targets.onert.shapes import Shapes
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


def entries(operation: Operation, era: Era) -> dict[str, str]:
    """What goes into the loaders, place by place: a name of custom operators, or a case of the schema's."""
    name, builtin = operation.name, operation.op.builtin
    declared = f"  void load{name}(const Operator *op, ir::Graph &subg);\n"
    if builtin is None:
        indent = "    " if era.circle_custom else "      "
        return {
            "circle_custom_enum": f"    {name},\n",
            "circle_custom_map": f'    {{"{name}", BuiltinOP::{name}}},\n',
            "circle_custom_switch": _case(f"BuiltinOP::{name}", name, "break", indent),
            "circle_custom_declaration": declared,
            "circle_custom_definition": definition(operation, era),
        }
    place, scope, indent = (
        ("circle_builtin", "circle::BuiltinOperator", "      ")
        if builtin.circle
        else ("base_loader", "BuiltinOperator", "    ")
    )
    return {
        f"{place}_case": _case(f"{scope}::BuiltinOperator_{builtin.operator}", name, "return", indent),
        f"{place}_declaration": declared,
        f"{place}_definition": definition(operation, era),
    }


def _case(label: str, name: str, end: str, indent: str) -> str:
    lines = (f"case {label}:", f"  load{name}(op, subg);", f"  {end};")
    return "".join(f"{indent}{line}\n" for line in lines)


def definition(operation: Operation, era: Era) -> str:
    """The text of `load<Name>`."""
    builtin = operation.op.builtin
    if era.circle_custom if builtin is None else builtin.circle:
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
        *(_params(operation, era) if builtin is None else _options(operation, builtin)),
    ]
    arguments = ["inputs", "outputs", *(["param"] if operation.op.params else [])]
    lines += brackets(f"auto new_op = std::make_unique<{operation.type}>(", arguments, ");")
    lines.append("subg.addOperation(std::move(new_op));")
    body = [part for line in lines for part in fold(f"  {line}" if line else "")]
    return "\n".join([*head, "{", *body, "}"]) + "\n"


def _options(operation: Operation, builtin: Builtin) -> list[str]:
    """The schema's table of options to params: a table that is missing leaves their defaults."""
    params = operation.op.params
    if not params:
        return []
    lines = [f"{operation.type}::Param param;"]
    lines += [f"if (const auto *options = op->builtin_options_as_{builtin.options}())", "{"]
    for param in params:
        type_, value = param_cpp(param), f"options->{builtin.field(param.name)}()"
        if param.shape is None:
            lines.append(f"  param.{param.name} = static_cast<{type_}>({value});")
            continue
        lines += [f"  if (const auto *values = {value})", "  {", f"    param.{param.name}.clear();"]
        lines += ["    for (const auto value : *values)"]
        lines += [f"      param.{param.name}.push_back(static_cast<{type_}>(value));", "  }"]
    return [*lines, "}", ""]


def _params(operation: Operation, era: Era) -> list[str]:
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
    bytes_ = "op->custom_options()->Data(), op->custom_options()->size()"
    attributes = "getCustomOpAttrMap(op)" if era.attr_map else f"flexbuffers::GetRoot({bytes_}).AsMap()"
    lines += ["{", f"  const auto attr_map = {attributes};", *(f"  {line}" for line in text), "}"]
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
            f"  if (flexbuffers::IsTypedVector({option}.GetType()))",
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
        name = variable(param.name)
        found.append(f"const std::vector<{type_}> &{name}" if param.shape is not None else f"{type_} {name}")
    return found


def circle_gen(operation: Operation) -> str:
    """The definition of `CircleGen::addOperator<Name>`: a custom operator with its options as a flexbuffer, or the
    schema's own."""
    head = brackets(f"uint32_t CircleGen::addOperator{operation.name}(", circle_gen_parameters(operation), ")")
    builtin = operation.op.builtin
    lines, call = _custom_gen(operation) if builtin is None else _builtin_gen(operation, builtin)
    body = [part for line in lines for part in fold(f"  {line}" if line else "")]
    return "\n".join([*head, "{", *body, *call, "}"]) + "\n"


def _builtin_gen(operation: Operation, builtin: Builtin) -> tuple[list[str], list[str]]:
    params = operation.op.params
    lists = [p for p in params if p.shape is not None]
    lines = [f"const auto {p.name}_list = _fbb.CreateVector({variable(p.name)});" for p in lists]
    options = ["circle::BuiltinOptions_NONE", "0"]
    if builtin.options:
        table = f"circle::{builtin.options}"
        lines.append(f"{table}Builder options{{_fbb}};")
        for param in params:
            field, value = builtin.field(param.name), f"{param.name}_list" if param in lists else variable(param.name)
            if param.enum and param not in lists:  # an enum of the schema
                type_ = f"{camel(param.name)}Enum"
                lines.append(f"using {type_} = decltype(std::declval<const {table} &>().{field}());")
                value = f"static_cast<{type_}>({value})"
            lines.append(f"options.add_{field}({value});")
        lines += ["const auto table = options.Finish().Union();", ""]
        options = [f"circle::BuiltinOptions_{builtin.options}", "table"]
    code = f"circle::BuiltinOperator_{builtin.operator}"
    return lines, brackets("  return addOperatorWithOptions(", ["params", code, *options], ");")


def _vector(param: ParamSpec) -> list[str]:
    """A list as an option; bools, which have no place in memory as a vector, as bytes."""
    lines, name = [], variable(param.name)
    if param.dtype.kind is Kind.BOOL:
        lines.append(f"const std::vector<uint8_t> {param.name}_bytes({name}.begin(), {name}.end());")
        name = f"{param.name}_bytes"
    return [*lines, f'options.Vector("{param.name}", {name}.data(), {name}.size());']


def _custom_gen(operation: Operation) -> tuple[list[str], list[str]]:
    lines = ["flexbuffers::Builder options;", "const size_t start = options.StartMap();"]
    for param in operation.op.params:
        if param.shape is not None:
            lines += _vector(param)
            continue
        kind = {Kind.FLOAT: "Float", Kind.BOOL: "Bool", Kind.UINT: "UInt"}.get(param.dtype.kind, "Int")
        lines.append(f'options.{kind}("{param.name}", {variable(param.name)});')
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
    return lines, brackets("  return addCustomOperatorWithOptions(", arguments, ");")
