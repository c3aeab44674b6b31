"""Catalog of OPK500 to OPK515: what of rule text cannot be read."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK500",
        "unreadable rule text",
        "Something is missing or stands where it cannot: two operands without a comma, an argument that is not there, "
        "text after the end. The rest of the rule is read all the same, so that all its faults are reported at once; "
        "the rule itself is left out of further checks.",
        'match: Op("Add" "X", Op("Relu" Y))',
        'match: Op("Add", "X", Op("Relu", "Y"))',
    ),
    Entry(
        "OPK501",
        "bracket, quote or comment not closed",
        "A bracket, string or comment that is opened must be closed, and nothing else may be. In C++ files a call that "
        "is not closed ends at the next macro of an op package, where reading goes on.",
        'when: GT(DIM_HEIGHT("X", 8)',
        'when: GT(DIM_HEIGHT("X"), 8)',
    ),
    Entry(
        "OPK502",
        "not in the rule language",
        "Rules consist of names, numbers, strings, brackets and commas (and + in a pass). Other characters, character "
        "constants, raw strings, strings with a prefix and preprocessor directives cannot stand in them.",
        "when: EQ(DIM_OF(\"X\", 3), '8')",
        'when: EQ(DIM_OF("X", 3), 8)',
    ),
    Entry(
        "OPK503",
        "malformed number or escape",
        "The text looks like a number but C++ does not take it as one, or its value does not fit in 64 bits; or an "
        "escape in a string stands for no character.",
        'when: GT(DIM_OF("X", 3), 08)',
        'when: GT(DIM_OF("X", 3), 8)',
    ),
    Entry(
        "OPK504",
        "octal number",
        "As in C, a number that begins with 0 is octal. That is seldom meant; values below 8 are not reported.",
        'when: GT(DIM_OF("X", 3), 010)',
        'when: GT(DIM_OF("X", 3), 8)',
    ),
    Entry(
        "OPK505",
        "L suffix",
        "The published grammar says that an L suffix is ignored, but the templates of the SDK have no case for `long`: "
        "such a constant does not compile inside an expression. Only constructs that take C++ integers, such as "
        "gen_Shape, accept it. A U suffix makes the constant a size.",
        'when: GT(DIM_OF("X", 3), 32L)',
        'when: GT(DIM_OF("X", 3), 32u)',
    ),
    Entry(
        "OPK506",
        "unusual character in a string",
        "Strings are names of operands, ops, split tags and options. The published grammar keeps blanks, escapes and "
        "unprintable characters out of them, and tools that read rules rely on that; C++ takes them. MESSAGE texts may "
        "hold anything.",
        'match: Op("my op", "X")',
        'match: Op("my_op", "X")',
    ),
    Entry(
        "OPK507",
        "empty string",
        "A string names an operand, an op, a split tag or an option; an empty one names nothing. C++ compiles it.",
        'match: Op("", "X")',
        'match: Op("Relu", "X")',
    ),
    Entry(
        "OPK508",
        "nested too deep",
        "Calls, brackets and operators may be nested 100 deep. Rules that ship have a depth of 12 at most.",
    ),
    Entry(
        "OPK509",
        "C cast",
        "A cast is written as a call of the type's name. C++ compiles the other form, but tools that read rules do not "
        "know it, as the published grammar says.",
        'when: GT(DIM_OF("X", 3), (size_t)4)',
        'when: GT(DIM_OF("X", 3), size_t(4))',
    ),
    Entry(
        "OPK510",
        "comma that ends a macro argument",
        "The preprocessor knows round brackets only: a comma between <>, [] or {} ends the macro's argument.",
        'DEF_PACKAGE_OP(relu<Tensor, Tensor>, "Relu")',
        'DEF_PACKAGE_OP((relu<Tensor, Tensor>), "Relu")',
    ),
    Entry(
        "OPK511",
        "not a macro call of rules, or a wrong number of arguments",
        "A rule is DEF_PACKAGE_OPTIMIZATION(pass, match, constraint, replacement), or with flags "
        "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(pass, flags, match, constraint, replacement).",
        'macro: DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), Op("B", "X"))',
        'macro: DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), OK, Op("B", "X"))',
    ),
    Entry(
        "OPK512",
        "bracket or comma after a rule",
        "What stands after a macro call is ignored by tools that read rules, but the first character may not be `(` or "
        "`,`: as a rule a bracket was closed too early.",
        'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X")), OK, Op("B", "X"))',
        'DEF_PACKAGE_OPTIMIZATION(EARLY, Op("A", "X"), OK, Op("B", "X"))',
    ),
    Entry(
        "OPK513",
        "rule that does not begin a line",
        "The published text wants the macro's name and its opening bracket at the start of one line, for tools that "
        "look no further. The compiler does not mind, and neither does opkg.",
    ),
    Entry(
        "OPK514",
        "macro that hides rules",
        "The source defines a macro whose body holds rules or registrations, and calls it here; or the call has the "
        "parts of a rule but its macro is defined in another file. What it makes is seen only after preprocessing: "
        "`--preprocess` runs the compiler's -E on the source first.",
    ),
    Entry(
        "OPK515",
        "the preprocessor failed",
        "`--preprocess` runs $CXX, g++ or clang++ with -E on the source, with opkg's own headers unless include folders "
        "are given. The compiler is missing, or it could not read the source: the message is its own.",
    ),
)
