"""Catalog of OPK580 to OPK599: files of graphs, and what running rules on a graph shows."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK580",
        "graph file: line not understood",
        "A line of a graph in text form is a node (NAME: TYPE[SHAPE] = OP(INPUTS)), or begins with option, input, const, "
        "shape or output; # begins a comment. Names with other characters than letters, digits, _ and . stand in quotes.",
        "y: Float32[1,4] = q::Relu x",
        "y: Float32[1,4] = q::Relu(x)",
    ),
    Entry(
        "OPK581",
        "graph file: unknown node",
        "An input or output names a node that is not defined above. A node stands before those that read it, so that a "
        "graph cannot have a circle.",
        "y: Float32[1,4] = q::Relu(z)",
        "input z: Float32[1,4]\ny: Float32[1,4] = q::Relu(z)",
    ),
    Entry(
        "OPK582",
        "graph file: name given twice",
        "Two nodes, or two outputs of the graph, have the same name (in JSON: the same id).",
        "input x: Float32[4]\ninput x: Float32[8]",
        "input x: Float32[4]\ninput y: Float32[8]",
    ),
    Entry(
        "OPK583",
        "graph file: type, shape or quantization",
        "The element type is none of HTP's (QUInt8, QUInt16, QInt8, QInt16, QInt32, Int32, Int64, Float16, Float32, "
        "BFloat16, Multi), the shape has more than 8 dimensions, a type that is not quantized has a zero offset or step "
        "size, or an output is selected of an op that does not have it.",
        "input x: Float32[4] zero 128 step 0.1",
        "input x: QUInt8[4] zero 128 step 0.1",
    ),
    Entry(
        "OPK584",
        "graph file: number of values",
        "A constant lists more or fewer values than its shape has elements. `fill V` gives all elements one value, "
        "`random SEED` some, `?` says that they are not known.",
        "const w: Float32[1,3] = [1, 2]",
        "const w: Float32[1,3] = [1, 2, 3]",
    ),
    Entry(
        "OPK585",
        "graph file: JSON",
        "The text is no JSON, or not the JSON form of a graph: an object with format, options, nodes, splits and outputs.",
        '{"format": "opkg-graph 1", "node": [], "outputs": {}}',
        '{"format": "opkg-graph 1", "nodes": [], "outputs": {}}',
    ),
    Entry(
        "OPK586",
        "no graph of rules",
        "The model has what a graph of rules cannot have: subgraphs (If, Loop), or a constant whose values cannot be read. As a "
        "warning: a tensor in between has no known shape, so that rules see it as empty.",
    ),
    Entry(
        "OPK587",
        "endless rules",
        "Rules rewrite in a circle: one of them builds what it, or another of the same pass, matches again. The backend "
        "would not come to an end; the simulator stops, names the rules in the order in which they follow each other, and "
        "says what grows. Guard the rule by a constraint that what it builds does not meet, or move one of two rules to "
        "another pass.",
        'match: Op("Relu", "X")\nreplace: Op("Relu", Op("Clip", "X"))',
        'match: Op("Relu", "X")\nwhen: NOT(IS_OP("X", "Clip"))\nreplace: Op("Relu", Op("Clip", "X"))',
    ),
    Entry(
        "OPK588",
        "rule fails on a graph",
        "While the rule was tried at a node it did something that has no result: an input that is not there, a division "
        "by zero, a slice beyond its tensor, a shape with a size that does not fit, or a function, value or constant that "
        "the simulator does not know. Real code would crash or build a wrong graph; the simulator leaves the graph as it "
        "was. Functions are given in Python (`opkg rules apply --external`).",
        'when: GT(DIV(8, DIM_OF("X", 0)), 1)',
        'when: AND(GT(DIM_OF("X", 0), 0), GT(DIV(8, DIM_OF("X", 0)), 1))',
    ),
    Entry(
        "OPK589",
        "graph option not set",
        "A rule reads a graph option that neither the graph nor the command sets. 0 is taken, which may not be what the "
        "backend has.",
        'when: GT(OPTION_INT("tile_height"), 4)',
        'when: GT(DIM_HEIGHT("X"), 4)',
    ),
    Entry(
        "OPK590",
        "constant propagation failed",
        "The Python function that computes an op on constants raised an exception; the op stays as it is.",
    ),
    Entry(
        "OPK591",
        "graph file cannot be read",
        "There is no such file, it is a folder, it may not be read, or it is not UTF-8 text. The suffix decides the form: "
        ".json, .onnx, all others text.",
    ),
    Entry(
        "OPK592",
        "graph without outputs",
        "No line of the graph says what its outputs are. All nodes that nobody reads are taken, so that rules do not remove "
        "everything as dead code.",
        "input x: Float32[4]\ny: Float32[4] = q::Relu(x)",
        "input x: Float32[4]\ny: Float32[4] = q::Relu(x)\noutput y",
    ),
)
