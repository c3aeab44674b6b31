// The QNN C types an op package and its caller share: our own declarations, written from measured layouts.
// SPDX-License-Identifier: Apache-2.0
//
// Self-contained: this file is copied into generated packages, which then need no SDK. Sizes and offsets are
// asserted below for 64-bit targets (32-bit Hexagon has its own, smaller layout, which the same fields
// produce).
#ifndef OPKG_QNN_ABI_H_
#define OPKG_QNN_ABI_H_

#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
#include <cstdarg>
extern "C" {
#else
#include <stdarg.h>
#endif

#ifndef QNN_API
#define QNN_API __attribute__((visibility("default")))
#endif

/* ---- errors, handles, versions ------------------------------------------------------------------- */

typedef uint64_t Qnn_ErrorHandle_t;
typedef void* Qnn_BackendHandle_t;
typedef void* Qnn_ContextHandle_t;
typedef void* Qnn_GraphHandle_t;
typedef void* Qnn_DeviceHandle_t;
typedef void* Qnn_LogHandle_t;
typedef void* Qnn_ProfileHandle_t;
typedef void* Qnn_SignalHandle_t;
typedef void* Qnn_MemHandle_t;

typedef struct {
  uint32_t major;
  uint32_t minor;
  uint32_t patch;
} Qnn_Version_t;
#define QNN_VERSION_INIT {0u, 0u, 0u}

typedef struct {
  Qnn_Version_t coreApiVersion;
  Qnn_Version_t backendApiVersion;
} Qnn_ApiVersion_t;
#define QNN_API_VERSION_MAJOR 2
#define QNN_API_VERSION_MINOR 25
#define QNN_API_VERSION_PATCH 0
#define QNN_API_VERSION_INIT \
  {{QNN_API_VERSION_MAJOR, QNN_API_VERSION_MINOR, QNN_API_VERSION_PATCH}, QNN_VERSION_INIT}

/* A backend takes a package of a lower API version than its own (2.40 and 5.51 in QNN 2.51), with a warning,
   and refuses a higher one with 4008: low numbers keep a package loadable everywhere. */
#define QNN_BACKEND_ID_HTP 6
#define QNN_HTP_API_VERSION_MAJOR 5
#define QNN_HTP_API_VERSION_MINOR 0
#define QNN_HTP_API_VERSION_PATCH 0
#define QNN_HTP_API_VERSION_INIT                                                      \
  {                                                                                   \
    {QNN_API_VERSION_MAJOR, QNN_API_VERSION_MINOR, QNN_API_VERSION_PATCH}, {          \
      QNN_HTP_API_VERSION_MAJOR, QNN_HTP_API_VERSION_MINOR, QNN_HTP_API_VERSION_PATCH \
    }                                                                                 \
  }

#define QNN_SUCCESS 0
#define QNN_MIN_ERROR_COMMON 1000
#define QNN_MAX_ERROR_COMMON 1999
#define QNN_MIN_ERROR_OP_PACKAGE 3000
#define QNN_MAX_ERROR_OP_PACKAGE 3999
#define QNN_MIN_ERROR_BACKEND 4000
#define QNN_MIN_ERROR_CONTEXT 5000
#define QNN_MIN_ERROR_GRAPH 6000
#define QNN_MIN_ERROR_TENSOR 7000
#define QNN_GET_ERROR_CODE(error) ((error) & 0xFFFFu)

/* Named after what a package reports; the numbers were measured, those not measured count on from their
 * range. */
enum {
  QNN_OP_PACKAGE_NO_ERROR = 0,
  QNN_OP_PACKAGE_ERROR_LIBRARY_ALREADY_INITIALIZED = 3000,
  QNN_OP_PACKAGE_ERROR_LIBRARY_NOT_INITIALIZED = 3001,
  QNN_OP_PACKAGE_ERROR_INVALID_HANDLE = 3002,
  QNN_OP_PACKAGE_ERROR_INVALID_INFRASTRUCTURE = 3100,
  QNN_OP_PACKAGE_ERROR_INVALID_INFO = 3101,
  QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE = 3110,
  QNN_OP_PACKAGE_ERROR_INVALID_ARGUMENT = 3200,
  QNN_OP_PACKAGE_ERROR_UNSUPPORTED_FEATURE = 1000,
  QNN_OP_PACKAGE_ERROR_GENERAL = 1100,
};

/* ---- element types and tensor kinds --------------------------------------------------------------- */

typedef enum {
  QNN_DATATYPE_INT_8 = 0x0008,
  QNN_DATATYPE_INT_16 = 0x0016,
  QNN_DATATYPE_INT_32 = 0x0032,
  QNN_DATATYPE_INT_64 = 0x0064,
  QNN_DATATYPE_UINT_8 = 0x0108,
  QNN_DATATYPE_UINT_16 = 0x0116,
  QNN_DATATYPE_UINT_32 = 0x0132,
  QNN_DATATYPE_UINT_64 = 0x0164,
  QNN_DATATYPE_FLOAT_16 = 0x0216,
  QNN_DATATYPE_FLOAT_32 = 0x0232,
  QNN_DATATYPE_FLOAT_64 = 0x0264,
  QNN_DATATYPE_SFIXED_POINT_4 = 0x0304,
  QNN_DATATYPE_SFIXED_POINT_8 = 0x0308,
  QNN_DATATYPE_SFIXED_POINT_16 = 0x0316,
  QNN_DATATYPE_SFIXED_POINT_32 = 0x0332,
  QNN_DATATYPE_UFIXED_POINT_4 = 0x0404,
  QNN_DATATYPE_UFIXED_POINT_8 = 0x0408,
  QNN_DATATYPE_UFIXED_POINT_16 = 0x0416,
  QNN_DATATYPE_UFIXED_POINT_32 = 0x0432,
  QNN_DATATYPE_BOOL_8 = 0x0508,
  QNN_DATATYPE_STRING = 0x0608,
  QNN_DATATYPE_UNDEFINED = 0x7FFFFFFF
} Qnn_DataType_t;

typedef enum {
  QNN_TENSOR_TYPE_APP_WRITE = 0,
  QNN_TENSOR_TYPE_APP_READ = 1,
  QNN_TENSOR_TYPE_APP_READWRITE = 2,
  QNN_TENSOR_TYPE_NATIVE = 3,
  QNN_TENSOR_TYPE_STATIC = 4,
  QNN_TENSOR_TYPE_NULL = 5,
  QNN_TENSOR_TYPE_UPDATEABLE_STATIC = 6,
  QNN_TENSOR_TYPE_UNDEFINED = 0x7FFFFFFF
} Qnn_TensorType_t;

typedef uint32_t Qnn_TensorDataFormat_t;
#define QNN_TENSOR_DATA_FORMAT_DENSE 0
#define QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER QNN_TENSOR_DATA_FORMAT_DENSE

typedef enum {
  QNN_TENSORMEMTYPE_RAW = 0,
  QNN_TENSORMEMTYPE_MEMHANDLE = 1,
  QNN_TENSORMEMTYPE_UNDEFINED = 0x7FFFFFFF
} Qnn_TensorMemType_t;

/* ---- quantization --------------------------------------------------------------------------------- */

typedef enum {
  QNN_DEFINITION_IMPL_GENERATED = 0,
  QNN_DEFINITION_DEFINED = 1,
  QNN_DEFINITION_UNDEFINED = 0x7FFFFFFF
} Qnn_Definition_t;

typedef enum {
  QNN_QUANTIZATION_ENCODING_SCALE_OFFSET = 0,
  QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET = 1,
  QNN_QUANTIZATION_ENCODING_BW_SCALE_OFFSET = 2,
  QNN_QUANTIZATION_ENCODING_BW_AXIS_SCALE_OFFSET = 3,
  QNN_QUANTIZATION_ENCODING_BLOCK = 4,
  QNN_QUANTIZATION_ENCODING_BLOCKWISE_EXPANSION = 5,
  QNN_QUANTIZATION_ENCODING_VECTOR = 6,
  QNN_QUANTIZATION_ENCODING_UNDEFINED = 0x7FFFFFFF
} Qnn_QuantizationEncoding_t;

/* real = (stored + offset) * scale */
typedef struct {
  float scale;
  int32_t offset;
} Qnn_ScaleOffset_t;

typedef struct {
  int32_t axis;
  uint32_t numScaleOffsets;
  Qnn_ScaleOffset_t* scaleOffset;
} Qnn_AxisScaleOffset_t;

typedef struct {
  Qnn_Definition_t encodingDefinition;
  Qnn_QuantizationEncoding_t quantizationEncoding;
  union {
    Qnn_ScaleOffset_t scaleOffsetEncoding;
    Qnn_AxisScaleOffset_t axisScaleOffsetEncoding;
    uint64_t opkgEncodingWords[4]; /* room for the encodings this project does not read */
  };
} Qnn_QuantizeParams_t;
#define QNN_QUANTIZE_PARAMS_INIT                                               \
  {                                                                            \
    QNN_DEFINITION_UNDEFINED, QNN_QUANTIZATION_ENCODING_UNDEFINED, {{0.0f, 0}} \
  }

/* ---- tensors -------------------------------------------------------------------------------------- */

typedef struct {
  void* data;
  uint32_t dataSize;
} Qnn_ClientBuffer_t;
#define QNN_CLIENT_BUFFER_INIT {NULL, 0u}

#define OPKG_QNN_TENSOR_FIELDS         \
  uint32_t id;                         \
  const char* name;                    \
  Qnn_TensorType_t type;               \
  Qnn_TensorDataFormat_t dataFormat;   \
  Qnn_DataType_t dataType;             \
  Qnn_QuantizeParams_t quantizeParams; \
  uint32_t rank;                       \
  uint32_t* dimensions;                \
  Qnn_TensorMemType_t memType;         \
  union {                              \
    Qnn_ClientBuffer_t clientBuf;      \
    Qnn_MemHandle_t memHandle;         \
  };

typedef struct {
  OPKG_QNN_TENSOR_FIELDS
} Qnn_TensorV1_t;

typedef struct {
  OPKG_QNN_TENSOR_FIELDS
  uint8_t* isDynamicDimensions;
  const void* sparseParams;
  uint8_t isProduced;
} Qnn_TensorV2_t;

typedef enum {
  QNN_TENSOR_VERSION_1 = 1,
  QNN_TENSOR_VERSION_2 = 2,
  QNN_TENSOR_VERSION_UNDEFINED = 0x7FFFFFFF
} Qnn_TensorVersion_t;

typedef struct {
  Qnn_TensorVersion_t version;
  union {
    Qnn_TensorV1_t v1;
    Qnn_TensorV2_t v2;
  };
} Qnn_Tensor_t;
#define QNN_TENSOR_V1_INIT                                                                     \
  {                                                                                            \
    0u, NULL, QNN_TENSOR_TYPE_UNDEFINED, QNN_TENSOR_DATA_FORMAT_DENSE, QNN_DATATYPE_UNDEFINED, \
        QNN_QUANTIZE_PARAMS_INIT, 0u, NULL, QNN_TENSORMEMTYPE_UNDEFINED, {                     \
      QNN_CLIENT_BUFFER_INIT                                                                   \
    }                                                                                          \
  }
#define QNN_TENSOR_INIT                          \
  {                                              \
    QNN_TENSOR_VERSION_1, { QNN_TENSOR_V1_INIT } \
  }

/* ---- params and op configs ------------------------------------------------------------------------ */

typedef struct {
  Qnn_DataType_t dataType;
  union {
    float floatValue;
    double doubleValue;
    uint64_t uint64Value;
    int64_t int64Value;
    uint32_t uint32Value;
    int32_t int32Value;
    uint16_t uint16Value;
    int16_t int16Value;
    uint8_t uint8Value;
    int8_t int8Value;
    uint8_t bool8Value;
    const char* stringValue;
  };
} Qnn_Scalar_t;
#define QNN_SCALAR_INIT {QNN_DATATYPE_UNDEFINED, {0.0f}}

typedef enum {
  QNN_PARAMTYPE_SCALAR = 0,
  QNN_PARAMTYPE_TENSOR = 1,
  QNN_PARAMTYPE_UNDEFINED = 0x7FFFFFFF
} Qnn_ParamType_t;

typedef struct {
  Qnn_ParamType_t paramType;
  const char* name;
  union {
    Qnn_Scalar_t scalarParam;
    Qnn_Tensor_t tensorParam;
  };
} Qnn_Param_t;
#define QNN_PARAM_INIT                                 \
  {                                                    \
    QNN_PARAMTYPE_UNDEFINED, NULL, { QNN_SCALAR_INIT } \
  }

typedef struct {
  const char* name;
  const char* packageName;
  const char* typeName;
  uint32_t numOfParams;
  Qnn_Param_t* params;
  uint32_t numOfInputs;
  Qnn_Tensor_t* inputTensors;
  uint32_t numOfOutputs;
  Qnn_Tensor_t* outputTensors;
} Qnn_OpConfigV1_t;

typedef enum {
  QNN_OPCONFIG_VERSION_1 = 1,
  QNN_OPCONFIG_VERSION_UNDEFINED = 0x7FFFFFFF
} Qnn_OpConfigVersion_t;

typedef struct {
  Qnn_OpConfigVersion_t version;
  union {
    Qnn_OpConfigV1_t v1;
  };
} Qnn_OpConfig_t;
#define QNN_OPCONFIG_V1_INIT {NULL, NULL, NULL, 0u, NULL, 0u, NULL, 0u, NULL}
#define QNN_OPCONFIG_INIT                            \
  {                                                  \
    QNN_OPCONFIG_VERSION_1, { QNN_OPCONFIG_V1_INIT } \
  }

/* ---- logging -------------------------------------------------------------------------------------- */

typedef enum {
  QNN_LOG_LEVEL_ERROR = 1,
  QNN_LOG_LEVEL_WARN = 2,
  QNN_LOG_LEVEL_INFO = 3,
  QNN_LOG_LEVEL_VERBOSE = 4,
  QNN_LOG_LEVEL_DEBUG = 5,
  QNN_LOG_LEVEL_MAX = 0x7FFFFFFF
} QnnLog_Level_t;

typedef void (*QnnLog_Callback_t)(const char* fmt, QnnLog_Level_t level, uint64_t timestamp, va_list args);

/* ---- the op package ------------------------------------------------------------------------------- */

typedef struct OpkgGlobalInfrastructure* QnnOpPackage_GlobalInfrastructure_t;
typedef struct OpkgGraphInfrastructure* QnnOpPackage_GraphInfrastructure_t;
typedef struct OpkgNode* QnnOpPackage_Node_t;
typedef struct OpkgOpImpl* QnnOpPackage_OpImpl_t;
typedef struct OpkgPackageInfo* QnnOpPackage_PackageInfo_t;
typedef struct OpkgOperationInfo QnnOpPackage_OperationInfo_t;
typedef struct OpkgOptimization QnnOpPackage_Optimization_t;

#define QNN_OP_PACKAGE_RESERVED_INFO_SIZE 12
typedef struct {
  const char* packageName;
  const char** operationNames;
  const QnnOpPackage_OperationInfo_t* operationInfo;
  uint32_t numOperations;
  const QnnOpPackage_Optimization_t* optimizations;
  uint32_t numOptimizations;
  const char* sdkBuildId;
  const Qnn_ApiVersion_t* sdkApiVersion;
  QnnOpPackage_PackageInfo_t packageInfo;
  const Qnn_Version_t* opsetVersion;
  size_t reserved[QNN_OP_PACKAGE_RESERVED_INFO_SIZE];
} QnnOpPackage_Info_t;
#define QNN_OP_PACKAGE_INFO_INIT {NULL, NULL, NULL, 0u, NULL, 0u, NULL, NULL, NULL, NULL, {0u}}

typedef Qnn_ErrorHandle_t (*QnnOpPackage_InitFn_t)(QnnOpPackage_GlobalInfrastructure_t infrastructure);
typedef Qnn_ErrorHandle_t (*QnnOpPackage_TerminateFn_t)(void);
typedef Qnn_ErrorHandle_t (*QnnOpPackage_GetInfoFn_t)(const QnnOpPackage_Info_t** info);
typedef Qnn_ErrorHandle_t (*QnnOpPackage_ValidateOpConfigFn_t)(Qnn_OpConfig_t opConfig);
typedef Qnn_ErrorHandle_t (*QnnOpPackage_CreateOpImplFn_t)(QnnOpPackage_GraphInfrastructure_t graph,
                                                           QnnOpPackage_Node_t node,
                                                           QnnOpPackage_OpImpl_t* opImpl);
typedef Qnn_ErrorHandle_t (*QnnOpPackage_FreeOpImplFn_t)(QnnOpPackage_OpImpl_t opImpl);
typedef Qnn_ErrorHandle_t (*QnnOpPackage_LogInitializeFn_t)(QnnLog_Callback_t callback, QnnLog_Level_t level);
typedef Qnn_ErrorHandle_t (*QnnOpPackage_LogSetLevelFn_t)(QnnLog_Level_t level);
typedef Qnn_ErrorHandle_t (*QnnOpPackage_LogTerminateFn_t)(void);

typedef struct {
  QnnOpPackage_InitFn_t init;
  QnnOpPackage_TerminateFn_t terminate;
  QnnOpPackage_GetInfoFn_t getInfo;
  QnnOpPackage_ValidateOpConfigFn_t validateOpConfig;
  QnnOpPackage_CreateOpImplFn_t createOpImpl;
  QnnOpPackage_FreeOpImplFn_t freeOpImpl;
  QnnOpPackage_LogInitializeFn_t logInitialize;
  QnnOpPackage_LogSetLevelFn_t logSetLevel;
  QnnOpPackage_LogTerminateFn_t logTerminate;
} QnnOpPackage_ImplementationV1_4_t;

typedef struct {
  Qnn_Version_t interfaceVersion;
  union {
    QnnOpPackage_ImplementationV1_4_t v1_4;
  };
} QnnOpPackage_Interface_t;

typedef Qnn_ErrorHandle_t (*QnnOpPackage_InterfaceProvider_t)(QnnOpPackage_Interface_t* interface);

#ifdef __cplusplus
}  // extern "C"
#endif

