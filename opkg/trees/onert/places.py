"""Where the entries of an operation stand in a tree of onert: files under all their names, and what an entry looks like.

The order of names and the dates are those of the history of Samsung/ONE from 2020 to de7f4736 (2026-04-21).
"""

from __future__ import annotations

from opkg.trees.anchors import Row

CORE = "runtime/onert/core"
CPU = "runtime/onert/backend/cpu"
FRONTEND = "runtime/onert/frontend"
BASE_LOADER = (
    f"{CORE}/src/loader/BaseLoader.h",  # since 2024-02
    f"{CORE}/src/loader/base_loader.h",
    f"{FRONTEND}/base_loader/include/base_loader.h",  # until 2024-01
)
CIRCLE_LOADER = (
    f"{CORE}/src/loader/CircleLoader.cc",
    f"{CORE}/src/loader/circle_loader.cc",
    f"{FRONTEND}/circle/src/circle_loader.cc",
)
VALIDATOR = (f"{CORE}/src/ir/OperationValidator", f"{CORE}/src/compiler/OperationValidator")  # until 2020-10
STATIC = ("StaticShapeInferer", "StaticShapeInference")
DYNAMIC = ("DynamicShapeInferer", "DynamicShapeInference")  # until 2020-10
CIRCLE_GEN = ("runtime/tests/nnfw_api/lib", "tests/nnfw_api/lib", "tests/nnfw_api/src")  # until 2025-02, 2023
UNTRAINABLE = (f"{CORE}/src/ir/train/operation/UntrainableOperation.test.cc",)

_OPERAND = r"const (?:onert::)?(?:ir::)?operation::(\w+) &"
_DECLARED = rf"\s+void visit\({_OPERAND}"
_CUSTOM = r"(?:CircleLoader|BaseLoader\s*<[^>]*>)::(?:BaseLoader::)?loadCustom\("
_HAS_CUSTOM = r"::loadCustom\(const (?:typename )?\w*Operator"
_NOT_OPS = r"(?!(?:Operation|OperationIO|OperationTo|FromFile|FromBuffer|Model|StridesAndPaddings|Pool2DOptions)\()"


def suffixed(stems: tuple[str, ...], suffix: str) -> tuple[str, ...]:
    """The files of some stems."""
    return tuple(stem + suffix for stem in stems)


def _in(folder: str, names: tuple[str, ...], suffix: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}{suffix}" for name in names)


def _visits(place: str, owner: str, headers: tuple[str, ...], sources: tuple[str, ...], heads: str = "") -> list[Row]:
    """The declarations and definitions of the visits of one class (`heads`: a pattern of its names)."""
    name = heads or owner
    like = f"void {owner}::visit(const ... &node)"
    return [
        Row(
            f"{place}_h", headers, _DECLARED, "void visit(const ... &) override;", "statement", (rf"\bclass {name}\b",)
        ),
        Row(f"{place}_cc", sources, rf"void {name}::visit\({_OPERAND}", like, "statement", gap=1),
    ]


