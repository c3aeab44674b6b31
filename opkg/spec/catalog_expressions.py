"""Catalog of OPK160 to OPK179: expressions."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK160",
        "unreadable expression",
        "The text is no expression: something is missing, or stands where it cannot.",
        "shape: [N, H /]",
        "shape: [N, H / 2]",
    ),
    Entry(
        "OPK161",
        "not in the language",
        "Expressions have + - * / // %, comparisons, and, or, not, a if t else b, x.shape[0] and the functions of "
        "the "
        "reference. There are no powers, strings, slices, lambdas or comprehensions.",
        "require: N ** 2 < 64",
        "require: N * N < 64",
    ),
    Entry(
        "OPK162",
        "unknown name",
        "The name is no input, output, param, dimension, type variable or element type of this op. Dimensions get "
        "their "
        "names in the shape of an input.",
        "constraints: [axes == 0]",
        "constraints: [axis == 0]",
    ),
    Entry(
        "OPK163",
        "wrong type in an expression",
        "Every expression has a type: int, float, bool, dtype or shape. A tensor has none itself; take .shape, "
        ".rank, .size, "
        ".dtype, .scale or .offset of it.",
        "require: x > 0",
        "require: x.rank > 0",
    ),
    Entry(
        "OPK164",
        "no such function",
        "The function does not exist, or takes another number of arguments.",
        "default: ranks(x) - 1",
        "default: rank(x) - 1",
    ),
    Entry(
        "OPK165",
        "no such member",
        "Tensors have the members shape, rank, size, dtype, scale and offset; nothing else has any.",
        "shape: x.shap",
        "shape: x.shape",
    ),
    Entry(
        "OPK166",
        "not a number of the language",
        "Numbers are decimal: 12, 0.5, 1e-5. Ints fit in 64 bits.",
        "default: 0x10",
        "default: 16",
    ),
    Entry(
        "OPK167",
        "expression too large",
        "An expression has at most 1000 characters and nests at most 48 deep.",
        "require: ((((...))))",
        "require: N == 1",
    ),
    Entry(
        "OPK168",
        "not a range",
        "A range is low .. high (an end may be left out) or a comparison with one end, in quotes.",
        "range: 0 to 5",
        "range: 0 .. 5",
    ),
    Entry(
        "OPK169",
        "misplaced run of dimensions",
        "'...' and 'name...' stand for any number of dimensions, inside a shape list, at most once in each. A name "
        "stands "
        "for one dimension or for a run, not both.",
        "shape: [a..., b...]",
        "shape: [a..., C]",
    ),
    Entry("OPK170", "division by zero", "The divisor is the number 0.", "shape: [N / 0]", "shape: [N / 2]"),
    Entry(
        "OPK172",
        "used before it is known",
        "Values become known in this order: inputs, params (one after the other), outputs. An expression uses only "
        "what "
        "is known before it.",
        "axis: {dtype: uint32, default: rank(y) - 1}",
        "axis: {dtype: uint32, default: rank(x) - 1}",
    ),
)
