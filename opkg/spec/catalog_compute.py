"""Catalog of OPK140 to OPK149: computations; OPK490: their gradients."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK140",
        "unreadable computation",
        "The text is no list of assignments, is empty, or exceeds the limits of 8000 characters, 200 statements, 2000 "
        "operations and 64 levels. Statements stand on a line each, or have ';' between them.",
        "compute: y = (x + 1",
        "compute: y = (x + 1) / 2",
    ),
    Entry(
        "OPK141",
        "not in the compute language",
        "A computation has assignments of arithmetic, comparisons, 'and', 'or', 'not', 'a if test else b', numbers and "
        "the functions of docs/spec.md. There are no members, indices, lambdas, comprehensions or texts.",
        "compute: y = x.T @ x",
        "compute: y = x * x",
    ),
    Entry(
        "OPK142",
        "unknown name in a computation",
        "An expression may use inputs, params, enum values and names that earlier statements assigned.",
        "compute: y = z + 1",
        "compute: y = x + 1",
    ),
    Entry(
        "OPK143",
        "no such function, or wrong operands",
        "The function does not exist, or takes other operands. min and max take two or more, or one and 'axis=', when "
        "they reduce.",
        "compute: y = clip(x, 0)",
        "compute: y = clip(x, 0, 6)",
    ),
    Entry(
        "OPK144",
        "wrong type in a computation",
        "Values are real, integer or bool. Bools do not count as numbers nor numbers as bools, and an output of an "
        "integer type takes no real value: cast() says how it is rounded.",
        "compute: y = x * (x > 0)",
        "compute: y = x if x > 0 else 0",
    ),
    Entry(
        "OPK145",
        "wrong assignment",
        "Every output is assigned exactly once, a temporary at most once; inputs, params and dimensions never.",
        "compute: x = x + 1",
        "compute: y = x + 1",
    ),
    Entry(
        "OPK146",
        "unused temporary",
        "A name is assigned that is no output, and that nothing uses.",
        "compute: t = x + 1; y = x",
        "compute: t = x + 1; y = t",
    ),
    Entry(
        "OPK147",
        "impossible reduction",
        "An axis numbers a dimension of the operand, from the end when negative; it is a whole number, a tuple of them, "
        "or an integer param. 'keepdims' is True, False or a bool param.",
        "compute: y = sum(x, axis=9)",
        "compute: y = x - sum(x, axis=-1, keepdims=True)",
    ),
    Entry(
        "OPK148",
        "shapes of a computation",
        "Operands are broadcast as in numpy; the value of an output has the output's shape, or is one number that fills "
        "it.",
        "x: {dtype: T, shape: [N, C]}\n...\ny: {dtype: T, shape: [N, C]}\ncompute: y = mean(x, axis=1)",
        "compute: y = x - mean(x, axis=1, keepdims=True)",
    ),
    Entry(
        "OPK149",
        "input that may be absent",
        "An optional input is used only where present() says that it is there; a variadic one not at all.",
        "compute: y = x + bias",
        "compute: y = x + bias if present(bias) else x",
    ),
    Entry(
        "OPK490",
        "gradient of nothing",
        "'backward:' names the numpy function that gives the gradient of the op's reference: called with the reference's "
        "arguments and grad_NAME for each output, it returns an array, or None, for each input. "
        "Of 'compute:' and 'pattern:' gradients are "
        "derived, so it cannot stand beside them.",
        "compute: y = x * x\nbackward: references:square_backward",
        "compute: y = x * x",
    ),
)
