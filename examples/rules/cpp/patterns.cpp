// x * 1 is x. OPCONST("One") is any constant, under a tag; its values can be read.
DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op(FROM_DEFAULT_PACKAGE("ElementWiseMultiply"), "X", OPCONST("One")),
    AND(SAME_SHAPE("*", "X"), SAME_ENCODING("*", "X"), IS_FLOAT32("One"), EQ(DATA_SIZE("One"), 4),
        CONSTVAL_FLOAT_VALID("One", 0), EQ(CONSTVAL_FLOAT("One", 0), 1.0f)),
    "X")

// x + x is 2 x. A tag that stands twice is one node.
DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op(FROM_DEFAULT_PACKAGE("ElementWiseAdd"), "X", "X"),
    IS_FLOAT32("*"),
    Op(FROM_DEFAULT_PACKAGE("ElementWiseMultiply"), "X", gen_ConstScalar_f32(2.0f)))
