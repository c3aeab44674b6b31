// Clip and Scale for QHPI: own kernels, costs, two element types, blocks.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "HTP/QnnHtpCommon.h"
#include "HTP/core/qhpi.h"
#include "QnnOpPackage.h"
#include "QnnSdkBuildId.h"

#define STR_(x) #x
#define STR(x) STR_(x)
#define PKG "Clips"

namespace {

uint64_t countOf(const QHPI_Shape& shape) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < shape.rank; ++i) count *= shape.dims[i];
  return count;
}

// One range for every element; the slices of a call share the work.
template <typename T>
uint32_t clip(QHPI_RuntimeHandle* handle, uint32_t numOutputs, QHPI_Tensor** outputs, uint32_t numInputs,
              const QHPI_Tensor* const* inputs) {
  if (numInputs != 3 || numOutputs != 1) return QHPI_ErrorFatal;
  const float low = *static_cast<const float*>(qhpi_tensor_raw_data(inputs[1]));
  const float high = *static_cast<const float*>(qhpi_tensor_raw_data(inputs[2]));
  if (!(low <= high)) return QHPI_Unsupported;
  const QHPI_Quant_Parameters from = qhpi_tensor_quant_parameters(inputs[0]);
  const QHPI_Quant_Parameters to = qhpi_tensor_quant_parameters(outputs[0]);
  const T* x = static_cast<const T*>(qhpi_tensor_raw_data(inputs[0]));
  T* y = static_cast<T*>(qhpi_tensor_raw_data(outputs[0]));
  const uint64_t count = countOf(qhpi_tensor_shape(inputs[0]));
  const uint64_t begin = count * qhpi_slice_number(handle) / qhpi_num_slices(handle);
  const uint64_t end = count * (qhpi_slice_number(handle) + 1) / qhpi_num_slices(handle);
  for (uint64_t i = begin; i < end; ++i) {
    if constexpr (sizeof(T) == 4) {
      y[i] = std::min(std::max(x[i], static_cast<T>(low)), static_cast<T>(high));
    } else {
      const float real = (float(x[i]) - float(from.zero_offset)) * from.stepsize;
      const float kept = std::min(std::max(real, low), high) / to.stepsize + float(to.zero_offset);
      y[i] = static_cast<T>(std::min(std::max(std::nearbyint(kept), 0.0f), float(T(~T(0)))));
    }
  }
  return QHPI_Success;
}

// y = 2 x on stored bytes in blocks, saturated; padding is doubled with the rest.
uint32_t doubleBlocks(QHPI_RuntimeHandle*, uint32_t, QHPI_Tensor** outputs, uint32_t, const QHPI_Tensor* const* inputs) {
  void** from = qhpi_tensor_block_table(inputs[0]);
  void** to = qhpi_tensor_block_table(outputs[0]);
  for (uint32_t i = 0; i < qhpi_tensor_block_table_length(inputs[0]); ++i) {
    const uint8_t* x = static_cast<const uint8_t*>(from[i]);
    uint8_t* y = static_cast<uint8_t*>(to[i]);
    for (int k = 0; k < 2048; ++k) y[k] = static_cast<uint8_t>(std::min(2 * int(x[k]), 255));
  }
  return QHPI_Success;
}

uint32_t doubleFlat(QHPI_RuntimeHandle*, uint32_t, QHPI_Tensor** outputs, uint32_t, const QHPI_Tensor* const* inputs) {
  const uint8_t* x = static_cast<const uint8_t*>(qhpi_tensor_raw_data(inputs[0]));
  uint8_t* y = static_cast<uint8_t*>(qhpi_tensor_raw_data(outputs[0]));
  const uint64_t count = countOf(qhpi_tensor_shape(inputs[0]));
  for (uint64_t i = 0; i < count; ++i) y[i] = static_cast<uint8_t>(std::min(2 * int(x[i]), 255));
  return QHPI_Success;
}

float clipCost(QHPI_RuntimeHandle*, uint32_t, const QHPI_Tensor* const* inputs) {
  return 300.0f + float(countOf(qhpi_tensor_shape(inputs[0]))) / 64.0f;
}
float doubleCost(QHPI_RuntimeHandle*, uint32_t, const QHPI_Tensor* const*) { return 700.0f; }

QHPI_Shape rowsWhole(const QHPI_Op*) { return {4, {1, 1, 1, 0}}; }

