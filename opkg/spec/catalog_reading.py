"""Catalog of OPK100 to OPK119: from bytes to a YAML tree."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK100",
        "the file cannot be read",
        "The operating system refused to open the file: it does not exist, is a folder, or you may not read it.",
        "opkg validate specs/missing.yaml",
        "opkg validate specs/vision.yaml",
    ),
    Entry(
        "OPK101",
        "not UTF-8",
        "A spec is UTF-8 text, with or without a byte order mark. The finding points at the first byte that is not.",
        "(a file saved as UTF-16 or Latin-1)",
        "(the same text saved as UTF-8)",
    ),
    Entry(
        "OPK102",
        "file too large",
        "A spec has at most 4 MiB. That is room for thousands of ops; a larger file is most likely no spec.",
        "(a file of 5 MiB)",
        "(the package split into several files)",
    ),
    Entry(
        "OPK103",
        "forbidden character",
        "Control characters, line separators of Unicode and characters that change the direction of text are "
        "invisible in "
        "an editor and could hide what generated code says.",
        "summary: Relu<U+202E>",
        "summary: Relu",
    ),
    Entry(
        "OPK104",
        "YAML syntax",
        "The text is not YAML at the place shown. Most often an expression with brackets or commas stands without "
        "quotes "
        "inside [ ] or { }, or text has ': ' in it.",
        "y: {dtype: T, shape: [N, H / block[0]]}",
        'y: {dtype: T, shape: [N, "H / block[0]"]}',
    ),
    Entry(
        "OPK105",
        "tab as indentation",
        "YAML is indented with spaces; tabs are not allowed there.",
        "ops:\n\tRelu:",
        "ops:\n  Relu:",
    ),
    Entry(
        "OPK106",
        "several documents",
        "A spec file holds one YAML document. A second one begins at '---'.",
        "opkg: 1\n---\nopkg: 1",
        "opkg: 1",
    ),
    Entry(
        "OPK107",
        "empty file",
        "The file has no value at all, or only comments.",
        "# nothing yet",
        "opkg: 1\npackage: {name: acme.vision}\nops: {}",
    ),
    Entry(
        "OPK108",
        "nested too deep",
        "Lists and mappings nest at most 32 levels; no spec needs more.",
        "x: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
        "x: [[1]]",
    ),
    Entry(
        "OPK109",
        "too many values",
        "A file has at most 400000 values, counting what aliases repeat. Aliases of lists of aliases grow without "
        "bound.",
        "a: &a [1, 1]\nb: &b [*a, *a]\nc: &c [*b, *b]",
        "a: [1, 1]",
    ),
    Entry(
        "OPK110",
        "YAML tag",
        "Tags such as !!python/object ask a YAML reader to build objects. A spec has none.",
        "summary: !!str Relu",
        "summary: Relu",
    ),
    Entry(
        "OPK111",
        "duplicate key",
        "A key stands twice in one mapping. YAML readers keep one of them silently; which one differs.",
        "inputs:\n  x: {dtype: T}\n  x: {dtype: T}",
        "inputs:\n  x: {dtype: T}\n  y: {dtype: T}",
    ),
    Entry(
        "OPK112",
        "key is no text",
        "Keys are names. Numbers, null, lists and mappings as keys are not read.",
        "inputs:\n  1: {dtype: T}",
        "inputs:\n  x1: {dtype: T}",
    ),
    Entry(
        "OPK113",
        "merge key",
        "YAML's '<<' merges mappings so that no reader of the file sees its values at once.",
        "y: {<<: *x}",
        "y: {dtype: T, shape: x.shape}",
    ),
    Entry(
        "OPK114",
        "alias of no anchor",
        "'*name' in YAML repeats the value that '&name' marked. A run of dimensions is written 'name...', or "
        "'*name' in "
        "quotes.",
        "shape: [*batch, C]",
        "shape: [batch..., C]",
    ),
    Entry(
        "OPK115",
        "alias of itself",
        "An anchor's value contains an alias of that anchor: it has no end.",
        "cases: &a [*a]",
        "cases: []",
    ),
    Entry(
        "OPK116",
        "expression cut in two",
        "Inside { } a comma begins the next key. An expression with a comma must stand in quotes there.",
        "y: {dtype: T, shape: broadcast(a, b)}",
        'y: {dtype: T, shape: "broadcast(a, b)"}',
    ),
)
