// The QNN backend's function table, as a program that drives a backend sees it (the runner; packages do not
// need it).
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_QNN_INTERFACE_ABI_H_
#define OPKG_QNN_INTERFACE_ABI_H_

#include "qnn_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*QnnUntyped_Fn_t)(void); /* a slot this project never calls */

typedef Qnn_ErrorHandle_t (*QnnBackend_CreateFn_t)(Qnn_LogHandle_t, const void** config,
                                                   Qnn_BackendHandle_t*);
typedef Qnn_ErrorHandle_t (*QnnBackend_GetApiVersionFn_t)(Qnn_ApiVersion_t*);
typedef Qnn_ErrorHandle_t (*QnnBackend_GetBuildIdFn_t)(const char** id);
typedef Qnn_ErrorHandle_t (*QnnBackend_RegisterOpPackageFn_t)(Qnn_BackendHandle_t, const char* packagePath,
                                                              const char* interfaceProvider,
                                                              const char* target);
typedef Qnn_ErrorHandle_t (*QnnBackend_ValidateOpConfigFn_t)(Qnn_BackendHandle_t, Qnn_OpConfig_t);
typedef Qnn_ErrorHandle_t (*QnnBackend_FreeFn_t)(Qnn_BackendHandle_t);
typedef Qnn_ErrorHandle_t (*QnnContext_CreateFn_t)(Qnn_BackendHandle_t, Qnn_DeviceHandle_t,
                                                   const void** config, Qnn_ContextHandle_t*);
typedef Qnn_ErrorHandle_t (*QnnContext_GetBinarySizeFn_t)(Qnn_ContextHandle_t, uint64_t* bytes);
typedef Qnn_ErrorHandle_t (*QnnContext_GetBinaryFn_t)(Qnn_ContextHandle_t, void* buffer, uint64_t bytes,
                                                      uint64_t* written);
typedef Qnn_ErrorHandle_t (*QnnContext_FreeFn_t)(Qnn_ContextHandle_t, Qnn_ProfileHandle_t);
typedef Qnn_ErrorHandle_t (*QnnGraph_CreateFn_t)(Qnn_ContextHandle_t, const char* name, const void** config,
                                                 Qnn_GraphHandle_t*);
typedef Qnn_ErrorHandle_t (*QnnGraph_AddNodeFn_t)(Qnn_GraphHandle_t, Qnn_OpConfig_t);
typedef Qnn_ErrorHandle_t (*QnnGraph_FinalizeFn_t)(Qnn_GraphHandle_t, Qnn_ProfileHandle_t,
                                                   Qnn_SignalHandle_t);
typedef Qnn_ErrorHandle_t (*QnnGraph_ExecuteFn_t)(Qnn_GraphHandle_t, const Qnn_Tensor_t* inputs,
                                                  uint32_t numInputs, Qnn_Tensor_t* outputs,
                                                  uint32_t numOutputs, Qnn_ProfileHandle_t,
                                                  Qnn_SignalHandle_t);
typedef Qnn_ErrorHandle_t (*QnnTensor_CreateFn_t)(Qnn_GraphHandle_t, Qnn_Tensor_t*);
typedef Qnn_ErrorHandle_t (*QnnLog_CreateFn_t)(QnnLog_Callback_t, QnnLog_Level_t, Qnn_LogHandle_t*);
typedef Qnn_ErrorHandle_t (*QnnLog_FreeFn_t)(Qnn_LogHandle_t);
typedef Qnn_ErrorHandle_t (*QnnError_GetMessageFn_t)(Qnn_ErrorHandle_t, const char** message);

/* One pointer a slot, in the measured order; newer backends only append. */
typedef struct {
  QnnUntyped_Fn_t propertyHasCapability;
  QnnBackend_CreateFn_t backendCreate;
  QnnUntyped_Fn_t backendSetConfig;
  QnnBackend_GetApiVersionFn_t backendGetApiVersion;
  QnnBackend_GetBuildIdFn_t backendGetBuildId;
  QnnBackend_RegisterOpPackageFn_t backendRegisterOpPackage;
  QnnUntyped_Fn_t backendGetSupportedOperations;
  QnnBackend_ValidateOpConfigFn_t backendValidateOpConfig;
  QnnBackend_FreeFn_t backendFree;
  QnnContext_CreateFn_t contextCreate;
  QnnUntyped_Fn_t contextSetConfig;
  QnnContext_GetBinarySizeFn_t contextGetBinarySize;
  QnnContext_GetBinaryFn_t contextGetBinary;
  QnnUntyped_Fn_t contextCreateFromBinary;
  QnnContext_FreeFn_t contextFree;
  QnnGraph_CreateFn_t graphCreate;
  QnnUntyped_Fn_t graphCreateSubgraph;
  QnnUntyped_Fn_t graphSetConfig;
  QnnGraph_AddNodeFn_t graphAddNode;
  QnnGraph_FinalizeFn_t graphFinalize;
  QnnUntyped_Fn_t graphRetrieve;
  QnnGraph_ExecuteFn_t graphExecute;
  QnnUntyped_Fn_t graphExecuteAsync;
  QnnUntyped_Fn_t tensorCreateContextTensor;
  QnnTensor_CreateFn_t tensorCreateGraphTensor;
  QnnLog_CreateFn_t logCreate;
  QnnUntyped_Fn_t logSetLogLevel;
  QnnLog_FreeFn_t logFree;
  QnnUntyped_Fn_t profile[7];
  QnnUntyped_Fn_t mem[2];
  QnnUntyped_Fn_t device[7];
  QnnUntyped_Fn_t signal[4];
  QnnError_GetMessageFn_t errorGetMessage;
  QnnUntyped_Fn_t errorGetVerboseMessage;
  QnnUntyped_Fn_t errorFreeVerboseMessage;
} QnnInterface_Implementation_t;
#define QNN_INTERFACE_VER_TYPE QnnInterface_Implementation_t
#define QNN_INTERFACE_VER_NAME v2

typedef struct {
  uint32_t backendId;
  const char* providerName;
  Qnn_ApiVersion_t apiVersion;
  QnnInterface_Implementation_t v2;
} QnnInterface_t;

typedef Qnn_ErrorHandle_t (*QnnInterface_GetProvidersFn_t)(const QnnInterface_t*** providers,
                                                           uint32_t* count);

#ifdef __cplusplus
}  // extern "C"
#if UINTPTR_MAX == 0xFFFFFFFFFFFFFFFFu
static_assert(offsetof(QnnInterface_t, providerName) == 8, "provider name");
static_assert(offsetof(QnnInterface_t, apiVersion) == 16, "core API version");
static_assert(offsetof(QnnInterface_t, v2) == 40, "function table");
static_assert(offsetof(QnnInterface_Implementation_t, contextGetBinary) == 12 * 8, "slot 12");
static_assert(offsetof(QnnInterface_Implementation_t, graphAddNode) == 18 * 8, "slot 18");
static_assert(offsetof(QnnInterface_Implementation_t, logCreate) == 25 * 8, "slot 25");
static_assert(offsetof(QnnInterface_Implementation_t, errorGetMessage) == 48 * 8, "slot 48");
#endif
#endif

#endif  // OPKG_QNN_INTERFACE_ABI_H_
