"""The keys of every record of a spec, version 1: the one table from which reader, JSON Schema and reference come."""

from __future__ import annotations

from opkg.spec import kinds as k
from opkg.spec.kinds import Key, Record, list_of, map_of, record_kind
from opkg.spec.names import IDENTIFIER, OP_NAME

PACKAGE = Record(
    "package",
    "What the ops of this file are shipped in.",
    (
        Key("name", k.PACKAGE, "Dotted lower-case name, `acme.vision`; QNN's package name.", required=True),
        Key("version", k.VERSION, "MAJOR.MINOR.PATCH.", default="1.0.0"),
        Key("summary", k.LINE, "One line on the package."),
        Key("targets", list_of(k.TARGET, or_one=True, unique=True), "Where the ops go.", default="[qnn-htp-qhpi]"),
        Key("sdk", k.SDK, "SDK profile of the targets that have several, in quotes.", default="the newest"),
        Key(
            "executorch",
            k.SDK,
            "Version of ExecuTorch that executorch-builder is for, in quotes.",
            default="the newest",
        ),
    ),
)

QUANTIZATION = Record(
    "quantization",
    "What a tensor's quantization parameters must be; real = (q + offset) * scale.",
    (
        Key("scale", k.NUMBER, "Fixed scale, compared in float32."),
        Key("offset", k.WHOLE, "Fixed offset, in QNN's sign: -128 for a zero point of 128."),
        Key("same_as", k.IDENT, "Scale and offset equal those of this tensor."),
        Key("symmetric", k.BOOL, "Offset 0 (signed) or minus half of the range (unsigned).", default="false"),
        Key("axis", k.WHOLE, "Quantized per channel of this dimension; from the end when negative."),
    ),
)

_TENSOR = (
    Key("dtype", k.TYPE_OR_VAR, "A type variable, one element type, or a list of them.", required=True),
    Key(
        "shape",
        k.SHAPE,
        "Dimensions as numbers, names and expressions; `...` or `name...` for any number of them.",
        default="[...]",
    ),
    Key("rank", k.RANK, "Allowed ranks: `4` or `1..5`.", default="what the shape allows, 1..5"),
    Key("description", k.TEXT, "What the tensor holds."),
    Key("optional", k.BOOL, "May be left out of a call.", default="false"),
    Key("variadic", k.VARIADIC, "Several tensors in one: `true` (1 to 8) or `2..4`.", default="false"),
    Key("layout", k.LAYOUT_MEANING, "Meaning of the dimensions, a letter each: `NHWC`."),
    Key("quantization", k.QUANTIZATION, "`same as x`, `symmetric`, `any` (per tensor or per channel), or a mapping."),
)
_STATIC = Key("static", k.BOOL, "Constant when the graph is built (weights).", default="false")

INPUT = Record("input", "One input.", (*_TENSOR, _STATIC))
OUTPUT = Record(
    "output",
    "One output; its shape must be given.",
    tuple(
        Key(
            key.name,
            key.kind,
            key.doc,
            required=key.name in ("dtype", "shape"),
            default=key.default if key.name != "shape" else "",
        )
        for key in _TENSOR
    ),
)

PARAM = Record(
    "param",
    "One param.",
    (
        Key("dtype", k.DTYPE, "Element type: an int, float or bool type.", required=True),
        Key("shape", k.SHAPE, "Dimensions of a tensor param; without it the param is a scalar."),
        Key(
            "default",
            k.DEFAULT,
            "Value when the graph does not give one: a literal, a list or an expression; makes it optional.",
        ),
        Key("enum", k.ENUM, "Named values: a list (numbered from 0) or NAME: number."),
        Key("range", k.RANGE, 'Allowed values: `0 .. rank(x) - 1`, `"> 0"`.'),
        Key("description", k.TEXT, "What the param does."),
        Key("axis_of", k.IDENT, "The value numbers a dimension of this input or output."),
        Key("dims_of", k.IDENT, "It has a number, or a row of them, for each dimension of this input or output."),
    ),
)

CONSTRAINT = Record(
    "constraint",
    "A condition that every call must fulfil.",
    (
        Key("require", k.CONDITION, "The condition.", required=True),
        Key("message", k.LINE, "What to say when it does not hold.", default="the condition"),
    ),
)

