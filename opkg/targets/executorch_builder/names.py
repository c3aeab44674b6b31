"""Names in generated Python: locals that cannot meet ours, string literals, docstrings, torch names."""

from __future__ import annotations

from functools import lru_cache

from opkg.spec.dtypes import DTYPES
from opkg.spec.model import Op, OpPackage
from opkg.spec.names import snake

# What the generated functions use themselves; a name of the spec's that equals one gets an underscore.
BACKENDS_OWN = "qti.aisw"  # the package of ops that QNN itself has

HELPERS = frozenset({
    "Failed", "Rejected", "Shape", "Tensor", "above", "agree", "as_bool", "as_bools", "as_float", "as_floats", "as_int",
    "as_ints", "at_least", "at_most", "axis_within", "below", "bind", "broadcast", "ceil_div", "concat", "count_within",
    "element_count", "from_end", "from_end_all", "inferred", "length_of", "match", "one_of", "product", "quantized",
    "rank_within", "reduce", "rejecting", "require", "round_up", "rounded", "same_dim", "same_shape",
})  # fmt: skip
_OURS = HELPERS | frozenset({
    "PACKAGE_NAME", "PyQnnManager", "QCOM_DATA", "Sequence", "abs", "bool", "call", "dataclass", "each", "float",
    "inputs", "int", "isinstance", "len", "list", "max", "min", "node", "nodes_to_wrappers", "np", "op", "outputs",
    "reason", "self", "slice", "str", "tm", "torch", "tuple", "types", "warnings",
})  # fmt: skip


@lru_cache(maxsize=4096)
def local(name: str) -> str:
    """A name of the spec's as a Python variable that cannot meet one of ours."""
    taken = name in _OURS or name in DTYPES or name.startswith(("_", "check_")) or name.endswith("_")
    return f"{name}_" if taken else name


def module(op: Op) -> str:
    """`HardSwish` -> `op_hard_swish`, as upstream calls its builders."""
    return f"op_{snake(op.name)}"


def python_package(package: OpPackage) -> str:
    """`acme.vision` -> `acme_vision_executorch`."""
    return f"{package.cpp_namespace}_executorch"


def torch_op(package: OpPackage, op: Op) -> str:
    """The overload a graph calls: `acme_vision.hard_swish.default`."""
    return f"{package.cpp_namespace}.{snake(op.name)}.default"


def node_name(op: str) -> str:
    """What nodes of a torch op say that they call, in the edge dialect, which leaves one op as torch has it."""
    return op.removeprefix("aten.") if op == "aten.scalar_tensor.default" else op


_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text: str) -> str:
    """A Python string literal with the quotes ruff would choose."""
    if text.isidentifier():
        return f'"{text}"'
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + "".join(f"\\{c}" if c == quote else _char(c) for c in text) + quote


def _char(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def doc(text: str) -> str:
    """Text as one line of a docstring, without what would end it or escape from it."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = line.replace("\\", "\\\\").replace('"""', "'''")
    return f"{line} " if line.endswith('"') else line