#define FLAT(TYPE) {TYPE, QHPI_Layout_Flat4, QHPI_Storage_Direct, QHPI_MemLoc_DDR_OR_TCM}

QHPI_Tensor_Signature_v1 g_floatIn[] = {FLAT(QHPI_Float32), FLAT(QHPI_Float32), FLAT(QHPI_Float32)};
QHPI_Tensor_Signature_v1 g_floatOut[] = {FLAT(QHPI_Float32)};
QHPI_Tensor_Signature_v1 g_byteIn[] = {FLAT(QHPI_QUInt8), FLAT(QHPI_Float32), FLAT(QHPI_Float32)};
QHPI_Tensor_Signature_v1 g_byteOut[] = {FLAT(QHPI_QUInt8)};
QHPI_Tensor_Signature_v1 g_blocks[] = {{.element_type = QHPI_QUINT8,
                                        .layout = QHPI_LAYOUT_CROUTON_8,
                                        .storage = QHPI_STORAGE_INDIRECT,
                                        .mem_placement = QHPI_MEM_LOC_TCM_ONLY}};

QHPI_Kernel_v1 g_clipKernels[] = {
    {.function_name = PKG "::clip_f32",
     .function = clip<float>,
     .resources = QHPI_RESOURCE_HVX,
     .multithreaded = true,
     .min_inputs = 3,
     .input_signature = g_floatIn,
     .min_outputs = 1,
     .output_signature = g_floatOut,
     .cost_function = clipCost},
    {.function_name = PKG "::clip_u8",
     .function = clip<uint8_t>,
     .resources = QHPI_RESOURCE_HVX,
     .multithreaded = true,
     .min_inputs = 3,
     .input_signature = g_byteIn,
     .min_outputs = 1,
     .output_signature = g_byteOut,
     .cost_function = clipCost},
};
QHPI_Kernel_v1 g_doubleKernels[] = {
    {PKG "::double_blocks", doubleBlocks, QHPI_RESOURCE_HVX, 0, 0, 0, 0, 1, g_blocks, 1, g_blocks, doubleCost},
    {PKG "::double_flat", doubleFlat, QHPI_RESOURCE_HVX, 0, 0, 0, 0, 1, g_byteOut, 1, g_byteOut, doubleCost},
};

QHPI_OpInfo_v1 g_ops[] = {
    {.name = PKG "::Clip", .num_kernels = 2, .kernels = g_clipKernels, .shape_required = rowsWhole},
    {.name = PKG "::Double", .num_kernels = 2, .kernels = g_doubleKernels, .tile_output = QHPI_DO_NOT_TILE},
};

const char* g_names[] = {"Clip", "Double"};
Qnn_ApiVersion_t g_version = QNN_HTP_API_VERSION_INIT;
QnnOpPackage_Info_t g_info = QNN_OP_PACKAGE_INFO_INIT;

Qnn_ErrorHandle_t init(QnnOpPackage_GlobalInfrastructure_t) { return QNN_SUCCESS; }
Qnn_ErrorHandle_t terminate() { return QNN_SUCCESS; }
Qnn_ErrorHandle_t getInfo(const QnnOpPackage_Info_t** info) {
  g_info.packageName = PKG;
  g_info.operationNames = g_names;
  g_info.numOperations = 2;
  g_info.sdkBuildId = QNN_SDK_BUILD_ID;
  g_info.sdkApiVersion = &g_version;
  *info = &g_info;
  return QNN_SUCCESS;
}
Qnn_ErrorHandle_t validate(Qnn_OpConfig_t) { return QNN_SUCCESS; }

}  // namespace

extern "C" {

QNN_API Qnn_ErrorHandle_t clipsInterfaceProvider(QnnOpPackage_Interface_t* interface) {
  if (interface == nullptr) return QNN_OP_PACKAGE_ERROR_INVALID_ARGUMENT;
  interface->interfaceVersion = {1, 4, 0};
  interface->v1_4.init = init;
  interface->v1_4.terminate = terminate;
  interface->v1_4.getInfo = getInfo;
  interface->v1_4.validateOpConfig = validate;
  return QNN_SUCCESS;
}

const char* qhpi_init(void) {
  qhpi_register_ops_v1(sizeof g_ops / sizeof *g_ops, g_ops, PKG);
  return PKG;
}

}  // extern "C"
