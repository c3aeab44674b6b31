"""A small tree of onert that compiles: our stand-in of its core (opkg/sim/include/onert) in the files of the real one.

Three operations are in it, so that every list has an entry; `opkg onert apply` puts more in, cmake builds them.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "onert_target"))
from onert_graph import HEADERS, SIM, loaders, schema
from onert_kit import package_of

from opkg.spec.model import OpPackage
from opkg.targets.foreign import Era
from opkg.targets.onert.edits import edits
from opkg.targets.onert.files import CORE, CPU, files
from opkg.targets.onert.layout import Option

API = "runtime/tests/nnfw_api"
OP = """\
  {name}:
    inputs: {{x: {{dtype: float32, rank: 1..4}}}}
    outputs: {{y: {{dtype: float32, shape: x.shape}}}}
    compute: y = x
    onert: {onert}
"""
SPEC = "opkg: 1\npackage: {name: onert.own, targets: [onert]}\nops:\n" + "".join(
    OP.format(name=name, onert=onert).replace("    onert: null\n", "")
    for name, onert in (
        ("Kept", "null"),
        ("Passed", "{builtin: PASSED}"),
        ("Turned", "{builtin: TURNED, circle: true}"),
    )
)
REQUIRES = """\
#define OP_REQUIRES(EXP) \\
  do { if (!(EXP)) throw std::runtime_error("failed at line " + std::to_string(__LINE__)); } while (0)
"""
# Class -> its header, its namespace, its source.
CLASSES = {
    "OperationValidator": (f"{CORE}/src/ir/OperationValidator.h", "ir", f"{CORE}/src/ir/OperationValidator.cc"),
    "OperationDumper": (f"{CORE}/src/ir/OperationDumper.h", "ir", f"{CORE}/src/ir/OperationDumper.cc"),
    "ShapeValidator": (f"{CORE}/src/compiler/ShapeValidator.h", "compiler", f"{CORE}/src/compiler/ShapeValidator.cc"),
    "StaticShapeInferer": (
        f"{CORE}/include/compiler/StaticShapeInferer.h", "compiler", f"{CORE}/src/compiler/StaticShapeInferer.cc"
    ),
    "DynamicShapeInferer": (
        f"{CORE}/include/exec/DynamicShapeInferer.h", "exec", f"{CORE}/src/exec/DynamicShapeInferer.cc"
    ),
}  # fmt: skip
CMAKE = """\
cmake_minimum_required(VERSION 3.16)
project(small CXX)
set(CMAKE_CXX_STANDARD 17)
add_compile_options(-Wall -Wextra -Werror)
add_link_options(-Wl,--no-as-needed)
include_directories(onert/core/include onert/core/src onert/backend/cpu libs/circle-schema/include tests/nnfw_api/lib)
add_subdirectory(onert/core)
add_subdirectory(onert/backend/cpu)
add_subdirectory(tests/nnfw_api)
"""
CMAKE_CORE = """\
file(GLOB_RECURSE SOURCES "src/*.cc")
file(GLOB_RECURSE TESTS "src/*.test.cc")
list(REMOVE_ITEM SOURCES ${TESTS})
add_library(onert_core SHARED ${SOURCES})
add_executable(test_onert_core ${TESTS} gtest_main.cpp)
target_link_libraries(test_onert_core onert_core onert_backend_cpu)
"""
CMAKE_CPU = """\
macro(OP NAME)
  list(APPEND SOURCES ops/${NAME}Layer.cc)
