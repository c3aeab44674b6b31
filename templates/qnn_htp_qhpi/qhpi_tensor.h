// From QHPI tensors to the views that kernels take.
#ifndef OPKG_QHPI_TENSOR_H_
#define OPKG_QHPI_TENSOR_H_

#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "opkg/kernel.h"
#include "opkg/qhpi_abi.h"
#include "opkg/small.h"

namespace opkg {

/// What a tensor says of itself, without its data. `rank` hands it over in fewer dimensions than it arrived in: leading 1s are
/// dropped. 0 keeps them.
inline void describe(const QHPI_Tensor* tensor, uint32_t rank, bool quantized, AnyTensor& view) {
  const QHPI_Shape shape = qhpi_tensor_shape(tensor);
  const QHPI_Quant_Parameters quant = qhpi_tensor_quant_parameters(tensor);
  view.rank = rank != 0 && rank < shape.rank ? rank : shape.rank;
  for (uint32_t i = 0; i < view.rank && i < kMaxRank; ++i) view.dims[i] = shape.dims[shape.rank - view.rank + i];
  if (!quantized) return;
  view.scale = quant.stepsize != 0.0f ? quant.stepsize : 1.0f;
  view.zero = quant.zero_offset;
}
template <typename T>
constexpr bool kMayBeQuantized = !std::is_same_v<std::remove_const_t<T>, float> && !std::is_same_v<std::remove_const_t<T>, Float16>;

/// How many elements a tensor has. For costs, which are asked for when a graph is prepared.
OPKG_RARE inline int64_t elements(const QHPI_Tensor* tensor) {
  const QHPI_Shape shape = qhpi_tensor_shape(tensor);
  size_t count = 1;
  for (uint32_t i = 0; i < shape.rank; ++i) count *= shape.dims[i];
  return static_cast<int64_t>(count);
}

/// Makes the view of a flat tensor.
template <typename T>
inline void take(const QHPI_Tensor* tensor, Tensor<T>& view, uint32_t rank = 0) {
  describe(tensor, rank, kMayBeQuantized<T>, view);
  view.data = static_cast<T*>(qhpi_tensor_raw_data(tensor));
}
template <typename T>
inline Tensor<T> flat(const QHPI_Tensor* tensor, uint32_t rank = 0) {
  Tensor<T> view;
  take(tensor, view, rank);
  return view;
}

/// What a prepared graph keeps of a tensor, wherever it lies, but for the pointer to its data.
OPKG_RARE inline void describe_kept(const QHPI_Tensor* tensor, uint32_t rank, bool quantized, AnyTensor& view) {
  describe(tensor, rank, quantized, view);
  view.in_blocks = qhpi_tensor_layout(tensor) >= QHPI_LAYOUT_CROUTON_8;
  view.in_ddr = qhpi_tensor_placement(tensor) == QHPI_MemLoc_DDR_Only;
}

/// A tensor with its handle in place of that pointer.
template <typename T>
inline void keep(const QHPI_Tensor* tensor, Tensor<T>& view, uint32_t rank = 0) {
  describe_kept(tensor, rank, kMayBeQuantized<T>, view);
  view.data = reinterpret_cast<T*>(const_cast<QHPI_Tensor*>(tensor));
}

/// Makes the view of a tensor in crouton blocks. Backends before QNN 2.50 give its padded shape without the padding.
template <typename T>
inline void take(const QHPI_Tensor* tensor, Crouton<T>& view) {
  const QHPI_Shape shape = qhpi_tensor_shape(tensor);
  const QHPI_Quant_Parameters quant = qhpi_tensor_quant_parameters(tensor);
  view.blocks = reinterpret_cast<T* const*>(qhpi_tensor_block_table(tensor));
  view.num_blocks = qhpi_tensor_block_table_length(tensor);
  for (uint32_t i = 0; i < 4; ++i) view.dims[i] = shape.dims[i];
  constexpr uint32_t kBlock[] = {1, Crouton<T>::kHeight, Crouton<T>::kWidth, Crouton<T>::kDepth};
  for (uint32_t i = 0; i < 4; ++i) view.padded[i] = (shape.dims[i] + kBlock[i] - 1) / kBlock[i] * kBlock[i];
  view.scale = quant.stepsize != 0.0f ? quant.stepsize : 1.0f;
  view.zero = quant.zero_offset;
}

/// A scalar param. It arrives as a constant of one element: integers as Int32, a bool typed Float32, of which only the
/// first byte is valid.
template <typename T>
inline T scalar(const QHPI_Tensor* tensor) {
  const void* data = qhpi_tensor_raw_data(tensor);
  if constexpr (std::is_same_v<T, float>) {
    float value;
    std::memcpy(&value, data, sizeof value);
    return value;
  } else if constexpr (std::is_same_v<T, bool>) {
    return *static_cast<const uint8_t*>(data) != 0;
  } else {
    int32_t value;
    std::memcpy(&value, data, sizeof value);
    return static_cast<T>(value);
  }
}

/// A default of a tensor param, in one dimension or as given.
template <typename T, uint32_t kCount>
inline Tensor<const T> constant(const T (&values)[kCount], std::initializer_list<uint32_t> dims = {kCount}) {
  Tensor<const T> view;
  view.data = values;
  for (uint32_t extent : dims) view.dims[view.rank++] = extent;
  return view;
}

// The named costs, in cycles (2^-64, 2^8, 2^32, 2^48).
inline float cost_free(QHPI_RuntimeHandle*, uint32_t, const QHPI_Tensor* const*) { return 5.421010862427522e-20f; }
inline float cost_fast(QHPI_RuntimeHandle*, uint32_t, const QHPI_Tensor* const*) { return 256.0f; }
inline float cost_snail(QHPI_RuntimeHandle*, uint32_t, const QHPI_Tensor* const*) { return 4294967296.0f; }
inline float cost_glacial(QHPI_RuntimeHandle*, uint32_t, const QHPI_Tensor* const*) { return 281474976710656.0f; }

/// Predicate of a kernel record: the op has these many outputs, of these ranks (4 stands for every rank up to 4).
template <uint32_t... kRanks>
inline uint32_t outputs_have_ranks(const QHPI_Op* op, uint32_t, const QHPI_Tensor* const*) {
  constexpr uint32_t kExpected[] = {kRanks...};
  if (qhpi_op_num_outputs(op) != sizeof...(kRanks)) return 0;
  for (uint32_t i = 0; i < sizeof...(kRanks); ++i) {
    const uint32_t rank = qhpi_op_output(op, i).shape.rank;
    if ((rank < 4 ? 4 : rank) != kExpected[i]) return 0;
  }
  return 1;
}

// Functions of records for ops whose calls have their tensors in different places: one function for all, and what it is given.
template <typename Places, uint32_t (*kFunction)(QHPI_RuntimeHandle*, uint32_t, QHPI_Tensor**, uint32_t, const QHPI_Tensor* const*, const Places&), int... kPlaces>
inline uint32_t run_at(QHPI_RuntimeHandle* handle, uint32_t outs, QHPI_Tensor** out, uint32_t ins, const QHPI_Tensor* const* in) {
  static constexpr Places kAt = {kPlaces...};
  return kFunction(handle, outs, out, ins, in, kAt);
}
template <typename Places, uint32_t (*kFunction)(QHPI_RuntimeHandle*, void*, uint32_t, QHPI_Tensor**, uint32_t, const QHPI_Tensor* const*, const Places&), int... kPlaces>
inline uint32_t keep_at(QHPI_RuntimeHandle* handle, void* data, uint32_t outs, QHPI_Tensor** out, uint32_t ins, const QHPI_Tensor* const* in) {
  static constexpr Places kAt = {kPlaces...};
  return kFunction(handle, data, outs, out, ins, in, kAt);
}
template <typename Places, float (*kFunction)(QHPI_RuntimeHandle*, uint32_t, const QHPI_Tensor* const*, const Places&), int... kPlaces>
inline float cost_at(QHPI_RuntimeHandle* handle, uint32_t ins, const QHPI_Tensor* const* in) {
  static constexpr Places kAt = {kPlaces...};
  return kFunction(handle, ins, in, kAt);
}

/// What a kernel returns, as the runtime wants it.
inline uint32_t to_qhpi(Status status) { return static_cast<uint32_t>(status); }

}  // namespace opkg

#endif  // OPKG_QHPI_TENSOR_H_
