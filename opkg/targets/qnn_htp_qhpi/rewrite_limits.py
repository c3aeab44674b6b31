"""What QHPI's rewrites can and cannot do, as measured (docs/measured-qhpi.md, "Rewrites of graphs with other ops")."""

from __future__ import annotations

from opkg.rules import core
from opkg.rules.core import TypedRule
from opkg.rules.walk import below

# Rules of passes below it run before the backend translates QNN ops and tiles: they become early rewrites.
TILING = 11_000

_FUNCTION = "it calls a C++ function over the classic interface's objects, which QHPI does not have"
_IDENTITY = "QHPI gives new ops their identity by itself"
_REDUCED = "tensors have at least four dimensions in QHPI: a part cannot lose one"

# Construct -> why QHPI cannot carry it. Rules with one are not part of the package, but for those in IGNORED.
UNSUPPORTED: dict[str, str] = {
    "EXTERNAL_CONSTRAINT": _FUNCTION,
    "EXTERNAL_REPLACE": _FUNCTION,
    "SHAPEFN_APPLY": _FUNCTION,
    "AUTOSPLIT_SHAPEFN_APPLY": f"{_FUNCTION} (but for simple_split_start and the like)",
    "WITH_SAME_ID": _IDENTITY,
    "WITH_MEMOS": _IDENTITY,
    "INHERIT_MEMOS_FROM": _IDENTITY,
    "WITH_SPLIT_HISTORY": "QHPI keeps no split history",
    "AUTOSPLIT_REDUCE": _REDUCED,
    "TYPICAL_SLICE_REDUCE": _REDUCED,
    "AUTOTHREAD_HMX": "the number of HMX threads cannot be read",
    "DEF_PACKAGE_PARAM_ORDER": "params arrive in the order of the op's definition",
    "MESSAGE": "a rule in QHPI logs only that it fired",
    **dict.fromkeys(("SHOULD_TILE", "SUBS", "IS_1HD_H1D"), "its meaning is not published"),
    **dict.fromkeys(("TCM_MAXTENSOR_SIZE", "TCM_MAXTENSOR_SIZE_HALF"), "its value is not published"),
}

# Of these the rule can do without.
IGNORED = frozenset(("WITH_SAME_ID", "WITH_MEMOS", "INHERIT_MEMOS_FROM", "WITH_SPLIT_HISTORY", "MESSAGE"))

# Options that qhpi_option_int answers.
OPTIONS = frozenset(
    (
        *("tcm_size", "tcm_size_for_tiling", "hvx_threads", "tile_height", "central_tiler", "can_fine_split"),
        *("big_width_split", "enable_autothread", "quant_is_updateable", "force_conv_fusion"),
        *("fold_relu_flag", "relaxed_precision_flag", "hmx_short_conv_flag"),
    )
)

# Flags that switch a rule by a graph option of the same name, and those that say nothing about whether it fires.
OPTION_FLAGS = ("fold_relu_flag", "relaxed_precision_flag", "hmx_short_conv_flag")
QUIET_FLAGS = ("any_rule", "")

# Core ops under their internal names (as classic rules write them) whose QNN op has the same inputs in the same order.
_QNN = {
    "Add": "ElementWiseAdd", "Sub": "ElementWiseSubtract", "Mul": "ElementWiseMultiply", "Div": "ElementWiseDivide",
    "Minimum": "ElementWiseMinimum", "Maximum": "ElementWiseMaximum", "Power": "ElementWisePower",
    "SquaredDifference": "ElementWiseSquaredDifference", "PRelu": "Prelu", "Neg": "ElementWiseNeg", "Abs": "ElementWiseAbs",
    "Sqrt": "ElementWiseSquareRoot", "RSqrt": "ElementWiseRsqrt", "Exp": "ElementWiseExp", "Log": "ElementWiseLog",
    "Floor": "ElementWiseFloor", "Ceil": "ElementWiseCeil", "ElementWiseSign": "ElementWiseSign",
    "Sin": "ElementWiseSin", "Cos": "ElementWiseCos", "Relu": "Relu", "Sigmoid": "Sigmoid", "Tanh": "Tanh",
    "HardSwish": "HardSwish", "Relu1": "Relu1", "Relu6": "Relu6", "Reshape": "Reshape", "ElementWiseAsin": "ElementWiseAsin",
    "Rsqrt": "ElementWiseRsqrt", "Cast": "Cast", "Quantize": "Quantize", "Dequantize": "Dequantize",
}  # fmt: skip
CORE = "q::"
OUT = "$Out"  # the op that chooses an output
_EARLY_PREFIX = "q::QNN_"
SLICE, CONCAT = "q::Slice_shape", "q::Concat"
_LATE = frozenset((SLICE, CONCAT))


def is_early(rule: TypedRule) -> bool:
    """Whether the rule becomes a part of early_rewrite, else of late_rewrite."""
    return rule.priority < TILING or moves_up(rule)


def moves_up(rule: TypedRule) -> bool:
    """Whether a rule of a pass after TILING is an early rewrite: it has core ops which only these see and make, and no others."""
    if rule.priority < TILING:
        return False
    seen, made = _names(rule)
    if (
        not rule.root.startswith(CORE)
        and all(made_name(n, False) for n in made)
        and all(seen_name(n, False) for n in seen)
    ):
        return False
    return all(made_name(n, True) for n in made) and all(seen_name(n, True) for n in seen)


def _names(rule: TypedRule) -> tuple[list[str], list[str]]:
    """Names of the ops that a rule asks for, and of those that it makes."""
    seen = [node.op for node in below(rule.match) if isinstance(node, core.MatchOp)]
    made = []
    for node in (*below(rule.when), *below(rule.replace)):
        if isinstance(node, core.Relation) and node.kind in (core.RelationKind.IS_OP, core.RelationKind.PRODUCER_FOR):
            seen.append(node.name)
        elif isinstance(node, core.Build | core.BuildMulti | core.Wrap) and node.op != OUT:
            made.append(node.op)
    return seen, made


def seen_name(name: str, early: bool) -> str:
    """The name under which callbacks see an op of a rule; "" for core ops that they do not see."""
    if not name.startswith(CORE):
        return name
    if not early:
        return name if name in _LATE else ""
    if name.startswith(_EARLY_PREFIX):
        return name
    bare = name.removeprefix(CORE)
    qnn = bare if bare in _QNN.values() else _QNN.get(bare, "")
    return f"{_EARLY_PREFIX}{qnn}" if qnn else ""


def made_name(name: str, early: bool) -> str:
    """The name under which a rewrite makes an op; "" for core ops that it cannot make. Slices and concats have calls of
    their own."""
    return name if name in _LATE else seen_name(name, early)
