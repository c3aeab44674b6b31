// An addition and the Relu behind it, in one op of this package.
#include "HTP/core/constraints.h"
#include "HTP/core/optimize.h"
#include "QnnOpPackage.h"

BEGIN_PKG_OP_DEFINITION(PKG_AddRelu);

DEF_PACKAGE_OPTIMIZATION(
    EARLY,
    Op(FROM_DEFAULT_PACKAGE("Relu"), Op(FROM_DEFAULT_PACKAGE("ElementWiseAdd"), "A", "B")),
    AND(IS_QUINT8("*"), SAME_SHAPE("A", "B")),
    Op("AddRelu", "A", "B"))

END_PKG_OP_DEFINITION(PKG_AddRelu);
