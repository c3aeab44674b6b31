// All of this compiles. None of it does what it says.
DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op("Scale", "X", "Factor"),
    GT(DIM_OF("X", 3), -1),
    Op("Scale", "Y", "Factor"))

DEF_PACKAGE_OPTIMIZATION(
    LATE,
    Op("Scale", "X", "Factor"),
    GT(DIM_HEIGHT("*"), 8),
    AUTOSPLIT(1, "I", 8, Op("Scale", TYPICAL_SLICE("X", "J"), "Factor")))

DEF_PACKAGE_OPTIMIZATION(
    EARLY + 65000,
    Op("Scale", LET("Inner", Op("Scale", "X", "A")), "B"),
    SAME_SHAPE("A", "B"),
    Op("Scale", "X", Op(FROM_DEFAULT_PACKAGE("ElementWiseMultiply"), "A", "B")))
