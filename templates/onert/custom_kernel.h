// Views of tensors for kernels by hand, which see ranks below 4 padded with leading 1s unless the spec has one rank.
#ifndef OPKG_CUSTOM_KERNEL_H_
#define OPKG_CUSTOM_KERNEL_H_

#include <stdexcept>
#include <string>
#include <vector>

#include "opkg/kernel.h"

namespace opkg {

/// A tensor as CustomCall gives it.
template <typename T>
struct Given {
  T* data;
  const int32_t* dims;
  int32_t rank;
  float scale;
  int32_t zero;
};

/// How many leading 1s a kernel sees.
template <typename T>
int32_t padding(const Given<T>& tensor, bool own_rank) {
  return own_rank || tensor.rank >= 4 ? 0 : 4 - tensor.rank;
}

template <typename T>
Tensor<T> flat(const Given<T>& given, bool own_rank) {
  Tensor<T> view;
  if (given.data == nullptr) return view;
  const int32_t ones = padding(given, own_rank);
  view.data = given.data;
  view.rank = static_cast<uint32_t>(given.rank + ones);
  for (int32_t i = 0; i < given.rank + ones; ++i) view.dims[i] = i < ones ? 1u : static_cast<uint32_t>(given.dims[i - ones]);
  view.scale = given.scale;
  view.zero = given.zero;
  return view;
}

/// A tensor param of one dimension.
template <typename T>
Tensor<const T> list(const std::vector<T>& values) {
  Tensor<const T> view;
  view.data = values.data();
  view.rank = 1;
  view.dims[0] = static_cast<uint32_t>(values.size());
  return view;
}

/// An axis as the kernel counts it; from the end it is what it was.
inline int64_t padded_axis(int64_t axis, int32_t ones) { return axis < 0 ? axis : axis + ones; }

/// What a kernel returned ends the run when it is not ok.
inline void done(const char* op, Status status) {
  if (status == Status::ok) return;
  throw std::runtime_error(std::string(op) + (status == Status::unsupported ? ": the kernel does not support this call" : ": the kernel failed"));
}

}  // namespace opkg

#endif  // OPKG_CUSTOM_KERNEL_H_
