"""Catalog of OPK545 to OPK579: passes, flags, declarations, and rules that work but cannot be meant."""

from opkg.spec.catalog import Entry

_PASSES = (
    Entry(
        "OPK545",
        "unknown pass",
        "Passes have fixed names, and their list differs between SDKs: PRE_OPTIMIZATION exists since 2.43, "
        "LAYOUT_AND_PLACEMENT and AUX_CLEANUP since 2.25. Packages are advised to use GRAPH_CLEANUP, EARLY, MIDDLE, LATE "
        "and LAYOUT_AND_PLACEMENT.",
        "pass: EARLI",
        "pass: EARLY",
    ),
    Entry(
        "OPK546",
        "priority that does not fit 16 bits",
        "C++ stores a priority in 16 bits without a sign and says nothing when it does not fit: 70000 becomes 4464, "
        "-1 becomes 65535. The rule then runs in a pass that nobody chose.",
        "pass: LATE + 50000",
        "pass: LATE + 500",
    ),
    Entry(
        "OPK547",
        "not a pass",
        "A pass is an integer: a name, a number, or a sum of these. C++ cuts floating-point numbers to integers; "
        "anything else does not compile or cannot be read.",
        'pass: "EARLY"',
        "pass: EARLY",
    ),
    Entry(
        "OPK548",
        "pass in a form that is not published",
        "The published language has NAME and NAME + number. C++ evaluates any integer expression, so `EARLY - 2` "
        "and `5 + EARLY` work, but tools that read rules from source need not take them. The hint gives the published form.",
        "pass: 5 + EARLY",
        "pass: EARLY + 5",
    ),
    Entry(
        "OPK549",
        "pass that is not for packages",
        "Names such as TILING and HARD_OPS are steps of the SDK's own preparation. They work and ship, but their place "
        "may change with any SDK. CHUNK_NOT_USED is no pass at all.",
        "pass: TILING + 100",
        "pass: EARLY + 100",
    ),
    Entry(
        "OPK550",
        "old number of a pass",
        "Comments of generated packages give 2000, 3000 and 4000 for EARLY, MIDDLE and LATE. They are 3050, 20050 and "
        "21050 in SDK 2.25 and 2.43: a rule in pass 4000 runs before MIDDLE, not late.",
    ),
    Entry(
        "OPK551",
        "offset that reaches another part of preparation",
        "An offset orders rules within the neighbourhood of a pass. One as large as the distance to MIDDLE or LATE puts "
        "the rule there, which the name does not tell.",
        "pass: EARLY + 18000",
        "pass: LATE",
    ),
    Entry(
        "OPK552",
        "unknown flag",
        "Flags have fixed names, some of which end in _flag; newer SDKs have more of them. DEF_AUTOSPLIT_ORDERED uses a flag "
        "that no SDK has.",
        "flags: relaxed_flag",
        "flags: relaxed_precision_flag",
    ),
    Entry(
        "OPK553",
        "flags that cannot be told",
        "Flags are bits, joined by |. A number hides which flags are meant, and adding a flag that is set already sets "
        "the next one.",
        "flags: cse_after_if + cse_after_if",
        "flags: cse_after_if",
    ),
)
_PROPERTIES = 'DEF_TENSOR_PROPERTIES(Op("A", "x"), '
_COST = 'DEF_PACKAGE_OP_AND_COST_AND_FLAGS(f, "A", '
_DECLARATIONS = (
    Entry(
        "OPK554",
        "malformed tensor properties",
        "DEF_TENSOR_PROPERTIES begins with the op, as Op with the names of the inputs or as a name alone; terms follow. "
        'Names in Op and Outputs are plain: "*" and "..." stand in terms only.',
        'DEF_TENSOR_PROPERTIES(Flat("*"))',
        'DEF_TENSOR_PROPERTIES("A", Flat("*"))',
    ),
    Entry(
        "OPK555",
        "unknown term of tensor properties",
        "Terms have fixed names, which differ between SDKs: EarlyCrouton is gone in 2.43, TilingOnly and INVARIANT are "
        "new there. There is no Any: a tensor that no term names is placed freely.",
        f'{_PROPERTIES}Any("x"))',
        f'{_PROPERTIES}Flat("*"))',
    ),
    Entry(
        "OPK556",
        "tensor that the declaration does not have",
        'Terms name the inputs of Op, the outputs of Outputs, "*" (the first output) and "..." (all that are not '
        "constrained yet). PreferTcm, FixedConstant, CroutonIf and EarlyCrouton are for inputs.",
        f'{_PROPERTIES}Flat("x0"))',
        f'{_PROPERTIES}Flat("x"))',
    ),
    Entry(
        "OPK557",
        "term without effect",
        "For each tensor, the first term that sets its layout wins, and likewise for its memory; later ones do nothing. "
        '"..." takes in all tensors that are left.',
        f'{_PROPERTIES}Flat("x"), Crouton("x"))',
        f'{_PROPERTIES}Crouton("x"), Flat("*"))',
    ),
    Entry(
        "OPK558",
        "malformed registration of a kernel",
        "The op's name is a string. Costs are GLACIAL, SNAIL, FAST, FREE or a part of one (SNAIL / 128); strings and plain "
        "numbers do not compile. Flags are written Flags::NAME and separated by commas.",
        f"{_COST}SNAIL, RESOURCE_HVX)",
        f"{_COST}SNAIL, Flags::RESOURCE_HVX)",
    ),
    Entry(
        "OPK559",
        "malformed order of parameters",
        "DEF_PACKAGE_PARAM_ORDER takes the op's name and then three arguments for each parameter: its name, whether it "
        "is mandatory, and the address of its default (a Qnn_Param_t) or nullptr.",
        'DEF_PACKAGE_PARAM_ORDER("A", "axis", false, 1)',
        'DEF_PACKAGE_PARAM_ORDER("A", "axis", false, &default_axis)',
    ),
)
_SPLIT = 'AUTOSPLIT(1, "I", 8, Op("A", TYPICAL_SLICE("X", "I")))'
_RULE = "DEF_PACKAGE_OPTIMIZATION("
_LINTS = (
    Entry(
        "OPK560",
        "condition that never holds",
        "No graph makes the condition true: it contradicts itself, or what the pattern says. As the whole constraint it "
        "switches the rule off. Sizes are never negative, so comparisons with negative numbers are of this kind.",
        'when: AND(IS_QUINT8("X"), IS_FLOAT16("X"))',
        'when: OR(IS_QUINT8("X"), IS_FLOAT16("X"))',
    ),
    Entry(
        "OPK561",
        "condition that always holds",
        "The condition is true in every graph, or whenever the terms before it are: it decides nothing. Usually another "
        "operand, bound or operator is meant.",
        'when: AND(GT(DIM_DEPTH("X"), 32), GT(DIM_DEPTH("X"), 8))',
        'when: AND(GT(DIM_DEPTH("X"), 32), GT(DIM_WIDTH("X"), 8))',
    ),
    Entry(
        "OPK562",
        "endless rewriting",
        "What the rule builds matches it again under a condition that still holds, or rules of one pass undo each other. A "
        "pass ends only when no rule applies any more, so it never ends. Only what is certain is reported.",
        'replace: Op("B", Op("A", "X"))',
        'replace: Op("B", Op("C", "X"))',
    ),
    Entry(
        "OPK563",
        "rule that never runs because of an earlier one",
        "Rules of one pass that begin with the same op are tried in the order of their registration. The earlier rule "
        "matches whenever this one does, so this one has no node left.",
        f'{_RULE}EARLY, Op("A", "X"), OK, Op("B", "X"))\n{_RULE}EARLY, Op("A", Op("B", "X")), OK, Op("C", "X"))',
        f'{_RULE}EARLY, Op("A", Op("B", "X")), OK, Op("C", "X"))\n{_RULE}EARLY, Op("A", "X"), OK, Op("B", "X"))',
    ),
    Entry(
        "OPK564",
        "AUTOSPLIT without a size guard",
        "The slices that AUTOSPLIT builds are ops of the kind that the rule splits. Without a condition that a slice "
        "does not meet, they are split again and again.",
        f"replace: {_SPLIT}",
        f'when: GT(DIM_HEIGHT("*"), 8)\nreplace: {_SPLIT}',
    ),
    Entry(
        "OPK565",
        "tag that nothing uses",
        "LET names an op of the pattern so that constraint or replacement can speak of it. Plain tags need no use: they "
        "hold the place of an input.",
        'match: Op("A", LET("L", Op("B", "X")))',
        'match: Op("A", Op("B", "X"))',
    ),
    Entry(
        "OPK566",
        "op that no package defines",
        "A pattern with an op that does not exist never matches; a replacement with one makes a node that nothing can "
        "run. Names without a prefix belong to the package of the rule: a core op needs FROM_DEFAULT_PACKAGE. The core's "
        "ops are known in part only, so there only likely misspellings are remarked upon.",
        'replace: Op("Relu", "X")',
        'replace: Op(FROM_DEFAULT_PACKAGE("Relu"), "X")',
    ),
    Entry(
        "OPK567",
        "constant that is read without asking",
        "CONSTVAL_INT of an operand that is no constant is the least int, CONSTVAL_FLOAT is NaN. The constraint can hold "
        "with such a value. Comparisons that a failure makes false need no guard.",
        'when: LT(CONSTVAL_INT("X", 0), 4)',
        'when: AND(CONSTVAL_INT_VALID("X", 0), LT(CONSTVAL_INT("X", 0), 4))',
    ),
    Entry(
        "OPK568",
        "order of rules decides",
        "An earlier rule of the same pass matches the same nodes, and both constraints can hold. Then the earlier one "
        "wins: moving a rule, or listing files in another order, changes the graph.",
        f'{_RULE}EARLY, Op("A", "X"), GT(DIM_DEPTH("X"), 8), Op("B", "X"))\n'
        f'{_RULE}EARLY, Op("A", "X"), GT(DIM_DEPTH("X"), 4), Op("C", "X"))',
        f'{_RULE}EARLY, Op("A", "X"), GT(DIM_DEPTH("X"), 8), Op("B", "X"))\n'
        f'{_RULE}EARLY + 1, Op("A", "X"), GT(DIM_DEPTH("X"), 4), Op("C", "X"))',
    ),
    Entry(
        "OPK569",
        "unknown graph option",
        "Options are named by strings that nothing checks; one that is not set reads as 0. The name is nearly that of a "
        "known option.",
        'when: OPTION_BOOL("relaxed_precison")',
        'when: OPTION_BOOL("relaxed_precision")',
    ),
)
ENTRIES = (*_PASSES, *_DECLARATIONS, *_LINTS)
