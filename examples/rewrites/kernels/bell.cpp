// Bell: exp(-x * x).
#include "nn_rewrites/bell.h"

#include <cmath>

namespace nn_rewrites {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  for (size_t i = 0; i < op.y.size(); ++i) {
    const float x = op.x.load(i);
    op.y.store(i, std::exp(-x * x));
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status bell_f32(const BellArgsF32& op) { return compute(op); }
opkg::Status bell_f16(const BellArgsF16& op) { return compute(op); }

}  // namespace nn_rewrites
