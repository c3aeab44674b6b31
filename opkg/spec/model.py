"""The model of a spec: frozen dataclasses that hold every fact of an op package, each with its place in the file.

Past this module there is no dict and no text that still has to be understood, except rules, which `opkg.rules` reads.
Names follow QNN and QHPI. Shapes are in the op's own rank, as QNN sees them (QHPI pads them to 4 in front).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from opkg.spec.diagnostics import Span
from opkg.spec.dtypes import DType
from opkg.spec.expr import Expression
from opkg.spec.model_builtin import Builtin as Builtin
from opkg.spec.model_kernels import CostName as CostName
from opkg.spec.model_kernels import Flag as Flag
from opkg.spec.model_kernels import Layout as Layout
from opkg.spec.model_kernels import Placement as Placement
from opkg.spec.model_kernels import Resource as Resource
from opkg.spec.model_kernels import Storage as Storage
from opkg.spec.model_tests import Reference as Reference
from opkg.spec.model_tests import TensorCase as TensorCase
from opkg.spec.model_tests import TestCase as TestCase
from opkg.spec.model_tests import Tests as Tests
from opkg.spec.model_tests import Tolerance as Tolerance
from opkg.spec.model_tests import Value as Value
from opkg.spec.model_types import Combination as Combination
from opkg.spec.model_types import TypeRef as TypeRef
from opkg.spec.model_types import TypeVar as TypeVar

if TYPE_CHECKING:  # loaded only for specs that have rules, computations or torch ops
    from opkg.spec.compute.tree import Compute
    from opkg.spec.pattern import TorchPattern
    from opkg.spec.source_text import SourceText
    from opkg.spec.torch_calls import TorchCall

# Places of the values of a record: key as written in YAML -> span of its value ("" is the record itself).
Spans = dict[str, Span]


def _spans() -> Spans:
    return {}


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text that is kept as written, with its place; `source` knows the place of each character."""

    text: str
    span: Span = field(compare=False)
    source: SourceText | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ranks:
    """Allowed ranks, both ends included."""

    low: int
    high: int

    def __contains__(self, rank: int) -> bool:
        return self.low <= rank <= self.high