/* ---- the measured layout -------------------------------------------------------------------------- */

#if defined(__cplusplus) && UINTPTR_MAX == 0xFFFFFFFFFFFFFFFFu
#define OPKG_AT(record, field, offset) \
  static_assert(offsetof(record, field) == (offset), #record "." #field " is not at " #offset)
#define OPKG_SIZE(record, size) static_assert(sizeof(record) == (size), #record " is not " #size " bytes")
OPKG_SIZE(Qnn_ApiVersion_t, 24);
OPKG_SIZE(Qnn_QuantizeParams_t, 40);
OPKG_AT(Qnn_QuantizeParams_t, quantizationEncoding, 4);
OPKG_AT(Qnn_QuantizeParams_t, scaleOffsetEncoding, 8);
OPKG_AT(Qnn_AxisScaleOffset_t, scaleOffset, 8);
OPKG_SIZE(Qnn_TensorV1_t, 112);
OPKG_AT(Qnn_TensorV1_t, name, 8);
OPKG_AT(Qnn_TensorV1_t, type, 16);
OPKG_AT(Qnn_TensorV1_t, dataFormat, 20);
OPKG_AT(Qnn_TensorV1_t, dataType, 24);
OPKG_AT(Qnn_TensorV1_t, quantizeParams, 32);
OPKG_AT(Qnn_TensorV1_t, rank, 72);
OPKG_AT(Qnn_TensorV1_t, dimensions, 80);
OPKG_AT(Qnn_TensorV1_t, memType, 88);
OPKG_AT(Qnn_TensorV1_t, clientBuf, 96);
OPKG_AT(Qnn_ClientBuffer_t, dataSize, 8);
OPKG_SIZE(Qnn_TensorV2_t, 136);
OPKG_SIZE(Qnn_Tensor_t, 144);
OPKG_AT(Qnn_Tensor_t, v1, 8);
OPKG_SIZE(Qnn_Scalar_t, 16);
OPKG_AT(Qnn_Scalar_t, floatValue, 8);
OPKG_SIZE(Qnn_Param_t, 160);
OPKG_AT(Qnn_Param_t, name, 8);
OPKG_AT(Qnn_Param_t, scalarParam, 16);
OPKG_AT(Qnn_Param_t, tensorParam, 16);
OPKG_SIZE(Qnn_OpConfig_t, 80);
OPKG_AT(Qnn_OpConfig_t, v1, 8);
OPKG_AT(Qnn_OpConfigV1_t, numOfParams, 24);
OPKG_AT(Qnn_OpConfigV1_t, params, 32);
OPKG_AT(Qnn_OpConfigV1_t, inputTensors, 48);
OPKG_AT(Qnn_OpConfigV1_t, outputTensors, 64);
OPKG_SIZE(QnnOpPackage_Info_t, 176);
OPKG_AT(QnnOpPackage_Info_t, numOperations, 24);
OPKG_AT(QnnOpPackage_Info_t, optimizations, 32);
OPKG_AT(QnnOpPackage_Info_t, sdkBuildId, 48);
OPKG_AT(QnnOpPackage_Info_t, sdkApiVersion, 56);
OPKG_AT(QnnOpPackage_Info_t, packageInfo, 64);
OPKG_AT(QnnOpPackage_Info_t, opsetVersion, 72);
OPKG_AT(QnnOpPackage_Info_t, reserved, 80);
OPKG_SIZE(QnnOpPackage_Interface_t, 88);
OPKG_AT(QnnOpPackage_Interface_t, v1_4, 16);
#undef OPKG_AT
#undef OPKG_SIZE
#endif

#endif  // OPKG_QNN_ABI_H_
