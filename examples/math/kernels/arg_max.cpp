// ArgMax along the last dimension. Stored numbers order as real values do, so no element is converted.
#include "nn_math/arg_max.h"

namespace nn_math {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  const size_t length = op.x.dim(-1);
  for (size_t row = 0; row < op.y.size(); ++row) {
    size_t best = 0;
    for (size_t i = 1; i < length; ++i) {
      if (op.x[row * length + i] > op.x[row * length + best]) best = i;
    }
    op.y[row] = static_cast<int32_t>(best);
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status arg_max_f32(const ArgMaxArgsF32& op) { return compute(op); }
opkg::Status arg_max_u8(const ArgMaxArgsU8& op) { return compute(op); }

}  // namespace nn_math
