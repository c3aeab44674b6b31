"""Entries of loaders and of the generator of test models with the real flatbuffers: what one writes the other reads."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from onert_graph import CORE_INCLUDE, stand_in
from onert_kit import package_of

from opkg.spec.model import Op, OpPackage, ParamSpec, Value
from opkg.targets.foreign import Era
from opkg.targets.onert.edits import edits
from opkg.targets.onert.names import literal_of
from opkg.targets.portable_kernel.params import param_cpp

SPEC = """\
opkg: 1
package: {name: acme.options, targets: [onert]}
ops:
  Plain:
    inputs: {x: {dtype: float32, rank: 1..4}}
    params: &params
      options: {dtype: int32, enum: {NONE: 0, RELU: 1, TANH: 4}}
      table: {dtype: float32, default: 0.5}
      start: {dtype: bool8, default: false}
      axes: {dtype: int32, shape: [2]}
      flags: {dtype: bool8, shape: [3]}
      params: {dtype: float32, shape: [2]}
      wide: {dtype: int64, default: 3}
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: &compute y = x * table + options + wide
  Listed:
    inputs: {x: {dtype: float32, rank: 1..4}}
    params: *params
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: *compute
    onert: {builtin: LISTED, options: ListedOptions, fields: {options: fused_activation_function}}
  OfCircle:
    inputs: {x: {dtype: float32, rank: 1..4}}
    params: *params
    outputs: {y: {dtype: float32, shape: x.shape}}
    compute: *compute
    onert: {builtin: OF_CIRCLE, options: OfCircleOptions, circle: true}
"""
VALUES: dict[str, Value] = {
    "options": 4,
    "table": -2.25,
    "start": True,
    "axes": (-3, 7),
    "flags": (True, False, True),
    "params": (0.125, -9.5),
    "wide": -(1 << 40),
}
SCHEMA = """\
namespace circle;
enum Activation : byte { NONE = 0, RELU = 1, TANH = 4 }
enum BuiltinOperator : int { CUSTOM = 0, LISTED = 1, OF_CIRCLE = 2 }
enum CustomOptionsFormat : byte { FLEXBUFFERS = 0 }
"""
FIELDS = {"options": "Activation", "table": "float", "start": "bool", "axes": "[int]", "flags": "[bool]"} | {
    "params": "[float]",
    "wide": "long",
}
TABLES = """\
union BuiltinOptions { ListedOptions, OfCircleOptions }
table Operator {
  inputs: [int]; outputs: [int]; builtin_options: BuiltinOptions; custom_options: [ubyte];
}
root_type Operator;
"""
# What the entries find around them in a tree, in our words.
AROUND = """\
#include "circle_generated.h"

#include <flatbuffers/flexbuffers.h>

#include "ir/Graph.h"
#include "ir/Operations.Include.h"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace onert;

class CircleGen
{
public:
  struct OperatorParams
  {
    std::vector<int32_t> inputs;
    std::vector<int32_t> outputs;
  };
  const circle::Operator *made() { return circle::GetOperator(_fbb.GetBufferPointer()); }
  //@ circle_gen_h

private:
  uint32_t addOperatorWithOptions(const OperatorParams &params, circle::BuiltinOperator, circle::BuiltinOptions type,
                                  flatbuffers::Offset<void> options)
  {
    _fbb.Finish(circle::CreateOperatorDirect(_fbb, &params.inputs, &params.outputs, type, options));
    return 0;
  }
  uint32_t addCustomOperatorWithOptions(const OperatorParams &params, std::string, circle::BuiltinOptions type,
                                        flatbuffers::Offset<void> options, const std::vector<uint8_t> *custom_options,
                                        circle::CustomOptionsFormat, const std::vector<uint8_t> *,
                                        const std::vector<int32_t> *)
  {
    _fbb.Finish(
      circle::CreateOperatorDirect(_fbb, &params.inputs, &params.outputs, type, options, custom_options));
    return 0;
  }
  flatbuffers::FlatBufferBuilder _fbb{1024};
};

//@ circle_gen_cc

struct Domain
{
  using Operator = circle::Operator;
};
template <typename LoaderDomain MORE> class BaseLoader
{
public:
  using Operator = typename LoaderDomain::Operator;
  //@ base_loader_declaration

protected:
  void loadOperationIO(const Operator *op, ir::OperandIndexSequence &inputs, ir::OperandIndexSequence &outputs)
  {
    for (const auto index : *op->inputs())
      inputs.append(ir::OperandIndex(static_cast<uint32_t>(index)));
    for (const auto index : *op->outputs())
      outputs.append(ir::OperandIndex(static_cast<uint32_t>(index)));
  }
  ATTRIBUTES
};
class CircleLoader : public BaseLoader<Domain OWN>
{
public:
  //@ circle_declaration
};
//@ definitions
"""
ATTRIBUTES = """\
flexbuffers::Map getCustomOpAttrMap(const Operator *op)
  {
    return flexbuffers::GetRoot(op->custom_options()->Data(), op->custom_options()->size()).AsMap();
  }
