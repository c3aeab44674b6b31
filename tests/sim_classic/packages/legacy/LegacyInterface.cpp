// QNN interface of the package Legacy: initialised as before SDK 2.17, with the REGISTER_PACKAGE macros.
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "HTP/QnnHtpCommon.h"
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "HTP/core/unique_types.h"
#include "QnnOpPackage.h"

DEFINE_UNIQ_TY()
BEGIN_PKG_OPS_OPTS_LIST()
DECLARE_PKG_OPS_OPTS_LIST(PKG_Legacy)
END_PKG_OPS_OPTS_LIST()

static const char* sg_opNames[] = {"ArgMax", "AddInt", "Describe", "Weighted"};
static Qnn_ApiVersion_t sg_sdkApiVersion = QNN_HTP_API_VERSION_INIT;
static QnnOpPackage_Info_t sg_packageInfo = {THIS_PKG_NAME_STR, sg_opNames, nullptr, 4,       nullptr, 0,
                                             "legacy",          nullptr,    nullptr, nullptr, {0}};

INIT_PACKAGE_OP_DEF()
INIT_PACKAGE_OPTIMIZATION_DEF()
INIT_PACKAGE_PARAM_ORDER_DEF()
LIST_PACKAGE_AXIS_PARAMS("axis")
LIST_PACKAGE_PER_CHANNEL_QUANTIZED_OPS()

static Qnn_ErrorHandle_t legacyInit(QnnOpPackage_GlobalInfrastructure_t) {
#ifndef FORGET_TO_REGISTER
  REGISTER_PACKAGE_OPS()
#endif
  REGISTER_PACKAGE_OPTIMIZATIONS()
  REGISTER_PACKAGE_PARAM_ORDERS()
  REGISTER_PACKAGE_AXIS_PARAMS()
  REGISTER_PACKAGE_PER_CHANNEL_QUANTIZED_OPS()
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t legacyGetInfo(const QnnOpPackage_Info_t** info) {
  sg_packageInfo.sdkApiVersion = &sg_sdkApiVersion;
  *info = &sg_packageInfo;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t legacyValidate(Qnn_OpConfig_t config) {
  return strcmp(config.v1.packageName, THIS_PKG_NAME_STR) ? QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE
                                                          : QNN_SUCCESS;
}

static Qnn_ErrorHandle_t legacyTerminate() { return QNN_SUCCESS; }
static Qnn_ErrorHandle_t legacyLog(QnnLog_Callback_t, QnnLog_Level_t) { return QNN_SUCCESS; }
static Qnn_ErrorHandle_t legacyLogLevel(QnnLog_Level_t) { return QNN_SUCCESS; }

extern "C" Qnn_ErrorHandle_t legacyInterfaceProvider(QnnOpPackage_Interface_t* interface) {
  memset(interface, 0, sizeof *interface);
  interface->interfaceVersion = {1, 4, 0};
  interface->v1_4.init = legacyInit;
  interface->v1_4.terminate = legacyTerminate;
  interface->v1_4.getInfo = legacyGetInfo;
  interface->v1_4.validateOpConfig = legacyValidate;
  interface->v1_4.logInitialize = legacyLog;
  interface->v1_4.logSetLevel = legacyLogLevel;
  interface->v1_4.logTerminate = legacyTerminate;
  return QNN_SUCCESS;
}
