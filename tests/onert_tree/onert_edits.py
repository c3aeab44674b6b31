"""Entries for every place in a tree of onert, written by hand: what a target would want."""

from __future__ import annotations

from onert_mini import shout

from opkg.targets.foreign import Era, TreeEdit

OWNERS = {
    "operation_validator": "OperationValidator",
    "shape_validator": "ShapeValidator",
    "static_shape_inferer": "StaticShapeInferer",
    "dynamic_shape_inferer": "DynamicShapeInferer",
    "operation_dumper": "OperationDumper",
    "cpu_kernel_generator": "KernelGenerator",
}


def visits(place: str, op: str) -> list[TreeEdit]:
    owner = OWNERS[place]
    body = f"{{\n  // {op}\n  check(node);\n}}\n"
    return [
        TreeEdit(f"{place}_h", op, f"  void visit(const ir::operation::{op} &node) override;\n"),
        TreeEdit(f"{place}_cc", op, f"void {owner}::visit(const ir::operation::{op} &node)\n{body}"),
    ]


def edits(op: str, era: Era) -> list[TreeEdit]:
    """All places of one operation."""
    word, shouted = op.lower(), shout(op)
    owner, template = "CircleLoader", ""
    if not era.circle_custom:
        owner, template = (
            "BaseLoader<LoaderDomain, SpecificLoader>",
            "template <typename LoaderDomain, typename SpecificLoader>\n",
        )
    load = "const Operator *op, ir::Graph &subg)"
    base = "BaseLoader<LoaderDomain, SpecificLoader>" if era.specific_loader else "BaseLoader<LoaderDomain>"
    base_template = (
        "template <typename LoaderDomain, typename SpecificLoader>"
        if era.specific_loader
        else "template <typename LoaderDomain>"
    )
    body = f"{{\n  loadOperationTo<ir::operation::{op}>(op, subg);\n}}\n"
    made = [
        TreeEdit("operations_lst", op, f"OP({op})\n"),
        TreeEdit("operations_include", op, f'#include "ir/operation/{op}.h"\n'),
        *(each for place in list(OWNERS)[:5] for each in visits(place, op)),
        TreeEdit(
            "shape_inference_h",
            op,
            f"ir::Shape infer{op}Shape(const ir::Shape &a,\n                       const ir::Shape &b);\n",
        ),
        TreeEdit(
            "shape_inference_cc",
            op,
            f"ir::Shape infer{op}Shape(const ir::Shape &a, const ir::Shape &)\n{{\n  return a;\n}}\n",
        ),
        TreeEdit(
            "base_loader_case",
            shouted,
            f"    case BuiltinOperator::BuiltinOperator_{shouted}:\n      loadBuiltin{op}(op, subg);\n      return;\n",
        ),
        TreeEdit("base_loader_declaration", op, f"  void loadBuiltin{op}({load};\n"),
        TreeEdit("base_loader_definition", op, f"{base_template}\nvoid {base}::loadBuiltin{op}({load}\n{body}"),
        TreeEdit(
            "circle_builtin_case",
            shouted,
            f"      case circle::BuiltinOperator::BuiltinOperator_{shouted}:\n        loadCircle{op}(op, subg);\n"
            "        return;\n",
        ),
        TreeEdit("circle_builtin_declaration", op, f"  void loadCircle{op}({load};\n"),
        TreeEdit("circle_builtin_definition", op, f"void CircleLoader::loadCircle{op}({load}\n{body}"),
        TreeEdit("circle_custom_enum", op, f"    {op},\n"),
        TreeEdit("circle_custom_map", op, f'    {{"acme.{op}", BuiltinOP::{op}}},\n'),
        TreeEdit("circle_custom_switch", op, f"    case BuiltinOP::{op}:\n      load{op}(op, subg);\n      break;\n"),
        TreeEdit("circle_custom_declaration", op, f"  void load{op}({load};\n"),
        TreeEdit("circle_custom_definition", op, f"{template}void {owner}::load{op}({load}\n{body}"),
        TreeEdit("circle_gen_h", op, f"  uint32_t addOperator{op}(const OperatorParams &params);\n"),
        TreeEdit(
            "circle_gen_cc",
            op,
            f"uint32_t CircleGen::addOperator{op}(const OperatorParams &params)\n{{\n  return 0;\n}}\n",
        ),
        TreeEdit(
            "untrainable_generate",
            op,
            f"operation::{op} generate{op}()\n{{\n  return operation::{op}{{{{1}}, {{0}}}};\n}}\n",
        ),
        TreeEdit("untrainable_use", op, f"  const auto {word} = generate{op}();\n  verifyOp({word});\n"),
    ]
    if era.operation_lst:
        return [*made, TreeEdit("cpu_operation_lst", op, f"OP({op})\n")]
    include = TreeEdit("cpu_kernel_generator_include", op, f'#include "ops/{op}Layer.h"\n')
    made += [*visits("cpu_kernel_generator", op), include]
    if era.validator_visits:
        text = f"  void visit(const ir::operation::{op} &) override {{ _supported = true; }}\n"
        made.append(TreeEdit("cpu_validator_h", op, text))
    return made


def files(op: str) -> dict[str, str]:
    """New files by their paths at de7f4736."""
    core, cpu = "runtime/onert/core", "runtime/onert/backend/cpu"
    return {
        f"{core}/include/ir/operation/{op}.h": f"class {op};\n",
        f"{core}/src/ir/operation/{op}.cc": f"// {op}\n",
        f"{core}/src/exec/{op}.test.cc": f"TEST(Graph, {op})\n{{\n}}\n",
        f"{cpu}/ops/{op}Layer.h": f"class {op}Layer;\n",
        f"{cpu}/ops/{op}Layer.cc": f"// {op}Layer\n",
        f"runtime/tests/nnfw_api/src/GenModelTests/one_op_tests/{op}.test.cc": f"TEST_F(GenModelTest, {op})\n{{\n}}\n",
    }
