// Gated.fuse
DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op(
        FROM_DEFAULT_PACKAGE("Mul"),
        LET("T1", Op(FROM_DEFAULT_PACKAGE("Add"), "A", "B")),
        Op(FROM_DEFAULT_PACKAGE("Sigmoid"), "T1")),
    AND(
        EQ(RANK_OF("*"), 4),
        SAME_SHAPE("A", "B"),
        OR(
            AND(IS_FLOAT16("A"), IS_FLOAT16("B"), IS_FLOAT16("*")),
            AND(IS_QUINT8("A"), IS_QUINT8("B"), IS_QUINT8("*")))),
    Op("Gated", "A", "B"))

// Gated.fuse_2
DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op(
        FROM_DEFAULT_PACKAGE("Mul"),
        Op(FROM_DEFAULT_PACKAGE("Sigmoid"), LET("T1", Op(FROM_DEFAULT_PACKAGE("Add"), "A", "B"))),
        "T1"),
    AND(
        EQ(RANK_OF("*"), 4),
        SAME_SHAPE("A", "B"),
        OR(
            AND(IS_FLOAT16("A"), IS_FLOAT16("B"), IS_FLOAT16("*")),
            AND(IS_QUINT8("A"), IS_QUINT8("B"), IS_QUINT8("*")))),
    Op("Gated", "A", "B"))
