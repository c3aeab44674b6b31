"""What era a tree of onert is of, read from its files: each trait is a row with its dates, a file and what to look for."""

from __future__ import annotations

from collections.abc import Callable

from opkg.targets.foreign import Era
from opkg.trees import traits
from opkg.trees.onert.places import BASE_LOADER, CIRCLE_GEN, CIRCLE_LOADER, CORE, CPU, STATIC, VALIDATOR, suffixed
from opkg.trees.traits import Need, Trait

MARK = f"{CORE}/include/ir/Operations.lst"
"""The file that every tree of onert has."""


_FACTORY = (f"{CORE}/include/compiler/CompilerFactory.h",)
TRAITS = (
    Trait("operation_lst", "since 2025-10-31", (f"{CPU}/Operation.lst",)),
    Trait("validator_visits", "2025-10", (f"{CPU}/Validator.h",), r"\bvisit\(const ir::operation::\w+ &\) override \{"),
    Trait("nested_namespaces", "since 2025-02", (f"{CORE}/src/compiler/StaticShapeInferer.cc",), "namespace onert::"),
    Trait("layout", "until 2024-08", (f"{CORE}/include/util/ShapeInference.h",), r"\bir::Layout\b"),
    Trait("unused_release", "until 2024-11", (f"{CORE}/include/util/Utils.h",), r"define UNUSED_RELEASE"),
    Trait("circle_custom", "since 2025", CIRCLE_LOADER, r"CircleLoader::loadCustom\("),
    Trait("specific_loader", "until 2021", BASE_LOADER, r"\bSpecificLoader\b"),
    Trait(
        "own_operands",
        "until 2022",
        tuple(f"{CORE}/include/compiler/{name}.h" for name in STATIC),
        r"\bir::Operands &_operands\b",
    ),
    Trait("zero_point", "since 2021", (f"{CORE}/include/backend/ITensor.h",), r"\bdata_zero_point\(", True),
    Trait(
        "output_constraint",
        "since 2021",
        (f"{CORE}/include/ir/Operation.h",),
        r"\bOperandConstraint output_constr\b",
        True,
    ),
    Trait("attr_map", "since 2021", BASE_LOADER, r"\bgetCustomOpAttrMap\(", True),
    Trait("same_quant", "since 2021", suffixed(VALIDATOR, ".h"), r"\bisSameQuantParam\(", True),
    Trait("custom_gen", "since 2021", suffixed(CIRCLE_GEN, "/CircleGen.h"), r"\baddCustomOperatorWithOptions\(", True),
    Trait(
        "cxx17", "since 2024", ("runtime/CMakeLists.txt", "infra/nnfw/CMakeLists.txt"), r"CXX_STANDARD (?:17|2\d)", True
    ),
    Trait("validator_operands", "since 2021", suffixed(VALIDATOR, ".h"), r"\b_operands\b", True),
    Trait("compiler_factory", "since 2022", _FACTORY, r"\bclass CompilerFactory\b"),
    Trait("options_list", "until 2024", _FACTORY, r"\bvector<std::unique_ptr<CompilerOptions>> &"),
    Trait("model_tests", "since 2021", suffixed(CIRCLE_GEN, "/GenModelTest.h"), r"\bexpectFailModelLoad\("),
)


NEEDS = (
    Need(f"{CORE}/src/compiler/OperationValidator.h", "OperationValidator is one of the compiler", "", never=True),
    Need(f"{CORE}/include/backend/ITensor.h", "ITensor has no getShape()", r"\bgetShape\(\) const"),
    Need(f"{CORE}/include/backend/ITensor.h", "ITensor has no applyShape()", r"\bapplyShape\("),
    Need(f"{CORE}/src/compiler/ShapeValidator.h", "ShapeValidator has no _graph", r"\b_graph\b"),
    Need(f"{CORE}/src/ir/OperationDumper.cc", "there is no dumpOpGeneric()", r"\bdumpOpGeneric\("),
    Need(
        f"{CPU}/KernelGenerator.cc",
        "getPortableTensor() gives a shared_ptr",
        r"getPortableTensor\(\w+\)\.get\(\)",
        True,
    ),
)
"""What trees have since the beginning of 2021."""


def detect(read: Callable[[str], str | None]) -> Era:
    """The era of a tree. `read`: the text of a file of it, None when it has none of that name."""
    return Era(**traits.found(TRAITS, read))


def words(era: Era) -> str:
    """An era in a few words, for the log."""
    set_ = [trait.field for trait in TRAITS if getattr(era, trait.field)]
    return ", ".join(set_).replace("_", " ") or "none of the known traits"