endmacro()
include(Operation.lst)
add_library(onert_backend_cpu SHARED ${SOURCES})
target_link_libraries(onert_backend_cpu onert_core)
"""
CMAKE_API = """\
file(GLOB_RECURSE SOURCES "*.cc")
add_executable(nnfw_api_gtest ${SOURCES} ../../onert/core/gtest_main.cpp)
target_link_libraries(nnfw_api_gtest onert_core onert_backend_cpu)
"""


def _factory(include: str, runtime: _Text) -> dict[str, str]:
    """The factory of compilers in the header that has it in a real tree."""
    text = runtime.take(r"^class CompilerFactory \{.*?^\};\n")
    head = '#pragma once\n#include "onert/runtime.h"\n'
    return {
        f"{include}/compiler/CompilerFactory.h": _spaced(head, "onert::compiler", text),
        f"{include}/onert/runtime.h": runtime.text,
    }


class _Text:
    """A text that parts are taken out of."""

    def __init__(self, text: str) -> None:
        self.text = text

    def take(self, pattern: str) -> str:
        match = re.search(pattern, self.text, re.S | re.M)
        assert match is not None, pattern
        self.text = self.text[: match.start()] + self.text[match.end() :]
        return match[0]


def small(folder: Path) -> Path:
    """The tree below a folder."""
    for path, text in _files(package_of(SPEC)).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def _files(package: OpPackage) -> dict[str, str]:
    era = Era()
    places: dict[str, list[str]] = {}
    made = {}
    for op in package.ops:
        made |= {artifact.path: artifact.text for artifact in files(package, op, era, Option())}
        for edit in edits(package, op, era):
            places.setdefault(edit.place, []).append(edit.text)
    places |= schema(package) | loaders(era)

    def entries(place: str) -> str:
        return ("" if place.endswith(("_h", "_case", "_declaration", "_enum", "_map")) else "\n").join(
            places.get(place, [])
        )

    def filled(name: str) -> _Text:
        return _Text(
            re.sub(
                r" *//@ (\w+)\n|/\*@ (\w+) \*/",
                lambda m: entries(m[1] or m[2]) + "\n" * bool(m[1]),
                (SIM / name).read_text(),
            )
        )

    include = f"{CORE}/include"
    for name, part in HEADERS.items():
        if name != "GenModelTest.h":
            made[f"{include}/{name}"] = f'#include "onert/{part}.h"\n'
    made |= {f"{include}/onert/{name}": filled(name).text for name in ("ir.h", "runtime.h", "gtest.h")}
    made |= _factory(include, _Text(made[f"{include}/onert/runtime.h"]))
    made[f"{include}/ir/Operation.h"] = made.pop(f"{include}/onert/ir.h")
    made[f"{include}/onert/ir.h"] = '#include "ir/Operation.h"\n'
    made[f"{include}/ir/Operations.lst"] = entries("operations_lst")
    made[f"{include}/ir/Operations.Include.h"] = "#pragma once\n" + entries("operations_include").replace("\n\n", "\n")
    made[f"{CPU}/Operation.lst"] = entries("cpu_operation_lst").replace("\n\n", "\n")
    made[f"{include}/ir/Operations.lst"] = made[f"{include}/ir/Operations.lst"].replace("\n\n", "\n")
    made |= _core(filled("core.h"), filled("core.cc"), entries) | _cpu(filled("tensors.h"))
    made |= _loaders(filled("loader.h"), filled("loader.cc"), filled("GenModelTest.h"), entries("circle_gen_cc"))
    tests = "".join(f"{entries(place)}\n" for place in ("untrainable_generate",))
    made[f"{CORE}/src/ir/train/operation/UntrainableOperation.test.cc"] = (
        '#include "ir/Operations.Include.h"\n\n#include <gtest/gtest.h>\n\nusing namespace onert::ir;\n\n'
        f"{tests}\ntemplate <typename T> static void verifyOp(const T &op)\n{{\n"
        "  EXPECT_TRUE(op.opcode() != OpCode::COUNT);\n}\n\n"
        f"TEST(UntrainableOperation, testAllOps)\n{{\n{entries('untrainable_use')}}}\n"
    )
    made[f"{CORE}/src/util/ShapeInference.test.cc"] = "\n"
    made[f"{CORE}/gtest_main.cpp"] = (SIM / "gtest_main.cc").read_text()
    return made | {
        "runtime/CMakeLists.txt": CMAKE, f"{CORE}/CMakeLists.txt": CMAKE_CORE, f"{CPU}/CMakeLists.txt": CMAKE_CPU,
        f"{API}/CMakeLists.txt": CMAKE_API,
    }  # fmt: skip


def _core(header: _Text, source: _Text, entries: object) -> dict[str, str]:
    """One header and one source for each class that visits operations; what is left of the stand-in uses them."""
    made, names = {}, []
    lowered = header.take(r"^struct LoweredGraph \{.*?^\};\n")
    helpers = {
        "OperationDumper": source.take(r"^std::string OperationDumper::last;\n")
        + source.take(r"^static void dumpOpGeneric.*?^\}\n"),
    }
    for name, (path, space, definitions) in CLASSES.items():
        text = header.take(rf"^class {name} .*?^\}};\n")
        text = lowered + text if name == "StaticShapeInferer" else text
        made[path] = _spaced(
            '#pragma once\n#include "onert/ir.h"\n#include "onert/tensors.h"\n', f"onert::{space}", text
        )
        include = path.partition("/include/")[2] or path.rpartition("/")[2]
        visits = "".join(f"{m}\n" for m in _taken(source, rf"^void {name}::visit\(.*?(?:^\}}\n|\}}\n)"))
        using = "using namespace operation;\n\n" if name == "OperationDumper" else ""
        made[definitions] = _spaced(
            f'#include "{include}"\n\n#include "ir/Operations.Include.h"\n#include "util/ShapeInference.h"\n{REQUIRES}',
            f"onert::{space}",
            f"{using}{helpers.get(name, '')}\n{visits}",
        )
        names.append(path.partition("/include/")[2] or path.partition("/src/")[2])
    declared = header.take(r"^ir::Shape inferEltwiseShape\(.*?;\n")
    inferred = source.take(r"^ir::Shape inferEltwiseShape\(.*?^\}\n")
    made[f"{CORE}/include/util/ShapeInference.h"] = _spaced(
        '#pragma once\n#include "onert/ir.h"\n', "onert::shape_inference", declared
    )
    made[f"{CORE}/src/util/ShapeInference.cc"] = _spaced(
        '#include "util/ShapeInference.h"\n\n#include <algorithm>\n', "onert::shape_inference", inferred
    )
    made[f"{CORE}/include/onert/core.h"] = "#pragma once\n" + "".join(
        f'#include "{name}"\n' for name in (*names, "util/ShapeInference.h")
    )
    source.text = source.text.replace(
        '#include "onert/runtime.h"\n',
        '#include "compiler/CompilerFactory.h"\n#include "KernelGenerator.h"\n#include "Validator.h"\n',
    )
    made[f"{CORE}/src/compiler/Compiler.cc"] = source.text
    return made


def _taken(source: _Text, pattern: str) -> list[str]:
    found = []
    while re.search(pattern, source.text, re.S | re.M):
        found.append(source.take(pattern))
    return found


def _spaced(head: str, space: str, text: str) -> str:
    return f"{head}\nnamespace {space}\n{{\n\n{text}\n}} // namespace {space}\n"


def _cpu(header: _Text) -> dict[str, str]:
    made = {}
    for name in ("Validator", "KernelGenerator"):
        text = header.take(rf"^class {name} .*?^\}};\n")
        head = '#pragma once\n#include "ir/Operations.Include.h"\n#include "onert/tensors.h"\n'
        made[f"{CPU}/{name}.h"] = _spaced(head, "onert::backend::cpu", text)
    return {**made, f"{CORE}/include/onert/tensors.h": header.text}


def _loaders(header: _Text, source: _Text, fixture: _Text, gen: str) -> dict[str, str]:
    """The schema and flexbuffers, both loaders, the generator of models and what runs them."""
    lib = f"{API}/lib"
    base = header.take(r"^template <typename LoaderDomain>\nclass BaseLoader \{.*?^\};\n")
    base += "\n" + "\n".join(_taken(source, r"^template <typename LoaderDomain>\nvoid BaseLoader.*?^\}\n"))
    domain = header.take(r"^struct LoaderDomain \{.*?^\};\n")
    circle = header.take(r"^class CircleLoader .*?^\};\n") + "\n".join(_taken(source, r"^void CircleLoader::.*?^\}\n"))
    generator = header.take(r"^class CircleGen \{.*?^\};\n")
    generator = re.sub(
        r"\n\n(  std::vector<std::vector<uint8_t>> buffers;)", r"\n  // Add Operator methods end\n\n\1", generator
    )
    contexts = header.take(r"^struct TestCaseData \{.*(?=^#endif)")
    source.take(r"^uint32_t CircleGen::.*(?=^namespace ir = )")
    run = source.text.replace("  onert::loader::CircleLoader loader;\n", "").replace(
        "loader.loadOperation(&op, *graph)", "onert::loader::load(&op, *graph)"
    )
    declared = '#pragma once\n#include "circle_schema_generated.h"\n\n'
    load = "void load(const circle::Operator *op, onert::ir::Graph &subg)"
    made = {
        "runtime/libs/circle-schema/include/circle_schema_generated.h": header.text,
        f"{CORE}/src/loader/BaseLoader.h": _spaced(declared, "onert::loader", base),
        f"{CORE}/src/loader/CircleLoader.cc": _spaced(
            '#include "BaseLoader.h"\n',
            "onert::loader",
            f"{domain}\n{circle}\n{load}\n{{\n  CircleLoader().loadOperation(op, subg);\n}}\n",
        ),
        f"{lib}/CircleGen.h": f"{declared}{generator}",
        f"{lib}/CircleGen.cc": f'#include "CircleGen.h"\n\n{gen}\n// Add Operator methods end\n',
        f"{lib}/GenModelTest.h": fixture.text.replace(
            '#include "onert/loader.h"\n',
            '#include "CircleGen.h"\n#include "compiler/CompilerFactory.h"\n\n'
            f"namespace onert::loader {{ {load}; }}\n\n{contexts}\n",
        ),
        f"{lib}/GenModelTest.cc": run.replace('#include "onert/loader.h"\n', '#include "GenModelTest.h"\n'),
    }
    made[f"{API}/src/GenModelTests/one_op_tests/README"] = "Tests of one operation each.\n"
    return made
