"""Catalog of OPK120 to OPK159: keys, values, names and paths."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK120",
        "unknown key",
        "The record has no such key in version 1 of the format. The hint names the nearest one.",
        "inputs:\n  x: {dtyp: T}",
        "inputs:\n  x: {dtype: T}",
    ),
    Entry(
        "OPK121",
        "missing key",
        "A key that the record cannot do without is not there.",
        "outputs:\n  y: {dtype: T}",
        "outputs:\n  y: {dtype: T, shape: x.shape}",
    ),
    Entry(
        "OPK122",
        "wrong type",
        "A list stands where a mapping must be, text where a number must be, and so on.",
        "inputs: [x]",
        "inputs:\n  x: {dtype: T}",
    ),
    Entry(
        "OPK123",
        "no value",
        "A key without a value (null in YAML) says nothing. Give a value or delete the key.",
        "summary:",
        "summary: max(x, 0)",
    ),
    Entry(
        "OPK124",
        "YAML surprise",
        "YAML readers disagree about this text: yes, no, on, off are bools for some; 010, 0o10, 1:30, 1_000 and .5 "
        "are "
        "different numbers, or text. Write true, false and decimal numbers, and put text that looks like them in "
        "quotes.",
        "optional: yes",
        "optional: true",
    ),
    Entry(
        "OPK125",
        "number out of range",
        "The number is not among those the key allows.",
        "xs: {dtype: T, variadic: 0..4}",
        "xs: {dtype: T, variadic: 1..4}",
    ),
    Entry(
        "OPK126",
        "unknown word",
        "The key takes one of a few words; the hint names them or the nearest one.",
        "layout: flatt",
        "layout: flat",
    ),
    Entry(
        "OPK127",
        "unknown element type",
        "Element types are QNN's: float32, float16, int8..int64, uint8..uint64, sfixed4..sfixed32, "
        "ufixed4..ufixed32, "
        "bool8. The quantized ones are sfixed and ufixed.",
        "types: {T: [float32, ufixd8]}",
        "types: {T: [float32, ufixed8]}",
    ),
    Entry(
        "OPK128",
        "text that is unsafe in C++",
        "Summaries, messages and descriptions are written into comments and strings of generated C++ and Python. "
        "What would "
        "end them there is refused here: comment marks, backslashes, trigraphs and, in one-line text, double quotes "
        "and "
        "line breaks.",
        "summary: x */ y",
        "summary: x * / y",
    ),
    Entry(
        "OPK129",
        "rule text that is not closed",
        "Rules, tensor properties and their parts become arguments of a macro call. Every bracket and quote must be "
        "closed in the same text; comments, preprocessor lines and a ';' outside of braces cannot stand there.",
        'match: Op("Relu", "X"',
        'match: Op("Relu", "X")',
    ),
    Entry(
        "OPK130",
        "malformed version",
        "A version is MAJOR.MINOR.PATCH. 1.10 is a decimal number in YAML, the same as 1.1.",
        "version: 1.10",
        "version: 1.10.0",
    ),
    Entry(
        "OPK132", "unknown format version", "This opkg reads version 1 of the format: opkg: 1.", "opkg: 2", "opkg: 1"
    ),
    Entry(
        "OPK133",
        "keys that exclude each other",
        "Two keys say the same thing in two ways, or contradict each other.",
        "quantization: {same_as: x, scale: 0.5}",
        "quantization: {same_as: x}",
    ),
    Entry(
        "OPK134",
        "nothing in it",
        "A list or mapping that needs at least one item is empty.",
        "inputs: {}",
        "inputs:\n  x: {dtype: float32}",
    ),
    Entry(
        "OPK135",
        "twice in a list",
        "The list is a set; an item stands in it twice.",
        "types: {T: [float32, float32]}",
        "types: {T: [float32]}",
    ),
    Entry(
        "OPK136",
        "malformed value",
        "The text has a form of its own (a rank, a tolerance, module:function); the hint shows it.",
        "tolerance: {float32: 0.001}",
        "tolerance: {float32: 0.001 abs}",
    ),
    Entry(
        "OPK137",
        "text too long",
        "Summaries and messages have at most 300 characters, descriptions 4000, rules 20000.",
        "summary: (a page of text)",
        "summary: max(x, 0)\ndescription: (a page of text)",
    ),
    Entry(
        "OPK150",
        "not a name",
        "Names begin with a letter and have letters, digits and _, at most 64. Package names are dotted lower-case "
        "words.",
        "inputs:\n  x-1: {dtype: T}",
        "inputs:\n  x_1: {dtype: T}",
    ),
    Entry(
        "OPK151",
        "reserved name",
        "The name is a keyword of C++ or Python, a macro of the C library, an element type, or a word of generated "
        "code, so "
        "that code with it would not compile.",
        "params:\n  class: {dtype: int32}",
        "params:\n  class_id: {dtype: int32}",
    ),
    Entry(
        "OPK152",
        "names collide",
        "Two names are the same, or become the same in generated code, where names are turned into snake case.",
        "ops:\n  HardSwish: ...\n  hard_swish: ...",
        "ops:\n  HardSwish: ...\n  HardSwishV2: ...",
    ),
    Entry(
        "OPK153",
        "unsafe path",
        "Paths are relative to the project and stay in it: no '..', no leading '/', no backslash, only letters, "
        "digits and "
        "_ . + - in the parts.",
        "body: ../kernels/relu.cpp",
        "body: kernels/relu.cpp",
    ),
    Entry(
        "OPK154",
        "two kernels have one function",
        "All kernels of a package are C++ functions of one namespace, so that each needs a name of its own.",
        "- {when: {T: float32}, function: relu}\n- {when: {T: ufixed8}, function: relu}",
        "- {when: {T: float32}, function: relu_f32}\n- {when: {T: ufixed8}, function: relu_u8}",
    ),
    Entry(
        "OPK155",
        "paths differ in case only",
        "On Windows and macOS the two paths are one file.",
        "body: kernels/Relu.cpp\n...\nbody: kernels/relu.cpp",
        "body: kernels/relu.cpp\n...\nbody: kernels/relu.cpp",
    ),
    Entry(
        "OPK156",
        "no torch op",
        "Torch ops are named by namespace, name and overload, as a graph of torch.export shows them. Each stands once.",
        "torch: aten.hardswish",
        "torch: aten.hardswish.default",
    ),
    Entry(
        "OPK157",
        "arguments of a torch op",
        "`args` names, for inputs and params of the op, arguments of the torch op. Every mandatory input and param is "
        "named, in `args` or in `params`, and only once.",
        "torch: {op: aten.elu.default, args: {x: self, alfa: alpha}}",
        "torch: {op: aten.elu.default, args: {x: self, alpha: alpha}}",
    ),
    Entry(
        "OPK491",
        "no constant of the graph",
        "`constant: x` says that the result of a torch call is the input `x` as it is: the lowered graph gets a constant and no "
        "op. So `inputs:` says what `x` is, without other ops of the package; the op has one output; and the call is `lowered`.",
        "{op: aten.full.default, args: {x: fill_value}, constant: x}",
        '{op: aten.full.default, inputs: {x: "full(size, fill_value)"}, lowered: true, constant: x}',
    ),
    Entry(
        "OPK158",
        "no expression on a torch call",
        "Values of params and conditions of `torch:` are expressions in a subset of Python: numbers, arguments of the "
        "torch op by name, arithmetic, comparisons, `and`, `or`, `not`, indexes, lists, and functions such as `rank` and "
        "`len`.",
        "when: input.dim() == 4",
        "when: rank(input) == 4",
    ),
    Entry(
        "OPK285",
        "no name of the schema",
        "`onert:` names an operator of Circle's schema, as BuiltinOperator has it, and the table of its options.",
        "onert: {builtin: CumSum, options: CumsumOptions}",
        "onert: {builtin: CUMSUM, options: CumsumOptions}",
    ),
    Entry(
        "OPK286",
        "params and the schema's options",
        "The params of an op that the schema has are fields of one table, `options`. `fields` names those that have another "
        "name there.",
        "onert: {builtin: CUMSUM}     # params: exclusive, reverse",
        "onert: {builtin: CUMSUM, options: CumsumOptions}",
    ),
)
