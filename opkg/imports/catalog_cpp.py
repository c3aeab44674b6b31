"""Catalog of OPK350 to OPK359 and OPK640 to OPK659: C++ files that become specs, by `opkg import` or `opkg rules migrate`."""

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
        "A rule may call C++ functions (EXTERNAL_CONSTRAINT, EXTERNAL_REPLACE, SHAPEFN_APPLY). `opkg import` brings "
        "their code into rules/<op>.h, a file of yours; where no file has it, and after `opkg rules migrate`, bring it there.",
    ),
    Entry(
        "OPK359",
        "default not read",
        "Defaults are read from Qnn_Param_t objects with initializers, also of tensors. One that is a null pointer "
        "or built by code has to be stated in the spec.",
    ),
    Entry(
        "OPK640",
        "kernel not used",
        "A function that the package registered stands behind no kernel of the new one: it takes another number of tensors and "
        "params than a call has, or types that the spec does not list, or another function is cheaper for all of its types. Its "
        "code stands in the kernel file all the same.",
    ),
    Entry(
        "OPK641",
        "tensors in blocks and flat ones",
        "HTP's C++ interface lets a kernel choose the layout tensor by tensor; a kernel of a spec has one for all tensors of "
        "rank 4. The function gets flat tensors, those that it wants in blocks copied into blocks and back in each call. "
        "Tensor properties that mix layouts or memories fit no kernel then, and are left out.",
    ),
    Entry(
        "OPK642",
        "op without a kernel",
        "None of the functions that the op was registered with could be carried over. `opkg generate` writes a stub that answers "
        "'unsupported'.",
    ),
    Entry(
        "OPK643",
        "no counterpart",
        "A kernel uses something of the SDK that kernels of a spec do not get: graph handles, threads, HTP's own functions. The "
        "file does not compile until it is replaced.",
    ),
    Entry(
        "OPK644",
        "cost function not carried",
        "A cost in a spec is a name, a number or an expression over the op's tensors. A C++ function that returns one number is "
        "read; every other one has to be stated.",
        "cost: snail",
        "cost: 100 + size(x) / 32",
    ),
    Entry(
        "OPK645",
        "stored signed numbers",
        "QHPI hands tensors of 8 and 16 signed bits over as unsigned ones, with the zero point moved. Kernels that read elements "
        "through t(b, h, w, d) do not see it; those that read stored numbers do.",
    ),
    Entry(
        "OPK646",
        "file not carried",
        "Only files with kernels, and the headers that they include, come along. The package's interface is generated anew.",
    ),
    Entry(
        "OPK647",
        "header not carried",
        "A kernel file includes a header that was not found beside it, or that lies above its folder.",
    ),
    Entry(
        "OPK648",
        "callback not carried",
        "A QHPI package rewrites graphs and cuts tensors with C functions. A spec says both in other words: `rules` for "
        "rewrites, `tiling` or `compute` for tiles.",
    ),
    Entry(
        "OPK649",
        "record not read",
        "Records of QHPI packages (QHPI_OpInfo_v1, QHPI_Kernel_v1, QHPI_Tensor_Signature_v1) are read from static arrays with "
        "initializers. Those that code fills are not.",
    ),
    Entry(
        "OPK650",
        "QHPI kernel not carried",
        "A kernel of a spec has a fixed number of tensors with known element types, flat or in blocks, and keeps nothing between "
        "preparation and execution but what opkg keeps for it.",
    ),
)
