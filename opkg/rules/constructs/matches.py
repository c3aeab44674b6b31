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
)  # fmt: skip
