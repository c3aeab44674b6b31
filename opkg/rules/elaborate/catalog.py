"""Catalog of OPK520 to OPK544: rules that can be read and do not mean what they should."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK520",
        "unknown construct or constant",
        "The rule language has a fixed set of names; `opkg rules explain --construct NAME` knows them all. In C++ "
        "source a name without brackets may be a constant of yours; in a spec nothing could define it.",
        'when: IS_QUINT_8("X")',
        'when: IS_QUINT8("X")',
    ),
    Entry(
        "OPK521",
        "wrong number of arguments",
        "Each construct takes the arguments of its signature. Some that the published text allows do not compile: "
        "OR, XOR, ADD, MUL, MIN and MAX of one operand.",
        'when: OR(IS_QUINT8("X"))',
        'when: OR(IS_QUINT8("X"), IS_QUINT16("X"))',
    ),
    Entry(
        "OPK522",
        "construct in the wrong place",
        "Patterns, constraints and replacements have constructs of their own, and a string is an operand, an op name "
        "or a split tag by where it stands. A number is no node, and a node is no number.",
        'replace: Op("B", 1)',
        'replace: Op("B", gen_ConstScalar_i32(1))',
    ),
    Entry(
        "OPK523",
        "types that C++ rejects",
        "Element types compare with element types only and are no numbers. REM, MOD, ROUNDUP and IS_POW2 take "
        "integers, ABS takes no sizes, WITH_OUTPUT_TYPE takes an element type first.",
        'when: EQ(DTYPE_OF("X"), 4)',
        'when: EQ(DTYPE_OF("X"), DTYPE(4))',
    ),
    Entry(
        "OPK524",
        "construct that this SDK does not have",
        "The headers of newer SDKs have more constructs. Rules for an older SDK cannot use them.",
        'sdk: 2.25\nwhen: IS_FLOAT16_ALL("X", "Y")',
        'sdk: 2.25\nwhen: AND(IS_FLOAT16("X"), IS_FLOAT16("Y"))',
    ),
    Entry(
        "OPK525",
        "unknown operand tag",
        "Constraint and replacement speak of nodes by the tags of the pattern, and of its root by \"*\". C++ checks "
        "no tags: a rule with an unknown one compiles, and fails when it is tried.",
        'when: GT(DIM_OF("Z", 3), 8)',
        'when: GT(DIM_OF("X", 3), 8)',
    ),
    Entry(
        "OPK526",
        "pattern that cannot be",
        'A pattern begins with an op. LET gives an op below the root a tag of its own, once, which does not stand '
        'inside that op. "*" '
        "is the root's tag. LET at the root and around another LET works in C++ against the published text (a "
        "warning).",
        'match: Op("A", LET("L", "X"))\nreplace: Op("B", "L")',
        'match: Op("A", LET("L", Op("C", "X")))\nreplace: Op("B", "L")',
    ),
    Entry(
        "OPK527",
        "conversion that the published language does not make",
        "C++ takes numbers as conditions, cuts floats where it needs integers, adds bools to a bool and orders "
        "element types by number. The published language has typed constraints; say what is meant.",
        'when: AND(DIM_OF("X", 0), OK)',
        'when: AND(NE(DIM_OF("X", 0), 0), OK)',
    ),
    Entry(
        "OPK528",
        "rule too large",
        "A pattern has at most 80 entries: its ops and its distinct tags, those of LET not counted. opkg reads rules "
        "of up to 10000 constructs, those that macros stand for counted.",
    ),
    Entry(
        "OPK529",
        "split tag out of scope",
        "SPLIT_START, TYPICAL_SLICE and the like speak of a split by its tag, and must stand inside the last operand "
        "of the AUTOSPLIT or OP_ITER with that tag. C++ does not check it; the rule fails when it is tried.",
        'replace: AUTOSPLIT(3, "I", 32, Op("B", TYPICAL_SLICE("X", "I"), TYPICAL_SLICE("Y", "J")))',
        'replace: AUTOSPLIT(3, "I", 32, Op("B", TYPICAL_SLICE("X", "I"), TYPICAL_SLICE("Y", "I")))',
    ),
    Entry(
        "OPK530",
        "split tag used twice or never, or too deep",
        "Each AUTOSPLIT and OP_ITER of a rule has a tag of its own, and something inside an AUTOSPLIT uses its tag: "
        "else all parts are the same. At most 8 splits stand inside each other.",
        'replace: AUTOSPLIT(3, "I", 32, Op("B", "X"))',
        'replace: AUTOSPLIT(3, "I", 32, Op("B", TYPICAL_SLICE("X", "I")))',
    ),
    Entry(
        "OPK531",
        "split variable in a constraint",
        "The constraint is evaluated once, before anything is split. SPLIT_DIM, SPLIT_START, SPLIT_SIZE and ITER_VAR "
        "do not exist there and do not compile.",
        'when: GT(SPLIT_SIZE("I"), 8)',
        'when: GT(DIM_OF("X", 3), 8)',
    ),
    Entry(
        "OPK532",
        "computed number where C++ takes a constant",
        "The index of DIM_OF and LAYOUT_CHUNKSIZE, the numbers of ResizeDim, WITH_MULTI_OUT, OpMultiOut, "
        "CHANGEDIM_SLICE and AUTOTHREAD_*, and the middle operand of WITH_SPLIT_HISTORY must be plain integers, "
        "whatever the published text says.",
        'when: GT(DIM_OF("X", SUB(RANK_OF("X"), 1)), 8)',
        'when: GT(DIM_OF("X", 3), 8)',
    ),
    Entry(
        "OPK533",
        "two constants that C++ cannot combine",
        "The headers compare expressions. A comparison of two constants, LAYOUT_CHUNKSIZE among them, does not "
        "compile; nor do CEILDIV, LCM, BIT_AND and BIT_OR of constants.",
        "when: EQ(LAYOUT_CHUNKSIZE(QUint8CroutonTensor, 3), 32)",
        'when: EQ(DIM_OF("X", 3), LAYOUT_CHUNKSIZE(QUint8CroutonTensor, 3))',
    ),
    Entry(
        "OPK534",
        "size compared with a negative number",
        "An int beside a size becomes a size: -1 is 2^64-1. So GT(DIM_OF(...), -1) never holds. A size is never less "
        "than 0 either.",
        'when: GT(DIM_OF("X", 3), -1)',
        'when: GT(INT(DIM_OF("X", 3)), -1)',
    ),
    Entry(
        "OPK535",
        "size that wraps",
        "Sizes have no sign: 3 - 5 is 2^64-2. NEG of a size wraps always, SUB when the second is greater. Convert "
        "with INT, or let the constraint exclude it.",
        'when: GT(SUB(DIM_OF("X", 3), DIM_OF("Y", 3)), 8)',
        'when: GT(SUB(INT(DIM_OF("X", 3)), INT(DIM_OF("Y", 3))), 8)',
    ),
    Entry(
        "OPK536",
        "dimension that the tensor does not have",
        "DIM_OF past the rank is 0. An index equal to the rank is not caught: it reads what lies behind the shape. "
        "Tensors have at most 8 dimensions.",
        'when: AND(EQ(RANK_OF("X"), 4), GT(DIM_OF("X", 4), 1))',
        'when: AND(EQ(RANK_OF("X"), 4), GT(DIM_OF("X", 3), 1))',
    ),
    Entry(
        "OPK537",
        "replacement that is the node itself",
        'A replacement of "*" changes nothing. As an arm of a SELECT it works, against the published text (a '
        'warning): the '
        "graph stays as it is, and the constraint could have said so.",
        'replace: "*"',
        'replace: "X"',
    ),
    Entry(
        "OPK538",
        "split below the root",
        "The published text has AUTOSPLIT and EXTERNAL_REPLACE at the root of a replacement, or in SELECTs there. "
        "Elsewhere they compile, and rules with them ship.",
        'replace: Op("C", AUTOSPLIT(3, "I", 32, Op("B", TYPICAL_SLICE("X", "I"))))',
        'replace: AUTOSPLIT(3, "I", 32, Op("C", Op("B", TYPICAL_SLICE("X", "I"))))',
    ),
    Entry(
        "OPK539",
        "modifier without an op",
        "A modifier changes the outputs of ops that its last operand builds. A bare tag there does not compile; "
        "Operand(...), INPUT_OF, shapes and constants compile and break the published text (a warning).",
        'replace: WITH_SIZE("Y", "X")',
        'replace: WITH_SIZE("Y", Op("B", "X"))',
    ),
    Entry(
        "OPK540",
        "operand of another kind than the published text wants",
        "References of modifiers and what is sliced should be nodes that are there already, since they may be built "
        "more than once. The base of OP_ITER must be Op(...) or Operand(...): others do not compile (an error).",
        'replace: WITH_TYPE(Op("C", "X"), Op("B", "X"))',
        'replace: WITH_TYPE("X", Op("B", "X"))',
    ),
    Entry(
        "OPK541",
        "op name with two prefixes",
        "FROM_DEFAULT_PACKAGE puts the core package's prefix before a bare name. Names with a prefix, and names that "
        "begin with $ or *, get none.",
        'replace: Op(FROM_DEFAULT_PACKAGE("q::Relu"), "X")',
        'replace: Op(FROM_DEFAULT_PACKAGE("Relu"), "X")',
    ),
    Entry(
        "OPK542",
        "number out of range",
        "Inputs and outputs that an op does not have, division by 0, parts without a length, multi-output ops with "
        "fewer than two outputs, quantization that its element type cannot have, and roundings that are not what "
        "they seem.",
        'replace: OpMultiOut(2, 2, "B", "X")',
        'replace: OpMultiOut(2, 1, "B", "X")',
    ),
    Entry(
        "OPK543",
        "C++ operator or cast on an expression",
        "Rules are built of calls. C++'s operators and casts work on constants only: `2*16` and `size_t(4)` compile, "
        "`a && b` and `int(DIM_OF(...))` do not.",
        'when: IS_FLOAT("X") && IS_FLOAT("Y")',
        'when: AND(IS_FLOAT("X"), IS_FLOAT("Y"))',
    ),
    Entry(
        "OPK544",
        "name whose value is not known",
        "A C++ constant or macro stands where the checker needs its value. It is taken to be an int; an op name or a "
        "constant that must be known leaves the rule out of simulation and emission. `--preprocess` replaces macros. "
        "C++ functions that rules call want an annotation, `// :::EXTERNAL_SHAPEFN::: {...}`.",
        'match: Op(RELU_NAME, "X", "Y")',
        'match: Op("Relu", "X", "Y")',
    ),
)  # fmt: skip