@dataclass(frozen=True, slots=True)
class Quantization:
    """What a tensor's quantization parameters must be. Unset fields do not constrain.

    `scale` and `offset` follow QNN: real = (q + offset) * scale. `axis`: quantized per channel of that dimension.
    `any`: per tensor or per channel, as the model has it.
    """

    scale: float | None = None
    offset: int | None = None
    same_as: str | None = None
    symmetric: bool = False
    axis: int | None = None
    span: Span = field(default=Span(""), compare=False)
    any: bool = False


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """An input or output. `shape` is a ShapeList or another expression of type shape (`x.shape`, `broadcast(a, b)`)."""

    name: str
    dtype: TypeRef
    shape: Expression
    ranks: Ranks
    description: str = ""
    optional: bool = False
    static: bool = False
    variadic: tuple[int, int] | None = None  # least and greatest count
    layout: str = ""  # meaning of the dimensions, "NHWC"
    quantization: Quantization | None = None
    spans: Spans = field(default_factory=_spans, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Range:
    """Allowed values of a param; an open end is None. Ends are expressions (`rank(x) - 1`)."""

    low: Expression | None
    high: Expression | None
    low_open: bool = False
    high_open: bool = False


@dataclass(frozen=True, slots=True)
class ParamSpec:
    """A param. `shape` None: a scalar; else the dimensions of a tensor param.

    `default`: a typed value (row-major for a tensor param) or an expression evaluated per call.
    `optional` is true exactly when there is a default. `axis_of`: the value numbers a dimension of that tensor.
    `dims_of`: it has a number (a row of them) for each dimension of that tensor.
    """

    name: str
    dtype: DType
    shape: Expression | None = None
    description: str = ""
    default: Value | Expression | None = None
    enum: tuple[tuple[str, int], ...] = ()
    range: Range | None = None
    axis_of: str | None = None
    dims_of: str | None = None
    spans: Spans = field(default_factory=_spans, compare=False, repr=False)

    @property
    def optional(self) -> bool:
        return self.default is not None


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition over dimensions, params, ranks, types and quantization, and what to say when it does not hold.

    A constraint that names an optional tensor which is absent is not checked (use `present()` to require it).
    """

    require: Expression
    message: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Tiling:
    """Per dimension of the rank-4 output: the multiple a tile needs (0: free, -1: never split)."""

    multiples: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kernel:
    """One kernel: how the op is computed for one combination of element types, in one layout.

    `function` is the C++ function that the user's file `body` (path relative to the project root) implements. Where `body`
    is empty the op has a `compute:`, and the function is generated from it. `also_blocks`: a flat one that is wanted for
    tensors in blocks, too, and its twin in blocks, which has the same function.
    """

    combination: Combination
    function: str
    body: str
    layout: Layout = Layout.FLAT
    storage: Storage = Storage.DIRECT
    placement: Placement = Placement.EITHER
    resources: tuple[Resource, ...] = (Resource.HVX,)
    cost: CostName | Expression = CostName.SNAIL
    flags: tuple[Flag, ...] = ()
    source_destructive: bool = False
    multithreaded: bool | None = None  # None: not said
    tiling: Tiling | None = None
    also_blocks: bool = False
    spans: Spans = field(default_factory=_spans, compare=False, repr=False)

    @property
    def is_twin(self) -> bool:
        """Whether it is the function of a flat kernel, for tensors in blocks."""
        return self.also_blocks and self.layout is Layout.CROUTON

    @property
    def label(self) -> str:
        """What tells it from the op's others: its function's name, with the layout at a twin's."""
        return f"{self.function}_{self.layout}" if self.is_twin else self.function


@dataclass(frozen=True, slots=True)
class Rule:
    """An optimization rule as text: either the five parts, or one whole macro call in `macro`."""

    name: str
    pass_: Text | None
    flags: Text | None
    match: Text | None
    when: Text | None
    replace: Text | None
    macro: Text | None
    spans: Spans = field(default_factory=_spans, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Op:
    """One operator. `dims`: the named dimensions, `rests`: the named runs of them (`batch...`), in order of binding."""

    name: str
    summary: str
    description: str
    type_vars: tuple[TypeVar, ...]
    combinations: tuple[Combination, ...]
    inputs: tuple[TensorSpec, ...]
    params: tuple[ParamSpec, ...]
    outputs: tuple[TensorSpec, ...]
    dims: tuple[str, ...]
    rests: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    kernels: tuple[Kernel, ...]
    tensor_properties: tuple[Text, ...]
    rules: tuple[Rule, ...]
    reference: Reference | None
    tests: Tests
    spans: Spans = field(default_factory=_spans, compare=False, repr=False)
    compute: Compute | None = None
    torch: tuple[TorchCall, ...] = ()
    pattern: TorchPattern | None = None
    builtin: Builtin | None = None
    backward: Reference | None = None  # the gradient of the reference

    @property
    def tensors(self) -> tuple[TensorSpec, ...]:
        """Inputs, then outputs."""
        return self.inputs + self.outputs

    @property
    def identifier(self) -> str:
        """The name as C++ and Python take it: `MaxPool_valid.tcm` is `MaxPool_valid_tcm`."""
        return self.name.replace(".", "_")

    @property
    def span(self) -> Span:
        return self.spans[""]


@dataclass(frozen=True, slots=True)
class OpPackage:
    """A package: what one spec file describes. `path` is the spec's path as printed in provenance lines (posix).

    `tuning`: text of the project's tuning.json, where there is one and kernels are generated. `executorch`: the version
    that the package's Python side is for, empty for the newest.
    """

    name: str
    version: tuple[int, int, int]
    summary: str
    targets: tuple[Text, ...]
    sdk: str
    ops: tuple[Op, ...]
    path: str
    spans: Spans = field(default_factory=_spans, compare=False, repr=False)
    tuning: str = ""
    executorch: str = ""

    @property
    def cpp_namespace(self) -> str:
        """`acme.vision` -> `acme_vision`; also the stem of the library name."""
        return self.name.replace(".", "_").replace("-", "_")

    @property
    def interface_provider(self) -> str:
        """The exported symbol through which a backend loads the package."""
        return f"{self.cpp_namespace}InterfaceProvider"

    @property
    def named_provider(self) -> str:
        """The same under the symbol that ONNX Runtime's provider takes for the package's: its name with a suffix."""
        return f"{self.name}InterfaceProvider"

    @property
    def library(self) -> str:
        """File name of the built library."""
        return f"lib{self.cpp_namespace}.so"

    @property
    def dsp_library(self) -> str:
        """File name of the half with the kernels where it lies beside the other one, as ExecuTorch has them."""
        return f"lib{self.cpp_namespace}_HTP.so"