"""


def _literal(param: ParamSpec) -> str:
    return literal_of(param, VALUES[param.name])


SHOW = """\
template <typename T> void show(const T &value) { std::cout << +value; }
template <typename T> void show(const std::vector<T> &values)
{
  for (size_t i = 0; i < values.size(); ++i)
    std::cout << (i == 0 ? "[" : ",") << +static_cast<T>(values[i]);
  std::cout << "]";
}
"""


def _main(ops: tuple[Op, ...]) -> str:
    """Writes one operator with each entry, loads it, and prints its params as JSON."""
    lines = [SHOW, "int main()", "{", "  std::cout.precision(17);"]
    for op in ops:
        values = ", ".join(
            f"std::vector<{param_cpp(p)}>{_literal(p)}" if p.shape is not None else _literal(p) for p in op.params
        )
        lines += ["  {", "    CircleGen gen;", f"    gen.addOperator{op.name}({{{{0}}, {{1}}}}, {values});"]
        lines += ["    ir::Graph graph;", "    for (int i = 0; i < 2; ++i)"]
        lines += ["      graph.addOperand(ir::Shape{1}, ir::TypeInfo{ir::DataType::FLOAT32});"]
        lines += ["    CircleLoader loader;", f"    loader.load{op.name}(gen.made(), graph);"]
        lines += [f"    const auto &one = dynamic_cast<const ir::operation::{op.name} &>(*graph.operations().back());"]
        for place, param in enumerate(op.params):
            lines += [f'    std::cout << "{"," if place else "{"}\\"{param.name}\\":";']
            lines += [f"    show(one.param().{param.name});"]
        lines += ['    std::cout << "}\\n";', "  }"]
    return "\n".join([*lines, "}", ""])


def _program(package: OpPackage, era: Era) -> str:
    """The entries of an era among what they find around them."""
    texts: dict[str, list[str]] = {}
    for op in package.ops:
        for edit in edits(package, op, era):
            texts.setdefault(edit.place, []).append(edit.text)
    places = {"circle_gen_h": texts["circle_gen_h"], "circle_gen_cc": texts["circle_gen_cc"]}
    places["base_loader_declaration"] = texts["base_loader_declaration"]
    places["circle_declaration"] = texts["circle_builtin_declaration"]
    custom = places["circle_declaration" if era.circle_custom else "base_loader_declaration"]
    custom += texts["circle_custom_declaration"]
    definitions = ("base_loader_definition", "circle_builtin_definition", "circle_custom_definition")
    places["definitions"] = [text for name in definitions for text in texts[name]]
    around = re.sub(r" *//@ (\w+)\n", lambda m: "\n".join(places[m[1]]), AROUND)
    around = around.replace("ATTRIBUTES", ATTRIBUTES if era.attr_map else "")
    around = around.replace("MORE", ", typename SpecificLoader" if era.specific_loader else "")
    return around.replace("Domain OWN", "Domain, CircleLoader" if era.specific_loader else "Domain") + _main(
        package.ops
    )


OLD = Era(
    operation_lst=False, nested_namespaces=False, circle_custom=False, specific_loader=True, attr_map=False, cxx17=False
)


@pytest.mark.parametrize("era", [Era(), OLD], ids=["today", "2021"])
def test_what_is_written_is_read(tmp_path: Path, era: Era) -> None:
    """Options by flexbuffers, and the schema's tables as flatc makes them: an enum, bools, lists, numbers of 64 bits,
    params that are called like variables of generated code."""
    if shutil.which("flatc") is None or not os.path.isfile("/usr/include/flatbuffers/flexbuffers.h"):
        assert not os.environ.get("CI"), "install flatbuffers-compiler and libflatbuffers-dev (scripts/setup.sh test)"
        pytest.skip("there is no flatc or no flexbuffers.h")
    package = package_of(SPEC)
    stand_in(tmp_path, package, era)
    fields = "; ".join(f"{name}: {type_}" for name, type_ in FIELDS.items())
    listed = fields.replace("options:", "fused_activation_function:")
    tables = f"table ListedOptions {{ {listed}; }}\ntable OfCircleOptions {{ {fields}; }}\n{TABLES}"
    (tmp_path / "circle.fbs").write_text(SCHEMA + tables)
    subprocess.run(["flatc", "--cpp", "-o", tmp_path, tmp_path / "circle.fbs"], check=True)
    (tmp_path / "main.cc").write_text(_program(package, era))
    classes = [tmp_path / "runtime/onert/core/src/ir/operation" / f"{op.name}.cc" for op in package.ops]
    flags: list[str | Path] = ["-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{tmp_path}", f"-I{tmp_path}/include"]
    flags += [f"-I{tmp_path / CORE_INCLUDE}", "-o", tmp_path / "main"]
    command = ["g++", *flags, tmp_path / "main.cc", *classes, "-lflatbuffers"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    shown = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout.splitlines()
    wanted = {name: list(value) if isinstance(value, tuple) else value for name, value in VALUES.items()}
    assert [json.loads(line) for line in shown] == [wanted] * len(package.ops)
