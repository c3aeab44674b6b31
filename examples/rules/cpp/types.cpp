// A Gelu of 16-bit numbers, computed in float16: a cast before it and one behind.
DEF_PACKAGE_OPTIMIZATION(
    EARLY + 1,
    Op("Gelu", "X"),
    AND(IS_QUINT16("X"), IS_QUINT16("*")),
    Op(FROM_DEFAULT_PACKAGE("Cast"),
       WITH_OUTPUT_TYPE(
           DType::Float16, 0, 1.0f,
           Op("Gelu", WITH_SIZE("X", Op(FROM_DEFAULT_PACKAGE("Cast"), "X"))))))
