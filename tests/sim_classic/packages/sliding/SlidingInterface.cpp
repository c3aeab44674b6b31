// QNN interface of the package Sliding.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "HTP/QnnHtpCommon.h"
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "HTP/core/unique_types.h"
#include "QnnOpPackage.h"
#include "QnnLog.h"
#include "QnnSdkBuildId.h"

DEFINE_UNIQ_TY()
BEGIN_PKG_OPS_OPTS_LIST()
DECLARE_PKG_OPS_OPTS_LIST(PKG_Sliding)
END_PKG_OPS_OPTS_LIST()

INIT_PKG_CORE_INIT_FUNC()

namespace {

const char* kOps[] = {"Half", "Pack"};
Qnn_ApiVersion_t sdkApiVersion = QNN_HTP_API_VERSION_INIT;
QnnOpPackage_Info_t packageInfo = QNN_OP_PACKAGE_INFO_INIT;
bool initialized = false;

Qnn_ErrorHandle_t init(QnnOpPackage_GlobalInfrastructure_t) {
  if (initialized) return QNN_OP_PACKAGE_ERROR_LIBRARY_ALREADY_INITIALIZED;
  REGISTER_PACKAGE_PARAM_ORDERS()
  initialized = true;
  return QNN_SUCCESS;
}

Qnn_ErrorHandle_t getInfo(const QnnOpPackage_Info_t** info) {
  if (!initialized) return QNN_OP_PACKAGE_ERROR_LIBRARY_NOT_INITIALIZED;
  packageInfo.packageName = THIS_PKG_NAME_STR;
  packageInfo.operationNames = kOps;
  packageInfo.numOperations = sizeof kOps / sizeof kOps[0];
  packageInfo.sdkBuildId = QNN_SDK_BUILD_ID;
  packageInfo.sdkApiVersion = &sdkApiVersion;
  *info = &packageInfo;
  return QNN_SUCCESS;
}

Qnn_ErrorHandle_t validateOpConfig(Qnn_OpConfig_t config) {
  return strcmp(config.v1.packageName, THIS_PKG_NAME_STR) == 0 ? QNN_SUCCESS
                                                               : QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE;
}

Qnn_ErrorHandle_t terminate() {
  initialized = false;
  return QNN_SUCCESS;
}
Qnn_ErrorHandle_t logInitialize(QnnLog_Callback_t, QnnLog_Level_t) { return QNN_SUCCESS; }
Qnn_ErrorHandle_t logSetLevel(QnnLog_Level_t level) {
  return level > QNN_LOG_LEVEL_MAX ? QNN_LOG_ERROR_INVALID_ARGUMENT : QNN_SUCCESS;
}
Qnn_ErrorHandle_t logTerminate() { return QNN_SUCCESS; }

}  // namespace

extern "C" Qnn_ErrorHandle_t slidingInterfaceProvider(QnnOpPackage_Interface_t* interface) {
  interface->interfaceVersion = {1, 4, 0};
  interface->v1_4 = {init,    terminate,     getInfo,     validateOpConfig, nullptr,
                     nullptr, logInitialize, logSetLevel, logTerminate};
  return QNN_SUCCESS;
}
