"""Rows: patterns, op names, and the macros at the top of a file."""

from __future__ import annotations

from opkg.rules.constructs.rows import match, op_name, rule

_QHPI = "Nested tests of `qhpi_op_name` and `qhpi_op_num_inputs` from the callback's op downwards."
_NAMES = "Names without `::` that begin with neither `$` nor `*` get the package's prefix."

ROWS = (
    match("Op", "op: op name, inputs: match*", "An op of that name with exactly these inputs.", qhpi=_QHPI,
          trap=_NAMES),
    match("OpVarIn", "op: op name, inputs: match*", "An op of that name with at least these inputs.", qhpi=_QHPI,
          where="In patterns only; a replacement builds with Op.", trap=_NAMES),
    match("LET", "tag: new tag, op: match op", "Names the op it wraps, so that constraint and replacement can speak "
          "of it.",
          where="Around an Op or OpVarIn below the root, once a tag.", qhpi="A variable.",
          trap="C++ takes it at the root and around another LET, which the published text forbids; around a tag it "
          "does not compile."),
    match("OPCONST", "tag: new tag", "A constant under a tag.", published=False, expansion='LET(tag, Op("$Const"))',
          qhpi="`qhpi_op_is_constant`"),
    op_name("FROM_DEFAULT_PACKAGE", "op: op name", "The op of the core package: the name with the prefix `q::`.",
            published=False,
            qhpi="The name with its prefix."),
    rule("DEF_PACKAGE_OPTIMIZATION", "pass: pass, match: match op, when: bool, replace: replacement",
         "One optimization rule.",
         qhpi="A callback `early_rewrite` or `late_rewrite` of the root's op: there are two moments, not a number.",
         trap="Priorities are stored in 16 bits; others wrap silently. Rules do nothing until the package registers "
         "them."),
    rule("DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS", "pass: pass, flags: flags, match: match op, when: bool, replace: "
         "replacement",
         "One optimization rule with flags.", published=False,
         qhpi="The callback; flags that name graph options become `qhpi_option_int`."),
    rule("DEF_OPT", "pass: pass, match: match op, when: bool, replace: replacement",
         "A rule of the core package's style.",
         published=False, qhpi="As DEF_PACKAGE_OPTIMIZATION.", trap="Packages should use DEF_PACKAGE_OPTIMIZATION."),
    rule("DEF_AUTOSPLIT", "pass: pass, match: match op, when: bool, dim: count, split: split tag, chunk: count, "
         "replace: replacement",
         "A rule whose replacement is an AUTOSPLIT, guarded by the size of the dimension that is split.",
         published=False,
         qhpi="As DEF_PACKAGE_OPTIMIZATION.", trap="DEF_AUTOSPLIT_ORDERED names a flag that no SDK has: it never "
         "compiles."),
    rule("DEF_AUTOSPLIT_TYPICAL", "pass: pass, op: op name, arity: count, dim: count, chunk: count",
         "A rule that splits an op along a dimension and slices its inputs alike.", published=False,
         qhpi="As DEF_PACKAGE_OPTIMIZATION."),
    rule("DEF_TENSOR_PROPERTIES", "op: match op?, terms: term*", "Layouts and memory of an op's tensors.",
         published=False,
         qhpi="Layout, storage and placement in the signatures of kernels.",
         trap="The first term that speaks of a tensor and property wins. An op without a declaration has all tensors "
         "flat and in main memory."),
    rule("DEF_PACKAGE_OP", "function: C++ function, op: op name", "Registers a kernel as GLACIAL, with HVX.",
         qhpi="A kernel record.", trap="The name must be a string as it stands."),
    rule("DEF_PACKAGE_OP_AND_COST_AND_FLAGS", "function: C++ function, op: op name, cost: expression, flags: expression*",
         "Registers a kernel with its cost (GLACIAL, SNAIL, FAST, FREE) and resources.", qhpi="A kernel record.",
         trap="Flags are written `Flags::RESOURCE_HVX`; strings and bare numbers as cost do not compile."),
    rule("DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS", "function: C++ function, op: op name, cost: C++ function, flags: "
         "expression*",
         "Registers a kernel with a function that computes its cost.", published=False,
         qhpi="A kernel record with a cost function."),
    rule("DEF_PACKAGE_PARAM_ORDER", "op: op name, params: expression*",
         "The order in which an op's parameters become inputs.",
         published=False, qhpi="None: parameters arrive in the order of the op's definition."),
)  # fmt: skip