def _rows() -> tuple[Row, ...]:
    include = f"{CORE}/include"
    dumper = r"const (?:\w+::)*(\w+) &"
    return (
        Row("operations_lst", (f"{include}/ir/Operations.lst",), r"OP\((\w+)\)", "OP(Name)", until="Training Only"),
        Row(
            "operations_include",
            (f"{include}/ir/Operations.Include.h",),
            r'#include "ir/operation/(\w+)\.h"',
            '#include "ir/operation/Name.h"',
        ),
        *_visits("operation_validator", "OperationValidator", suffixed(VALIDATOR, ".h"), suffixed(VALIDATOR, ".cc")),
        *_visits(
            "shape_validator",
            "ShapeValidator",
            (f"{CORE}/src/compiler/ShapeValidator.h",),
            (f"{CORE}/src/compiler/ShapeValidator.cc",),
        ),
        *_visits(
            "static_shape_inferer",
            "StaticShapeInferer",
            _in(f"{include}/compiler", STATIC, ".h"),
            _in(f"{CORE}/src/compiler", STATIC, ".cc"),
        ),
        *_visits(
            "dynamic_shape_inferer",
            "DynamicShapeInferer",
            _in(f"{include}/exec", DYNAMIC, ".h"),
            _in(f"{CORE}/src/exec", DYNAMIC, ".cc"),
        ),
        Row(
            "operation_dumper_h",
            (f"{CORE}/src/ir/OperationDumper.h",),
            rf"\s+void visit\({dumper}",
            "void visit(const ... &) override;",
            "statement",
            (r"\bclass OperationDumper\b",),
        ),
        Row(
            "operation_dumper_cc",
            (f"{CORE}/src/ir/OperationDumper.cc",),
            rf"void OperationDumper::visit\({dumper}",
            "void OperationDumper::visit(const ... &node)",
            "statement",
            gap=1,
        ),
        *_shapes(include),
        *_base_loader(),
        *_circle_builtin(),
        *_circle_loader(),
        *_cpu(),
        *_tests(),
    )


def _shapes(include: str) -> list[Row]:
    anchor, like = r"(?:template\s*<[^>]*>\s*)?ir::Shape infer(\w+?)Shape\(", "ir::Shape inferNameShape(...)"
    return [
        Row("shape_inference_h", (f"{include}/util/ShapeInference.h",), anchor, like, "statement", gap=1),
        Row("shape_inference_cc", (f"{CORE}/src/util/ShapeInference.cc",), anchor, like, "statement", gap=1),
    ]


def _base_loader() -> list[Row]:
    return [
        Row(
            "base_loader_case",
            BASE_LOADER,
            r"\s+case (?:\w+::)*BuiltinOperator_(\w+):",
            "case BuiltinOperator::BuiltinOperator_NAME:",
            "case",
            (r"BaseLoader\s*<[^>]*>::(?:BaseLoader::)?loadOperation\(", r"\bswitch \("),
            until=r"^\s*default:",
            tail=True,
        ),
        Row(
            "base_loader_declaration",
            BASE_LOADER,
            rf"\s+void load{_NOT_OPS}(\w+)\(const (?:typename )?Operator \*",
            "void loadName(const Operator *op, ir::Graph &subg);",
            "statement",
            (r"\bclass BaseLoader\b",),
        ),
        Row(
            "base_loader_definition",
            BASE_LOADER,
            rf"(?:template\s*<[^>]*>\s*)?void BaseLoader\s*<[^>]*>::(?:BaseLoader::)?load{_NOT_OPS}(\w+)\(",
            "void BaseLoader<...>::loadName(...)",
            "statement",
            gap=1,
        ),
    ]


def _circle_builtin() -> list[Row]:
    """Operators that only Circle's schema has."""
    return [
        Row(
            "circle_builtin_case",
            CIRCLE_LOADER,
            r"\s+case (?:\w+::)*BuiltinOperator_(\w+):",
            "case circle::BuiltinOperator::BuiltinOperator_NAME:",
            "case",
            (r"\bclass CircleLoader\b", r"\bloadOperation\(", r"\bswitch \("),
            until=r"^\s*default:",
            tail=True,
        ),
        Row(
            "circle_builtin_declaration",
            CIRCLE_LOADER,
            rf"\s+void load{_NOT_OPS}(\w+)\(const (?:typename )?Operator \*",
            "void loadName(const Operator *op, ir::Graph &subg);",
            "statement",
            (r"\bclass CircleLoader\b",),
        ),
        Row(
            "circle_builtin_definition",
            CIRCLE_LOADER,
            rf"void CircleLoader::load{_NOT_OPS}(\w+)\(",
            "void CircleLoader::loadName(...)",
            "statement",
            gap=1,
        ),
    ]