KERNEL = Record(
    "kernel",
    "How the op is computed, for some combinations of element types.",
    (
        Key(
            "when",
            k.WHEN_TYPES,
            "Type variable: element type or list; the combinations this kernel is for.",
            default="all",
        ),
        Key(
            "layout",
            k.LAYOUT,
            "Tensor layout; `either`: flat, and in blocks where they can be.",
            default="either of generated kernels, else flat",
        ),
        Key("storage", k.STORAGE, "One buffer or a table of blocks.", default="direct for flat, indirect for crouton"),
        Key("placement", k.PLACEMENT, "Memory the tensors must be in.", default="either"),
        Key("resources", k.RESOURCES, "Units the kernel occupies.", default="[hvx]"),
        Key(
            "cost", k.COST, "free, fast, snail, glacial, or cycles (of generated kernels: estimated).", default="snail"
        ),
        Key("flags", k.FLAGS, "is_const, inhibit_const_prop.", default="[]"),
        Key("source_destructive", k.BOOL, "The output may overwrite the first input.", default="false"),
        Key(
            "multithreaded",
            k.BOOL,
            "It works in slices.",
            default="true of generated kernels that keep their data, else false",
        ),
        Key("tiling", k.TILING, "Per dimension of the rank-4 output: multiple of a tile, 0 free, `whole` never split."),
        Key("body", k.BODY, "Your C++ file; none and `compute:`: it is generated.", default="kernels/<op>.cpp"),
        Key("function", k.IDENT, "The C++ function in it.", default="<op>_<types>, and _crouton"),
    ),
)

RULE = Record(
    "rule",
    "An optimization rule in the language of DEF_PACKAGE_OPTIMIZATION (docs/rules.md).",
    (
        Key("name", k.IDENT, "Name in messages.", default="rule_<n>"),
        Key("pass", k.RULE_TEXT, "Pass and priority, `EARLY + 1`.", default="EARLY"),
        Key("flags", k.RULE_TEXT, "Flags of the rule."),
        Key("match", k.RULE_TEXT, "Pattern to match."),
        Key("when", k.RULE_TEXT, "Condition on the match.", default="OK"),
        Key("replace", k.RULE_TEXT, "What to put in its place."),
        Key("macro", k.RULE_TEXT, "The whole macro call instead of the parts above."),
    ),
)

CASE_TENSOR = Record(
    "case_tensor",
    "What a test case fixes of one tensor; the rest is generated.",
    (
        Key("shape", k.CASE_SHAPE, "Its dimensions."),
        Key("values", k.CASE_VALUES, "Real values, row-major; nested lists give the shape too."),
        Key("scale", k.NUMBER, "Quantization scale."),
        Key("offset", k.WHOLE, "Quantization offset (QNN's sign)."),
        Key("absent", k.BOOL, "Leave this optional tensor out.", default="false"),
    ),
)

TORCH = Record(
    "torch",
    "A torch op that the op implements. Expressions are Python over the torch op's arguments.",
    (
        Key("op", k.TORCH_OP, "`aten.hardswish.default`: namespace, name and overload.", required=True),
        Key(
            "args",
            k.Kind("mapping to arguments", "node", map_of(IDENTIFIER, k.IDENT).schema),
            "Input or param: the torch op's argument of that name.",
            default="by position: inputs, then params",
        ),
        Key(
            "params",
            k.Kind("mapping to expressions", "node", map_of(IDENTIFIER, k.CALL_EXPRESSION).schema),
            "Param: its value, `rank(input) - 1`.",
            default="none",
        ),
        Key(
            "inputs",
            k.Kind("mapping to expressions", "node", map_of(IDENTIFIER, k.CALL_EXPRESSION).schema),
            "Input: `weight if weight is not None else full(normalized_shape, 1.0)`, a constant where torch has none.",
            default="none",
        ),
        Key("when", list_of(k.CALL_EXPRESSION, or_one=True), "What must hold for the op to take a call.", default="[]"),
        Key("ignore", list_of(k.IDENT, or_one=True), "Arguments whose values do not matter.", default="[]"),
        Key("decompose", k.BOOL, "Torch may decompose it into ops that are named, too.", default="false"),
        Key("lowered", k.BOOL, "For the builder only: quantizing and decomposing stay the backend's.", default="false"),
        Key("encoding", k.IDENT, "Output that the torch op's arguments quantize: scale, zero_point and so on."),
        Key("constant", k.IDENT, "Input of `inputs` that the result is: a constant of the graph, with no op for it."),
    ),
)

