// QNN interface of the package Faulty, whose kernels do what kernels must not do.
// SPDX-License-Identifier: Apache-2.0
#include "HTP/QnnHtpCommon.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/unique_types.h"
#include "QnnOpPackage.h"

DEFINE_UNIQ_TY()
BEGIN_PKG_OPS_OPTS_LIST()
DECLARE_PKG_OPS_OPTS_LIST(PKG_Faulty)
END_PKG_OPS_OPTS_LIST()

INIT_PKG_CORE_INIT_FUNC()

namespace {
const char* kOps[] = {"Crash",       "Hang",      "Overrun", "FarOverrun", "Underrun",
                      "ChangeInput", "WrongDims", "Bigger",  "ReturnBad",  "Throw",
                      "FloatOnly",   "NoKernel",  "Silent",  "WrongIndex"};
QnnOpPackage_Info_t packageInfo = {THIS_PKG_NAME_STR, kOps,    nullptr,  sizeof kOps / sizeof kOps[0],
                                   nullptr,           0,       "faulty", nullptr,
                                   nullptr,           nullptr, {0}};
Qnn_ErrorHandle_t init(QnnOpPackage_GlobalInfrastructure_t) { return QNN_SUCCESS; }
Qnn_ErrorHandle_t getInfo(const QnnOpPackage_Info_t** info) {
  *info = &packageInfo;
  return QNN_SUCCESS;
}
Qnn_ErrorHandle_t validate(Qnn_OpConfig_t) { return QNN_SUCCESS; }
Qnn_ErrorHandle_t terminate() { return QNN_SUCCESS; }
Qnn_ErrorHandle_t logInitialize(QnnLog_Callback_t, QnnLog_Level_t) { return QNN_SUCCESS; }
Qnn_ErrorHandle_t logSetLevel(QnnLog_Level_t) { return QNN_SUCCESS; }
}  // namespace

extern "C" Qnn_ErrorHandle_t faultyInterfaceProvider(QnnOpPackage_Interface_t* interface) {
  interface->interfaceVersion = {1, 4, 0};
  interface->v1_4 = {init,    terminate,     getInfo,     validate, nullptr,
                     nullptr, logInitialize, logSetLevel, terminate};
  return QNN_SUCCESS;
}
