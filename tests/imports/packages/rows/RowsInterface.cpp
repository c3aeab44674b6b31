// QNN interface of the package Rows.
// SPDX-License-Identifier: Apache-2.0
#include "HTP/QnnHtpCommon.h"
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "HTP/core/unique_types.h"
#include "QnnOpPackage.h"
#include "QnnSdkBuildId.h"

DEFINE_UNIQ_TY()
BEGIN_PKG_OPS_OPTS_LIST()
DECLARE_PKG_OPS_OPTS_LIST(PKG_Rows)
END_PKG_OPS_OPTS_LIST()

static const char* sg_opNames[] = {"AddI32", "MaxU8", "MulF32"};
static Qnn_ApiVersion_t sg_sdkApiVersion = QNN_HTP_API_VERSION_INIT;
static QnnOpPackage_Info_t sg_packageInfo = QNN_OP_PACKAGE_INFO_INIT;

INIT_PACKAGE_OP_DEF()
INIT_PACKAGE_OPTIMIZATION_DEF()
INIT_PACKAGE_PARAM_ORDER_DEF()
INIT_PKG_CORE_INIT_FUNC()

static Qnn_ErrorHandle_t rowsInit(QnnOpPackage_GlobalInfrastructure_t) {
  REGISTER_PACKAGE_PARAM_ORDERS()
  REGISTER_PACKAGE_AXIS_PARAMS()
  REGISTER_PACKAGE_PER_CHANNEL_QUANTIZED_OPS()
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t rowsGetInfo(const QnnOpPackage_Info_t** info) {
  sg_packageInfo.packageName = THIS_PKG_NAME_STR;
  sg_packageInfo.operationNames = sg_opNames;
  sg_packageInfo.numOperations = sizeof sg_opNames / sizeof *sg_opNames;
  sg_packageInfo.sdkBuildId = QNN_SDK_BUILD_ID;
  sg_packageInfo.sdkApiVersion = &sg_sdkApiVersion;
  *info = &sg_packageInfo;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t rowsValidateOpConfig(Qnn_OpConfig_t) { return QNN_SUCCESS; }
static Qnn_ErrorHandle_t rowsTerminate() { return QNN_SUCCESS; }

extern "C" QNN_API Qnn_ErrorHandle_t rowsInterfaceProvider(QnnOpPackage_Interface_t* interface) {
  if (!interface) return QNN_OP_PACKAGE_ERROR_INVALID_ARGUMENT;
  interface->interfaceVersion = {1, 4, 0};
  interface->v1_4.init = rowsInit;
  interface->v1_4.terminate = rowsTerminate;
  interface->v1_4.getInfo = rowsGetInfo;
  interface->v1_4.validateOpConfig = rowsValidateOpConfig;
  return QNN_SUCCESS;
}
