// The same without a condition: the parts are Gelus too.
DEF_PACKAGE_OPTIMIZATION(
    LATE,
    Op("Gelu", "X"),
    OK,
    AUTOSPLIT(1, "I", 8, Op("Gelu", TYPICAL_SLICE("X", "I"))))
