// Tensors of QHPI over the views that kernels take here: imported kernels are compiled with them.
//
// Made by `opkg import`, and yours from now on. Functions of the graph, precomputed data and sync blocks are not here.
#ifndef QHPI_VIEWS_H_
#define QHPI_VIEWS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "opkg/kernel.h"

namespace qhpi {

enum { QHPI_Success, QHPI_Unsupported, QHPI_ErrorFatal };
enum { QHPI_SUCCESS, QHPI_UNSUPPORTED, QHPI_ERROR_FATAL };
using QHPI_StatusCode = uint32_t;
using QHPI_Element_Type = uint32_t;
enum { QHPI_QUInt8 = 1, QHPI_QUInt16, QHPI_QInt16, QHPI_Float32, QHPI_Int32, QHPI_QInt32, QHPI_QInt8, QHPI_Float16, QHPI_Int64 };
enum { QHPI_QUINT8 = 1, QHPI_QUINT16, QHPI_QINT16, QHPI_FLOAT32, QHPI_INT32, QHPI_QINT32, QHPI_QINT8, QHPI_FLOAT16, QHPI_INT64 };
using QHPI_Standard_Layout = uint32_t;
enum { QHPI_Layout_Flat4 = 2, QHPI_Layout_Flat5 = 3, QHPI_Layout_Crouton_8 = 9, QHPI_Layout_Crouton_16, QHPI_Layout_Crouton_32 };
enum { QHPI_LAYOUT_FLAT_4 = 2, QHPI_LAYOUT_FLAT_5 = 3, QHPI_LAYOUT_CROUTON_8 = 9, QHPI_LAYOUT_CROUTON_16, QHPI_LAYOUT_CROUTON_32 };

struct QHPI_Shape {
  uint32_t rank;
  uint32_t dims[8];
};

struct QHPI_Quant_Parameters {
  int32_t zero_offset;
  float stepsize;
};

/// The element type that tensors of `T` have.
template <typename T>
constexpr uint32_t type_of() {
  if (std::is_same_v<T, float>) return QHPI_Float32;
  if (std::is_same_v<T, opkg::Float16>) return QHPI_Float16;
  if (std::is_same_v<T, int32_t> || std::is_same_v<T, uint32_t>) return QHPI_Int32;
  if (std::is_same_v<T, int64_t>) return QHPI_Int64;
  if (std::is_same_v<T, int8_t>) return QHPI_QInt8;
  if (std::is_same_v<T, int16_t>) return QHPI_QInt16;
  return sizeof(T) == 1 ? QHPI_QUInt8 : QHPI_QUInt16;
}

/// A tensor, or a param, which is a tensor of one element. Lower ranks than four have 1s in front.
struct QHPI_Tensor {
  template <typename T>
  explicit QHPI_Tensor(const opkg::Tensor<T>& view)
      : type(type_of<std::remove_const_t<T>>()), layout(view.rank > 4 ? QHPI_Layout_Flat5 : QHPI_Layout_Flat4), data((void*)(view.data)), quant{view.zero, view.scale} {
    shape.rank = view.rank < 4 ? 4 : view.rank;
    for (uint32_t i = 0; i < shape.rank; ++i) shape.dims[i] = i + view.rank < shape.rank ? 1 : view.dims[i + view.rank - shape.rank];
    padded = shape;
  }
  template <typename T>
  explicit QHPI_Tensor(const opkg::Crouton<T>& view)
      : type(type_of<std::remove_const_t<T>>()), layout(sizeof(T) == 1 ? QHPI_Layout_Crouton_8 : sizeof(T) == 2 ? QHPI_Layout_Crouton_16 : QHPI_Layout_Crouton_32), blocks((void**)(view.blocks)), block_count(view.num_blocks), quant{view.zero, view.scale} {
    for (uint32_t i = 0; i < 4; ++i) {
      shape.dims[i] = view.dims[i];
      padded.dims[i] = view.padded[i];
    }
    block = {4, {1, view.kHeight, view.kWidth, view.kDepth}};
  }
  explicit QHPI_Tensor(float value) : type(QHPI_Float32), data(&number) { std::memcpy(&number, &value, sizeof value); }
  explicit QHPI_Tensor(int32_t value) : type(QHPI_Int32), number(value), data(&number) {}
  explicit QHPI_Tensor(uint32_t value) : QHPI_Tensor(int32_t(value)) {}
  explicit QHPI_Tensor(bool value) : QHPI_Tensor(int32_t(value)) {}
  QHPI_Tensor(const QHPI_Tensor&) = delete;

  uint32_t type;
  uint32_t layout = QHPI_Layout_Flat4;
  int32_t number = 0;  ///< of a param
  void* data = nullptr;
  void** blocks = nullptr;
  uint32_t block_count = 0;
  QHPI_Quant_Parameters quant{0, 1.0f};
  QHPI_Shape shape{4, {1, 1, 1, 1}};
  QHPI_Shape padded{4, {1, 1, 1, 1}};
  QHPI_Shape block{4, {1, 1, 1, 1}};
};

/// Which part of the work a call does.
struct QHPI_RuntimeHandle {
  uint32_t slices = 1;
  uint32_t slice = 0;
};

inline uint32_t qhpi_element_type_size(QHPI_Element_Type type) {
  constexpr uint32_t kBytes[] = {0, 1, 2, 2, 4, 4, 4, 1, 2, 8};
  return type < 10 ? kBytes[type] : 0;
}
inline QHPI_Shape qhpi_tensor_shape(const QHPI_Tensor* tensor) { return tensor->shape; }
inline QHPI_Shape qhpi_tensor_padded_shape(const QHPI_Tensor* tensor) { return tensor->padded; }
inline QHPI_Shape qhpi_tensor_block_shape(const QHPI_Tensor* tensor) { return tensor->block; }
inline QHPI_Shape qhpi_tensor_padding(const QHPI_Tensor* tensor) {
  QHPI_Shape padding = tensor->padded;
  for (uint32_t i = 0; i < padding.rank; ++i) padding.dims[i] -= tensor->shape.dims[i];
  return padding;
}
inline QHPI_Element_Type qhpi_tensor_type(const QHPI_Tensor* tensor) { return tensor->type; }
inline QHPI_Standard_Layout qhpi_tensor_layout(const QHPI_Tensor* tensor) { return tensor->layout; }
inline uint32_t qhpi_tensor_is_indirect(const QHPI_Tensor* tensor) { return tensor->blocks != nullptr; }
inline QHPI_Quant_Parameters qhpi_tensor_quant_parameters(const QHPI_Tensor* tensor) { return tensor->quant; }
inline void* qhpi_tensor_raw_data(const QHPI_Tensor* tensor) { return tensor->data; }
inline void** qhpi_tensor_block_table(const QHPI_Tensor* tensor) { return tensor->blocks; }
inline uint32_t qhpi_tensor_block_table_length(const QHPI_Tensor* tensor) { return tensor->block_count; }
inline uint32_t qhpi_num_slices(const QHPI_RuntimeHandle* handle) { return handle->slices; }
inline uint32_t qhpi_slice_number(const QHPI_RuntimeHandle* handle) { return handle->slice; }

inline opkg::Status finished(uint32_t status) {
  return status == 0 ? opkg::Status::ok : status == 1 ? opkg::Status::unsupported : opkg::Status::error;
}

}  // namespace qhpi

#endif  // QHPI_VIEWS_H_
