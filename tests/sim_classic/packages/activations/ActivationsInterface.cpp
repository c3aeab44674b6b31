// QNN interface of the package Activations: two op files, initialised as since SDK 2.17.
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

DECLARE_PKG_OPS_OPTS_LIST(PKG_Relu)
DECLARE_PKG_OPS_OPTS_LIST(PKG_ReluMinMax)

END_PKG_OPS_OPTS_LIST()

static constexpr auto sg_packageName = THIS_PKG_NAME_STR;
static std::array<const char*, 2> sg_opNames{{"Relu", "ReluMinMax"}};

static Qnn_ApiVersion_t sg_sdkApiVersion = QNN_HTP_API_VERSION_INIT;
static QnnOpPackage_Info_t sg_packageInfo = QNN_OP_PACKAGE_INFO_INIT;
static QnnOpPackage_GlobalInfrastructure_t sg_globalInfra = nullptr;
static bool sg_packageInitialized = false;
static QnnLog_Callback_t sg_logCallback = nullptr;
static QnnLog_Level_t sg_maxLogLevel = (QnnLog_Level_t)0;
static bool sg_logInitialized = false;

INIT_PACKAGE_OP_DEF()
INIT_PACKAGE_OPTIMIZATION_DEF()
INIT_PACKAGE_PARAM_ORDER_DEF()

INIT_PKG_CORE_INIT_FUNC()

static Qnn_ErrorHandle_t activationsInit(QnnOpPackage_GlobalInfrastructure_t infrastructure) {
  if (sg_packageInitialized) return QNN_OP_PACKAGE_ERROR_LIBRARY_ALREADY_INITIALIZED;
  REGISTER_PACKAGE_PARAM_ORDERS()
  REGISTER_PACKAGE_AXIS_PARAMS()
  REGISTER_PACKAGE_PER_CHANNEL_QUANTIZED_OPS()
  sg_globalInfra = infrastructure;
  sg_packageInitialized = true;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t activationsGetInfo(const QnnOpPackage_Info_t** info) {
  if (!sg_packageInitialized) return QNN_OP_PACKAGE_ERROR_LIBRARY_NOT_INITIALIZED;
  if (!info) return QNN_OP_PACKAGE_ERROR_INVALID_INFO;
  sg_packageInfo = QNN_OP_PACKAGE_INFO_INIT;
  sg_packageInfo.packageName = sg_packageName;
  sg_packageInfo.operationNames = sg_opNames.data();
  sg_packageInfo.numOperations = sg_opNames.size();
  sg_packageInfo.sdkBuildId = QNN_SDK_BUILD_ID;
  sg_packageInfo.sdkApiVersion = &sg_sdkApiVersion;
  *info = &sg_packageInfo;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t activationsValidateOpConfig(Qnn_OpConfig_t opConfig) {
  if (std::string(sg_packageName) != opConfig.v1.packageName) return QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE;
  const std::string type = opConfig.v1.typeName;
  const bool known = type == "Relu" || type == "ReluMinMax";
  if (!known || opConfig.v1.numOfInputs != 1 || opConfig.v1.numOfOutputs != 1) {
    return QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE;
  }
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t activationsCreateOpImpl(QnnOpPackage_GraphInfrastructure_t, QnnOpPackage_Node_t,
                                                 QnnOpPackage_OpImpl_t*) {
  return QNN_OP_PACKAGE_ERROR_UNSUPPORTED_FEATURE;
}

static Qnn_ErrorHandle_t activationsFreeOpImpl(QnnOpPackage_OpImpl_t) {
  return QNN_OP_PACKAGE_ERROR_UNSUPPORTED_FEATURE;
}

static Qnn_ErrorHandle_t activationsLogInitialize(QnnLog_Callback_t callback, QnnLog_Level_t maxLogLevel) {
  if (!callback) return QNN_LOG_ERROR_INVALID_ARGUMENT;
  if (maxLogLevel < QNN_LOG_LEVEL_ERROR) return QNN_LOG_ERROR_INVALID_ARGUMENT;
  sg_logCallback = callback;
  sg_maxLogLevel = maxLogLevel;
  sg_logInitialized = true;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t activationsLogSetLevel(QnnLog_Level_t maxLogLevel) {
  sg_maxLogLevel = maxLogLevel;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t activationsLogTerminate() {
  sg_logCallback = nullptr;
  sg_logInitialized = false;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t activationsTerminate() {
  sg_globalInfra = nullptr;
  sg_packageInitialized = false;
  return QNN_SUCCESS;
}

extern "C" QNN_API Qnn_ErrorHandle_t activationsInterfaceProvider(QnnOpPackage_Interface_t* interface) {
  if (!interface) return QNN_OP_PACKAGE_ERROR_INVALID_ARGUMENT;
  interface->interfaceVersion = {1, 4, 0};
  interface->v1_4.init = activationsInit;
  interface->v1_4.terminate = activationsTerminate;
  interface->v1_4.getInfo = activationsGetInfo;
  interface->v1_4.validateOpConfig = activationsValidateOpConfig;
  interface->v1_4.createOpImpl = activationsCreateOpImpl;
  interface->v1_4.freeOpImpl = activationsFreeOpImpl;
  interface->v1_4.logInitialize = activationsLogInitialize;
  interface->v1_4.logSetLevel = activationsLogSetLevel;
  interface->v1_4.logTerminate = activationsLogTerminate;
  return QNN_SUCCESS;
}
