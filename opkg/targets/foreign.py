"""What targets say of foreign trees: entries of lists, insertions, and the era of a tree, all of them values."""

from __future__ import annotations

from dataclasses import dataclass

MARK = "  # opkg: "  # and the package that put a line of Python in, where nothing in the line itself says so


def tick(package: str) -> str:
    """A tick in a table of Markdown that a package put in; the comment is not shown."""
    return f"&check; <!-- opkg: {package} -->"


@dataclass(frozen=True, slots=True)
class TreeEdit:
    """One insertion. `place`: a row of the table of places; `key`: the name that the entry is sorted and found by (of an
    operation); `text`: its lines, each with its end, as they stand in the file."""

    place: str
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Era:
    """How a tree of onert wants its code, as far as that changed over the years. The defaults are of its last commits.

    `opkg.trees.onert.eras` has the dates, and reads an era from a tree.

    - `operation_lst`: backends have an `Operation.lst`, and the file of a layer has the visits of Validator and
      KernelGenerator (else KernelGenerator.h and .cc have them, and there is no Validator).
    - `validator_visits`: the Validator of a backend has the visits in its header.
    - `nested_namespaces`: `namespace onert::ir` (else one line each).
    - `layout`: shape helpers and kernel generators know a layout.
    - `unused_release`: `UNUSED_RELEASE` is there, and used.
    - `circle_custom`: `CircleLoader::loadCustom` is there (else `BaseLoader::loadCustom` maps names of custom operations).
    - `specific_loader`: `BaseLoader` has a second template parameter, `SpecificLoader`.
    - `own_operands`: `StaticShapeInferer` has `_operands` (else the operands of `_lowered_subg->graph()`).
    - `zero_point`: tensors and types have a zero point (else it is called their offset).
    - `output_constraint`: `Operation` takes a constraint of its outputs.
    - `attr_map`: `BaseLoader` has `getCustomOpAttrMap`.
    - `same_quant`: `OperationValidator` has `isSameQuantParam`.
    - `custom_gen`: `CircleGen` of the tests has `addCustomOperatorWithOptions`.
    - `cxx17`: it is compiled as C++17.
    - `validator_operands`: `OperationValidator` has `_operands` (else they are called `_ctx`).
    - `compiler_factory`: `CompilerFactory` makes compilers of packages of models, so that tests of the core compile.
    - `options_list`: it takes options for each model of a package.
    - `model_tests`: tests of the API can expect that a model is not loaded.
    """

    operation_lst: bool = True
    nested_namespaces: bool = True
    layout: bool = False
    unused_release: bool = False
    circle_custom: bool = True
    specific_loader: bool = False
    own_operands: bool = False
    validator_visits: bool = False
    zero_point: bool = True
    output_constraint: bool = True
    attr_map: bool = True
    same_quant: bool = True
    custom_gen: bool = True
    cxx17: bool = True
    validator_operands: bool = True
    compiler_factory: bool = True
    options_list: bool = False
    model_tests: bool = True


@dataclass(frozen=True, slots=True)
class OpenvinoEra:
    """How a tree of OpenVINO wants its entries. The defaults are of its last commits; `opkg.trees.openvino.eras` has the dates.

    - `type_lists`: ops of Snippets stand in `is_type_any_of<...>` (else each has an `is_type<...>` of its own).
    - `emitter_factory`: emitters come from `emitter_factory.from_node` (else the macro CREATE_CPU_EMITTER makes them).
    - `shape_registry`: shape inference of ops is a list in a function (else of the macro SHAPE_INFER_PREDEFINED).
    """

    type_lists: bool = True
    emitter_factory: bool = True
    shape_registry: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """A sorted list in a file that is somebody else's; `opkg.trees.entries` finds it by structure.

    | kind | `name` | entries |
    | --- | --- | --- |
    | `classes` | - | the top-level classes of a Python module, two blank lines apart |
    | `imports` | - | its top-level `from MODULE import NAMES` |
    | `names` | `.` or a module | the names of one `from MODULE import (...)` |
    | `list` | `__all__`, `Class.attribute`, `function.variable` | elements of a list, tuple or set, one a line |
    | `call` | a function | elements of the list that is the first argument of its first call |
    | `guards` | a function | `if` statements of its body, before the return that it ends with |
    | `starts` | `function` or `Class.method` | `from MODULE import NAMES` that it begins with |
    | `lines` | a line | the lines from after that one up to the line `until` |
    | `table` | how its head begins | rows of a Markdown table, one of which is ticked and counted |
    | `onert`, `openvino` | a row of `opkg.trees.KIND.places` | entries at anchors in C++ files, X-macro lists and macros |

    `prefix`: only entries that begin so are compared with a new one.
    """

    kind: str
    name: str = ""
    prefix: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Insertion:
    """An entry for a list in a foreign tree. `key`: what it is sorted and found by; `text`: its lines, each with its end.

    `optional`: nothing is inserted where the tree has no such file. `shared`: an entry that is there already and has
    all lines of this one, marks apart, is left alone, because it does not matter whose it is.
    """

    path: str
    place: Place
    key: str
    text: str
    optional: bool = False
    shared: bool = False