ONERT = Record(
    "onert",
    "The operator of Circle's schema that stands for the op in models of onert (docs/onert.md).",
    (
        Key("builtin", k.BUILTIN, "`CUMSUM`: its name in BuiltinOperator.", required=True),
        Key("options", k.OPTIONS, "`CumsumOptions`: the table that has the params."),
        Key(
            "fields",
            k.Kind("mapping to fields", "node", map_of(IDENTIFIER, k.IDENT).schema),
            "Param: the table's field, where it has another name.",
            default="none",
        ),
        Key("circle", k.BOOL, "Only Circle's schema has it, not that of TFLite.", default="false"),
    ),
)

TESTS = Record(
    "tests",
    "How the op is verified.",
    (
        Key(
            "tolerance",
            k.TOLERANCE,
            "Output element type: `1 lsb`, `2 ulp`, `1e-5 abs + 1e-5 rel`, `exact`.",
            default="floats of generated kernels: the bound of their error; else 1 lsb quantized, "
            "4 ulp or 1e-6 abs + 1e-6 rel float32, 2 ulp or 1e-3 abs + 1e-3 rel float16, exact integers",
        ),
        Key(
            "cases", list_of(k.CASE), "Cases of your own: `name`, `when`, and tensors and params by name.", default="[]"
        ),
    ),
)

OP = Record(
    "op",
    "One operator.",
    (
        Key("summary", k.LINE, "What the op computes, in one line."),
        Key("description", k.TEXT, "More on it, for the documentation."),
        Key(
            "types",
            map_of(IDENTIFIER, k.Kind("", "node", list_of(k.DTYPE, or_one=True, unique=True).schema)),
            "Type variables and the element types they stand for.",
        ),
        Key("combinations", list_of(k.COMBINATION), "The allowed combinations of the type variables.", default="all"),
        Key("inputs", map_of(IDENTIFIER, record_kind("input")), "Inputs, in QNN's order.", required=True),
        Key("params", map_of(IDENTIFIER, record_kind("param"), least=0), "Params.", default="none"),
        Key("outputs", map_of(IDENTIFIER, record_kind("output")), "Outputs, in QNN's order.", required=True),
        Key("constraints", list_of(k.CONSTRAINT), "Conditions between the fields.", default="[]"),
        Key(
            "kernels",
            list_of(record_kind("kernel")),
            "Kernels; at least one for each combination.",
            default="one flat kernel per combination",
        ),
        Key(
            "tensor_properties",
            list_of(k.RULE_TEXT),
            "Tensor properties of the classic interface: the terms of DEF_TENSOR_PROPERTIES.",
            default="[]",
        ),
        Key("rules", list_of(record_kind("rule")), "Optimization rules.", default="[]"),
        Key("compute", k.COMPUTE, "What the op computes, as assignments (Computations, above); its reference."),
        Key("torch", k.TORCH, "Torch ops that this op implements, for ExecuTorch (docs/executorch.md)."),
        Key(
            "onert",
            record_kind("onert"),
            "The schema's operator that models of onert have for the op (docs/onert.md).",
            default="a CUSTOM operator of the op's name",
        ),
        Key(
            "pattern",
            k.PATTERN,
            "The torch function that the op fuses, over its inputs and params (Patterns of torch, above).",
        ),
        Key("reference", k.REFERENCE, "Python function (numpy) that defines the op on real values."),
        Key("backward", k.REFERENCE, "Python function (numpy) that gives the gradient of the reference, for training."),
        Key("tests", record_kind("tests"), "Tolerances and test cases."),
    ),
)

SPEC = Record(
    "spec",
    "A spec file: one package and its ops.",
    (
        Key("opkg", k.FORMAT, "Version of this format: 1.", required=True),
        Key("package", record_kind("package"), "The package.", required=True),
        Key("ops", map_of(OP_NAME, record_kind("op")), "The ops by name.", required=True),
    ),
)

RECORDS: tuple[Record, ...] = (
    PACKAGE,
    OP,
    INPUT,
    OUTPUT,
    QUANTIZATION,
    PARAM,
    CONSTRAINT,
    KERNEL,
    RULE,
    TORCH,
    ONERT,
    TESTS,
    CASE_TENSOR,
)
