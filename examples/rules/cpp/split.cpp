// A Gelu of many rows becomes parts of eight rows, each small enough to stay near the vector units.
DEF_PACKAGE_OPTIMIZATION(
    LATE,
    Op("Gelu", "X"),
    GT(DIM_HEIGHT("*"), 8),
    AUTOSPLIT(1, "I", 8, Op("Gelu", TYPICAL_SLICE("X", "I"))))
