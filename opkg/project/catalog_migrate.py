"""Catalog of OPK350 to OPK359: what `opkg explain` says of the findings of `opkg rules migrate`."""

from opkg.spec.catalog import Entry

ENTRIES = (
    Entry(
        "OPK350",
        "package name not known",
        "A classic package gets its name from THIS_PKG_NAME, which the build often defines on the command line, so that "
        "it is not in the source. A spec's package name has dotted lower-case words.",
        "opkg rules migrate src/Relu.cpp",
        "opkg rules migrate src/Relu.cpp --package acme.vision",
    ),
    Entry(
        "OPK351",
        "migrated under another name or registration",
        "Names of packages in a spec have lower-case letters; graphs that name the old package have to be converted "
        "anew. A file that the interface's list does not name was never registered by the classic package; the "
        "migrated one registers everything.",
    ),
    Entry(
        "OPK352",
        "op or param not carried",
        "Ops and params of a spec become C++ and Python names. One with other characters, or with a reserved word as "
        "name, cannot be carried.",
    ),
    Entry(
        "OPK353",
        "rule under a preprocessor condition",
        "A spec has no preprocessor. The rule is in the spec whatever the condition was.",
    ),
    Entry(
        "OPK354",
        "not carried",
        "The rule or tensor property cannot be in a spec that validates; it stands in the spec as a comment, with the "
        "reason. Mend it there and take the comment marks away.",
    ),
    Entry(
        "OPK355",
        "tensors not read",
        "Tensors are read from kernel functions by pattern. Of a function that is written in another way, or that lies "
        "in a file that was not given, the tensors are guessed from tensor properties and rules, and marked TODO.",
    ),
    Entry(
        "OPK356",
        "spec in the way",
        "`opkg rules migrate` overwrites nothing.",
    ),
    Entry(
        "OPK357",
        "nothing to migrate",
        "Among the files given none could be read, or none registers an op.",
    ),
    Entry(
        "OPK358",
        "rule with a C++ function",
        "A rule may call C++ functions (EXTERNAL_CONSTRAINT, EXTERNAL_REPLACE, SHAPEFN_APPLY). `opkg generate` declares "
        "them once in rules/<op>.h, a file of yours; bring their code there.",
    ),
    Entry(
        "OPK359",
        "default not read",
        "Defaults are read from Qnn_Param_t objects with designated initializers. One that is a null pointer, a tensor "
        "or built by code has to be stated in the spec.",
    ),
)
