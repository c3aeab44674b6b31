// The interface of the package: its list says in which order the files register. Only what migration reads is here.
// SPDX-License-Identifier: Apache-2.0
#define THIS_PKG_NAME examples.NormOps
#include "HTP/core/unique_types.h"

DEFINE_UNIQ_TY()
BEGIN_PKG_OPS_OPTS_LIST()
DECLARE_PKG_OPS_OPTS_LIST(PKG_Norm)
DECLARE_PKG_OPS_OPTS_LIST(PKG_Gate)
END_PKG_OPS_OPTS_LIST()
