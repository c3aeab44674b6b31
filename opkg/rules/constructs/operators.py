"""Rows: operators on scalars, casts, selection, messages, external constraints."""

from __future__ import annotations

from opkg.rules.constructs.rows import scalar

_COMMON = (
    "Operands are converted to C++'s common type first: an int beside a size becomes a size, so -1 becomes 2^64-1."
)
_SIZE = "With sizes the result wraps: it is never negative but huge."
_TWO_CONSTANTS = "Two C++ constants do not compile."
_HAND = "C++ arithmetic with the same conversions."
_ADL = (
    "No header makes it a global name: C++ finds it by its arguments, so one of them must be computed; `oExp::` "
    "before it helps."
)

_COMPARISONS = (
    ("EQ", "equal", "="),
    ("NE", "different", "/="),
    ("LT", "the first is less", "<"),
    ("GT", "the first is greater", ">"),
    ("LE", "the first is less or equal", "<="),
    ("GE", "the first is greater or equal", ">="),
)

ROWS = (
    scalar("UINT", "x: value", "size", "The number, or an element type's number, as a size.",
           qhpi="`static_cast<size_t>`",
           trap="A negative number becomes huge."),
    scalar("INT", "x: value", "int", "The number, or an element type's number, as an int.",
           qhpi="`static_cast<int>`"),
    scalar("FLOAT", "x: value", "float", "The number, or an element type's number, as a float.",
           qhpi="`static_cast<float>`"),
    scalar("DTYPE", "x: value", "dtype", "The element type with that number.", qhpi="A cast to QHPI's element type."),
    scalar("NOT", "x: bool", "bool", "Whether the operand is false.", qhpi="`!`"),
    scalar("NEG", "x: number", "same", "The operand with its sign turned.", qhpi=_HAND, trap=_SIZE),
    scalar("ABS", "x: number", "same", "The operand without its sign.", qhpi=_HAND,
           trap="C++ rejects sizes: `abs` of an unsigned number is ambiguous."),
    scalar("IS_POW2", "x: integer", "bool", "Whether an integer is a power of two.", qhpi="`(x & (x - 1)) == 0`",
           trap="0 counts as a power of two, and so does the least int. Floats do not compile."),
    scalar("AND", "terms: bool+1", "bool",
           "Whether all terms hold. They are taken from left to right, and a false one ends it.", qhpi="`&&`"),
    scalar("OR", "terms: bool+2", "bool",
           "Whether a term holds. They are taken from left to right, and a true one ends it.", qhpi="`||`",
           trap="One term alone does not compile, though the published grammar allows it."),
    scalar("XOR", "terms: bool+2", "bool", "Whether an odd number of terms holds. All of them are evaluated.",
           qhpi="`!=` of bools",
           trap="One term alone does not compile, though the published grammar allows it."),
    scalar("ADD", "terms: number+2", "common", "The sum, from left to right.", qhpi=_HAND,
           trap="One term alone does not compile. " + _COMMON + " The sum of two bools is a bool."),
    scalar("MUL", "factors: number+2", "common", "The product, from left to right.", qhpi=_HAND,
           trap="One factor alone does not compile. " + _COMMON),
    scalar("MIN", "terms: number+2", "common", "The least term.", qhpi="`std::min` of the common type", trap=_COMMON),
    scalar("MAX", "terms: number+2", "common", "The greatest term.", qhpi="`std::max` of the common type",
           trap=_COMMON),
    scalar("SUB", "a: number, b: number", "common", "The difference.", qhpi=_HAND, trap=_SIZE),
    scalar("DIV", "a: number, b: number", "common", "The quotient; that of integers is cut towards zero.", qhpi="`/`",
           trap="Dividing integers by zero is undefined. " + _COMMON),
    scalar("REM", "a: integer, b: integer", "common", "The remainder with the sign of the dividend.", qhpi="`%`",
           trap="Floats do not compile. " + _COMMON),
    scalar("MOD", "a: integer, b: integer", "common", "The remainder with the sign of the divisor.",
           qhpi="`%`, and the divisor added when the signs differ", trap="Floats do not compile. " + _COMMON),
    scalar("ROUNDUP", "a: integer, b: integer", "common", "The next multiple of `b` that is not less than `a`.",
           qhpi="`(a + b - 1) / b * b`",
           trap="`b` need not be a power of two, whatever the grammar says; 0 gives the next power of two, a "
           "negative one gives 0. Floats do not compile."),
    scalar("ROUNDDOWN", "a: integer, b: integer", "common", "The last multiple of `b` that is not greater than `a`.",
           since="2.43", published=False, qhpi="`a / b * b`"),
    scalar("CEILDIV", "a: integer, b: integer", "common", "The quotient, rounded up.", published=False,
           qhpi="`(a + b - 1) / b`", trap=_ADL),
    scalar("LCM", "a: integer, b: integer", "common", "The least common multiple.", published=False,
           qhpi="`std::lcm`", trap=_ADL),
    scalar("BIT_AND", "a: integer, b: integer", "common", "The bits that both have.", published=False, qhpi="`&`",
           trap=_ADL),
    scalar("BIT_OR", "a: integer, b: integer", "common", "The bits that either has.", published=False, qhpi="`|`",
           trap=_ADL),
    *(
        scalar(name, "a: value, b: value", "bool", f"Whether both are {text} ({sign})." if name in ("EQ", "NE") else
               f"Whether {text} ({sign}).", qhpi="The C++ operator on the common type.",
               trap=_COMMON + " " + _TWO_CONSTANTS + (" Element types compare with element types only."
               if name in ("EQ", "NE") else " Element types have no order, though C++ compares their numbers."))
        for name, text, sign in _COMPARISONS
    ),
    scalar("SELECT", "condition: bool, then: value, otherwise: value", "common",
           "The second argument when the first holds, else the third. Only the chosen one is evaluated.", qhpi="`?:`",
           trap="Both arms must be scalars. A string is an operand here, never a number."),
    scalar("MESSAGE", "text: text", "bool", "Writes the text to the log; true.", published=False,
           qhpi="None: a callback writes to the log by itself."),
    scalar("MESSAGE_IF", "condition: bool, text: text", "bool", "The condition; the text is logged when it holds.",
           published=False, qhpi="The condition; nothing is logged."),
    scalar("MESSAGE_IFNOT", "condition: bool, text: text", "bool",
           "The condition; the text is logged when it does not hold.",
           published=False, qhpi="The condition; nothing is logged."),
    scalar("MESSAGE_VALUE", "value: count, text: text", "int", "The number, as an int; it is logged with the text.",
           published=False, qhpi="The number; nothing is logged."),
    scalar("EXTERNAL_CONSTRAINT", "function: C++ function, x: tag, args: number*", "bool",
           "Calls a C++ function with the matched node and scalars; it may return any scalar.",
           where="Its first operand must be a tag as a string, not INPUT_OF or SELECT.",
           qhpi="None: the function takes the classic interface's objects. Rewrite it over `qhpi_op_*`.",
           trap="It must stand under `#ifndef PREPARE_DISABLED`, since devices build no rules."),
    scalar("SPLIT_DIM", "split: split tag", "int", "The dimension that the AUTOSPLIT with this tag splits.",
           where="Inside the last operand of the AUTOSPLIT or OP_ITER with the tag; never in constraints.",
           qhpi="The loop's dimension."),
    scalar("SPLIT_START", "split: split tag", "int", "Where the current part begins, or the iteration's number.",
           where="As SPLIT_DIM.", qhpi="The loop variable."),
    scalar("SPLIT_SIZE", "split: split tag", "int", "Extent of the current part; the last one may be shorter.",
           where="As SPLIT_DIM.", qhpi="The extent of the loop's part."),
    scalar("ITER_VAR", "split: split tag", "int", "The iteration's number: SPLIT_START by another name, for OP_ITER.",
           where="As SPLIT_DIM.", qhpi="The loop variable.", expansion="SPLIT_START(split)"),
)  # fmt: skip