def _circle_loader() -> list[Row]:
    """Names of custom operations that are operations of onert; where CircleLoader has no such list, BaseLoader has it."""
    both = CIRCLE_LOADER + BASE_LOADER
    return [
        Row(
            "circle_custom_enum",
            both,
            r"\s+(\w+)\s*,?\s*(?://.*)?$",
            "Name,",
            "element",
            (_CUSTOM, r"\benum class BuiltinOP\b"),
            tail=True,
            needs=_HAS_CUSTOM,
        ),
        Row(
            "circle_custom_map",
            both,
            r"\s+\{\"[^\"]*\",\s*BuiltinOP::(\w+)\}\s*,?",
            '{"Name", BuiltinOP::Name},',
            "element",
            (_CUSTOM, r"\bbuiltin_map\b"),
            tail=True,
            needs=_HAS_CUSTOM,
        ),
        Row(
            "circle_custom_switch",
            both,
            r"\s+case BuiltinOP::(\w+):",
            "case BuiltinOP::Name:",
            "case",
            (_CUSTOM, r"\bswitch \("),
            until=r"^\s*default:",
            tail=True,
            needs=_HAS_CUSTOM,
        ),
        Row(
            "circle_custom_declaration",
            both,
            rf"\s+void load{_NOT_OPS}(\w+)\(const (?:typename )?Operator \*",
            "void loadName(const Operator *op, ir::Graph &subg);",
            "statement",
            (r"\bclass (?:CircleLoader|BaseLoader)\b",),
            needs=_HAS_CUSTOM,
        ),
        Row(
            "circle_custom_definition",
            both,
            rf"(?:template\s*<[^>]*>\s*)?void (?:CircleLoader|BaseLoader\s*<[^>]*>)::(?:BaseLoader::)?load{_NOT_OPS}(\w+)\(",
            "void CircleLoader::loadName(...)",
            "statement",
            gap=1,
            needs=_HAS_CUSTOM,
        ),
    ]


def _cpu() -> list[Row]:
    header, source = (f"{CPU}/KernelGenerator.h",), (f"{CPU}/KernelGenerator.cc",)
    return [
        Row("cpu_operation_lst", (f"{CPU}/Operation.lst",), r"OP\((\w+)\)", "OP(Name)"),
        *_visits("cpu_kernel_generator", "KernelGenerator", header, source),
        Row(
            "cpu_validator_h",  # between 2025-10-15 and Operation.lst
            (f"{CPU}/Validator.h",),
            _DECLARED,
            "void visit(const ... &) override { ... }",
            "statement",
            (r"\bclass Validator\b",),
        ),
        Row(
            "cpu_kernel_generator_include",
            source,
            r'#include "ops/(\w+?)(?:Layer)?\.h"',
            '#include "ops/NameLayer.h"',
        ),
    ]


def _tests() -> list[Row]:
    add = r"addOperator(?!(?:WithOptions|Code)\()(\w+)\("
    end = "Add Operator methods end"
    return [
        Row(
            "circle_gen_h",
            tuple(f"{folder}/CircleGen.h" for folder in CIRCLE_GEN),
            rf"\s+uint32_t {add}",
            "uint32_t addOperatorName(...);",
            "statement",
            (r"\bclass CircleGen\b",),
            until=end,
            optional=True,
        ),
        Row(
            "circle_gen_cc",
            tuple(f"{folder}/CircleGen.cc" for folder in CIRCLE_GEN),
            rf"uint32_t CircleGen::{add}",
            "uint32_t CircleGen::addOperatorName(...)",
            "statement",
            until=end,
            gap=1,
            optional=True,
        ),
        Row(
            "untrainable_generate",
            UNTRAINABLE,
            r"operation::(\w+) generate\w+\(\)",
            "operation::Name generateName()",
            "statement",
            gap=1,
            optional=True,
        ),
        Row(
            "untrainable_use",
            UNTRAINABLE,
            r"\s+(?:const )?auto \w+ = generate(\w+)\(\);",
            "const auto name = generateName();",
            "paragraph",
            (r"\bTEST\(UntrainableOperation, testAllOps\)",),
            gap=1,
            optional=True,
        ),
    ]


ROWS = {row.name: row for row in _rows()}
