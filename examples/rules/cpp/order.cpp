// Twice the sign: nothing. Once, behind a subtraction: the subtraction the other way round.
DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op(FROM_DEFAULT_PACKAGE("ElementWiseNeg"), Op(FROM_DEFAULT_PACKAGE("ElementWiseNeg"), "X")),
    SAME_ENCODING("*", "X"),
    "X")

DEF_PACKAGE_OPTIMIZATION(
    EARLY + 1,
    Op(FROM_DEFAULT_PACKAGE("ElementWiseNeg"), Op(FROM_DEFAULT_PACKAGE("ElementWiseSubtract"), "A", "B")),
    IS_FLOAT32("*"),
    Op(FROM_DEFAULT_PACKAGE("ElementWiseSubtract"), "A", "B"))
