// A condition that is C++: bool fits(Constraint const&, OpRef, size_t most)
DEF_PACKAGE_OPTIMIZATION(
    LATE,
    Op("Gelu", "X"),
    NOT(EXTERNAL_CONSTRAINT(fits, "*", OPTION_UINT("tcm_size_for_tiling"))),
    AUTOSPLIT(1, "I", DIV(DIM_HEIGHT("*"), 2u), Op("Gelu", TYPICAL_SLICE("X", "I"))))
