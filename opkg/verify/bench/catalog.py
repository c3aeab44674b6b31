"""Catalog of OPK610 to OPK619: measured kernels."""

ENTRIES = {
    "OPK610": (
        "function that cannot be measured",
        "`opkg bench OP --against FILE` compiles a C or C++ file for Hexagon and calls its function of the kernel's name "
        "(add_u8, as `opkg bench OP` prints it): extern \"C\" void NAME(const void* const* in, void* const* out, size_t n, const "
        "float* numbers). The file does not compile, or the function is not in it. The message holds the first error.",
    ),
    "OPK611": (
        "measured program failed",
        "The program that counts a kernel ended before it could report. A function of `--against` that reads or writes "
        "outside of its rows does that. A generated kernel must not: report it.",
    ),
    "OPK612": (
        "tuning that cannot be read",
        "`tuning.json` in the project's root holds what `opkg kernel tune` found: a row per kernel with its package, name, "
        "digest and number of steps per turn of the loop (1 to 16). The file is no JSON or has another form. It may be deleted.",
    ),
}  # fmt: skip
